package model

// hermesDump is a registry dump: {"toolsets":{name:{...}},"tools":[...]}, both
// optional, in any order, with any other members. An object with nothing but
// an array of tools in it is read here too, whatever form its entries have.
var hermesDump = shape{
	match: func(o *object) bool {
		return o.tools || o.member("toolsets").isObject()
	},
	read: func(r *reader, o *object) error {
		r.page(o)
		v := o.member("toolsets")
		if !v.isObject() {
			return nil
		}
		r.isDump = true
		path := joinName(o.path, "toolsets")
		_, err := newCursor(v.raw, v.at).eachMember(func(name string, v value) error {
			return r.readToolset(name, v, joinName(path, name))
		})
		return err
	},
}

// readToolset reads one toolset of a dump. A bare array is its list of tools.
func (r *reader) readToolset(name string, v value, path string) error {
	t := foundToolset{Toolset{Name: name}, r.text.origin(v.at)}
	switch v.kind() {
	case '[':
		t.Tools = r.readNames(v)
	case '{':
		_, err := newCursor(v.raw, v.at).eachMember(func(key string, v value) error {
			switch key {
			case "title", "label":
				t.Title = v.text()
			case "description":
				t.Description = v.text()
			case "source":
				t.Source = v.text()
			case "server":
				t.Server = v.text()
			case "instructions":
				t.Instructions = v.text()
			case "tools":
				t.Tools, t.at = r.readNames(v), r.text.origin(v.at)
			case "includes":
				t.Includes = r.readNames(v)
			}
			return nil
		})
		if err != nil {
			return err
		}
	case 'n':
	default:
		r.note("toolset_not_object", v.at, path, "toolset is not an object")
	}
	r.toolsets = append(r.toolsets, t)
	return nil
}

// readNames returns the strings of an array, in order. An element that is an
// object counts by its name.
func (r *reader) readNames(v value) []string {
	if !v.isArray() {
		return nil
	}
	names := []string{}
	c := newCursor(v.raw, v.at)
	_, _ = c.array(func(int) error { // v was validated
		v, err := c.value()
		switch v.kind() {
		case '"':
			names = append(names, v.text())
		case '{':
			_, _ = newCursor(v.raw, v.at).eachMember(func(key string, v value) error {
				if key == "name" && v.isString() {
					names = append(names, v.text())
				}
				return nil
			})
		}
		return err
	})
	return names
}

// hermesEntry is a definition of a registry dump: an OpenAI tool that also
// says where it comes from. One that stands alone in a line is one of these.
var hermesEntry = &form{
	name:  "hermes",
	under: "function",
	match: func(e *entry) bool {
		return e.function.isObject() && e.member("toolset").kind() != 0
	},
	read: readFunctionEntry,
}

// readFunctionEntry reads an entry whose "function" is the model-facing
// object, which is kept as it stands.
func readFunctionEntry(r *reader, f *form, e *entry) error {
	d := r.add(f, e, parts{
		name:        e.function.member("name"),
		description: e.function.member("description"),
		parameters:  e.function.member("parameters"),
		schema:      "parameters",
	})
	if d != nil {
		d.tool.Function = e.function.raw
		d.tool.Envelope = r.envelope(e)
		d.function = e.function.at
		d.parameters = e.function.member("parameters").at - d.function
		r.describe(d.tool, e)
	}
	return nil
}

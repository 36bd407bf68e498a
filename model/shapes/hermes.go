package shapes

import (
	"slices"

	"caliper/model"
	"caliper/model/jsontree"
)

// hermesDump is a registry dump: {"toolsets":{name:{...}},"tools":[...]}, both
// optional, in any order, with any other members. Beside toolsets, "core" has the names
// of the agent's core tools, and "hosted" the kinds of entries that the provider defines. An object with nothing but
// an array of tools in it is read here too, whatever form its entries have.
var hermesDump = shape{
	match: func(o *object) bool {
		return o.tools || o.member("toolsets").IsObject()
	},
	read: func(r *reader, o *object) error {
		r.page(o)
		if o.tools && (o.member("messages").IsArray() || o.member("input").First() != 0) {
			r.requests++
			if err := r.readCarried(o.Value, o.path, maxCarried); err != nil {
				return err
			}
		}
		v := o.member("toolsets")
		if !v.IsObject() {
			return nil
		}
		r.isDump = true
		if core := o.member("core"); core.IsArray() {
			r.core = r.readNames(core)
		}
		if kinds := o.member("hosted"); kinds.IsArray() {
			r.hosted.kinds = r.readNames(kinds)
		}
		path := jsontree.JoinName(o.path, "toolsets")
		_, err := jsontree.NewCursor(v.Raw, v.At).EachMember(func(name string, v jsontree.Value) error {
			return r.readToolset(name, v, jsontree.JoinName(path, name))
		})
		return err
	},
}

// readToolset reads one toolset of a dump. A bare array is its list of tools.
func (r *reader) readToolset(name string, v jsontree.Value, path string) error {
	t := foundToolset{model.Toolset{Name: name}, r.text.Origin(v.At)}
	switch v.First() {
	case '[':
		t.Tools = r.readNames(v)
	case '{':
		_, err := jsontree.NewCursor(v.Raw, v.At).EachMember(func(key string, v jsontree.Value) error {
			switch key {
			case "title", "label":
				t.Title = v.Text()
			case "description":
				t.Description = v.Text()
			case "source":
				t.Source = v.Text()
			case "server":
				t.Server = v.Text()
			case "instructions":
				t.Instructions = v.Text()
			case "tools":
				t.Tools, t.at = r.readNames(v), r.text.Origin(v.At)
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
		r.note("toolset_not_object", v.At, path, "toolset is not an object")
	}
	r.toolsets = append(r.toolsets, t)
	return nil
}

// readNames returns the strings of an array, in order. An element that is an
// object counts by its name.
func (r *reader) readNames(v jsontree.Value) []string {
	if !v.IsArray() {
		return nil
	}
	names := []string{}
	for name := range v.All() {
		if name.IsObject() {
			name = name.Member("name")
		}
		if name.IsString() {
			names = append(names, name.Text())
		}
	}
	return names
}

// hermesEntry is a definition of a registry dump: an OpenAI tool that also
// says where it comes from. One that stands alone in a line is one of these.
var hermesEntry = &form{
	name:  "hermes",
	under: "function",
	match: func(e *entry) bool {
		return e.function.IsObject() && e.member("toolset").First() != 0
	},
	read: readFunctionEntry,
}

// readFunctionEntry reads an entry whose "function" is the model-facing
// object, which is kept as it stands.
func readFunctionEntry(r *reader, f *form, e *entry) error {
	d := r.add(f, e, e.function.parts("parameters"))
	if d != nil {
		d.tool.Function = e.function.Raw
		d.tool.Envelope = r.envelope(e)
		r.describe(d.tool, e)
	}
	return nil
}

// unsent are the members beside "function" that only a dump has: where a tool
// comes from, and what an MCP server adds for people and programs. No model is
// sent them.
var unsent = []string{
	"toolset", "source", "server", "original_name", "available", "defer_loading", "always_load",
	"title", "annotations", "output_schema", "outputSchema", "icons", "execution", "_meta",
}

// envelope returns what stands around the function object of an entry, nil for
// the usual. What an agent puts beside it, as "strict", is sent with it and
// counts; not so the additions of a dump, and nothing of an MCP server's tool, for which
// the agent writes type and function itself.
func (r *reader) envelope(e *entry) *model.Envelope {
	sent := func(m jsontree.Member) bool {
		return m.Name != "type" && m.Name != "function" && !slices.Contains(unsent, m.Name)
	}
	if !slices.ContainsFunc(e.members, sent) || e.member("source").Text() == "mcp" {
		return nil
	}
	var before, after []byte
	if e.member("type").First() == 0 {
		before = append(before, `"type":"function",`...)
	}
	for _, m := range e.members {
		switch {
		case m.Name == "type":
			m.Raw = []byte(`"function"`)
		case !sent(m):
			continue
		}
		text := append(jsontree.AppendQuoted(nil, m.Name), ':')
		text = append(text, m.Raw...)
		if m.At < e.function.At {
			before = append(append(before, text...), ',')
		} else {
			after = append(append(after, ','), text...)
		}
	}
	whole := model.Envelope{Before: "{" + string(before) + `"function":`, After: string(after) + "}"}
	if r.envelopes == nil {
		r.envelopes = map[model.Envelope]*model.Envelope{}
	}
	known, ok := r.envelopes[whole]
	if !ok {
		known = &whole
		r.envelopes[whole] = known
	}
	return known
}

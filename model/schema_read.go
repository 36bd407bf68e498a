package model

import "strconv"

// schemaReader builds the tree of one schema while its text streams by.
type schemaReader struct {
	c *cursor
	d *schemaDocument
}

// schema reads the value that comes next as a schema.
func (r *schemaReader) schema(key, pointer string, depth int) (*Schema, error) {
	s := &Schema{Key: key, Pointer: pointer, document: r.d}
	r.d.byPointer[pointer] = s
	if r.c.next() != '{' || depth > MaxSchemaDepth {
		return s, r.unread(s)
	}
	var f facts
	_, err := r.c.object(func(name []byte) error { return r.keyword(s, &f, string(name), depth) })
	if err != nil {
		return nil, err
	}
	f.markRequired(s)
	s.Kind = f.kind(s)
	if s.Ref != "" {
		r.d.references = append(r.d.references, s)
	}
	return s, nil
}

// unread makes s of a value that has no keywords to read: true, false,
// something that is no schema, or a schema too deep to show.
func (r *schemaReader) unread(s *Schema) error {
	v, err := r.c.value()
	if err != nil {
		return err
	}
	switch v.kind() {
	case 't':
		s.Kind = "any"
	case 'f':
		s.Kind = "never"
	case '{':
		s.Kind = "object"
		s.note("too deep to show: " + count(len(v.raw), "byte", "bytes"))
	default:
		s.Kind = "invalid"
		s.note("not a schema: " + literal(v))
	}
	return nil
}

// keyword reads one member of the schema s.
func (r *schemaReader) keyword(s *Schema, f *facts, name string, depth int) error {
	next, at := r.c.next(), s.Pointer+"/"+escapeToken(name)
	switch place := placeOf[name]; {
	case place&oneSchema != 0 && next == '{', place&boolSchema != 0 && (next == 't' || next == 'f'):
		child, err := r.schema(name, at, depth+1)
		s.add(child)
		f.note(name, child)
		return err
	case place&listOfSchemas != 0 && next == '[':
		_, err := r.c.array(func(i int) error {
			index := strconv.Itoa(i)
			child, err := r.schema(name+"["+index+"]", at+"/"+index, depth+1)
			s.add(child)
			f.noteListed(name, child)
			return err
		})
		return err
	case name == "properties" && next == '{':
		f.object = true
		return r.properties(s, f, at, depth)
	case place&namedSchemas != 0 && next == '{':
		return r.group(s, name, at, depth)
	}
	v, err := r.c.value()
	if err == nil {
		r.plain(s, f, name, v)
		if v.isObject() || v.isArray() {
			r.d.unknown[at] = v
		}
	}
	return err
}

// properties reads the member "properties" of s. Properties are children of s
// itself.
func (r *schemaReader) properties(s *Schema, f *facts, at string, depth int) error {
	_, err := r.c.object(func(raw []byte) error {
		name := string(raw)
		child, err := r.schema(label(name), at+"/"+escapeToken(name), depth+1)
		if child != nil {
			child.Property = true
			f.property(name, child)
		}
		s.add(child)
		return err
	})
	return err
}

// group reads a member of s that holds schemas under names of its own, as a
// node of its own. A list in their place, as "dependencies" may have, is the
// names of properties that must come along.
func (r *schemaReader) group(s *Schema, keyword, at string, depth int) error {
	group := &Schema{Key: keyword, Pointer: at, document: r.d}
	s.add(group)
	_, err := r.c.object(func(raw []byte) error {
		name := string(raw)
		at := at + "/" + escapeToken(name)
		if r.c.next() == '[' {
			v, err := r.c.value()
			if err == nil {
				group.add(&Schema{Key: label(name), Kind: "requires", Notes: []string{literal(v)}, Pointer: at, document: r.d})
			}
			return err
		}
		child, err := r.schema(label(name), at, depth+1)
		group.add(child)
		return err
	})
	return err
}

// plain takes in a keyword whose value is not a schema.
func (r *schemaReader) plain(s *Schema, f *facts, name string, v value) {
	switch name {
	case "type":
		if f.setTypes(s, v) {
			return
		}
	case "description":
		if v.isString() {
			s.Description = SanitizeText(v.text())
			return
		}
	case "enum":
		if v.isArray() {
			s.Enum = literals(v)
			return
		}
	case "required":
		if names, ok := stringsOf(v); ok {
			f.required = names
			return
		}
	case "$ref", "$dynamicRef", "$recursiveRef":
		if v.isString() {
			s.Ref = v.text()
			return
		}
	case "nullable":
		if v.kind() == 't' {
			f.nullable = true
			return
		}
	case "const":
		f.constant = true
	case "$anchor", "$dynamicAnchor":
		r.d.byName["#"+v.text()] = s
	case "$id", "id":
		r.d.byName[v.text()] = s
	case "minProperties", "maxProperties", "additionalProperties":
		f.object = true
	}
	s.note(Sanitize(name) + ": " + literal(v))
}

// add appends a child, if there is one.
func (s *Schema) add(child *Schema) {
	if child != nil {
		s.Children = append(s.Children, child)
	}
}

// note appends a note.
func (s *Schema) note(text string) { s.Notes = append(s.Notes, text) }

// label returns a name from the source as a Key. An empty name would not be
// seen and is quoted.
func label(name string) string {
	if name == "" {
		return `""`
	}
	return Sanitize(name)
}

// quoted returns a name from the source as a JSON string, safe for a terminal.
func quoted(name string) string { return Sanitize(string(appendQuoted(nil, name))) }

// literal returns a value as JSON in one line, with numbers and strings as
// they are written, safe for a terminal.
func literal(v value) string { return Sanitize(string(compact(v.raw))) }

// literals returns the elements of an array as literal does.
func literals(v value) []string {
	out := []string{}
	c := newCursor(v.raw, 0)
	_, _ = c.array(func(int) error { // v was validated
		element, err := c.value()
		out = append(out, literal(element))
		return err
	})
	return out
}

// stringsOf returns the elements of an array that holds only strings.
func stringsOf(v value) (out []string, ok bool) {
	if !v.isArray() {
		return nil, false
	}
	c := newCursor(v.raw, 0)
	ok = true
	_, _ = c.array(func(int) error { // v was validated
		element, err := c.value()
		ok = ok && element.isString()
		out = append(out, element.text())
		return err
	})
	return out, ok
}

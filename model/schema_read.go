package model

import (
	"slices"
	"strconv"
	"strings"

	"caliper/model/jsontree"
	"caliper/model/safetext"
)

// schemaReader builds the tree of one schema while its text streams by.
type schemaReader struct {
	c *jsontree.Cursor
	d *schemaDocument
}

// schema reads the value that comes next as a schema.
func (r *schemaReader) schema(key, pointer string, depth int) (*Schema, error) {
	s := &Schema{Key: key, Pointer: pointer, document: r.d}
	r.d.byPointer[pointer] = s
	if r.c.Next() != '{' || depth > MaxSchemaDepth {
		v, err := r.c.Value()
		switch v.First() {
		case 0: // an error
		case 't':
			s.Kind = "any"
		case 'f':
			s.Kind = "never"
		case '{':
			s.Kind = "object"
			s.note(Note{Kind: NoteTooDeep, Bytes: len(v.Raw)})
		default:
			s.Kind = "invalid"
			s.note(Note{Kind: NoteNotSchema, Value: literal(v)})
		}
		return s, err
	}
	var f facts
	_, err := r.c.Object(func(name []byte) error { return r.keyword(s, &f, string(name), depth) })
	if err != nil {
		return nil, err
	}
	// A schema that says nothing about properties, such as a branch of anyOf, names another one's.
	about := f.object || slices.Contains(f.types, "object")
	for _, name := range f.required {
		switch child := f.properties[name]; {
		case child != nil:
			child.Required = true
		case about:
			s.note(Note{Kind: NoteUndefinedRequired, Name: name})
		default:
			s.note(Note{Kind: NoteRequired, Name: name})
		}
	}
	kind := f.plainKind(s)
	s.Kind = kind
	if f.nullable && kind != "any" && kind != "null" && !strings.HasSuffix(kind, "|null") {
		s.Kind = parenthesized(kind) + "|null"
	}
	if s.Ref != "" {
		r.d.references = append(r.d.references, s)
	}
	return s, nil
}

// keyword reads one member of the schema s.
func (r *schemaReader) keyword(s *Schema, f *facts, name string, depth int) error {
	next, at := r.c.Next(), s.Pointer+"/"+jsontree.EscapeToken(name)
	switch keeps := subschemas[name]; {
	case keeps.Has(OneSchema) && next == '{', keeps.Has(boolNode) && (next == 't' || next == 'f'):
		child, err := r.schema(name, at, depth+1)
		s.add(child)
		switch {
		case child == nil:
		case name == "items":
			f.items = child
		case name == "additionalProperties":
			f.object = true
		}
		return err
	case keeps.Has(SchemaList) && next == '[':
		_, err := r.c.Array(func(i int) error {
			index := strconv.Itoa(i)
			child, err := r.schema(name+"["+index+"]", at+"/"+index, depth+1)
			s.add(child)
			switch {
			case child == nil:
			case name == "items" || name == "prefixItems":
				f.tuple = append(f.tuple, child.Kind)
			case f.union == "" || f.union == name:
				f.union = name
				f.branches = append(f.branches, child.Kind)
			}
			return err
		})
		return err
	case name == "properties" && next == '{':
		f.object = true
		// Read the member "properties" of s. Properties are children of s itself.
		_, err := r.c.Object(func(raw []byte) error {
			name := string(raw)
			child, err := r.schema(label(name), at+"/"+jsontree.EscapeToken(name), depth+1)
			if child != nil {
				if f.properties == nil {
					f.properties = map[string]*Schema{}
				}
				f.properties[name] = child
			}
			s.add(child)
			return err
		})
		return err
	case keeps.Has(NamedSchemas) && next == '{':
		group := &Schema{Key: name, Pointer: at, document: r.d}
		s.add(group)
		_, err := r.c.Object(func(raw []byte) error {
			name := string(raw)
			at := at + "/" + jsontree.EscapeToken(name)
			if r.c.Next() == '[' { // as in "dependencies": properties that must come along
				v, err := r.c.Value()
				if err == nil {
					group.add(&Schema{Key: label(name), Kind: "requires", Notes: []Note{{Kind: NoteValue, Value: literal(v)}}, Pointer: at, document: r.d})
				}
				return err
			}
			child, err := r.schema(label(name), at, depth+1)
			group.add(child)
			return err
		})
		return err
	}
	v, err := r.c.Value()
	if err == nil {
		r.plain(s, f, name, v)
		if v.IsObject() || v.IsArray() {
			r.d.unknown[at] = v
		}
	}
	return err
}

// plain takes in a keyword whose value is not a schema.
func (r *schemaReader) plain(s *Schema, f *facts, name string, v jsontree.Value) {
	switch name {
	case "type":
		types, ok := stringsOf(v)
		if v.IsString() {
			types, ok = []string{v.Text()}, true
		}
		if ok {
			for _, t := range types {
				if !slices.Contains([]string{"array", "boolean", "integer", "null", "number", "object", "string", "any"}, t) {
					s.note(Note{Kind: NoteUnknownType, Name: t})
				}
				f.types = append(f.types, safetext.Line(t))
			}
			return
		}
	case "description":
		if v.IsString() {
			s.Description = safetext.Lines(v.Text())
			return
		}
	case "enum":
		if v.IsArray() {
			s.Enum = []string{}
			for element := range v.All() {
				s.Enum = append(s.Enum, literal(element))
			}
			return
		}
	case "required":
		if names, ok := stringsOf(v); ok {
			f.required = names
			return
		}
	case "$ref", "$dynamicRef", "$recursiveRef":
		if v.IsString() {
			s.Ref = v.Text()
			return
		}
	case "nullable":
		if v.First() == 't' {
			f.nullable = true
			return
		}
	case "const":
		f.constant = true
	case "$anchor", "$dynamicAnchor":
		r.d.byName["#"+v.Text()] = s
	case "$id", "id":
		r.d.byName[v.Text()] = s
	case "minProperties", "maxProperties", "additionalProperties":
		f.object = true
	}
	s.note(Note{Kind: NoteKeyword, Name: name, Value: literal(v)})
}

// add appends a child, if there is one.
func (s *Schema) add(child *Schema) {
	if child != nil {
		s.Children = append(s.Children, child)
	}
}

func (s *Schema) note(n Note) { s.Notes = append(s.Notes, n) }

// label returns a name from the source as a Key. An empty name would not be seen and is quoted.
func label(name string) string {
	if name == "" {
		return `""`
	}
	return safetext.Line(name)
}

// quoted returns a name from the source as a JSON string, safe for a terminal.
func quoted(name string) string { return safetext.Line(string(jsontree.AppendQuoted(nil, name))) }

// literal returns a value as JSON in one line as it is written, safe for a terminal.
func literal(v jsontree.Value) string { return safetext.Line(string(jsontree.Compact(v.Raw))) }

// stringsOf returns the elements of an array that holds only strings.
func stringsOf(v jsontree.Value) (out []string, ok bool) {
	if !v.IsArray() {
		return nil, false
	}
	ok = true
	for element := range v.All() {
		ok = ok && element.IsString()
		out = append(out, element.Text())
	}
	return out, ok
}

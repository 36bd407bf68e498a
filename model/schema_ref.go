package model

import (
	"errors"
	"net/url"
	"strconv"
	"strings"

	"caliper/model/jsontree"
)

// schemaDocument is where the references of one tree lead. It never changes after parsing.
type schemaDocument struct {
	byPointer map[string]*Schema        // by Pointer
	byName    map[string]*Schema        // by #anchor and by identifier
	hidden    map[string]jsontree.Value // objects within keywords that the tree keeps as notes, by pointer
	outer     *schemaDocument           // of the tree that a reference led out of; nil for the first tree

	references []*Schema                 // nodes with a Ref
	unknown    map[string]jsontree.Value // what hidden is made of, by pointer
}

func newSchemaDocument() *schemaDocument {
	return &schemaDocument{
		byPointer: map[string]*Schema{},
		byName:    map[string]*Schema{},
		hidden:    map[string]jsontree.Value{},
		unknown:   map[string]jsontree.Value{},
	}
}

// What a reference that leads nowhere is called.
var (
	errExternal = errors.New("external reference, not fetched")
	errDangling = errors.New("leads to nothing in this schema")
)

// Resolve returns the schema that a $ref of s's tree leads to, which may have a Ref itself. Local
// pointers (#, #/$defs/x, with ~0, ~1 and percent escapes), anchors and identifiers of the tree
// are followed; nothing is ever fetched. The error tells why a reference leads to nothing.
func (s *Schema) Resolve(ref string) (*Schema, error) {
	target, pointer, err := s.document.find(ref)
	if target != nil || err != nil {
		return target, err
	}
	// Make a tree of the object, which the outermost tree keeps as a note.
	d := s.document
	for d.outer != nil {
		d = d.outer
	}
	own := newSchemaDocument()
	own.outer = d
	r := schemaReader{jsontree.NewCursor(d.hidden[pointer].Raw, 0), own}
	name := pointer[strings.LastIndexByte(pointer, '/')+1:]
	if target, err = r.schema(label(jsontree.UnescapeToken(name)), pointer, 0); err != nil {
		return nil, errDangling
	}
	own.noteUnresolved()
	return target, nil
}

// find returns the schema that a reference leads to, or its pointer in hidden.
func (d *schemaDocument) find(ref string) (target *Schema, pointer string, err error) {
	base, fragment, _ := strings.Cut(ref, "#")
	pointer, err = url.PathUnescape(fragment)
	if err != nil {
		return nil, "", errDangling
	}
	for ; d != nil; d = d.outer {
		if target := d.byName[ref]; target != nil {
			return target, "", nil
		}
		if base != "" && (d.byName[base] == nil || d.byName[base].Pointer != "") {
			err = errExternal
			continue
		}
		if target := d.byPointer[pointer]; target != nil {
			return target, "", nil
		}
		if target := d.byName["#"+pointer]; target != nil {
			return target, "", nil
		}
		if d.hidden[pointer].IsObject() {
			return nil, pointer, nil
		}
		err = errDangling
	}
	return nil, "", err
}

// noteUnresolved notes at every node whose reference leads to nothing why.
func (d *schemaDocument) noteUnresolved() {
	if d.outer == nil && len(d.references) > 0 {
		for pointer, v := range d.unknown {
			d.hide(pointer, v)
		}
	}
	d.unknown = nil
	for _, s := range d.references {
		switch _, _, err := d.find(s.Ref); err {
		case nil:
		case errExternal:
			s.note(Note{Kind: NoteExternalReference})
		default:
			s.note(Note{Kind: NoteDanglingReference})
		}
	}
}

// hide fills hidden with the objects of v, which stands at pointer.
func (d *schemaDocument) hide(pointer string, v jsontree.Value) {
	if strings.Count(pointer, "/") > MaxSchemaDepth {
		return
	}
	if v.IsObject() {
		d.hidden[pointer] = v
	}
	v.Each(func(m jsontree.Member) { d.hide(pointer+"/"+jsontree.EscapeToken(m.Name), m.Value) })
	for i, element := range v.Elements() {
		d.hide(pointer+"/"+strconv.Itoa(i), element)
	}
}

package transcript

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"caliper/model/jsontree"
)

const (
	// mostTools is how many arrays of tools are kept: as many programs may take turns in a
	// log.
	mostTools = 4
	// longestTools is how long one of them may be, in bytes.
	longestTools = 4 << 20
)

// tools is an array of tools that a request sent, as most requests behind it do.
type tools struct {
	raw   []byte // as it is written, clean as Parse takes it
	array ToolArray
}

// toolsOf returns an array of tools.
func (f *file) toolsOf(n *jsontree.Node) *tools {
	for i, t := range f.tools {
		if bytes.Equal(t.raw, n.Raw) {
			copy(f.tools[1:i+1], f.tools[:i])
			f.tools[0] = t
			return t
		}
	}
	opened, _ := jsontree.Parse(n.Raw, jsontree.Strict) // it was checked
	t := &tools{array: f.reader.shared(ParseTools(opened))}
	if len(n.Raw) <= longestTools {
		t.raw = bytes.Clone(n.Raw)
		f.tools = append([]*tools{t}, f.tools[:min(len(f.tools), mostTools-1)]...)
	}
	return t
}

// arrayOf returns the index of an array of tools among the session's, with the additions of the
// conversation brought.
func (f *file) arrayOf(s *session, n *jsontree.Node) int {
	t := s.tools
	if n.Is(jsontree.Array) {
		t = f.toolsOf(n)
	} else if t == nil {
		t = new(tools)
	}
	if t != s.tools || s.brought != len(s.added) {
		array := t.array
		if len(s.added) > 0 {
			array = f.reader.shared(ToolArray{Definitions: slices.Concat(array.Definitions, s.added)})
		}
		s.out.Arrays, s.array = AddArray(s.out.Arrays, array)
		s.tools, s.brought = t, len(s.added)
	}
	return s.array
}

// bring takes the definitions that a part brings, which are tools from then on and no message,
// and returns the part without them. What a search of the client found was deferred, and stays
// in its result; what one of the provider found (without an id) is among the request's tools.
func (s *session) bring(p MessagePart) MessagePart {
	if p.Defines && p.Kind == Result && p.CallID != "" {
		s.list(p.Text)
	}
	if !p.Defines || p.Kind != System {
		return p
	}
	list, err := jsontree.Parse([]byte(p.Text), jsontree.Strict)
	if err != nil {
		return p
	}
	for _, d := range ParseTools(list).Definitions {
		if !slices.ContainsFunc(s.added, func(known []byte) bool { return bytes.Equal(known, d) }) {
			s.added = append(s.added, d)
		}
	}
	p.Text = ""
	return p
}

// list takes the tools that a search of the client found.
func (s *session) list(found string) {
	list, err := jsontree.Parse(jsontree.Mend([]byte(found)), jsontree.Strict)
	if err != nil {
		return
	}
	for _, t := range list.Elements() {
		inner := t.Member("tools")
		if !inner.Is(jsontree.Array) {
			s.lists(bytes.Clone(jsontree.Compact(t.Raw)))
			continue
		}
		space := jsontree.AppendQuoted([]byte(`{"type":"namespace","name":`), text(t.Member("name")))
		for _, d := range ParseTools(inner).Definitions {
			s.lists(slices.Concat(space, []byte(`,"tools":[`), d, []byte("]}")))
		}
	}
}

// lists takes the definition of one deferred tool, in its namespace; the latest of a name counts.
func (s *session) lists(definition []byte) {
	list, _ := jsontree.Parse(slices.Concat([]byte("["), definition, []byte("]")), jsontree.Strict)
	names := defined(list, "")
	if len(names) != 1 {
		return // it has no name
	}
	l := Listed{Name: names[0], Definition: definition}
	i := slices.IndexFunc(s.out.Listed, func(known Listed) bool { return known.Name == l.Name })
	if i < 0 {
		s.out.Listed = append(s.out.Listed, l)
		return
	}
	s.out.Listed[i] = l
}

// shared returns the array with the same bytes that another session has. There
// may be thousands: programs send the tools with every request.
func (r *RequestsReader) shared(a ToolArray) ToolArray {
	h := sha256.New()
	for _, d := range a.Definitions {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(d))))
		h.Write(d)
	}
	var digest [sha256.Size]byte
	h.Sum(digest[:0])
	if known, ok := r.arrays[digest]; ok {
		return known
	}
	if r.arrays == nil {
		r.arrays = map[[sha256.Size]byte]ToolArray{}
	}
	r.arrays[digest] = a
	return a
}

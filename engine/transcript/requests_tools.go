package transcript

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"caliper/model/jsontree"
)

// arrayOf returns the index of an array of tools among the session's, with the additions of the
// conversation brought.
func (f *file) arrayOf(s *session, n *jsontree.Node) (index int) {
	if n.Is(jsontree.Array) {
		s.tools = f.reader.shared(ParseTools(n))
	}
	array := s.tools
	if len(s.added) > 0 {
		array = f.reader.shared(ToolArray{Definitions: slices.Concat(array.Definitions, s.added)})
	}
	s.out.Arrays, index = AddArray(s.out.Arrays, array)
	return index
}

// bring takes the definitions that a part brings, which are tools from then on and no message,
// and returns the part without them. What a search of the client found was deferred, and stays
// in its result; what one of the provider found (without an id) is among the request's tools.
func (s *session) bring(p MessagePart) MessagePart {
	found := p.Kind == Result && p.CallID != ""
	if !p.Defines || !found && p.Kind != System {
		return p
	}
	list, err := jsontree.Parse(jsontree.Mend([]byte(p.Text)), jsontree.Strict)
	if err != nil {
		return p
	}
	if found {
		for _, t := range list.Elements() {
			inner := t.Member("tools")
			if !inner.Is(jsontree.Array) {
				s.lists(bytes.Clone(jsontree.Compact(t.Raw)))
				continue
			}
			space := jsontree.AppendQuoted([]byte(`{"type":"namespace","name":`), t.Member("name").AsText())
			for _, d := range ParseTools(inner).Definitions {
				s.lists(slices.Concat(space, []byte(`,"tools":[`), d, []byte("]}")))
			}
		}
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

// ParseTools returns a tools array.
func ParseTools(tools *jsontree.Node) (a ToolArray) {
	for _, t := range tools.Elements() {
		a.Definitions = append(a.Definitions, bytes.Clone(jsontree.Compact(t.Raw)))
	}
	return a
}

// AddArray returns the arrays of a session with one, and its index in them. An array with the
// same bytes as one that is there is that one.
func AddArray(arrays []ToolArray, a ToolArray) ([]ToolArray, int) {
	for i := len(arrays) - 1; i >= 0; i-- {
		if slices.EqualFunc(arrays[i].Definitions, a.Definitions, bytes.Equal) {
			return arrays, i
		}
	}
	return append(arrays, a), len(arrays)
}

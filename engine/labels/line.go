package labels

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"caliper/model/jsontree"
	"caliper/model/words"
)

// place is a JSON value and its offset in a line.
type place struct{ jsontree.Value }

// member is one member of an object.
type member struct {
	name string
	place
}

// onlyValue returns the value that a line holds.
func onlyValue(line []byte) (place, *queryFault) {
	for at := 0; at < len(line); {
		r, n := utf8.DecodeRune(line[at:])
		if r == utf8.RuneError && n == 1 {
			return place{}, &queryFault{at: at, code: "not_utf8", message: "not UTF-8"}
		}
		at += n
	}
	var raw json.RawMessage
	if err := json.Unmarshal(line, &raw); err != nil {
		f := &queryFault{code: "json_syntax", message: err.Error()}
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			f.at = max(0, int(syntax.Offset)-1) // the offset is after the offending byte
		}
		switch first := json.NewDecoder(bytes.NewReader(line)).Decode(&raw); {
		case first == nil:
			f.message = "more than one value on the line"
		case errors.Is(first, io.ErrUnexpectedEOF):
			f.at, f.message = len(line), "the line ends within a value"
		}
		return place{}, f
	}
	return place{jsontree.Value{Raw: bytes.TrimSpace(raw), At: len(line) - len(bytes.TrimLeft(line, " \t\r\n"))}}, nil
}

// bad returns a fault of the value.
func (p place) bad(path, message string) *queryFault {
	return &queryFault{at: p.At, code: "bad_field", path: path, message: message}
}

// text returns the text that the value is, which must not be blank.
func (p place) text(path string) (string, *queryFault) {
	var s string
	if p.First() != '"' || json.Unmarshal(p.Raw, &s) != nil {
		return "", p.bad(path, "want text")
	}
	if words.Strip(s) == "" {
		return "", p.bad(path, "empty")
	}
	return s, nil
}

// names returns the texts of the array that the value is, which must hold
// one, each once.
func (p place) names(path string) ([]string, *queryFault) {
	list, f := p.elements(path)
	if f != nil {
		return nil, f
	}
	if len(list) == 0 {
		return nil, p.bad(path, "names no tool")
	}
	names := make([]string, len(list))
	for i, e := range list {
		if names[i], f = e.text(fmt.Sprintf("%s[%d]", path, i)); f != nil {
			return nil, f
		}
	}
	return firstMentions(names), nil
}

// elements returns the elements of the array that the value must be.
func (p place) elements(path string) ([]place, *queryFault) {
	if p.First() != '[' {
		return nil, p.bad(path, "want an array")
	}
	var out []place
	for _, v := range p.Elements() {
		out = append(out, place{v})
	}
	return out, nil
}

// members returns the members of the object that the value must be. No name
// may stand twice.
func (p place) members(path string) ([]member, *queryFault) {
	if p.First() != '{' {
		return nil, p.bad(path, "want an object")
	}
	var out []member
	seen := map[string]bool{}
	var twice *queryFault
	p.Each(func(given jsontree.Member) {
		m := member{given.Name, place{given.Value}}
		if seen[m.name] && twice == nil {
			twice = m.bad(m.name, "given twice")
			twice.code = "duplicate_key"
			if path != "" {
				twice.path = path + "." + m.name
			}
		}
		seen[m.name] = true
		out = append(out, m)
	})
	return out, twice
}

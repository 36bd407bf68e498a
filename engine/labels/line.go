package labels

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/words"
)

// onlyValue returns the value that a line holds.
func onlyValue(line []byte) (jsontree.Value, *model.Diagnostic) {
	for at := 0; at < len(line); {
		r, n := utf8.DecodeRune(line[at:])
		if r == utf8.RuneError && n == 1 {
			return jsontree.Value{}, &model.Diagnostic{Col: at + 1, Code: "not_utf8", Message: "not UTF-8"}
		}
		at += n
	}
	var raw json.RawMessage
	if err := json.Unmarshal(line, &raw); err != nil {
		f := &model.Diagnostic{Col: 1, Code: "json_syntax", Message: err.Error()}
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			f.Col = max(1, int(syntax.Offset)) // the offset is after the offending byte
		}
		switch first := json.NewDecoder(bytes.NewReader(line)).Decode(&raw); {
		case first == nil:
			f.Message = "more than one value on the line"
		case errors.Is(first, io.ErrUnexpectedEOF):
			f.Col, f.Message = len(line)+1, "the line ends within a value"
		}
		return jsontree.Value{}, f
	}
	return jsontree.Value{Raw: bytes.TrimSpace(raw), At: len(line) - len(bytes.TrimLeft(line, " \t\r\n"))}, nil
}

// badField returns a fault of a value.
func badField(v jsontree.Value, path, message string) *model.Diagnostic {
	return &model.Diagnostic{Col: v.At + 1, Code: "bad_field", Path: path, Message: message}
}

// textOf returns the text that a value is, which must not be blank.
func textOf(v jsontree.Value, path string) (string, *model.Diagnostic) {
	var s string
	if v.First() != '"' || json.Unmarshal(v.Raw, &s) != nil {
		return "", badField(v, path, "want text")
	}
	if words.Strip(s) == "" {
		return "", badField(v, path, "empty")
	}
	return s, nil
}

// namesOf returns the texts of an array, which must hold one, each once.
func namesOf(v jsontree.Value, path string) ([]string, *model.Diagnostic) {
	if v.First() != '[' {
		return nil, badField(v, path, "want an array")
	}
	var names []string
	for i, e := range v.Elements() {
		name, f := textOf(e, fmt.Sprintf("%s[%d]", path, i))
		if f != nil {
			return nil, f
		}
		names = append(names, name)
	}
	if names == nil {
		return nil, badField(v, path, "names no tool")
	}
	return firstMentions(names), nil
}

// membersOf returns the members of an object. No name may stand twice.
func membersOf(v jsontree.Value, path string) (out []jsontree.Member, twice *model.Diagnostic) {
	if v.First() != '{' {
		return nil, badField(v, path, "want an object")
	}
	seen := map[string]bool{}
	v.Each(func(m jsontree.Member) {
		if seen[m.Name] && twice == nil {
			twice = badField(m.Value, m.Name, "given twice")
			twice.Code = "duplicate_key"
			if path != "" {
				twice.Path = path + "." + m.Name
			}
		}
		seen[m.Name] = true
		out = append(out, m)
	})
	return out, twice
}

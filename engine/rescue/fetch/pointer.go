package fetch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"caliper/engine/rescue"
	"caliper/model/jsontree"
	"caliper/model/words"
)

// pointer answers with the value at a JSON pointer (RFC 6901). The last of equal
// keys of one object counts.
func pointer(x *text, q Request, l rescue.Limits) (Answer, error) {
	from, to, err := x.value(q.Pointer)
	if err != nil {
		return Answer{}, err
	}
	char, _ := x.charAndLine(from)
	end, _ := x.charAndLine(to)
	if q.Start > 0 {
		if q.Start < char || q.Start >= end {
			span := fmt.Sprintf("chars %d to %d", char, end-1)
			if char == end-1 {
				span = fmt.Sprintf("char %d", char)
			}
			return Answer{}, rescue.Errorf(CodePastEnd, "start is %d and the value has the %s of the blob", q.Start, span)
		}
		char = q.Start
		from = x.char(char)
	}
	return x.cut(q, from, char, end, l.FetchMaxChars), nil
}

// value returns where the value that a pointer names stands: the bytes [from, to) of a text that
// is one JSON value.
func (x *text) value(pointer string) (from, to int, err error) {
	parts, err := split(pointer)
	if err == nil {
		err = checkJSON(x.data)
	}
	if m, ok := err.(*malformed); ok {
		err = rescue.Errorf(CodeNotJSON, "the blob is not JSON at %v: use range, grep or search", m)
	}
	if err != nil {
		return 0, 0, err
	}
	s := newScanner(x.data, 0)
	for depth, part := range parts {
		here := "the root"
		if depth > 0 {
			here = strconv.Quote(words.Clip("/"+strings.Join(strings.Split(pointer, "/")[1:depth+1], "/"), 200))
		}
		switch c := s.Peek(); c {
		case '{':
			err = toMember(s, part, here)
		case '[':
			err = toItem(s, part, here)
		default:
			err = rescue.Errorf(CodeNoValue, "nothing is at %q: %s exists and is a %s, which has no parts", words.Clip(pointer, 200), here, typeNames[typeOf(c)])
		}
		if err != nil {
			return 0, 0, err
		}
	}
	s.Peek()
	from = int(s.Offset())
	s.Skip()
	return from, int(s.Offset()), nil
}

// split returns the unescaped parts of a pointer.
func split(text string) ([]string, error) {
	if text == "" {
		return nil, nil
	}
	if text[0] != '/' {
		return nil, rescue.Errorf(CodePointer, "the pointer %q does not begin with /: write it as /key/0/name, or leave it empty for the whole value", words.Clip(text, 100))
	}
	parts := strings.Split(text[1:], "/")
	for i, p := range parts {
		for j := 0; j < len(p); j++ {
			if p[j] == '~' && (j+1 == len(p) || p[j+1] != '0' && p[j+1] != '1') {
				return nil, rescue.Errorf(CodePointer, "the pointer has a ~ that is neither ~0 nor ~1: write ~0 for ~ and ~1 for /")
			}
		}
		parts[i] = jsontree.UnescapeToken(p)
	}
	return parts, nil
}

// toMember moves to the value of a key of the object here: the last one where the
// key stands several times, so that the whole object is read.
func toMember(s *jsontree.Scanner, name, here string) error {
	keys, last := 0, int64(-1)
	var known []string
	s.Take('{')
	for s.Next('}', keys > 0) {
		s.Key()
		found := string(s.Text()) == name || unquote(s.Text()) == name
		if keys++; keys <= 8 {
			known = append(known, strconv.Quote(words.Clip(unquote(s.Text()), 40)))
		}
		if s.Colon(); found {
			last = s.Offset()
		}
		s.Skip()
	}
	if last >= 0 {
		s.GoTo(last)
		return nil
	}
	what := "it has no keys"
	if keys > 0 {
		what = "it has " + words.Count(keys, "key") + ", the first: " + strings.Join(known, " ")
	}
	return rescue.Errorf(CodeNoValue, "no key %q in the object at %s: %s", words.Clip(name, 100), here, what)
}

// toItem moves to an item of the array here.
func toItem(s *jsontree.Scanner, part, here string) error {
	n, err := strconv.ParseInt(part, 10, 64)
	if err != nil || n < 0 || strconv.FormatInt(n, 10) != part {
		return rescue.Errorf(CodeNoValue, "%s is an array and %q is not an index: write the number of the item, counted from 0", here, words.Clip(part, 100))
	}
	s.Take('[')
	i := int64(0)
	for ; s.Next(']', i > 0); i++ {
		if i == n {
			return nil
		}
		s.Skip()
	}
	return rescue.Errorf(CodeNoValue, "no item %d in the array at %s: it has %s, counted from 0", n, here, words.Count(i, "item"))
}

// unquote returns the text of a raw string, or the raw string when its escapes
// are wrong.
func unquote(raw []byte) string {
	var text string
	quoted := append(append([]byte{'"'}, raw...), '"')
	if bytes.IndexByte(raw, '\\') < 0 || json.Unmarshal(quoted, &text) != nil {
		return string(raw)
	}
	return text
}

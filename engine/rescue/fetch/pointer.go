package fetch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"caliper/engine/rescue"
	"caliper/model/jsontree"
	"caliper/model/words"
)

// pointed is the last value that a pointer led to: bytes [from, to).
type pointed struct {
	pointer  string
	from, to int64
}

// pointer answers with the value at a JSON pointer (RFC 6901). The last of equal
// keys of one object counts.
func (r *Reader) pointer(ctx context.Context, x *index, q Request, l rescue.Limits) (Answer, error) {
	v, err := r.value(ctx, q.Pointer)
	if err != nil {
		return Answer{}, err
	}
	char, _, err := x.place(v.from)
	if err != nil {
		return Answer{}, err
	}
	end, _, err := x.place(v.to)
	if err != nil {
		return Answer{}, err
	}
	off := v.from
	if q.Start > 0 {
		if q.Start < char || q.Start >= end {
			return Answer{}, faultf(CodePastEnd, "start is %d and the value has the %s of the blob", q.Start, span(char, end-1))
		}
		char = q.Start
		if off, err = x.char(char); err != nil {
			return Answer{}, err
		}
	}
	return x.cut(q, off, char, end, int64(l.FetchMaxChars))
}

// span names the characters from one to another.
func span(from, to int64) string {
	if from == to {
		return fmt.Sprintf("char %d", from)
	}
	return fmt.Sprintf("chars %d to %d", from, to)
}

// value finds where the value of a pointer stands.
func (r *Reader) value(ctx context.Context, text string) (pointed, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pointed != nil && r.pointed.pointer == text {
		return *r.pointed, nil
	}
	v := pointed{pointer: text}
	parts, err := split(text)
	if err == nil {
		err = r.single(ctx)
	}
	if err == nil {
		v, err = find(ctx, r.src, text, parts)
	}
	if err != nil {
		return v, notJSON(err)
	}
	r.pointed = &v
	return v, nil
}

// single returns nil when the blob is one JSON value, and otherwise what it is
// by checkJSON. Once known it is remembered. The caller holds mu.
func (r *Reader) single(ctx context.Context) error {
	if r.isChecked {
		return r.verdict
	}
	err := checkJSON(ctx, r.src)
	var m *malformed
	var n *several
	if err == nil || errors.As(err, &m) || errors.As(err, &n) {
		r.isChecked, r.verdict = true, err
	}
	return err
}

// find returns where the value of a pointer stands in a blob that is one JSON
// value.
func find(ctx context.Context, src Source, text string, parts []string) (pointed, error) {
	v := pointed{pointer: text}
	s := newScanner(ctx, src, 0, src.Size())
	for depth, part := range parts {
		here := "the root"
		if depth > 0 {
			here = strconv.Quote(words.Clip("/"+strings.Join(strings.Split(text, "/")[1:depth+1], "/"), 200))
		}
		var err error
		switch c := s.Peek(); c {
		case '{':
			err = toMember(s, part, here)
		case '[':
			err = toItem(s, part, here)
		default:
			if !s.Skip() {
				err = fault(s)
				break
			}
			err = faultf(CodeNoValue, "nothing is at %q: %s exists and is a %s, which has no parts", words.Clip(text, 200), here, typeNames[typeOf(c)])
		}
		if err != nil {
			return v, err
		}
	}
	s.Peek()
	v.from = s.Offset()
	if !s.Skip() {
		return v, fault(s)
	}
	v.to = s.Offset()
	return v, nil
}

// notJSON turns what the scanner says into an Error.
func notJSON(err error) error {
	var m *malformed
	if errors.As(err, &m) {
		return faultf(CodeNotJSON, "the blob is not JSON at %v: use range, grep or search", m)
	}
	var n *several
	switch {
	case !errors.As(err, &n):
	case n.perLine:
		return faultf(CodeNotJSON, "the blob is %v, and a pointer needs a single one; the second begins at byte %d: "+
			"use range with count 1 and the number of a line as start to read the value on it, or grep", n, n.second)
	default:
		return faultf(CodeNotJSON, "the blob is %v, and a pointer needs a single one; the second begins at byte %d: use range, grep or search", n, n.second)
	}
	return err
}

// split returns the unescaped parts of a pointer.
func split(text string) ([]string, error) {
	if text == "" {
		return nil, nil
	}
	if text[0] != '/' {
		return nil, faultf(CodePointer, "the pointer %q does not begin with /: write it as /key/0/name, or leave it empty for the whole value", words.Clip(text, 100))
	}
	parts := strings.Split(text[1:], "/")
	for i, p := range parts {
		for j := 0; j < len(p); j++ {
			if p[j] == '~' && (j+1 == len(p) || p[j+1] != '0' && p[j+1] != '1') {
				return nil, faultf(CodePointer, "the pointer has a ~ that is neither ~0 nor ~1: write ~0 for ~ and ~1 for /")
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
		if !s.Key() {
			return fault(s)
		}
		found := string(s.Text()) == name || unquote(s.Text()) == name
		if keys++; keys <= 8 {
			known = append(known, strconv.Quote(words.Clip(unquote(s.Text()), 40)))
		}
		if !s.Colon() {
			return fault(s)
		}
		if found {
			last = s.Offset()
		}
		if !s.Skip() {
			return fault(s)
		}
	}
	switch err := fault(s); {
	case err != nil:
		return err
	case last >= 0:
		s.GoTo(last)
		return s.ReadErr()
	}
	what := "it has no keys"
	if keys > 0 {
		what = "it has " + words.Count(keys, "key") + ", the first: " + strings.Join(known, " ")
	}
	return faultf(CodeNoValue, "no key %q in the object at %s: %s", words.Clip(name, 100), here, what)
}

// toItem moves to an item of the array here.
func toItem(s *jsontree.Scanner, part, here string) error {
	n, err := strconv.ParseInt(part, 10, 64)
	if err != nil || n < 0 || strconv.FormatInt(n, 10) != part {
		return faultf(CodeNoValue, "%s is an array and %q is not an index: write the number of the item, counted from 0", here, words.Clip(part, 100))
	}
	s.Take('[')
	i := int64(0)
	for ; s.Next(']', i > 0); i++ {
		if i == n {
			return nil
		}
		if !s.Skip() {
			return fault(s)
		}
	}
	if err := fault(s); err != nil {
		return err
	}
	return faultf(CodeNoValue, "no item %d in the array at %s: it has %s, counted from 0", n, here, words.Count(i, "item"))
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

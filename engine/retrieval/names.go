package retrieval

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"caliper/model"
)

// exactNames finds the documents of a name in a nameList.
type exactNames struct{ Chains }

// newExactNames returns the table of names.
func newExactNames(names *nameList) exactNames {
	return exactNames{NewChains(len(names.ends), func(doc int) ([]byte, bool) { return names.name(doc), true })}
}

// find appends to docs the documents whose lower-cased name is name, ascending;
// none when it is empty.
func (e *exactNames) find(names *nameList, name []byte, docs []uint32) []uint32 {
	if len(name) == 0 {
		return docs
	}
	for doc, ok := e.First(name); ok; doc, ok = e.Next(doc) {
		if bytes.Equal(names.name(int(doc)), name) {
			docs = append(docs, doc)
		}
	}
	return docs
}

// name returns the lower-cased name of a document.
func (l *nameList) name(doc int) []byte { return l.text[l.start(doc) : l.ends[doc]-1] }

// nameList has the lower-cased names of a catalog in one text, so that the literal
// fallback is one substring search. Each name ends with a byte that no UTF-8 has.
type nameList struct {
	text []byte
	ends []int // where the name of each document ends, its closing byte included
}

const nameEnd = 0xff

// newNameList makes the list of the names of tools, on all cores. The only
// error is the context's.
func newNameList(ctx context.Context, tools []*model.Tool) (nameList, error) {
	size := 0
	for _, t := range tools {
		size += len(t.Name) + 1
	}
	parts := make([]nameList, Parts(len(tools)))
	for i := range parts {
		share, spare := len(parts), 64 // Parallel begins parts at multiples of 64
		if i == 0 {
			share, spare = 1, 0 // it takes the others in
		}
		parts[i] = nameList{text: make([]byte, 0, size/share+size/share/16), ends: make([]int, 0, len(tools)/share+spare)}
	}
	err := Parallel(ctx, len(tools), len(parts), func(part, from, to int) {
		l := parts[part]
		for _, t := range tools[from:to] {
			l.text = append(appendLower(l.text, t.Name), nameEnd)
			l.ends = append(l.ends, len(l.text))
		}
		parts[part] = l
	})
	if err != nil {
		return nameList{}, err
	}
	all := parts[0]
	for _, p := range parts[1:] {
		before := len(all.text)
		all.text = append(all.text, p.text...)
		for _, end := range p.ends {
			all.ends = append(all.ends, before+end)
		}
	}
	return all, nil
}

// start returns where the name of a document begins in text.
func (l *nameList) start(doc int) int {
	if doc == 0 {
		return 0
	}
	return l.ends[doc-1]
}

// next returns the first document, from doc on, whose name contains part, or
// the number of documents. part is lower-cased and not empty.
func (l *nameList) next(part []byte, doc int) int {
	start := l.start(doc)
	at := bytes.Index(l.text[start:], part)
	if at < 0 {
		return len(l.ends)
	}
	doc, _ = slices.BinarySearch(l.ends, start+at+1)
	return doc
}

// appendLower appends s, lower-cased as Python does it (full mapping, final
// sigma), to dst. A byte that is not UTF-8 becomes U+FFFD. Only text beyond ASCII
// allocates.
func appendLower(dst []byte, s string) []byte {
	before := len(dst)
	for i := range len(s) {
		c := s[i]
		if c >= 0x80 {
			valid := strings.ToValidUTF8(s, "\ufffd")
			return append(dst[:before], cases.Lower(language.Und).String(valid)...)
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

// trim removes white space at both ends, as Python's strip does: beyond
// Unicode's White_Space it takes the four ASCII separators.
func trim(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || (r >= 0x1c && r <= 0x1f) })
}

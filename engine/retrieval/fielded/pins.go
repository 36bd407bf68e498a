package fielded

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"
)

// What a query can pin.
const (
	maxPinned      = 128 // tools that are candidates for their names alone
	maxIdentifiers = 16  // that are read of a query
	nearLetters    = 5   // least letters and digits of an identifier that is near a name
	longLetters    = 12  // of both, to be two edits apart; else one
)

// pins are the tools whose name the query has. Its memory is used again by the
// next query.
type pins struct {
	text   []byte   // of the spans: names in lower case, letters and digits of names
	names  []span   // the whole query and its identifiers
	exact  bool     // a tool has one of the names
	said   span     // letters and digits of the query without stop and request words, when a tool's name has these
	near   []span   // letters and digits of names that no tool has
	pinned []uint32 // the first tools that have a name, or said
	edits  edits
}

func (p *pins) at(s span) []byte { return p.text[s.from:s.to] }

// punctuation may stand around a word.
const punctuation = ".,;:!?\"'`()[]{}<>*"

// findPins finds the tools whose name the query has: as it is written, alone
// or as a word that looks like an identifier; or else in words.
func (s *searcher) findPins() {
	p := &s.pins
	p.text, p.names, p.near, p.pinned = p.text[:0], p.names[:0], p.near[:0], p.pinned[:0]
	p.exact, p.said = false, span{}
	whole := bytes.TrimSpace(s.query.text)
	if len(whole) == 0 {
		return
	}
	p.names = append(p.names, p.lower(whole))
	word := true // the whole query is one, and no identifier is a part of it
	for w := range bytes.FieldsSeq(whole) {
		word = word && len(w) == len(whole)
		if w = bytes.Trim(w, punctuation); looksLikeIdentifier(w) && len(p.names) <= maxIdentifiers {
			if name := p.lower(w); !p.has(name) {
				p.names = append(p.names, name)
				word = false
			}
		}
	}
	for i, name := range p.names {
		if found := s.pinName(name); !found && (i > 0 || word) {
			p.near = append(p.near, p.letters(name))
		}
	}
	if !p.exact {
		s.pinSaid()
	}
	p.near = slices.DeleteFunc(p.near, func(n span) bool { return utf8.RuneCount(p.at(n)) < nearLetters })
}

// has tells whether a name is among names.
func (p *pins) has(name span) bool {
	return slices.ContainsFunc(p.names, func(n span) bool { return bytes.Equal(p.at(n), p.at(name)) })
}

// lower adds a text in lower case.
func (p *pins) lower(text []byte) span {
	from := uint32(len(p.text))
	p.text = appendLower(p.text, text)
	return span{from, uint32(len(p.text))}
}

// letters adds the letters and digits of a span.
func (p *pins) letters(of span) span {
	from := uint32(len(p.text))
	p.text = appendLetters(p.text, p.at(of))
	return span{from, uint32(len(p.text))}
}

// pinName pins the tools of a name and tells whether there is one.
func (s *searcher) pinName(name span) bool {
	p, before := &s.pins, len(s.pinned)
	letters := p.letters(name)
	p.pinned = s.x.names.find(p.pinned, p.at(letters), maxPinned, func(n string) bool { return n == string(p.at(name)) })
	found := len(p.pinned) > before
	if !found && before == maxPinned { // which says nothing
		found = s.x.names.has(p.at(letters), p.at(name))
	}
	p.exact = p.exact || found
	return found
}

// pinSaid pins the tools whose name has the letters and digits of what the
// query says.
func (s *searcher) pinSaid() {
	p := &s.pins
	p.said.from = uint32(len(p.text))
	for i := range s.tokens {
		if t := &s.tokens[i]; !t.request {
			p.text = append(p.text, s.words[t.from:t.to]...)
		}
	}
	p.said.to = uint32(len(p.text))
	if p.said.from == p.said.to {
		return
	}
	p.pinned = s.x.names.find(p.pinned, p.at(p.said), maxPinned, func(n string) bool { return hasLetters(n, p.at(p.said)) })
	if len(p.pinned) == 0 {
		p.said = span{}
	}
}

// pinOf returns what the query adds to a document for its name, and why.
func (s *searcher) pinOf(doc uint32) (value float64, why pinReason) {
	p, r, name := &s.pins, &s.x.recipe, s.x.documents[doc].name
	switch {
	case p.exact:
		for _, n := range p.names {
			if name == string(p.at(n)) {
				value, why = r.ExactName, exactName
			}
		}
	case p.said.from < p.said.to && hasLetters(name, p.at(p.said)):
		value, why = r.NameWords, nameWords
	}
	for _, n := range p.near {
		if likeness := p.edits.likeness(name, p.at(n)); likeness*r.NearName > value {
			value, why = likeness*r.NearName, nearName
		}
	}
	return value, why
}

// pinReason says why a tool is pinned.
type pinReason uint8

const (
	notPinned pinReason = iota
	exactName
	nameWords
	nearName
)

// looksLikeIdentifier tells whether a word of a query can be a name that
// somebody wrote: it has one of _.:- or a capital behind a small letter.
func looksLikeIdentifier(word []byte) bool {
	last := rune(0)
	for at := 0; at < len(word); {
		r, size := utf8.DecodeRune(word[at:])
		if r == '_' || r == '.' || r == ':' || r == '-' || unicode.IsUpper(r) && unicode.IsLower(last) {
			return true
		}
		last = r
		at += size
	}
	return false
}

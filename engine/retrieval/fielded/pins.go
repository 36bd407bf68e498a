package fielded

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"caliper/engine/words"
)

// What a query can pin.
const (
	maxPinned      = 128 // tools that are candidates for their names alone
	maxIdentifiers = 16  // that are read of a query
	maxWithin      = 16  // names that are read of a query, in words
	longestName    = 16  // words of such
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
	within []saying // in the query's said: names of several words
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
	p.text, p.names, p.near, p.pinned, p.within = p.text[:0], p.names[:0], p.near[:0], p.pinned[:0], p.within[:0]
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
		s.pinWithin()
	}
	slices.Sort(p.pinned)
	p.pinned = slices.Compact(p.pinned)
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
	p.pinned = s.x.names.find(p.pinned, p.at(letters), maxPinned, func(d *document) bool { return d.name == string(p.at(name)) })
	p.pinned = s.x.ownNames.find(p.pinned, p.at(letters), maxPinned, func(d *document) bool { return d.own == string(p.at(name)) })
	found := len(p.pinned) > before
	if !found && before == maxPinned { // which says nothing
		found = s.x.names.has(p.at(letters), p.at(name)) || s.x.ownNames.has(p.at(letters), p.at(name))
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
		if t := &s.tokens[i]; !t.request && !t.uncut {
			p.text = append(p.text, s.words[t.from:t.to]...)
		}
	}
	p.said.to = uint32(len(p.text))
	if p.said.from == p.said.to {
		return
	}
	if !s.pinLetters(p.at(p.said), 0) {
		p.said = span{}
	}
}

// pinLetters pins the tools whose name or name on its server is said, and tells
// whether there are any.
func (s *searcher) pinLetters(letters []byte, begins uint32) bool {
	p, before := &s.pins, len(s.pinned)
	p.pinned = s.x.names.find(p.pinned, letters, maxPinned, func(d *document) bool { return d.isCalled(letters, begins) })
	p.pinned = s.x.ownNames.find(p.pinned, letters, maxPinned, func(d *document) bool { return d.isCalled(letters, begins) })
	return len(p.pinned) > before
}

// isCalled tells whether a name of a tool has these letters and digits and, when
// begins is not 0, begins with words of this hash.
func (d *document) isCalled(letters []byte, begins uint32) bool {
	return d.name != "" && (begins == 0 || begins == d.begins[0]) && hasLetters(d.name, letters) ||
		d.own != "" && (begins == 0 || begins == d.begins[1]) && hasLetters(d.own, letters)
}

// saying is a name that a query says among other words.
type saying struct {
	span          // in the query's said
	begins uint32 // hash of its first two words
}

// pinWithin finds the names that the query says, word by word: from
// left to right the longest, none within another.
func (s *searcher) pinWithin() {
	p, q := &s.pins, &s.query
	for i := 0; i+1 < len(q.spoken) && len(p.within) < maxWithin; i++ {
		from, second := q.spoken[i].from, q.spoken[i+1].to
		if q.spoken[i].to == 0 || second <= from {
			continue
		}
		begins := hashLetters(s.x.seed, q.said[from:second])
		if !s.x.begins.mayHave(begins) {
			continue
		}
		last := i + 1
		for last+1 < len(q.spoken) && q.spoken[last+1].to > 0 && last-i+1 < longestName {
			last++
		}
		for ; last > i; last-- {
			before := len(p.pinned)
			if name := (span{from, q.spoken[last].to}); s.pinLetters(q.said[name.from:name.to], begins) {
				p.pinned = p.pinned[:before] // SaidName is too little for one that is no candidate
				p.within = append(p.within, saying{name, begins})
				i = last
				break
			}
		}
	}
}

// pinOf returns what the query adds to a document for its name, and why.
func (s *searcher) pinOf(doc uint32) (value float64, why pinReason) {
	p, r, d := &s.pins, &s.x.recipe, &s.x.documents[doc]
	switch {
	case p.exact:
		for _, n := range p.names {
			if d.name == string(p.at(n)) {
				return r.ExactName, exactName
			}
			if d.own != "" && d.own == string(p.at(n)) {
				value, why = r.OwnName, exactOwn
			}
		}
	case p.said.from < p.said.to && d.isCalled(p.at(p.said), 0):
		value, why = r.NameWords, nameWords
	default:
		for _, n := range p.within {
			if d.isCalled(s.query.said[n.from:n.to], n.begins) {
				value, why = r.SaidName, saidName
			}
		}
	}
	for _, n := range p.near {
		likeness := p.edits.likeness(d.name, p.at(n))
		if d.own != "" {
			likeness = max(likeness, p.edits.likeness(d.own, p.at(n)))
		}
		if likeness*r.NearName > value {
			value, why = likeness*r.NearName, nearName
		}
	}
	return value, why
}

// saysServer tells whether the query has a word of the toolset of a candidate
// that is no part of its name there.
func (s *searcher) saysServer(c *candidate) bool {
	own := s.x.documents[c.doc].own
	for _, h := range s.hitsOf(&c.reading) {
		if t := &s.terms[h.place]; h.fields.has(Toolset) && t.own >= 0 && s.own[t.own].content &&
			!strings.Contains(own, string(s.x.numbers.terms.Term(t.id))) {
			return true
		}
	}
	return false
}

// pinReason says why a tool is pinned.
type pinReason uint8

const (
	notPinned pinReason = iota
	exactName
	exactOwn
	nameWords
	saidName
	nearName
)

// looksLikeIdentifier tells whether a word of a query can be a name that
// somebody wrote: it has one of _.:- or a capital behind a small letter.
func looksLikeIdentifier(word []byte) bool {
	last := rune(0)
	for at := 0; at < len(word); {
		r, size := utf8.DecodeRune(word[at:])
		if r == '_' || r == '.' || r == ':' || r == '-' || words.IsCapital(r) && unicode.IsLower(last) {
			return true
		}
		last = r
		at += size
	}
	return false
}

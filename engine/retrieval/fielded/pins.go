package fielded

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"caliper/engine/retrieval"
	"caliper/model/words"
)

// Limits of pins. A pin is the score that a tool gains because the query has its
// name.
const (
	maxPinned      = 128 // tools that are candidates only for their names
	maxIdentifiers = 16  // identifiers of a query that are looked up as names
	maxWithin      = 16  // names in words that are found in a query
	longestName    = 16  // words of such a name
	nearLetters    = 5   // least letters and digits of a misspelled name
	longLetters    = 12  // least letters and digits of names that may be two edits apart; shorter ones may be one
)

// pins are the names in a query and the tools that have them. The memory is used
// again by the next query.
type pins struct {
	text           []byte       // names in lower case, and letters and digits of names
	names          []span       // the whole query and its identifiers, in text
	exact          bool         // a tool has one of the names
	contentLetters span         // letters and digits of the words that are no stop and no request words, in text; empty when no tool has such a name
	within         []phrase     // names of several words, in query.letters
	near           []misspelled // names that no tool has
	nearRunes      []rune       // of these
	pinned         []uint32     // the first tools that have a name, or contentLetters
	comparer       nameComparer
}

func (p *pins) at(s span) []byte { return p.text[s.from:s.to] }

// punctuation may stand around a word.
const punctuation = ".,;:!?\"'`()[]{}<>*"

// findPins finds the tools whose name is in the query. The whole query or a word
// of it that looks like an identifier is a name; when no tool has such a name,
// names are looked for in words: "create issue" is create_issue.
func (s *searcher) findPins() {
	p := &s.pins
	p.text, p.names, p.near, p.pinned, p.within = p.text[:0], p.names[:0], p.near[:0], p.pinned[:0], p.within[:0]
	p.nearRunes = p.nearRunes[:0]
	p.exact, p.contentLetters = false, span{}
	whole := bytes.TrimSpace(s.query.text)
	if len(whole) == 0 {
		return
	}
	p.names = append(p.names, p.lower(whole))
	word := true // the whole query is one word, and no identifier is within it
	for w := range bytes.FieldsSeq(whole) {
		word = word && len(w) == len(whole)
		if w = bytes.Trim(w, punctuation); looksLikeIdentifier(w) && len(p.names) <= maxIdentifiers {
			if name := p.lower(w); !slices.ContainsFunc(p.names, func(n span) bool { return bytes.Equal(p.at(n), p.at(name)) }) {
				p.names = append(p.names, name)
				word = false
			}
		}
	}
	for i, name := range p.names {
		from := uint32(len(p.text))
		p.text = words.AppendLetters(p.text, p.at(name))
		letters, before := span{from, uint32(len(p.text))}, len(p.pinned)
		here := func(d *document) bool { return d.name == string(p.at(name)) }
		served := func(d *document) bool { return d.original == string(p.at(name)) }
		p.pinned = s.x.names.find(p.pinned, p.at(letters), maxPinned, here)
		p.pinned = s.x.originals.find(p.pinned, p.at(letters), maxPinned, served)
		found := len(p.pinned) > before
		if !found && before == maxPinned { // the list is full, so find added nothing
			found = len(s.x.names.find(nil, p.at(letters), 1, here))+len(s.x.originals.find(nil, p.at(letters), 1, served)) > 0
		}
		p.exact = p.exact || found
		if !found && (i > 0 || word) {
			p.addNear(p.at(letters), s.x.recipe.NearName, false)
		}
	}
	if !p.exact {
		p.contentLetters.from = uint32(len(p.text))
		for i := range s.tokens {
			if t := &s.tokens[i]; !t.request && !t.uncut {
				p.text = append(p.text, s.query.words[t.from:t.to]...)
			}
		}
		p.contentLetters.to = uint32(len(p.text))
		if p.contentLetters.from == p.contentLetters.to || !s.pinLetters(p.at(p.contentLetters), 0) {
			p.contentLetters = span{}
		}
		s.pinWithin()
		s.addSpoken()
	}
	slices.Sort(p.pinned)
	p.pinned = slices.Compact(p.pinned)
}

// addSpoken adds a query that may be a name in words, with a typo or behind words of the
// toolset: in an index that listens to meanings, one that is no name and short enough. Where
// tools have all of its words, a typo counts little: "get user" is not set_user. A word that
// no tool has is of no toolset.
func (s *searcher) addSpoken() {
	p, q := &s.pins, &s.query
	if s.x.meanings == nil || len(p.pinned) > 0 || len(q.wordSpans) == 0 || len(q.wordSpans) > longestName {
		return
	}
	edited := s.x.recipe.NameWithin
	if slices.ContainsFunc(q.queryWords, func(w queryWord) bool { return w.term < 0 || s.terms[w.term].df == 0 }) {
		edited = s.x.recipe.NearName
	}
	for i, w := range q.wordSpans {
		if w.from == w.to {
			continue
		}
		p.addNear(q.letters[w.from:], edited, i > 0)
		word := q.letters[w.from:w.to]
		if _, held := s.x.findStem(word); !held && s.x.lexicon.Kind(word) != retrieval.StopWord {
			return
		}
	}
}

// addNear adds the letters and digits of a name that no tool has. edited is what a tool of
// a name with typos gains, times the likeness. Few letters are not compared, but behind words
// of the toolset they may be the name.
func (p *pins) addNear(letters []byte, edited float64, behind bool) {
	from := len(p.nearRunes)
	for _, r := range string(letters) {
		p.nearRunes = append(p.nearRunes, r)
	}
	name := p.nearRunes[from:]
	if len(name) < nearLetters {
		if !behind {
			return
		}
		edited = 0
	}
	p.near = append(p.near, misspelled{name, edited, behind})
}

// lower adds a text in lower case.
func (p *pins) lower(text []byte) span {
	from := uint32(len(p.text))
	p.text = words.AppendLower(p.text, text)
	return span{from, uint32(len(p.text))}
}

// pinLetters pins the tools with a name of these letters and digits and reports
// whether there are any. begins is 0 or the hash of the first two words.
func (s *searcher) pinLetters(letters []byte, begins uint32) bool {
	p, before := &s.pins, len(s.pinned)
	p.pinned = s.x.names.find(p.pinned, letters, maxPinned, func(d *document) bool { return d.hasName(letters, begins) })
	p.pinned = s.x.originals.find(p.pinned, letters, maxPinned, func(d *document) bool { return d.hasName(letters, begins) })
	return len(p.pinned) > before
}

// hasName reports whether a name of a tool has these letters and digits and, when
// begins is not 0, begins with two words of this hash.
func (d *document) hasName(letters []byte, begins uint32) bool {
	return d.name != "" && (begins == 0 || begins == d.firstTwo[0]) && words.HasLetters(d.name, letters) ||
		d.original != "" && (begins == 0 || begins == d.firstTwo[1]) && words.HasLetters(d.original, letters)
}

// phrase is a name in words within a query.
type phrase struct {
	span          // in query.letters
	begins uint32 // hash of its first two words
}

// pinWithin finds the names that the query has in words, among other words: from
// left to right the longest, none within another.
func (s *searcher) pinWithin() {
	p, q := &s.pins, &s.query
	for i := 0; i+1 < len(q.wordSpans) && len(p.within) < maxWithin; i++ {
		from, second := q.wordSpans[i].from, q.wordSpans[i+1].to
		if q.wordSpans[i].to == 0 || second <= from {
			continue
		}
		begins := hashLetters(s.x.names.seed, q.letters[from:second])
		if s.x.begins[begins>>7&uint32(len(s.x.begins)-1)]>>(begins>>1%64)&1 == 0 {
			continue // no name begins with them
		}
		last := i + 1
		for last+1 < len(q.wordSpans) && q.wordSpans[last+1].to > 0 && last-i+1 < longestName {
			last++
		}
		for ; last > i; last-- {
			before := len(p.pinned)
			if name := (span{from, q.wordSpans[last].to}); s.pinLetters(q.letters[name.from:name.to], begins) {
				p.pinned = p.pinned[:before] // NameWithin is too small a gain for a tool that is not a candidate
				p.within = append(p.within, phrase{name, begins})
				i = last
				break
			}
		}
	}
}

// pinOf returns what a candidate gains for its name, and why.
func (s *searcher) pinOf(c *candidate) (value float64, why pinReason) {
	p, r, d := &s.pins, &s.x.recipe, &s.x.documents[c.doc]
	switch {
	case p.exact:
		for _, n := range p.names {
			if d.name == string(p.at(n)) {
				return r.ExactName, exactName
			}
			if d.original != "" && d.original == string(p.at(n)) {
				value, why = r.OriginalName, exactOriginal
			}
		}
	case p.contentLetters.from < p.contentLetters.to && d.hasName(p.at(p.contentLetters), 0):
		value, why = r.NameWords, nameWords
	default:
		for _, n := range p.within {
			if d.hasName(s.query.letters[n.from:n.to], n.begins) {
				value, why = r.NameWithin, nameWithin
			}
		}
	}
	for _, n := range p.near {
		likeness := p.comparer.likeness(d.name, d.letters[0], n.runes)
		if d.original != "" {
			likeness = max(likeness, p.comparer.likeness(d.original, d.letters[1], n.runes))
		}
		gain, reason := likeness*n.edited, nearName
		if likeness == 1 {
			gain, reason = r.NearName, nameWords
		}
		if gain > value && (!n.behind || s.namesServer(c)) {
			value, why = gain, reason
		}
	}
	return value, why
}

// namesServer reports whether the query has a word of the toolset of a candidate
// that is not in the name on its server.
func (s *searcher) namesServer(c *candidate) bool {
	original := s.x.documents[c.doc].original
	for _, h := range s.hits[c.hits.from:c.hits.to] {
		if t := &s.terms[h.term]; s.x.presences[h.tally].fields.has(Toolset) && t.word >= 0 && s.queryWords[t.word].content &&
			!strings.Contains(original, string(s.x.vocabulary.terms.Term(t.term))) {
			return true
		}
	}
	return false
}

// pinReason is why a tool is pinned.
type pinReason uint8

const (
	notPinned pinReason = iota
	exactName
	exactOriginal
	nameWords
	nameWithin
	nearName
)

// looksLikeIdentifier reports whether a word of a query can be the name of a tool:
// it has one of _.:- or a capital behind a small letter.
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

package fielded

import (
	"bytes"
	"hash/maphash"
	"unicode"
	"unicode/utf8"

	"caliper/engine/retrieval/lexicon"
	"caliper/engine/retrieval/postings"
	"caliper/engine/retrieval/stem"
	"caliper/engine/words"
	"caliper/model"
)

// analyser turns tools into records, with numbers of terms and trigrams of
// dictionaries of its own. It is for one goroutine.
type analyser struct {
	lexicon *lexicon.Lexicon
	words   postings.Dictionary
	known   []word // by number of words
	terms   postings.Dictionary
	grams   postings.Dictionary
	gramsOf []uint32 // of the words of names, word after word

	cutter     cutter
	trigramsOf trigrams
	schema     schema
	text       []byte

	number    uint32           // of the current tool, from 1
	seen      []occurrence     // of each term
	gramSeen  []occurrence     // of each trigram
	parts     [fields][]uint32 // words of the current tool
	toolset   texts            // whose words parts still has
	forms     []uint32         // other forms of its words
	record    record           // of the current tool
	records   []uint32         // of all tools, one after another
	lengths   []int            // of each record
	names     []byte           // of all tools, and their names on their servers, in lower case
	nameSizes [][2]int
	begins    [][2]uint32
	seed      maphash.Seed // of these
}

// word is what is known of a word.
type word struct {
	term  uint32
	part  uint32    // the word of its other form, plus 1; 0 when it has none
	grams [2]uint32 // from, to in gramsOf; nothing before a name has the word
}

// occurrence tells which tool held something last, and where.
type occurrence struct {
	tool, first uint32
	field       Field // the last one
}

// texts are the parts of a toolset by which its tools are found.
type texts struct{ name, title, description string }

func newAnalyser(l *lexicon.Lexicon, seed maphash.Seed) *analyser {
	a := &analyser{
		lexicon: l,
		seed:    seed,
		words:   postings.NewDictionary(),
		terms:   postings.NewDictionary(),
		grams:   postings.NewDictionary(),
	}
	a.schema.visit = a.read
	return a
}

// stopWord is the term of words that are left out.
const stopWord = ^uint32(0)

// read adds the words of a text to a field of the current tool.
func (a *analyser) read(f Field, text []byte) {
	a.cutter.cut(text)
	for w := a.cutter.word(); w != nil; w = a.cutter.word() {
		id := a.know(w)
		if a.known[id].term != stopWord {
			a.parts[f] = append(a.parts[f], id)
		}
		if part := a.known[id].part; part != 0 {
			a.otherForm(part - 1)
		}
		if len(a.cutter.run) > 0 && a.cutter.last() {
			a.otherForm(a.know(a.cutter.run))
		}
		if len(w) > 3 && w[0] >= utf8.RuneSelf {
			a.characters(w)
		}
	}
}

// characters adds the Chinese characters of a pair, each by itself a word by which
// a tool is found, too: the first, and the second of the last pair of a run.
func (a *analyser) characters(pair []byte) {
	first, size := utf8.DecodeRune(pair)
	behind := pair[size:]
	if !words.Spaceless(first) {
		return
	}
	for len(behind) > 0 {
		mark, size := utf8.DecodeRune(behind)
		if !unicode.IsMark(mark) {
			break
		}
		behind = behind[size:]
	}
	if len(behind) == 0 {
		return // one letter, which is the word
	}
	second, size := utf8.DecodeRune(behind)
	last := a.cutter.last()
	var room [2 * utf8.UTFMax]byte
	one, two := utf8.AppendRune(room[:0], first), behind[:size]
	if unicode.Is(unicode.Han, first) {
		a.otherForm(a.know(one))
	}
	if last && unicode.Is(unicode.Han, second) {
		a.otherForm(a.know(two))
	}
}

// otherForm adds a word by which a tool is found, too: macos for macOS, which
// is cut in two; oauth for oauth2, which is not.
func (a *analyser) otherForm(id uint32) {
	if a.known[id].term != stopWord {
		a.parts[OtherForms] = append(a.parts[OtherForms], id)
	}
}

// know returns the number of a word.
func (a *analyser) know(w []byte) uint32 {
	id := a.words.Intern(w)
	if int(id) == len(a.known) {
		a.known = append(a.known, a.learn(w))
		if part := partOf(w); part != nil {
			number := a.know(part)
			a.known[id].part = number + 1
		}
	}
	return id
}

// partOf returns the other form of a word that is not cut, or nil: its letters,
// or the acronym that it is the plural of.
func partOf(w []byte) []byte {
	if n := singular(w); n > 0 {
		return w[:n]
	}
	return letterPart(w)
}

// singular returns the length of the acronym that a word is the plural of, which
// the stemmer leaves as it is, having no vowel: 3 of pdfs; or 0.
func singular(w []byte) int {
	n := len(w) - 1
	if n < 3 || w[n] != 's' || w[n-1] == 's' {
		return 0
	}
	for _, b := range w[:n] {
		if b < 'a' || b > 'z' || bytes.IndexByte([]byte("aeiouy"), b) >= 0 {
			return 0
		}
	}
	return n
}

// letterPart returns the first three or more letters of ASCII in a row of a word
// with digits, or nil.
func letterPart(w []byte) []byte {
	for from := 0; from < len(w); from++ {
		to := from
		for to < len(w) && 'a' <= w[to] && w[to] <= 'z' {
			to++
		}
		if to-from >= partLetters && to-from < len(w) && bytes.ContainsAny(w, "0123456789") {
			return w[from:to]
		}
		from = to
	}
	return nil
}

// learn returns what is to be known of a new word.
func (a *analyser) learn(w []byte) word {
	if a.lexicon.Kind(w) == lexicon.Stop {
		return word{term: stopWord}
	}
	term := w
	if stemmable(w) {
		term = []byte(stem.English(string(w)))
	}
	id := a.terms.Intern(term)
	if int(id) == len(a.seen) {
		a.seen = append(a.seen, occurrence{})
	}
	return word{term: id}
}

// longestStemmed is how many bytes a word may have that is stemmed. Longer ones
// are no words, and would take long.
const longestStemmed = 64

// stemmable tells whether a word is stemmed: one of ASCII. Others are looked up
// as they are.
func stemmable(word []byte) bool {
	for _, b := range word {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return len(word) <= longestStemmed
}

// readText is read for a string.
func (a *analyser) readText(f Field, text string) {
	a.text = append(a.text[:0], text...)
	a.read(f, a.text)
}

// tool adds the record and the name of a tool.
func (a *analyser) tool(t *model.Tool, toolset texts, own string) {
	a.number++
	for _, f := range []Field{Name, Description, ParameterNames, ParameterTexts, OtherForms} {
		a.parts[f] = a.parts[f][:0]
	}
	a.readText(Name, t.Name)
	a.readText(Description, t.Description)
	a.schema.read(t.Parameters)
	before := len(a.parts[OtherForms])
	if a.number == 1 || a.toolset != toolset { // else the words are those of the last tool
		a.toolset = toolset
		a.parts[Toolset], a.parts[ToolsetText] = a.parts[Toolset][:0], a.parts[ToolsetText][:0]
		a.readText(Toolset, toolset.name)
		a.readText(ToolsetText, toolset.title)
		a.readText(ToolsetText, toolset.description)
		a.forms = append(a.forms[:0], a.parts[OtherForms][before:]...)
	} else {
		a.parts[OtherForms] = append(a.parts[OtherForms], a.forms...)
	}
	a.record = append(a.record[:0], make([]uint32, header)...)
	for f := range fields {
		a.field(f)
	}
	a.trigrams(Name, nameCount, nameCount*countMask)
	a.trigrams(Toolset, toolsetCount, countMask)
	a.records = append(a.records, a.record...)
	a.lengths = append(a.lengths, len(a.record))
	size := len(a.names)
	a.names = appendLower(a.names, t.Name)
	sizes := [2]int{len(a.names) - size}
	a.names = appendLower(a.names, own)
	sizes[1] = len(a.names) - size - sizes[0]
	a.nameSizes = append(a.nameSizes, sizes)
	a.begins = append(a.begins, [2]uint32{a.beginning(t.Name), a.beginning(own)})
}

// beginning returns the hash of the first two words of a name, by which a query
// that says it is told; 0 when it has one.
func (a *analyser) beginning(name string) uint32 {
	if name == "" {
		return 0
	}
	a.text = append(a.text[:0], name...)
	a.cutter.cut(a.text)
	var room [64]byte
	letters, read := room[:0], 0
	for w := a.cutter.word(); w != nil && read < 2; w = a.cutter.word() {
		letters = appendLetters(letters, w)
		read++
	}
	if read < 2 {
		return 0
	}
	return hashLetters(a.seed, letters)
}

// hashLetters is never 0.
func hashLetters(seed maphash.Seed, letters []byte) uint32 {
	return uint32(maphash.Bytes(seed, letters)>>32) | 1
}

// field appends the tokens of a field to the record.
func (a *analyser) field(f Field) {
	for _, id := range a.parts[f] {
		term, place := a.known[id].term, uint32(len(a.record))-header
		token, o := term, &a.seen[term]
		if o.tool != a.number {
			*o = occurrence{tool: a.number, first: place, field: f}
		} else {
			a.record[header+o.first] |= repeated
			token = again | o.first
			if o.field == f {
				token |= fieldAgain
			}
			o.field = f
		}
		a.record = append(a.record, token)
	}
	a.record[f] = uint32(len(a.record)) - header
}

// trigrams appends the trigrams of a name to the record, or counts them there:
// each adds one, in bits where there may be most.
func (a *analyser) trigrams(f Field, one, most uint32) {
	for _, id := range a.parts[f] {
		w := &a.known[id]
		if w.grams[1] == 0 {
			w.grams = a.gramsOfWord(a.words.Term(id))
		}
		for _, gram := range a.gramsOf[w.grams[0]:w.grams[1]] {
			if o := &a.gramSeen[gram]; o.tool != a.number {
				*o = occurrence{tool: a.number, first: uint32(len(a.record))}
				a.record = append(a.record, gram<<gramShift|one)
			} else if g := &a.record[o.first]; *g&most != most {
				*g += one
			}
		}
	}
}

// gramsOfWord appends the trigrams of a word to gramsOf and returns where.
func (a *analyser) gramsOfWord(w []byte) [2]uint32 {
	from := len(a.gramsOf)
	a.trigramsOf.cut(w)
	for gram := a.trigramsOf.next(); gram != nil; gram = a.trigramsOf.next() {
		id := a.grams.Intern(gram)
		if id >= maxTrigrams {
			continue
		}
		if int(id) == len(a.gramSeen) {
			a.gramSeen = append(a.gramSeen, occurrence{})
		}
		a.gramsOf = append(a.gramsOf, id)
	}
	return [2]uint32{uint32(from), uint32(len(a.gramsOf))}
}

package fielded

import (
	"bytes"
	"hash/maphash"
	"slices"
	"unicode"
	"unicode/utf8"

	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/words"
)

// analyser makes records of tools. It numbers words, terms and trigrams in its
// own dictionaries, so that several analysers can work at a time; vocabulary.merge
// then gives all of them the same numbers. An analyser is for one goroutine.
type analyser struct {
	lexicon   *retrieval.Lexicon
	words     retrieval.Dictionary
	known     []knownWord // by word
	terms     retrieval.Dictionary
	grams     retrieval.Dictionary
	wordGrams []uint32 // of the words of names, word after word

	cutter   words.Cutter
	cutGrams trigrams
	schema   schema
	buffer   []byte

	number     uint32         // the number of the current tool, from 1
	seen       []occurrence   // where each term is in distinct
	gramSeen   []occurrence   // where each trigram is in record
	distinct   []distinctTerm // of the current tool
	tallies    tallies
	fieldWords [fields][]uint32 // words of the current tool
	toolset    toolsetTexts     // the toolset whose words are still in fieldWords
	ofToolset  [2][]uint32      // what the words of the toolset add to the fields of derived
	low        []byte           // memory of a text in the form of words.Lower
	record     record           // the record of the current tool
	records    []record         // of all tools
	names      []byte           // names of all tools, each followed by its name on its server, in lower case
	nameSizes  [][2]int         // bytes of the two names of each tool
	takes      kindSet          // the kinds of values that the parameters of the current tool take
	allTake    []kindSet        // of all tools
	firstTwo   [][2]uint32      // of each tool, see document
	seed       maphash.Seed     // of the hashes in firstTwo
}

// knownWord is the memory of an analyser about a word.
type knownWord struct {
	term  uint32
	other uint32    // the number of its other form, plus 1; 0 when it has none
	takes kindSet   // the kinds of values that a parameter of this name takes
	grams [2]uint32 // from, to in wordGrams; zero until a name has the word
}

// occurrence is where a term or a trigram of a tool is.
type occurrence struct{ tool, at uint32 }

// distinctTerm is a term of a tool, with how often each field has it.
type distinctTerm struct {
	term  uint32
	tally tally
}

// toolsetTexts are the texts of a toolset by which its tools are found.
type toolsetTexts struct{ name, title, description string }

func newAnalyser(l *retrieval.Lexicon, seed maphash.Seed) *analyser {
	a := &analyser{
		lexicon: l,
		seed:    seed,
		words:   retrieval.NewDictionary(),
		terms:   retrieval.NewDictionary(),
		grams:   retrieval.NewDictionary(),
		tallies: newTallies(),
	}
	a.schema.visit = a.read
	a.schema.format = func(text []byte) { a.takes |= kindsOfFormats()[string(text)] }
	return a
}

// derived are the fields whose words are made from the others'.
var derived = [2]Field{OtherForms, Translations}

// stopWord stands for the term of a stop word, which has none.
const stopWord = ^uint32(0)

// read adds the words of a text to a field of the current tool.
func (a *analyser) read(f Field, text []byte) {
	a.translate(text)
	a.cutter.Cut(text)
	for w := a.cutter.Next(); w != nil; w = a.cutter.Next() {
		id := a.wordID(w)
		if f == ParameterNames {
			a.takes |= a.known[id].takes
		}
		if a.known[id].term != stopWord {
			a.fieldWords[f] = append(a.fieldWords[f], id)
		}
		if part := a.known[id].other; part != 0 {
			a.addOtherForm(part - 1)
		}
		if len(a.cutter.Run()) > 0 && a.cutter.Last() {
			a.addOtherForm(a.wordID(a.cutter.Run()))
		}
		if len(w) > 3 && w[0] >= utf8.RuneSelf {
			a.addCharacters(w)
		}
	}
}

// addCharacters adds the Chinese characters of a pair as other forms, so that a
// tool is also found by one character: the first character of every pair, and
// the second of the last pair of a run.
func (a *analyser) addCharacters(pair []byte) {
	first, size := utf8.DecodeRune(pair)
	behind := pair[size:]
	if !words.Spaceless(first) {
		return
	}
	second, size := utf8.DecodeRune(behind)
	for unicode.IsMark(second) {
		behind = behind[size:]
		second, size = utf8.DecodeRune(behind)
	}
	if len(behind) == 0 {
		return // one letter, which is the word
	}
	last := a.cutter.Last()
	var room [2 * utf8.UTFMax]byte
	one, two := utf8.AppendRune(room[:0], first), behind[:size]
	if unicode.Is(unicode.Han, first) {
		a.addOtherForm(a.wordID(one))
	}
	if last && unicode.Is(unicode.Han, second) {
		a.addOtherForm(a.wordID(two))
	}
}

// addOtherForm adds another form of a word, by which the tool is found too: macos
// for macOS, which is cut in two; oauth for oauth2, which is not.
func (a *analyser) addOtherForm(id uint32) {
	if a.known[id].term != stopWord {
		a.fieldWords[OtherForms] = append(a.fieldWords[OtherForms], id)
	}
}

// wordID returns the number of a word.
func (a *analyser) wordID(w []byte) uint32 {
	id := a.words.Intern(w)
	if int(id) == len(a.known) {
		k := knownWord{term: stopWord, takes: kindsOfParameters()[string(w)]}
		if a.lexicon.Kind(w) != retrieval.StopWord {
			term := w
			if stemmable(w) {
				term = []byte(retrieval.Stem(string(w)))
			}
			if k.term = a.terms.Intern(term); int(k.term) == len(a.seen) {
				a.seen = append(a.seen, occurrence{})
			}
		}
		a.known = append(a.known, k)
		// The other form of a word that is not cut: the acronym that it is the plural of, or its letters without the digits.
		part := letterRun(w)
		if n := singular(w); n > 0 {
			part = w[:n]
		}
		if part != nil {
			number := a.wordID(part)
			a.known[id].other = number + 1
		}
	}
	return id
}

// singular returns how many bytes of a word are the acronym that it is the plural
// of: 3 for pdfs. It returns 0 for any other word. The stemmer leaves such words
// as they are, because they have no vowel.
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

// letterRun returns the first run of three or more ASCII letters in a word with
// digits, or nil.
func letterRun(w []byte) []byte {
	for from := 0; from < len(w); from++ {
		to := from
		for to < len(w) && 'a' <= w[to] && w[to] <= 'z' {
			to++
		}
		if to-from >= pieceLetters && to-from < len(w) && bytes.ContainsAny(w, "0123456789") {
			return w[from:to]
		}
		from = to
	}
	return nil
}

// longestStemmed is the most bytes of a word that is stemmed. Longer ones are no
// English words, and stemming them would take long.
const longestStemmed = 64

// stemmable reports whether a word is stemmed: it must be ASCII. Other words are
// looked up as they are.
func stemmable(word []byte) bool {
	for _, b := range word {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return len(word) <= longestStemmed
}

// readText adds the words of a string to a field of the current tool.
func (a *analyser) readText(f Field, text string) {
	a.buffer = append(a.buffer[:0], text...)
	a.read(f, a.buffer)
}

// tool adds the record and the name of a tool.
func (a *analyser) tool(t *model.Tool, toolset toolsetTexts, original string) {
	a.number++
	for _, f := range []Field{Name, Description, ParameterNames, ParameterTexts, OtherForms, Translations} {
		a.fieldWords[f] = a.fieldWords[f][:0]
	}
	a.readText(Name, t.Name)
	a.readText(Description, t.Description)
	a.takes = 0
	a.schema.Data, a.schema.At = t.Parameters, 0
	a.schema.object(0, false)
	a.allTake = append(a.allTake, a.takes)
	before := [fields]int{OtherForms: len(a.fieldWords[OtherForms]), Translations: len(a.fieldWords[Translations])}
	if a.number == 1 || a.toolset != toolset { // else the fields still have its words
		a.toolset = toolset
		a.fieldWords[Toolset], a.fieldWords[ToolsetText] = a.fieldWords[Toolset][:0], a.fieldWords[ToolsetText][:0]
		a.readText(Toolset, toolset.name)
		a.readText(ToolsetText, toolset.title)
		a.readText(ToolsetText, toolset.description)
		for i, f := range derived {
			a.ofToolset[i] = append(a.ofToolset[i][:0], a.fieldWords[f][before[f]:]...)
		}
	} else {
		for i, f := range derived {
			a.fieldWords[f] = append(a.fieldWords[f], a.ofToolset[i]...)
		}
	}
	a.record = append(a.record[:0], make([]uint32, header)...)
	a.distinct = a.distinct[:0]
	for f := range fields {
		a.appendTokens(f)
	}
	for i := range a.distinct {
		if d := &a.distinct[i]; d.tally.once() {
			first := slices.IndexFunc(d.tally[:], func(n uint32) bool { return n > 0 })
			a.record = append(a.record, d.term|uint32(first)<<fieldShift)
			a.record[onceAt]++
		}
	}
	for i := range a.distinct {
		if d := &a.distinct[i]; !d.tally.once() {
			a.record = append(a.record, d.term)
			a.record[oftenAt]++
		}
	}
	for i := range a.distinct {
		if d := &a.distinct[i]; !d.tally.once() {
			a.record = append(a.record, a.tallies.number(d.tally))
		}
	}
	a.appendTrigrams(Name, nameCount, nameCount*countMask)
	a.appendTrigrams(Toolset, toolsetCount, countMask)
	a.records = append(a.records, slices.Clone(a.record))
	size := len(a.names)
	a.names = words.AppendLower(a.names, t.Name)
	sizes := [2]int{len(a.names) - size}
	a.names = words.AppendLower(a.names, original)
	sizes[1] = len(a.names) - size - sizes[0]
	a.nameSizes = append(a.nameSizes, sizes)
	within := original // the text looked for among the words of a query
	if original != "" && original == beforeServer(t) {
		within = ""
	}
	a.firstTwo = append(a.firstTwo, [2]uint32{a.firstWords(t.Name), a.firstWords(within)})
}

// firstWords returns the hash of the first two words of a name, 0 when it has
// fewer. A query that has the name in words is recognized by them.
func (a *analyser) firstWords(name string) uint32 {
	if name == "" {
		return 0
	}
	a.buffer = append(a.buffer[:0], name...)
	a.cutter.Cut(a.buffer)
	var room [64]byte
	letters, read := room[:0], 0
	for w := a.cutter.Next(); w != nil && read < 2; w = a.cutter.Next() {
		letters = words.AppendLetters(letters, w)
		read++
	}
	if read < 2 {
		return 0
	}
	return hashLetters(a.seed, letters)
}

// hashLetters returns a hash of letters, which is never 0.
func hashLetters(seed maphash.Seed, letters []byte) uint32 {
	return uint32(maphash.Bytes(seed, letters)>>32) | 1
}

// appendTokens counts the terms of a field and appends its tokens to the record, if
// these are kept.
func (a *analyser) appendTokens(f Field) {
	for _, id := range a.fieldWords[f] {
		term := a.known[id].term
		o := &a.seen[term]
		if o.tool != a.number {
			*o = occurrence{a.number, uint32(len(a.distinct))}
			a.distinct = append(a.distinct, distinctTerm{term: term})
		}
		d := &a.distinct[o.at]
		d.tally[f]++
		if f > Description {
			continue
		}
		if d.tally[f] > 1 {
			term |= fieldAgain
		}
		a.record = append(a.record, term)
	}
	a.record[f] = uint32(len(a.fieldWords[f]))
	if f > 0 {
		a.record[f] += a.record[f-1]
	}
}

// appendTrigrams appends the trigrams of a field to the record, and counts those that are
// there already. Each occurrence adds one to the count of the trigram in the bits
// of most, until the count is the largest that fits.
func (a *analyser) appendTrigrams(f Field, one, most uint32) {
	for _, id := range a.fieldWords[f] {
		w := &a.known[id]
		if w.grams[1] == 0 {
			from := len(a.wordGrams)
			a.cutGrams.cut(a.words.Term(id))
			for gram := a.cutGrams.next(); gram != nil; gram = a.cutGrams.next() {
				id := a.grams.Intern(gram)
				if id >= maxTrigrams {
					continue
				}
				if int(id) == len(a.gramSeen) {
					a.gramSeen = append(a.gramSeen, occurrence{})
				}
				a.wordGrams = append(a.wordGrams, id)
			}
			w.grams = [2]uint32{uint32(from), uint32(len(a.wordGrams))}
		}
		for _, gram := range a.wordGrams[w.grams[0]:w.grams[1]] {
			if o := &a.gramSeen[gram]; o.tool != a.number {
				*o = occurrence{a.number, uint32(len(a.record))}
				a.record = append(a.record, gram<<gramShift|one)
			} else if g := &a.record[o.at]; *g&most != most {
				*g += one
			}
		}
	}
}

package fielded

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"caliper/engine/retrieval"
	"caliper/model/words"
)

// lower returns a text as words.Lower has it.
func lower(s string) string { return strings.Map(words.Lower, s) }

// oracleWords cuts text into words.
func oracleWords(text string) []string {
	var all []string
	for _, run := range oracleCut(text) {
		all = append(all, oraclePieces(run)...)
	}
	return all
}

// oracleCutWords returns the words of a text, with each run behind the pieces it
// was cut into.
func oracleCutWords(text string) []string {
	all := []string{}
	for _, run := range oracleCut(text) {
		pieces := oraclePieces(run)
		if all = append(all, pieces...); len(pieces) > 1 && !words.Spaceless(run[0]) {
			all = append(all, "="+lower(string(run)))
		}
	}
	return all
}

// oracleCut cuts text into runs.
func oracleCut(text string) (runs [][]rune) {
	runes := []rune(text)
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	grams := func(r rune) bool {
		return r == 0x30fc || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
			unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
	}
	for i := 0; i < len(runes); {
		if !word(runes[i]) {
			i++
			continue
		}
		j := i + 1
		for j < len(runes) && (unicode.IsMark(runes[j]) || word(runes[j]) && grams(runes[j]) == grams(runes[i])) {
			j++
		}
		runs = append(runs, runes[i:j])
		i = j
	}
	return runs
}

// oracleForms returns other forms of the words of a text that are no stop words.
func oracleForms(text string) (forms []oracleToken) {
	form := func(w string) {
		if kind := retrieval.EnglishLexicon().Kind([]byte(w)); kind != retrieval.StopWord {
			forms = append(forms, oracleToken{word: w, stem: oracleStem(w)})
		}
	}
	part := func(w string) {
		if s := oracleSingular(w); s != "" {
			form(s)
		}
		if l := oracleLetterParts.FindString(w); l != "" && strings.ContainsAny(w, "0123456789") {
			form(l)
		}
	}
	for _, run := range oracleCut(text) {
		pieces := oraclePieces(run)
		for _, p := range pieces {
			part(p)
		}
		if letters := oracleMarked(run); len(letters) > 1 && words.Spaceless(run[0]) {
			for _, letter := range letters {
				if unicode.Is(unicode.Han, letter[0]) {
					form(lower(string(letter[0])))
				}
			}
		}
		if len(pieces) > 1 && !words.Spaceless(run[0]) {
			form(lower(string(run)))
		}
	}
	return forms
}

// oracleMarked returns the letters of a run, each with its marks.
func oracleMarked(run []rune) (letters [][]rune) {
	for _, r := range run {
		if last := len(letters) - 1; last >= 0 && unicode.IsMark(r) {
			letters[last] = append(letters[last], r)
		} else {
			letters = append(letters, []rune{r})
		}
	}
	return letters
}

// oraclePieces cuts a run into words.
func oraclePieces(run []rune) []string {
	letters := oracleMarked(run)
	if words.Spaceless(run[0]) {
		var pairs []string
		for k := range max(1, len(letters)-1) {
			pairs = append(pairs, lower(string(slices.Concat(letters[k:min(k+2, len(letters))]...))))
		}
		return pairs
	}
	capital := func(r rune) bool { return unicode.ToLower(r) != r }
	if !slices.ContainsFunc(run, capital) {
		return []string{lower(string(run))}
	}
	kind := func(i int) int {
		switch r := letters[i][0]; {
		case capital(r):
			return 1
		case unicode.IsDigit(r):
			return 2
		}
		return 0
	}
	cut := make([]bool, len(letters)) // before the letter
	cut[0] = true
	for i := 1; i < len(letters); i++ {
		switch a, b := kind(i-1), kind(i); {
		case a == 1 && b == 0 && letters[i][0] == 's' && i > 1 && kind(i-2) == 1 && !cut[i-1] && (i+1 == len(letters) || kind(i+1) != 0):
			// the plural of an acronym
		case a == 1 && b == 0:
			cut[i-1] = true
		case a != b:
			cut[i] = true
		}
	}
	var pieces []string
	for i, letter := range letters {
		if cut[i] {
			pieces = append(pieces, "")
		}
		pieces[len(pieces)-1] += lower(string(letter))
	}
	return pieces
}

// oracleToken is a word that is no stop word.
type oracleToken struct {
	word, stem string
	request    bool
	uncut      bool // a run that is cut, as one word
	weight     float64
	english    []string // of the Chinese term that begins with the word
}

func oracleStem(word string) string {
	if stemmable([]byte(word)) {
		return retrieval.Stem(word)
	}
	return word
}

// oracleTokens returns the words of a tool, or of a query to an oracle.
func oracleTokens(text string, o *oracle) []oracleToken {
	var tokens []oracleToken
	token := func(w string, weight float64, uncut bool) {
		kind := retrieval.EnglishLexicon().Kind([]byte(w))
		if kind == retrieval.StopWord {
			return
		}
		if kind == retrieval.RequestWord && !uncut {
			weight *= Default.RequestWord
		}
		stem := oracleStem(w)
		if s := oracleSingular(w); o != nil && s != "" && o.df[stem] == 0 && o.df[s] > 0 {
			stem = s
		}
		tokens = append(tokens, oracleToken{word: w, stem: stem, request: kind == retrieval.RequestWord && !uncut, uncut: uncut, weight: weight})
	}
	for _, run := range oracleCut(text) {
		pieces, whole, weight := oraclePieces(run), lower(string(run)), 1.0
		uncut := o != nil && len(pieces) > 1 && !words.Spaceless(run[0]) &&
			retrieval.EnglishLexicon().Kind([]byte(whole)) != retrieval.StopWord && o.df[oracleStem(whole)] > 0
		if uncut {
			weight = 1 - o.r.Uncut
		}
		for _, p := range pieces {
			token(p, weight, false)
		}
		if o != nil && words.Spaceless(run[0]) {
			first := len(tokens) - len(pieces)
			for i, english := range oracleEnglish([]rune(oracleUnmarked(run))) {
				t := &tokens[first+min(i, len(pieces)-1)]
				t.english = append(t.english, english...)
			}
		}
		if uncut {
			token(whole, o.r.Uncut, true)
		}
	}
	return tokens
}

// oracleParameters returns the names and texts of a schema.
func oracleParameters(data []byte) (names, texts []string) {
	var root any
	if json.Unmarshal(data, &root) != nil {
		return nil, nil
	}
	var walk func(v any, depth int)
	walk = func(v any, depth int) {
		schema, _ := v.(map[string]any)
		describe := func(v any) {
			schema, ok := v.(map[string]any)
			if !ok {
				return
			}
			if text, ok := schema["description"].(string); ok {
				texts = append(texts, text)
			}
			if values, ok := schema["enum"].([]any); ok {
				for _, v := range values {
					switch v.(type) {
					case string, float64, bool:
						texts = append(texts, fmt.Sprint(v))
					}
				}
			}
			walk(schema, depth+1)
		}
		if depth > 5 {
			return
		}
		if properties, ok := schema["properties"].(map[string]any); ok {
			for _, name := range slices.Sorted(maps.Keys(properties)) {
				names = append(names, name)
				describe(properties[name])
			}
		}
		describe(schema["items"])
	}
	walk(root, 0)
	return names, texts
}

func oracleGrams(word string) (grams []string) {
	runes := []rune(" " + word + " ")
	for i := range max(1, len(runes)-2) {
		grams = append(grams, string(runes[i:min(i+3, len(runes))]))
	}
	return grams
}

func oraclePairs(word string) map[string]int {
	runes, pairs := []rune("^"+word+"$"), map[string]int{}
	for i := range len(runes) - 1 {
		pairs[string(runes[i:i+2])]++
	}
	return pairs
}

func oracleSpelled(word string, least int) bool {
	runes := []rune(word)
	return len(runes) >= least && len(runes) <= mostLetters && !strings.ContainsAny(word, "0123456789") && !words.Spaceless(runes[0])
}

func oracleLines(query string) []string {
	cut := strings.NewReplacer(". ", ".\n", "? ", "?\n", "! ", "!\n", "; ", ";\n", "\r", "\n").Replace(query)
	return strings.Split(cut, "\n")
}

func oracleSentences(query string, o *oracle) (pieces [][]oracleToken) {
	for _, line := range oracleLines(query) {
		tokens, count := oracleTokens(line, o), 0
		for _, t := range tokens {
			if !t.uncut {
				count++
			}
		}
		if count >= 2 && len(pieces) < 12 {
			pieces = append(pieces, tokens)
		}
	}
	return pieces
}

func oracleLetters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, lower(text))
}

func oracleDistance(a, b []rune) int {
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
		for j := range table[i] {
			switch {
			case i == 0 || j == 0:
				table[i][j] = i + j
			case a[i-1] == b[j-1]:
				table[i][j] = table[i-1][j-1]
			default:
				table[i][j] = 1 + min(table[i-1][j-1], table[i-1][j], table[i][j-1])
			}
		}
	}
	return table[len(a)][len(b)]
}

func oracleSwapped(a, b []rune) bool {
	for i := range len(a) - 1 {
		c := slices.Clone(a)
		if c[i], c[i+1] = c[i+1], c[i]; a[i] != a[i+1] && slices.Equal(c, b) {
			return true
		}
	}
	return false
}

var (
	oracleAcronyms    = regexp.MustCompile(`^([b-df-hj-np-tv-xz]{2,}[b-df-hj-np-rtv-xz])s$`)
	oracleLetterParts = regexp.MustCompile(`[a-z]{3,}`)
)

// oracleSingular returns the acronym that a word is the plural of.
func oracleSingular(w string) string {
	if m := oracleAcronyms.FindStringSubmatch(w); m != nil {
		return m[1]
	}
	return ""
}

// oracleGiven returns the kinds of values that a query gives.
func oracleGiven(query string) (given kindSet) {
	for _, v := range appendValues(nil, []byte(query)) {
		given |= 1 << v.kind
	}
	for _, w := range oracleWords(query) {
		given |= kindsOfWords()[w]
	}
	return given
}

// oracleUnmarked returns a run without marks, as words.Lower has it.
func oracleUnmarked(run []rune) string {
	return lower(strings.Map(func(r rune) rune {
		if unicode.IsMark(r) {
			return -1
		}
		return r
	}, string(run)))
}

// oracleEnglish returns the English words for the Chinese terms of a text, by the place of
// the first character of each.
func oracleEnglish(text []rune) map[int][]string {
	found := map[int][]string{}
	for i := 0; i < len(text); i++ {
		for n := min(8, len(text)-i); n > 0; n-- {
			if english := oracleGlossary()[string(text[i:i+n])]; english != nil {
				found[i] = english
				i += n - 1
				break
			}
		}
	}
	return found
}

// oracleGlossary reads the file of the glossary.
var oracleGlossary = sync.OnceValue(func() map[string][]string {
	data, err := os.ReadFile("../lexicon/glossary.txt")
	if err != nil {
		panic(err)
	}
	glossary := map[string][]string{}
	for line := range strings.Lines(string(data)) {
		parts := strings.Fields(line)
		glossary[parts[0]] = parts[1:]
	}
	return glossary
})

// within returns the tools whose name of several words the query has.
func (o *oracle) within(query string) (docs []int) {
	for _, sentence := range oracleLines(query) {
		words := oracleWords(sentence)
		for i := 0; i < len(words); i++ {
			for n := min(longestName, len(words)-i); n >= 2; n-- {
				found := o.called[[2]string{oracleLetters(words[i] + words[i+1]), oracleLetters(strings.Join(words[i:i+n], ""))}]
				if docs = append(docs, found...); len(found) > 0 {
					i += n - 1
					break
				}
			}
		}
	}
	return docs
}

// oracleCalled returns the first two words of a name, and all; ok is false when
// it has one word.
func oracleCalled(name string) (words [2]string, ok bool) {
	parts := oracleWords(name)
	if len(parts) < 2 {
		return words, false
	}
	return [2]string{oracleLetters(parts[0] + parts[1]), oracleLetters(name)}, true
}

// content tells whether a stem is of a token that is no generic verb and no
// request word.
func (o *oracle) content(tokens []oracleToken, stem string) bool {
	return slices.ContainsFunc(tokens, func(t oracleToken) bool {
		return t.stem == stem && !t.request && !retrieval.EnglishLexicon().Generic([]byte(t.word))
	})
}

func (o *oracle) pins(query string, tokens []oracleToken) (pins map[int]float64, near []string) {
	pins = map[int]float64{}
	whole := lower(strings.TrimSpace(query))
	if whole == "" {
		return nil, nil
	}
	var names []string
	for _, w := range strings.Fields(query) {
		if w = strings.Trim(w, ".,;:!?\"'`()[]{}<>*"); looksLikeIdentifier([]byte(w)) {
			names = append(names, lower(w))
		}
	}
	found := map[string]bool{}
	for doc, t := range o.tools {
		for name, value := range map[string]float64{t.name: o.r.ExactName, t.own: o.r.OriginalName} {
			if name != "" && (name == whole || slices.Contains(names, name)) {
				pins[doc] = max(pins[doc], value)
				found[name] = true
			}
		}
	}
	if len(pins) == 0 {
		said := ""
		for _, t := range tokens {
			if !t.request {
				said += t.word
			}
		}
		for doc, t := range o.tools {
			if said != "" && (oracleLetters(t.name) == said || oracleLetters(t.own) == said) {
				pins[doc] = o.r.NameWords
			}
		}
		for _, doc := range o.within(query) {
			pins[doc] = max(pins[doc], o.r.NameWithin)
		}
		if len(names) == 0 && !strings.ContainsFunc(whole, unicode.IsSpace) {
			names = append(names, whole)
		}
	}
	for _, n := range names {
		if letters := oracleLetters(n); !found[n] && len([]rune(letters)) >= 5 {
			near = append(near, letters)
		}
	}
	return pins, near
}

func (o *oracle) near(near []string, doc int) float64 {
	best := 0.0
	for i, n := range slices.Concat(near, near) {
		name := []string{o.tools[doc].name, o.tools[doc].own}[i/len(near)]
		if name == "" {
			continue
		}
		a, b := []rune(n), []rune(oracleLetters(name))
		limit := 1
		if min(len(a), len(b)) >= 12 {
			limit = 2
		}
		if d := oracleDistance(a, b); d <= limit {
			best = max(best, o.r.NearName*(1-float64(d)/float64(max(len(a), len(b)))))
		}
	}
	return best
}

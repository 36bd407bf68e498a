package embed

import (
	"math"
	"slices"
	"unicode/utf8"

	"caliper/engine/retrieval"
	"caliper/model/words"
)

// eachGram calls visit with the 3-grams of " word ", then its 4-grams, then its
// 5-grams. A word of one rune has itself as its only gram. No word holds a space.
func eachGram(word []byte, visit func(gram []byte)) {
	text := append(append([]byte{' '}, word...), ' ')
	var starts []int
	for at := range string(text) {
		starts = append(starts, at)
	}
	starts = append(starts, len(text))
	for n := 3; n <= min(5, len(starts)-1); n++ {
		for i := 0; i+n < len(starts); i++ {
			visit(text[starts[i]:starts[i+n]])
		}
	}
}

// vocabulary is the words of all tools, and which of them hold a gram.
type vocabulary struct {
	words retrieval.Dictionary
	grams retrieval.Dictionary
	idf   []float64 // of each gram
	new   float64   // the idf of a gram that no word holds

	from  []int     // of each gram, and one more: its first entry
	held  []uint32  // by entry: the word that holds the gram
	share []float32 // by entry: the gram's weight in the word, which has length 1
}

// newVocabulary lays out the grams of words.
func newVocabulary(words retrieval.Dictionary) *vocabulary {
	v := &vocabulary{words: words, grams: retrieval.NewDictionary(), from: []int{0}}
	n := words.Len()
	var grams []uint32 // of all words, each once a word
	var times []int    // how often the word has each of grams
	var ends []int     // of each word in grams
	var holders []int  // of each gram: the words that hold it
	for w := range uint32(n) {
		begin := len(grams)
		eachGram(words.Term(w), func(gram []byte) {
			g := v.grams.Intern(gram)
			if int(g) == len(holders) {
				holders = append(holders, 0)
			}
			if i := slices.Index(grams[begin:], g); i >= 0 {
				times[begin+i]++
				return
			}
			holders[g]++
			grams, times = append(grams, g), append(times, 1)
		})
		ends = append(ends, len(grams))
	}
	idf := func(df int) float64 { return math.Log(float64(1+n)/float64(1+df)) + 1 }
	v.new = idf(0)
	for g, df := range holders {
		v.idf = append(v.idf, idf(df))
		v.from = append(v.from, v.from[g]+df)
	}
	v.held, v.share = make([]uint32, len(grams)), make([]float32, len(grams))
	next, begin := slices.Clone(v.from), 0
	for w, end := range ends {
		squares := 0.0
		for i, g := range grams[begin:end] {
			weight := v.weight(g, times[begin+i])
			squares += float64(weight * weight)
		}
		length := math.Sqrt(squares)
		for i, g := range grams[begin:end] {
			v.held[next[g]] = uint32(w)
			v.share[next[g]] = float32(v.weight(g, times[begin+i]) / length)
			next[g]++
		}
		begin = end
	}
	return v
}

// weight returns the weight of a gram that a word holds count times.
func (v *vocabulary) weight(g uint32, count int) float64 {
	return v.idf[g] * (1 + math.Log(float64(count)))
}

const (
	leastCosine = 0.35 // below it, words are not alike
	leastTypo   = 5    // runes of the longer one of two words that may be a typo apart
)

// similar is a word of the tools that is like one of a message.
type similar struct {
	word  uint32
	alike float64 // above 0, at most 1
}

// similar returns the words that are like word, in their order. cosines is memory for
// a number of each word of the vocabulary; all are 0 between calls.
func (v *vocabulary) similar(cosines []float32, word []byte) (found []similar) {
	var grams, touched []uint32
	var times []int
	squares := 0.0 // of the vector of the word's grams, with those that no word of the vocabulary holds
	eachGram(word, func(gram []byte) {
		g, ok := v.grams.Find(gram)
		if !ok {
			squares += float64(v.new * v.new)
		} else if i := slices.Index(grams, g); i >= 0 {
			times[i]++
		} else {
			grams, times = append(grams, g), append(times, 1)
		}
	})
	for i, g := range grams {
		weight := v.weight(g, times[i])
		squares += float64(weight * weight)
	}
	length := math.Sqrt(squares)
	for i, g := range grams {
		weight := float32(v.weight(g, times[i]) / length)
		for e := v.from[g]; e < v.from[g+1]; e++ {
			w := v.held[e]
			if cosines[w] == 0 {
				touched = append(touched, w)
			}
			cosines[w] += float32(weight * v.share[e])
		}
	}
	exact, known := v.words.Find(word)
	letters := []rune(string(word))
	for _, w := range touched {
		cosine, text := float64(cosines[w]), v.words.Term(w)
		cosines[w] = 0
		alike := 0.0
		if cosine >= leastCosine {
			alike = min(cosine*cosine, 1)
		}
		// The distance is worth asking where the first letter is right, and the words are long enough that one
		// edit means little.
		n := utf8.RuneCount(text)
		if longer := max(len(letters), n); longer >= leastTypo && min(len(letters), n) >= longer-1 {
			if typo := []rune(string(text)); letters[0] == typo[0] && words.Alignment(letters, typo, 1) == 1 {
				alike = max(alike, 1-1.5/float64(longer))
			}
		}
		if known && w == exact {
			alike = 1
		}
		if alike > 0 {
			found = append(found, similar{w, alike})
		}
	}
	slices.SortFunc(found, func(a, b similar) int { return int(a.word) - int(b.word) })
	return found
}

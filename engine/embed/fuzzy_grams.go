package embed

import (
	"math"
	"unicode/utf8"

	"caliper/engine/retrieval"
)

// edge marks both ends of a word in its grams. No word holds it.
const edge = ' '

// gramRoom is memory for a word with its edges, and where its runes begin.
type gramRoom struct {
	text   [utf8.UTFMax*maxWord + 2]byte
	starts [maxWord + 3]int
}

// each calls visit with the 3-grams of " word ", then its 4-grams, then its
// 5-grams. A word of one rune has itself as its only gram.
func (m *gramRoom) each(word []byte, visit func(gram []byte)) {
	m.text[0] = edge
	size := 1 + copy(m.text[1:], word)
	m.text[size] = edge
	size++
	runes := 0
	for at := 0; at < size; runes++ {
		m.starts[runes] = at
		_, width := utf8.DecodeRune(m.text[at:size])
		at += width
	}
	m.starts[runes] = size
	for n := 3; n <= min(5, runes); n++ {
		for i := 0; i+n <= runes; i++ {
			visit(m.text[m.starts[i]:m.starts[i+n]])
		}
	}
}

// vocabulary is the words of all tools, and which of them hold a gram.
type vocabulary struct {
	words retrieval.Dictionary
	grams retrieval.Dictionary
	idf   []float64 // of each gram
	new   float64   // the idf of a gram that no word holds

	from  []uint32  // of each gram, and one more: its first entry
	held  []uint32  // by entry: the word that holds the gram
	share []float32 // by entry: the gram's weight in the word, which has length 1

	letters []rune   // of all words
	ends    []uint32 // of each word in letters
}

// newVocabulary lays out the grams of words.
func newVocabulary(words retrieval.Dictionary) *vocabulary {
	v := &vocabulary{words: words, grams: retrieval.NewDictionary()}
	n := words.Len()
	letters, most := 0, 0 // of all words: letters, and grams at most
	for w := range uint32(n) {
		runes := utf8.RuneCount(words.Term(w))
		letters += runes
		for size := 3; size <= min(5, runes+2); size++ {
			most += runes + 2 - size + 1
		}
	}
	v.letters, v.ends = make([]rune, 0, letters), make([]uint32, 0, n)
	grams := make([]uint32, 0, most) // of all words, each once a word
	ends := make([]int, 0, n)        // of each word in grams
	var room gramRoom
	var counts []int             // of each gram: the words that hold it
	var last []uint32            // of each gram: the last word that held it, and one
	times := map[[2]uint32]int{} // of a gram in a word, when it is more than one
	for w := range uint32(n) {
		text := words.Term(w)
		room.each(text, func(gram []byte) {
			g := v.grams.Intern(gram)
			if int(g) == len(counts) {
				counts, last = append(counts, 0), append(last, 0)
			}
			if last[g] == w+1 {
				times[[2]uint32{w, g}]++
				return
			}
			last[g] = w + 1
			counts[g]++
			grams = append(grams, g)
		})
		ends = append(ends, len(grams))
		for _, letter := range string(text) {
			v.letters = append(v.letters, letter)
		}
		v.ends = append(v.ends, uint32(len(v.letters)))
	}
	v.new = gramIDF(0, n)
	v.idf = make([]float64, len(counts))
	v.from = make([]uint32, len(counts)+1)
	for g, df := range counts {
		v.idf[g] = gramIDF(df, n)
		v.from[g+1] = v.from[g] + uint32(df)
	}
	v.held, v.share = make([]uint32, len(grams)), make([]float32, len(grams))
	next := append([]uint32(nil), v.from...)
	begin := 0
	for w, end := range ends {
		length := 0.0
		for _, g := range grams[begin:end] {
			weight := v.weight(g, 1+times[[2]uint32{uint32(w), g}])
			length += float64(weight * weight)
		}
		length = math.Sqrt(length)
		for _, g := range grams[begin:end] {
			v.held[next[g]] = uint32(w)
			v.share[next[g]] = float32(v.weight(g, 1+times[[2]uint32{uint32(w), g}]) / length)
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

// runes returns the letters of a word.
func (v *vocabulary) runes(w uint32) []rune {
	from := uint32(0)
	if w > 0 {
		from = v.ends[w-1]
	}
	return v.letters[from:v.ends[w]]
}

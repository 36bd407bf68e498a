package embed

import (
	"math"
	"slices"

	"caliper/model/words"
)

// similar is a word of the tools that is like one of a message.
type similar struct {
	word  uint32
	alike float64 // above 0, at most 1
}

// comparer finds the words that are like another. Its memory is used again by
// the next word.
type comparer struct {
	cosines []float32 // of each word of the vocabulary; 0 between calls
	touched []uint32
	grams   []uint32 // of the message word that the vocabulary has
	counts  []int
	letters []rune
	found   []similar
	room    gramRoom
}

// similar returns the words that are like word, in their order. It is valid until
// the next call.
func (c *comparer) similar(v *vocabulary, word []byte) []similar {
	c.found = c.found[:0]
	exact, known := v.words.Find(word)
	length := c.read(v, word)
	for i, g := range c.grams {
		weight := float32(v.weight(g, c.counts[i]) / length)
		for e := v.from[g]; e < v.from[g+1]; e++ {
			w := v.held[e]
			if c.cosines[w] == 0 {
				c.touched = append(c.touched, w)
			}
			c.cosines[w] += float32(weight * v.share[e])
		}
	}
	c.letters = c.letters[:0]
	for _, r := range string(word) {
		c.letters = append(c.letters, r)
	}
	for _, w := range c.touched {
		cosine := float64(c.cosines[w])
		c.cosines[w] = 0
		alike := 0.0
		if cosine >= leastCosine {
			alike = min(cosine*cosine, 1)
		}
		if typo := v.runes(w); c.mayBeTypo(typo) && words.Alignment(c.letters, typo, 1) == 1 {
			alike = max(alike, edited(max(len(c.letters), len(typo))))
		}
		if known && w == exact {
			alike = 1
		}
		if alike > 0 {
			c.found = append(c.found, similar{w, alike})
		}
	}
	c.touched = c.touched[:0]
	slices.SortFunc(c.found, func(a, b similar) int { return int(a.word) - int(b.word) })
	return c.found
}

// mayBeTypo reports whether the distance is worth asking: the first letter
// is right, and the words are long enough that one edit means little.
func (c *comparer) mayBeTypo(w []rune) bool {
	longer := max(len(c.letters), len(w))
	return longer >= leastTypo && min(len(c.letters), len(w)) >= longer-1 && c.letters[0] == w[0]
}

// read reads the grams of a word and returns the length of their vector, with
// those that no word of the vocabulary holds.
func (c *comparer) read(v *vocabulary, word []byte) float64 {
	c.grams, c.counts = c.grams[:0], c.counts[:0]
	sum := 0.0
	c.room.each(word, func(gram []byte) {
		g, ok := v.grams.Find(gram)
		if !ok {
			sum += float64(v.new * v.new)
			return
		}
		if i := slices.Index(c.grams, g); i >= 0 {
			c.counts[i]++
			return
		}
		c.grams, c.counts = append(c.grams, g), append(c.counts, 1)
	})
	for i, g := range c.grams {
		weight := v.weight(g, c.counts[i])
		sum += float64(weight * weight)
	}
	return math.Sqrt(sum)
}

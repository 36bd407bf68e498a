package embed

import (
	"context"
	"math"
	"sync"

	"caliper/model"
	"caliper/model/words"
)

// FuzzyIndex knows the words of tools. It never changes and is safe for concurrent
// use.
type FuzzyIndex struct {
	tools []*model.Tool
	rows  map[*model.Tool]uint32
	words *vocabulary

	from   []uint32  // of each word, and one more: its first entry
	rowOf  []uint32  // by entry: a tool that holds the word
	weight []float32 // by entry: what the word tells of the tool, at most 1

	memory sync.Pool // *searcher
}

var _ Similarity = (*FuzzyIndex)(nil)

// Identity returns the provider "fuzzy", which has no model and no dimension.
func (x *FuzzyIndex) Identity() Identity { return Identity{Provider: "fuzzy"} }

// Floor returns the score above which a tool is like a message: 0.12.
func (x *FuzzyIndex) Floor([]float64, float64) float64 { return floor }

// NewFuzzy returns the index of tools: the words of their names, toolsets,
// descriptions and parameter names. How rare a word is, is counted over tools.
// The only error is ctx's. It keeps tools, which must not change
// afterwards; a tool that is there twice has its first place.
func NewFuzzy(ctx context.Context, tools []*model.Tool) (*FuzzyIndex, error) {
	b := newBuilder()
	x := newIndex(tools)
	for i, t := range tools {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		b.tool(t)
	}
	b.lay(x)
	words := b.words
	b = nil // what it holds of every tool is as large as the vocabulary, and is not needed beside it
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	x.words = newVocabulary(words)
	return x, nil
}

// newIndex returns an index that knows the places of tools, and no words yet.
func newIndex(tools []*model.Tool) *FuzzyIndex {
	x := &FuzzyIndex{tools: tools, rows: make(map[*model.Tool]uint32, len(tools))}
	for i, t := range tools {
		if _, twice := x.rows[t]; !twice {
			x.rows[t] = uint32(i)
		}
	}
	x.memory.New = func() any { return newSearcher(x) }
	return x
}

// cutter cuts texts into words of at most maxWord runes: of a longer one, the
// first are the word. Its memory is used again.
type cutter struct {
	words.Cutter
	text []byte
}

// each calls visit with the words of a text until it returns false. A word is
// valid until visit returns.
func (c *cutter) each(text string, visit func(word []byte) bool) {
	c.CutPlurals = true
	c.text = append(c.text[:0], text...)
	c.Cut(c.text)
	for word := c.Next(); word != nil && visit(clipped(word)); word = c.Next() {
	}
}

// clipped returns the first maxWord runes of a word.
func clipped(word []byte) []byte {
	if len(word) <= maxWord {
		return word
	}
	runes := 0
	for at := range string(word) {
		if runes == maxWord {
			return word[:at]
		}
		runes++
	}
	return word
}

// floor is the score above which a tool counts. On all real registries at hand,
// small talk reaches 0.08 at most, and a slip of a key in the main word of a
// tool's name 0.19 at least (TestSmallTalk, TestTypos).
const floor = 0.12

// Weights of the fields: what one occurrence of a word counts.
const (
	nameWeight        = 3.0
	toolsetWeight     = 1.0
	descriptionWeight = 1.0
	parameterWeight   = 0.5
)

// A word that counts f in a tool weighs f/(f+saturation*l), where l is
// 1-lengthShare+lengthShare*length/average, as in BM25 (Robertson and Zaragoza
// 2009).
const (
	saturation  = 1.0
	lengthShare = 0.5
)

// leastRarity is the weight of a word that every tool holds; one that a single
// tool holds weighs 1.
const leastRarity = 0.3

// What a word of a message weighs that only asks, and one that only greets or
// thanks; any other weighs 1.
const (
	requestWeight   = 0.3
	smallTalkWeight = 0.1
)

// leastCosine is the cosine below which words are not alike.
const leastCosine = 0.35

// Bounds on reading.
const (
	maxWord  = 40   // runes of a word
	maxWords = 128  // different words of a message
	maxHead  = 7936 // bytes at the beginning of a longer message
	maxTail  = 256  // bytes at its end, where all words count
)

// leastTypo is how many runes the longer one has of two words that may be a typo
// apart.
const leastTypo = 5

// edited returns how alike two words are that are one edit apart, by the length
// of the longer one.
func edited(runes int) float64 { return 1 - 1.5/float64(runes) }

// rarity returns the weight of a word that df of n tools hold.
func rarity(df, n int) float64 {
	return leastRarity + (1-leastRarity)*math.Log(1+float64(n)/float64(df))/math.Log(1+float64(n))
}

// gramIDF returns the weight of a gram that df of n words hold.
func gramIDF(df, n int) float64 { return math.Log(float64(1+n)/float64(1+df)) + 1 }

package embed

import (
	"context"
	"math"
	"slices"
	"unicode/utf8"

	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/words"
)

// FuzzyIndex knows the words of tools. It never changes and is safe for concurrent
// use.
type FuzzyIndex struct {
	tools []*model.Tool
	rows  map[*model.Tool]int
	words *vocabulary

	from   []int     // of each word, and one more: its first entry
	rowOf  []int     // by entry: a tool that holds the word
	weight []float32 // by entry: what the word tells of the tool, at most 1
}

var _ Similarity = (*FuzzyIndex)(nil)

// Identity returns the provider "fuzzy", which has no model and no dimension.
func (x *FuzzyIndex) Identity() Identity { return Identity{Provider: "fuzzy"} }

// floor is the score above which a tool counts. On all real registries at hand,
// small talk reaches 0.08 at most, and a slip of a key in the main word of a
// tool's name 0.19 at least (TestSmallTalk, TestTypos).
const floor = 0.12

// Floor returns the score above which a tool is like a message: 0.12.
func (x *FuzzyIndex) Floor([]float64, float64) float64 { return floor }

// fieldWeights are what one occurrence of a word counts in the name, the toolset,
// the description and the parameters' names.
var fieldWeights = [...]float64{3, 1, 1, 0.5}

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

// NewFuzzy returns the index of tools: the words of their names, toolsets,
// descriptions and parameter names. How rare a word is, is counted over tools.
// The only error is ctx's. It keeps tools, which must not change
// afterwards; a tool that is there twice has its first place.
func NewFuzzy(ctx context.Context, tools []*model.Tool) (*FuzzyIndex, error) {
	lexicon, dictionary := retrieval.EnglishLexicon(), retrieval.NewDictionary()
	cutter := words.Cutter{CutPlurals: true}
	var (
		holders []int     // of each word: how many tools hold it
		place   []int     // of each word: its last place in held
		times   []float64 // of each word: occurrences in the current field
		held    []uint32  // the words of all tools, one tool after another, each once a tool
		counts  []float64 // of each of held
		ends    []int     // of each tool in held
		lengths []float64
		total   float64 // of lengths
	)
	for i, t := range tools {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		begin := len(held)
		texts := [len(fieldWeights)][]string{{t.Name}, {t.Toolset}, {t.Description}, t.PropertyNames()}
		if t.Toolset == model.NoToolset {
			texts[1] = nil
		}
		for field, texts := range texts {
			var said []uint32
			for _, text := range texts {
				eachWord(&cutter, text, func(word []byte) bool {
					if lexicon.Kind(word) == retrieval.StopWord {
						return true
					}
					w := dictionary.Intern(word)
					if int(w) == len(holders) {
						holders, place, times = append(holders, 0), append(place, -1), append(times, 0)
					}
					if place[w] < begin {
						place[w] = len(held)
						held, counts = append(held, w), append(counts, 0)
						holders[w]++
					}
					if times[w] == 0 {
						said = append(said, w)
					}
					times[w]++
					return true
				})
			}
			for _, w := range said { // sublinear, so that a text that repeats itself gains little
				counts[place[w]] += fieldWeights[field] * (1 + math.Log(times[w]))
				times[w] = 0
			}
		}
		length := 0.0
		for _, n := range counts[begin:] {
			length += n
		}
		ends, lengths, total = append(ends, len(held)), append(lengths, length), total+length
	}

	x := &FuzzyIndex{tools: tools, rows: make(map[*model.Tool]int, len(tools)), from: make([]int, len(holders)+1)}
	rarities, n := make([]float64, len(holders)), float64(len(tools))
	for w, df := range holders {
		x.from[w+1] = x.from[w] + df
		rarities[w] = leastRarity + (1-leastRarity)*math.Log(1+n/float64(df))/math.Log(1+n)
	}
	x.rowOf, x.weight = make([]int, len(held)), make([]float32, len(held))
	next, begin := slices.Clone(x.from), 0
	for row, t := range tools {
		against := saturation * (1 - lengthShare + lengthShare*lengths[row]/(total/n))
		for i, w := range held[begin:ends[row]] {
			count := counts[begin+i]
			x.rowOf[next[w]], x.weight[next[w]] = row, float32(rarities[w]*count/(count+against))
			next[w]++
		}
		begin = ends[row]
		if _, twice := x.rows[t]; !twice {
			x.rows[t] = row
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	x.words = newVocabulary(dictionary)
	return x, nil
}

// Bounds on reading.
const (
	maxWord  = 40   // runes of a word
	maxWords = 128  // different words of a message
	maxHead  = 7936 // bytes at the beginning of a longer message
	maxTail  = 256  // bytes at its end, where all words count
)

// eachWord calls visit with the words of a text until it returns false. The first
// maxWord runes of a longer word are the word. It is valid until visit returns.
func eachWord(c *words.Cutter, text string, visit func(word []byte) bool) {
	c.Cut([]byte(text))
	for word := c.Next(); word != nil; word = c.Next() {
		if len(word) > maxWord {
			runes := 0
			for at := range string(word) {
				if runes == maxWord {
					word = word[:at]
					break
				}
				runes++
			}
		}
		if !visit(word) {
			return
		}
	}
}

// What a word of a message weighs that only asks, and one that only greets or
// thanks; any other weighs 1.
const (
	requestWeight   = 0.3
	smallTalkWeight = 0.1
)

// Scores returns how like the message each of tools is, 0 to below 1, by its
// place in tools. A tool that New was not given has 0, and so has any tool for a
// message without words. Of a message, 128 different words count at most; of one
// longer than 8 KB, the first 64 and all of its last 256 bytes. The only error
// is ctx's.
func (x *FuzzyIndex) Scores(ctx context.Context, message string, tools []*model.Tool) ([]float64, error) {
	lexicon, cosines := retrieval.EnglishLexicon(), make([]float32, x.words.words.Len())
	sums, best := make([]float64, len(x.tools)), make([]float64, len(x.tools)) // of each tool; best is for one word
	cutter, seen := words.Cutter{CutPlurals: true}, map[string]bool{}
	var touched []int // tools with a best
	add := func(part string, most int) {
		eachWord(&cutter, part, func(word []byte) bool {
			kind := lexicon.Kind(word)
			if kind == retrieval.StopWord || seen[string(word)] {
				return true
			}
			seen[string(word)] = true
			weight := 1.0
			switch {
			case retrieval.SmallTalk(string(word)):
				weight = smallTalkWeight
			case kind == retrieval.RequestWord:
				weight = requestWeight
			}
			for _, w := range x.words.similar(cosines, word) {
				for e := x.from[w.word]; e < x.from[w.word+1]; e++ {
					row := x.rowOf[e]
					if best[row] == 0 {
						touched = append(touched, row)
					}
					best[row] = max(best[row], w.alike*float64(x.weight[e]))
				}
			}
			for _, row := range touched {
				sums[row] += float64(weight * best[row])
				best[row] = 0
			}
			touched = touched[:0]
			return len(seen) < most && ctx.Err() == nil
		})
	}
	if len(message) <= maxHead+maxTail {
		add(message, maxWords)
	} else { // the request stands before or behind a text that was pasted
		from, to := maxHead, len(message)-maxTail
		for !utf8.RuneStart(message[from]) && from > maxHead-utf8.UTFMax {
			from--
		}
		for !utf8.RuneStart(message[to]) && to < len(message)-1 {
			to++
		}
		add(message[:from], maxWords/2)
		add(message[to:], math.MaxInt)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	scores := make([]float64, len(tools))
	for i, t := range tools {
		row, known := i, i < len(x.tools) && x.tools[i] == t
		if !known {
			row, known = x.rows[t]
		}
		if known {
			scores[i] = sums[row] / (1 + sums[row])
		}
	}
	return scores, nil
}

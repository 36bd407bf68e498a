package embed

import "math"

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

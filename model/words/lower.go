package words

import (
	_ "embed" // the table
	"sync"
	"unicode"
)

// Lower returns the form in which characters are compared: lower case, and of
// Chinese characters the simplified one, so that 查詢 and 查询 are one word. What
// it returns is its own form.
func Lower(r rune) rune {
	if r < firstHan || r > lastHan {
		return unicode.ToLower(r)
	}
	if to := simplified()[r-firstHan]; to != 0 {
		return rune(to)
	}
	return r
}

// The blocks that simplified.txt is about: CJK Unified Ideographs and their
// Extension A.
const (
	firstHan = 0x3400
	lastHan  = 0x9fff
)

// simplifiedText has pairs of a traditional character and the simplified one: the
// transform Traditional-Simplified of Unicode's CLDR, as ICU 72.1 (October 2022)
// carries it out on single characters, without 苎 and 苧, which it exchanges for
// each other. A table of 17 KB does what libraries for whole texts need
// dictionaries of megabytes for; the choice by context that these make (發 and 髮
// are both 发, which can only be told apart on the way back) is not needed to
// compare.
//
//go:embed simplified.txt
var simplifiedText string

// simplified returns the simplified form of each character from firstHan on, 0
// where it is the character itself.
var simplified = sync.OnceValue(func() *[lastHan - firstHan + 1]uint16 {
	table := new([lastHan - firstHan + 1]uint16)
	traditional := rune(0)
	for _, r := range simplifiedText {
		switch {
		case r == '\n':
		case traditional == 0:
			traditional = r
		default:
			table[traditional-firstHan] = uint16(r)
			traditional = 0
		}
	}
	return table
})

// FoldRune returns a letter or digit, lower-cased, and -1 for everything else, as strings.Map
// drops it. A rune beyond ASCII counts as a letter.
func FoldRune(r rune) rune {
	switch {
	case r >= 'A' && r <= 'Z':
		return r + 'a' - 'A'
	case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r >= 0x80:
		return r
	}
	return -1
}

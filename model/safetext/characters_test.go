package safetext

import (
	"slices"
	"testing"
	"unicode"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// The tables say what the algorithm of Unicode for grapheme clusters does with
// every code point, by another implementation of it.
func TestTablesAgreeWithSegmentation(t *testing.T) {
	one := func(text string) bool { return clusters(text) == 1 }
	const joiner, face, ka = "\u200d", "\U0001f600", "क"
	for _, table := range []struct {
		name string
		in   func(rune) bool
		want func(r rune) bool
	}{
		{"a pictograph joins another", isPictograph, func(r rune) bool { return one(string(r) + joiner + face) }},
		{"an extender joins the one before, and is no mark", func(r rune) bool { return unicode.Is(extenders, r) }, func(r rune) bool {
			apart := unicode.Is(unicode.M, r) || isInvisible(r) || isSkinTone(r)
			return unicode.IsGraphic(r) && !apart && (one("a"+string(r)) || one("가"+string(r)))
		}},
		{"a linker joins two letters", func(r rune) bool { return unicode.Is(linkers, r) }, func(r rune) bool { return one(ka + string(r) + ka) }},
		{"a prepended letter joins the one behind", isPrepended, func(r rune) bool { return one(string(r)+"a") && unicode.IsLetter(r) }},
		{"what may be ignored is invisible, and four marks of uncertain width", func(r rune) bool { return unicode.IsGraphic(r) && isInvisible(r) }, func(r rune) bool {
			return unicode.IsGraphic(r) && unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) ||
				slices.Contains([]rune{0x302E, 0x302F, 0x16FF0, 0x16FF1}, r)
		}},
		{"a leading consonant joins a syllable", isLeadingJamo, func(r rune) bool {
			return one(string(r)+"가") && unicode.IsLetter(r) && !isPrepended(r) && !isInvisible(r)
		}},
	} {
		for r := rune(0); r <= unicode.MaxRune; r++ {
			if 0xd800 <= r && r < 0xe000 {
				continue
			}
			if r == 0x11A3A {
				continue // prepended up to Unicode 15, not in 17: terminals do either
			}
			if got, want := table.in(r), table.want(r); got != want {
				t.Errorf("%s: %U is, by the table: %t", table.name, r, got)
			}
		}
	}
}

// What is let through without a closer look is drawn, stands alone on both
// sides, and is nothing that the closer look treats apart.
func TestPlainCharactersStandAlone(t *testing.T) {
	plain := 0
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !isPlain(r) {
			continue
		}
		plain++
		apart := isPictograph(r) || isInvisible(r) || isPrepended(r) || isLeadingJamo(r) || unicode.In(r, unicode.M, extenders, linkers)
		if text := string(r); apart || !unicode.IsGraphic(r) || clusters("a"+text+"a") != 3 || Lines("a"+text+"a") != "a"+text+"a" {
			t.Errorf("%U is no plain character", r)
		}
	}
	if plain < 30_000 {
		t.Errorf("%d plain characters: too few to be quick", plain)
	}
}

// clusters returns the number of grapheme clusters of a text.
func clusters(text string) (n int) {
	for g := graphemes.FromString(text); g.Next(); {
		n++
	}
	return n
}

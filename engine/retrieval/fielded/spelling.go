package fielded

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"
	"unicode/utf8"

	"caliper/model/words"
)

// spelling finds terms that are spelled like a word: with the same first letter
// and many of the same pairs of letters. Any number of goroutines may find terms
// at a time, but none while a term is added. A frozen copy never changes. Its keys are
// first letters.
type spelling map[rune][]spelled

// spelled is a term that can be found by its spelling.
type spelled struct {
	sign uint64 // the pairs of letters that it has, as a set of hashes
	term uint32
	size uint16 // pairs
}

const (
	leastLetters = 4  // of a word that may be misspelled
	mostLetters  = 40 // a longer one is hardly a word
)

// letterPairs appends the neighbouring letters of a word, with an end before
// and behind it. ok is false for a word that is not looked up by its spelling: one
// that has too few letters or too many, an ASCII digit, or a script without
// spaces between words.
func letterPairs(dst []uint64, word []byte) (pairs []uint64, ok bool) {
	first, _ := utf8.DecodeRune(word)
	if n := utf8.RuneCount(word); n < leastLetters || n > mostLetters || words.Spaceless(first) {
		return dst, false
	}
	last := uint64('^')
	for at := 0; at < len(word); {
		r, size := utf8.DecodeRune(word[at:])
		if '0' <= r && r <= '9' {
			return dst, false
		}
		at += size
		dst = append(dst, last<<32|uint64(r))
		last = uint64(r)
	}
	return append(dst, last<<32|'$'), true
}

// signature returns the set of the hashes of pairs.
func signature(pairs []uint64) uint64 {
	sign := uint64(0)
	for _, p := range pairs {
		p ^= p >> 29
		sign |= 1 << (p * 0x9e3779b97f4a7c15 >> 58)
	}
	return sign
}

// similarTerm is a term with the likeness of its spelling to a word, 0 to 1.
type similarTerm struct {
	term     uint32
	likeness float64
}

// find returns the terms that are most like a word and that are held: at
// most limit, none with a likeness below least. The most alike come first, equal
// ones in the order of their texts. The likeness is Dice's coefficient of the
// pairs, with one more pair in common when two letters have changed places.
func (s spelling) find(n *vocabulary, held func(term uint32) bool, word []byte, least float64, limit int) (found []similarTerm) {
	var room, other [mostLetters + 1]uint64
	pairs, ok := letterPairs(room[:0], word)
	if !ok {
		return nil
	}
	sign, size := signature(pairs), len(pairs)
	first, _ := utf8.DecodeRune(word)
	list := s[first]
	for i := range list {
		t := &list[i]
		// A pair that only one of the two has in its signature is not common.
		common := min(size-bits.OnesCount64(sign&^t.sign), int(t.size)-bits.OnesCount64(t.sign&^sign))
		if size == int(t.size) {
			common++ // as when two letters have changed places
		}
		if likenessOf(common, size, int(t.size)) < least || !held(t.term) {
			continue
		}
		theirs, _ := letterPairs(other[:0], n.terms.Term(t.term))
		common = 0 // repeated pairs count as often as both have them
		var used uint64
		for _, p := range pairs {
			for i, q := range theirs {
				if p == q && used>>i&1 == 0 {
					used |= 1 << i
					common++
					break
				}
			}
		}
		if swapped(pairs, theirs) {
			common = min(common+1, size)
		}
		if l := likenessOf(common, size, len(theirs)); l >= least {
			found = append(found, similarTerm{t.term, l})
		}
	}
	slices.SortFunc(found, func(a, b similarTerm) int {
		return cmp.Or(cmp.Compare(b.likeness, a.likeness), bytes.Compare(n.terms.Term(a.term), n.terms.Term(b.term)))
	})
	return found[:min(len(found), limit)]
}

// likenessOf returns Dice's coefficient of two bags of sizes a and b that have
// common elements in common.
func likenessOf(common, a, b int) float64 { return 2 * float64(common) / float64(a+b) }

// swapped reports whether two words differ in two neighbouring letters that have
// changed places. It compares their pairs.
func swapped(a, b []uint64) bool {
	if len(a) != len(b) {
		return false
	}
	at := 0
	for at < len(a) && a[at] == b[at] {
		at++
	}
	if at+2 >= len(a) {
		return false
	}
	first, second := uint32(a[at]), uint32(a[at+1])
	return first == uint32(b[at+1]) && second == uint32(b[at]) && uint32(a[at+2]) == uint32(b[at+2]) && slices.Equal(a[at+3:], b[at+3:])
}

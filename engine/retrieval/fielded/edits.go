package fielded

import (
	"unicode/utf8"

	"caliper/engine/words"
)

// edits compares names letter by letter. Its memory is used again.
type edits struct {
	name, other []rune
	rows        [2][]int
}

// longEdits is the most edits that two names may be apart.
const longEdits = 2

// likeness returns how much the letters and digits of a name are like others,
// when few edits apart: 1 less the edits for each letter of the longer; else 0.
func (e *edits) likeness(name string, letters []byte) float64 {
	e.name, e.other = e.name[:0], appendRunesOf(e.other[:0], letters)
	if len(name) < len(e.other)-longEdits {
		return 0
	}
	for _, r := range name {
		if words.Begins(r) {
			if e.name = append(e.name, r); len(e.name) > len(e.other)+longEdits {
				return 0
			}
		}
	}
	limit := 1
	if min(len(e.name), len(e.other)) >= longLetters {
		limit = longEdits
	}
	d := e.distance(limit)
	if d > limit {
		return 0
	}
	return 1 - float64(d)/float64(max(len(e.name), len(e.other)))
}

// appendRunesOf appends the runes of a text.
func appendRunesOf(dst []rune, text []byte) []rune {
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		dst = append(dst, r)
		at += size
	}
	return dst
}

// distance is the Levenshtein distance of name and other, or more than limit
// when it is.
func (e *edits) distance(limit int) int {
	a, b := e.name, e.other
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	last, row := e.rows[0][:0], e.rows[1][:0]
	for j := range len(b) + 1 {
		last, row = append(last, j), append(row, 0)
	}
	for i := range a {
		row[0] = i + 1
		least := row[0]
		for j := range b {
			substitution := last[j]
			if a[i] != b[j] {
				substitution++
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, substitution)
			least = min(least, row[j+1])
		}
		if least > limit {
			e.rows = [2][]int{last, row}
			return limit + 1
		}
		last, row = row, last
	}
	e.rows = [2][]int{last, row}
	return last[len(b)]
}

package words

import "strings"

// Levenshtein returns how many characters have to be inserted, removed or
// replaced to make b of a, or limit+1 when that is more than limit. See V. I.
// Levenshtein, "Binary codes capable of correcting deletions, insertions, and
// reversals", Soviet Physics Doklady 10 (1966). The distance of "cat" and "act"
// is 2.
//
// The cost is len(a) times len(b), less what both begin and end with.
func Levenshtein[C byte | rune](a, b []C, limit int) int { return distance(a, b, limit, false) }

// Alignment is Levenshtein with a fourth edit, the exchange of two neighbours,
// where no characters are edited twice: the optimal string alignment distance.
// The distance of "cat" and "act" is 1.
func Alignment[C byte | rune](a, b []C, limit int) int { return distance(a, b, limit, true) }

// distance returns the distance of a and b, with or without the exchange of
// neighbours.
func distance[C byte | rune](a, b []C, limit int, exchange bool) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	// row[j] is the distance of a[:i+1] and b[:j]; the two rows before it are
	// kept for the edits that end at i.
	var memory [3 * 32]int
	rows, n := memory[:], len(b)+1
	if 3*n > len(rows) {
		rows = make([]int, 3*n)
	}
	before, above, row := rows[:n], rows[n:2*n], rows[2*n:3*n]
	for j := range above {
		above[j] = j
	}
	for i := range a {
		row[0] = i + 1
		least := row[0]
		for j := range b {
			d := above[j]
			if a[i] != b[j] {
				d = min(d, above[j+1], row[j]) + 1
			}
			if exchange && i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, before[j-1]+1)
			}
			row[j+1] = d
			least = min(least, d)
		}
		if least > limit { // and at least limit in the row above, from which an exchange leads beyond it
			return limit + 1
		}
		before, above, row = above, row, before
	}
	return min(above[len(b)], limit+1)
}

// maxTypos is the distance up to which a known name is near.
const maxTypos = 2

// Nearest returns the known name that is nearest to name by Alignment in bytes,
// or an empty string when none is near: more than two edits away, or half of its
// bytes and more. Case does not count; of equally near names the first wins.
func Nearest(name string, known []string) string {
	lower := []byte(strings.ToLower(name))
	nearest, least := "", maxTypos+1
	for _, k := range known {
		if d := Alignment(lower, []byte(strings.ToLower(k)), maxTypos); d < least && 2*d < len(k) {
			nearest, least = k, d
		}
	}
	return nearest
}

// DidYouMean returns the end of a message that offers a name for an unknown
// one: "; did you mean name?", or an empty string when name is empty.
func DidYouMean(name string) string {
	if name == "" {
		return ""
	}
	return "; did you mean " + name + "?"
}

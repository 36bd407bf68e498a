package config

import "strings"

// maxTypos is the edit distance up to which a known name is suggested.
const maxTypos = 2

// suggestion returns the known name nearest to name, or an empty string when
// none is near. Case does not count; of equally near ones the first wins.
func suggestion(name string, known []string) string {
	best, bestDistance := "", maxTypos+1
	for _, k := range known {
		if d := distance(strings.ToLower(name), strings.ToLower(k)); d < bestDistance && 2*d < len(k) {
			best, bestDistance = k, d
		}
	}
	return best
}

// distance returns the optimal string alignment distance of a and b in bytes:
// insertions, deletions, substitutions and swaps of neighbours. Lengths that
// differ by more than maxTypos are not compared; the result is then only known
// to be larger than maxTypos.
func distance(a, b string) int {
	if len(a)-len(b) > maxTypos || len(b)-len(a) > maxTypos {
		return maxTypos + 1
	}
	before, above := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above = above, row
	}
	return above[len(b)]
}

// didYouMean returns "; did you mean X?" for the known name nearest to name,
// or an empty string.
func didYouMean(name string, known []string) string {
	if s := suggestion(name, known); s != "" {
		return "; did you mean " + s + "?"
	}
	return ""
}

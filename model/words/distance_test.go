package words_test

import (
	"testing"

	"pgregory.net/rapid"

	"caliper/model/words"
)

func TestDistance(t *testing.T) {
	const limit = 5
	for _, c := range []struct {
		name, a, b             string
		levenshtein, alignment int
	}{
		{"nothing", "", "", 0, 0},
		{"all inserted", "", "abc", 3, 3},
		{"all removed", "a", "", 1, 1},
		{"equal", "abc", "abc", 0, 0},
		{"exchanged", "abc", "acb", 2, 1},
		{"two exchanged", "abcd", "badc", 3, 2},
		{"removed", "abc", "ab", 1, 1},
		{"removed at the beginning", "abcd", "cd", 2, 2},
		{"replaced", "abc", "xbc", 1, 1},
		{"several", "kitten", "sitting", 3, 3},
		{"no character is edited twice", "ca", "abc", 3, 3},
		{"beyond the limit", "abcdef", "uvwxyz", 6, 6},
		{"too short", "abcdefg", "", 6, 6},
		{"longer than the memory", "a23456789012345678901234567890123456789z", "b23456789012345678901234567890123456789y", 2, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := []byte(c.a), []byte(c.b)
			if got := words.Levenshtein(a, b, limit); got != c.levenshtein {
				t.Errorf("Levenshtein distance %d, want %d", got, c.levenshtein)
			}
			if got := words.Alignment(a, b, limit); got != c.alignment {
				t.Errorf("alignment distance %d, want %d", got, c.alignment)
			}
		})
	}
}

// TestDistanceIsTheTable compares with the whole table of the textbook.
func TestDistanceIsTheTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.SampledFrom([]rune("abcé")), 0, 9)
		a, b, limit := text.Draw(t, "a"), text.Draw(t, "b"), rapid.IntRange(0, 9).Draw(t, "limit")
		if got, want := words.Levenshtein(a, b, limit), min(table(a, b, false), limit+1); got != want {
			t.Fatalf("Levenshtein distance of %q and %q within %d: %d, want %d", string(a), string(b), limit, got, want)
		}
		if got, want := words.Alignment(a, b, limit), min(table(a, b, true), limit+1); got != want {
			t.Fatalf("alignment distance of %q and %q within %d: %d, want %d", string(a), string(b), limit, got, want)
		}
	})
}

// table returns the distance of two texts.
func table(a, b []rune, exchange bool) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if exchange && i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
}

func TestNearest(t *testing.T) {
	known := []string{"threshold", "enabled", "auto", "on", "enabler"}
	for _, c := range []struct{ name, of, want, message string }{
		{"a typo", "treshold", "threshold", "; did you mean threshold?"},
		{"two typos", "thershodl", "threshold", "; did you mean threshold?"},
		{"three typos", "thershodlx", "", ""},
		{"another case", "AUTO", "auto", "; did you mean auto?"},
		{"the first of equally near ones", "enable", "enabled", "; did you mean enabled?"},
		{"half of a short name", "of", "", ""},
		{"nothing", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := words.Nearest(c.of, known)
			if got != c.want || words.DidYouMean(got) != c.message {
				t.Errorf("%q: %q, %q; want %q, %q", c.of, got, words.DidYouMean(got), c.want, c.message)
			}
		})
	}
}

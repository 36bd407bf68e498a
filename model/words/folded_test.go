package words

import (
	"strings"
	"testing"
)

// Case, punctuation and spaces do not tell names apart; all beyond ASCII does.
func TestFoldRune(t *testing.T) {
	for name, want := range map[string]string{"Az-09_zA .": "az09za", "\u0080É日": "\u0080É日", "@[`{/:": "", "": ""} {
		if got := strings.Map(FoldRune, name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

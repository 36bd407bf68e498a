package words

import "testing"

func TestFirst(t *testing.T) {
	tests := []struct {
		name, text, first, clip string
		n                       int
	}{
		{"shorter", "ab", "ab", "ab", 3},
		{"as long", "äöü", "äöü", "äöü", 3},
		{"longer", "äöüß", "äöü", "äöü…", 3},
		{"bytes that are no text count one each", "\xff\xfe\xfdx", "\xff\xfe\xfd", "\xff\xfe\xfd…", 3},
		{"nothing", "ab", "", "…", 0},
		{"less than nothing", "ab", "", "…", -1},
		{"empty", "", "", "", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := First(test.text, test.n); got != test.first {
				t.Errorf("First: %q, want %q", got, test.first)
			}
			if got := Clip(test.text, test.n); got != test.clip {
				t.Errorf("Clip: %q, want %q", got, test.clip)
			}
		})
	}
}

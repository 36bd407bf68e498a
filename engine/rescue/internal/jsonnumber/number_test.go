package jsonnumber

import (
	"encoding/json"
	"testing"
)

// TestAgreesWithJSON: of all texts of up to six bytes that numbers are made
// of, those that encoding/json takes are whole.
func TestAgreesWithJSON(t *testing.T) {
	var try func(text []byte, p Place)
	try = func(text []byte, p Place) {
		// Without white space, a valid text of these bytes is a number.
		if got, want := p.Whole(), json.Valid(text); got != want {
			t.Fatalf("%q: whole is %v, want %v", text, got, want)
		}
		if len(text) == 6 {
			return
		}
		for _, c := range []byte("-+.eE019") {
			next := p.Next(c)
			if next == End {
				if json.Valid(append(text, c)) {
					t.Fatalf("%q ends before its last byte", append(text, c))
				}
				continue
			}
			try(append(text, c), next)
		}
		for _, c := range []byte(" ,]}x\x00\xff:\"") {
			if p.Next(c) != End {
				t.Fatalf("%q goes on with %q", text, c)
			}
		}
	}
	try(nil, Start)
}

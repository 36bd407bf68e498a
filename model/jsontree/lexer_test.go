package jsontree

import (
	"bytes"
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

func TestPlainRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := append(bytes.Repeat([]byte("a\x7f\x80\xff !#[]"), 3)[:rapid.IntRange(0, 27).Draw(t, "n")], rapid.SliceOf(rapid.Byte()).Draw(t, "b")...)
		want := 0
		for want < len(b) && b[want] >= ' ' && b[want] != '"' && b[want] != '\\' {
			want++
		}
		if got := plainRun(b); got != want {
			t.Fatalf("%d of %q, want %d", got, b, want)
		}
	})
}

// TestNumberAgreesWithJSON: of all texts of up to six bytes that numbers are made
// of, those that encoding/json takes are whole.
func TestNumberAgreesWithJSON(t *testing.T) {
	var try func(text []byte, p numberState)
	try = func(text []byte, p numberState) {
		// Without white space, a valid text of these bytes is a number.
		if got, want := p.isWhole(), json.Valid(text); got != want {
			t.Fatalf("%q: whole is %v, want %v", text, got, want)
		}
		if len(text) == 6 {
			return
		}
		for _, c := range []byte("-+.eE019") {
			next := p.next(c)
			if next == notNumber {
				if json.Valid(append(text, c)) {
					t.Fatalf("%q ends before its last byte", append(text, c))
				}
				continue
			}
			try(append(text, c), next)
		}
		for _, c := range []byte(" ,]}x\x00\xff:\"") {
			if p.next(c) != notNumber {
				t.Fatalf("%q goes on with %q", text, c)
			}
		}
	}
	try(nil, numberStart)
}

package jsontree

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"caliper/model/require"
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
			next := numberSteps[p][c]
			if next == notNumber {
				if json.Valid(append(text, c)) {
					t.Fatalf("%q ends before its last byte", append(text, c))
				}
				continue
			}
			try(append(text, c), next)
		}
		for _, c := range []byte(" ,]}x\x00\xff:\"") {
			if numberSteps[p][c] != notNumber {
				t.Fatalf("%q goes on with %q", text, c)
			}
		}
	}
	try(nil, numberStart)
}

// TestUnescape: a string of escapes, bytes and halves of pairs is read as encoding/json reads
// it, and each escape has its length.
func TestUnescape(t *testing.T) {
	parts := []string{`\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`, `\u0041`, `\u00e9`, `\uD7FF`, `\ud83d`, `\udc33`, `\uDBFF`, `\uE000`, `\uffff`, "a", "\u00e9", "\xff", "\xc3"}
	rapid.Check(t, func(t *rapid.T) {
		raw := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 6).Draw(t, "parts"), "")
		var want string
		require.NoError(t, json.Unmarshal([]byte(`"`+raw+`"`), &want))
		if got := string(AppendUnescaped([]byte("x"), []byte(raw))); got != "x"+want {
			t.Fatalf("%q is %q, want %q", raw, got, want)
		}
		got := []byte{}
		for at := 0; at < len(raw); {
			r, size := utf8.DecodeRuneInString(raw[at:])
			if r == '\\' {
				r, size = Unescape([]byte(raw[at:]))
			}
			got, at = utf8.AppendRune(got, r), at+size
		}
		if string(got) != want {
			t.Fatalf("%q is %q by its escapes, want %q", raw, got, want)
		}
	})
	for in, want := range map[string]int{`\`: 1, `\u12`: 5, `\u12x4`: 6, `\ud83d\udc3`: 6} {
		if r, size := Unescape([]byte(in)); r != utf8.RuneError || size != min(want, len(in)) {
			t.Errorf("%q is %q of %d bytes", in, r, size)
		}
	}
}

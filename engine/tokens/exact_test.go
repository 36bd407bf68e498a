package tokens

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/tiktoken-go/tokenizer/codec"
	"pgregory.net/rapid"

	"caliper/model/require"
)

// exactMethods are the methods that count with a vocabulary.
var exactMethods = []Method{O200k, Cl100k}

// libraries are the encodings of a library, which ours must agree with.
var libraries = map[Method]func() *codec.Codec{
	O200k: sync.OnceValue(codec.NewO200kBase), Cl100k: sync.OnceValue(codec.NewCl100kBase),
}

// reference counts a text with the library, which must be spared DEL: its
// version 0.10.0 leaves it out.
func reference(t require.T, m Method, text string) int {
	t.Helper()
	n, err := libraries[m]().Count(strings.ReplaceAll(text, "\x7f", "\x03"))
	require.NoError(t, err)
	return n
}

// misread reports whether the library cannot be the reference for a text: white
// space with a line break, another character and a line break. The expression
// \s*[\r\n]+ takes it up to the last line break; the code that version 0.10.0
// was generated with ends at the first.
func misread(text string) bool {
	broken, other := false, false
	for _, r := range text {
		switch {
		case r == '\r' || r == '\n':
			if other {
				return true
			}
			broken = true
		case unicode.IsSpace(r):
			other = broken
		default:
			broken, other = false, false
		}
	}
	return false
}

// pieces cuts a text as count does.
func pieces(m Method, text string) []string {
	var out []string
	for at := 0; at < len(text); {
		end := m.encoding().split([]byte(text), at)
		out = append(out, text[at:end])
		at = end
	}
	return out
}

func TestPieces(t *testing.T) {
	tests := []struct{ name, text, o200k, cl100k string }{
		{"capitals", `HTTPServer getURL2`, `HTTPServer| get|URL|2`, `HTTPServer| getURL|2`},
		{"contractions", `it's we'LL 'tis`, `it's| we'LL| '|tis`, `it|'s| we|'LL| '|tis`},
		{"contraction first", `'tis`, `'tis`, `'t|is`},
		{"no contraction", `it'x l'r`, `it|'x| l|'r`, `it|'x| l|'r`},
		{"contraction cut off", `l'l`, `l|'l`, `l|'l`},
		{"digits", `12345 678`, `123|45| |678`, `123|45| |678`},
		{"blanks", `a   b  1   `, `a|  | b| | |1|   `, `a|  | b| | |1|   `},
		{"not ASCII before a quote", `"né":"b"`, `"né|":"|b|"`, `"né|":"|b|"`},
		{"white space to its last line break", "\n  \n  x", "\n  \n| | x", "\n  \n| | x"},
		{"line breaks", "a \n\r\n  b //\n/ c", "a| \n\r\n| | b| //\n/| c", "a| \n\r\n| | b| //\n|/| c"},
		{"not ASCII, capitals and contraction", "ÉCOLEÉcole É'ſx ǅx", "ÉCOLEÉcole| É'ſ|x| ǅx", "ÉCOLEÉcole| É|'ſ|x| ǅx"},
		{"marks", "\u0301ÉÉ\u0301É \u0301É", "\u0301ÉÉ\u0301|É| \u0301|É", "\u0301ÉÉ|\u0301É| \u0301|É"},
		{"not ASCII to the end", `a 列出`, `a| 列出`, `a| 列出`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for m, want := range map[Method]string{O200k: test.o200k, Cl100k: test.cl100k} {
				if got := strings.Join(pieces(m, test.text), "|"); got != want {
					t.Errorf("%s: %s, want %s", m, got, want)
				}
			}
		})
	}
}

// TestExactProperty compares with the library on text that is dense in the
// places where pieces begin and end.
func TestExactProperty(t *testing.T) {
	parts := rapid.SampledFrom([]string{
		" ", " ", "  ", "a", "word", "Word", "WORD", "eX", "1", "22", "4444", "'", "'s", "'S", "'re", "'ll", "'v", "'m",
		"\"", "\":\"", "{", "/", "//", "_", "-", "é", "É", "ſ", "'ſ", "K", "列", "—", "\u00a0", "\u2003", "\u0301", "🚢",
		"\n", "\r\n", "\t", "\x1b", "\x7f", "\u0085", "٣", "Ⅷ", "ʰ", "ǅ", "<|endoftext|>",
	})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(parts, 0, 30).Draw(t, "parts"), "")
		if misread(text) {
			t.Skip("the library is wrong about it")
		}
		for _, m := range exactMethods {
			want := reference(t, m, text)
			if got := m.encoding().count([]byte(text)); got != want {
				t.Fatalf("%s: %q: %d tokens, want %d: %q", m, text, got, want, pieces(m, text))
			}
		}
	})
}

// TestExactOnJSON compares with the library on generated definitions.
func TestExactOnJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := samples(3).Draw(t, "value")
		for _, m := range exactMethods {
			want := reference(t, m, s.compact)
			if got := m.Units([]byte(s.source)); got != want {
				t.Fatalf("%s: %q: %d tokens, want %d", m, s.compact, got, want)
			}
		}
	})
}

// TestLongPieces checks that pieces too long to remember are counted, and in
// a time that does not explode.
func TestLongPieces(t *testing.T) {
	for _, m := range exactMethods {
		for _, text := range []string{strings.Repeat("a", 5000), strings.Repeat(" ", 5000) + "b", strings.Repeat("é", 3000), strings.Repeat("{", 5000)} {
			if got, want := m.encoding().count([]byte(text)), reference(t, m, text); got != want {
				t.Errorf("%s: %.5s...: %d tokens, want %d", m, text, got, want)
			}
		}
	}
}

// TestDEL checks that a character that the library leaves out is counted.
func TestDEL(t *testing.T) {
	for _, m := range exactMethods {
		for text, want := range map[string]int{"\x7f": 1, "a\x7f": 2, "é\x7f": 2, "\x7f\x7f": 2, "{\x7f{": 3} {
			if got := m.encoding().count([]byte(text)); got != want {
				t.Errorf("%s: %q: %d tokens, want %d", m, text, got, want)
			}
		}
	}
}

func TestMethods(t *testing.T) {
	for _, m := range Methods() {
		got, err := ParseMethod(string(m))
		if err != nil || got != m {
			t.Errorf("%s: %s, %v", m, got, err)
		}
	}
	if _, err := ParseMethod("Chars4"); err == nil || !strings.Contains(err.Error(), "chars4, o200k_base, cl100k_base") {
		t.Errorf("unknown method: %v", err)
	}
	def := []byte(` {"a": "b c"} `)
	for m, want := range map[Method]int{Chars4: 11, "": 11, O200k: 6, Cl100k: 6} {
		if got := m.Units(def); got != want {
			t.Errorf("%q: %d units, want %d", m, got, want)
		}
	}
	for units, want := range []int{0, 1, 1, 1, 1, 2} {
		if got := Chars4.Tokens(units); got != want {
			t.Errorf("%d units: %d tokens, want %d", units, got, want)
		}
		if got := O200k.Tokens(units); got != units {
			t.Errorf("o200k_base: %d units: %d tokens", units, got)
		}
	}
}

// published are the SHA-256 of the files that OpenAI publishes at
// https://openaipublic.blob.core.windows.net/encodings, as its program tiktoken
// checks them, and the number of their tokens.
var published = map[Method]struct {
	sum    string
	tokens int
}{
	O200k:  {"446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d", 199_998},
	Cl100k: {"223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7", 100_256},
}

// TestPacked checks that the vocabularies are, to the byte, those that are
// published.
func TestPacked(t *testing.T) {
	for m, want := range published {
		v, file := m.encoding().load(), sha256.New()
		for rank, token := range v.tokens {
			fmt.Fprintf(file, "%s %d\n", base64.StdEncoding.EncodeToString([]byte(token)), rank)
			if got := v.ranks[token]; got != uint32(rank) {
				t.Fatalf("%s: %q has rank %d, want %d", m, token, got, rank)
			}
		}
		if got := hex.EncodeToString(file.Sum(nil)); got != want.sum {
			t.Errorf("%s: the published file would have SHA-256 %s, not %s", m, got, want.sum)
		}
		if len(v.ranks) != want.tokens {
			t.Errorf("%s: %d ranks", m, len(v.ranks))
		}
	}
}

// FuzzExact compares with the library on any bytes.
func FuzzExact(f *testing.F) {
	for _, text := range []string{"{\"a\": \"b\"}", "\xff\xfe a\x80", "\u0301É\u0301é", "ǅ'ſ", " \u00a0\n ", "a\u2028\r\n/ b"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if misread(text) {
			t.Skip("the library is wrong about it")
		}
		for _, m := range exactMethods {
			if got, want := m.encoding().count([]byte(text)), reference(t, m, text); got != want {
				t.Errorf("%s: %q: %d tokens, want %d: %q", m, text, got, want, pieces(m, text))
			}
		}
	})
}

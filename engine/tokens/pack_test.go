package tokens

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"testing"
)

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

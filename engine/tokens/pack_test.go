package tokens

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"flag"
	"fmt"
	"math/bits"
	"os"
	"testing"

	"caliper/model/require"
)

var update = flag.Bool("update", false, "write the packed vocabularies anew, from the library's")

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

// pack returns the packed form of a vocabulary. Of the ways in which a token can
// be made of two, it takes the shortest, and of those the one with the longest beginning.
func pack(t *testing.T, tokens []string) []byte {
	t.Helper()
	ranks := make(map[string]int, len(tokens))
	var packed []byte
	waiting, count := uint64(0), 0
	for rank, token := range tokens {
		ranks[token] = rank
		if rank < singleBytes {
			packed = append(packed, token...)
			continue
		}
		width := bits.Len(uint(rank - 1))
		cost := func(number int) int {
			if number < 1<<shortBits {
				return 1 + shortBits
			}
			return 1 + width
		}
		first, second, least := 0, 0, 1000
		for at := 1; at < len(token); at++ {
			a, begins := ranks[token[:at]]
			b, ends := ranks[token[at:]]
			if c := cost(a) + cost(b); begins && ends && c <= least {
				first, second, least = a, b, c
			}
		}
		if least == 1000 {
			t.Fatalf("%q is not made of two tokens before it", token)
		}
		for _, number := range []int{first, second} {
			digits := uint64(number) << 1
			if number < 1<<shortBits {
				digits |= 1
			}
			waiting |= digits << count
			for count += cost(number); count >= 8; count -= 8 {
				packed = append(packed, byte(waiting))
				waiting >>= 8
			}
		}
	}
	if count > 0 {
		packed = append(packed, byte(waiting))
	}
	return packed
}

// TestPacked checks that the vocabularies are, to the byte, those that are
// published.
func TestPacked(t *testing.T) {
	if *update {
		for m := range published {
			var tokens []string
			for rank := range published[m].tokens {
				token, err := libraries[m]().Decode([]uint{uint(rank)})
				require.NoError(t, err)
				tokens = append(tokens, token)
			}
			require.NoError(t, os.WriteFile(string(m)+".pairs", pack(t, tokens), 0o644))
		}
		t.Skip("written: run again without -update")
	}
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

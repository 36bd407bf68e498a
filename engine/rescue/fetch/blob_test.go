package fetch

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/rescue"
	_ "caliper/model/require"
)

// limits are the defaults with a budget.
func limits(budget int) rescue.Limits {
	l := rescue.Default()
	l.FetchMaxChars = budget
	return l
}

// reader answers requests for one blob.
type reader struct {
	blob []byte
	meta rescue.Meta
}

func (r reader) Do(q Request, l rescue.Limits) (Answer, error) { return Do(r.blob, r.meta, q, l) }

func do(t testing.TB, text string, q Request, l rescue.Limits) Answer {
	t.Helper()
	a, err := Do([]byte(text), rescue.Meta{}, q, l)
	if err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	return a
}

// each is the text of b with one U+FFFD for every byte that is no UTF-8.
func each(b string) string { return string([]rune(b)) }

// blobs draws texts of all the awkward sorts.
func blobs() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		piece := rapid.SampledFrom([]string{
			"a", "line of text\n", "\r\n", "\n", "\r", "é", "日本", "🎈", "\xff", "\xe2\x82", "\xf0\x9f", "needle", "ERROR x=12 failed\n",
			`{"a":1,"b":[2,3]}`, `"`, `\`, "\x00", "# Head\n", strings.Repeat("x", 300), strings.Repeat("né", 200) + "\n",
		})
		s := strings.Join(rapid.SliceOfN(piece, 0, 60).Draw(t, "pieces"), "")
		if rapid.IntRange(0, 9).Draw(t, "giant") == 0 {
			s += strings.Repeat("wide 日 \xfe", 15000)
		}
		return s
	})
}

// logText is n bytes of log lines, a few of them errors.
func logText(n int) []byte {
	var b bytes.Buffer
	b.Grow(n + 200)
	r := rand.New(rand.NewPCG(1, 2))
	for i := 0; b.Len() < n; i++ {
		level, what := "INFO", "request served from the cache"
		switch r.IntN(200) {
		case 0:
			level, what = "ERROR", "connection refused by upstream database"
		case 1:
			level, what = "WARN", "slow answer of the billing service"
		}
		fmt.Fprintf(&b, "2026-03-04T05:%02d:%02dZ %s worker-%d %s id=%d\n", i/60%60, i%60, level, i%16, what, r.IntN(1e6))
	}
	return b.Bytes()[:n]
}

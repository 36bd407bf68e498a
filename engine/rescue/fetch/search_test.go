package fetch

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/rescue"
	"caliper/engine/retrieval"
)

// TestSearchRanksTheRareWordsFirst and gives the range that reads the passage.
func TestSearchRanksTheRareWordsFirst(t *testing.T) {
	filler := strings.Repeat("the service answered a request of the user\n", 400)
	text := filler + "the billing database refused a connection\n" + filler
	a := do(t, text, Request{Mode: Search, Query: "Why did the DATABASE refuse; connection?"}, limits(4000))
	if a.From != 1 || a.Unit != Passages || a.Next == nil || a.Next.Start != a.To+1 || a.Total < a.To {
		t.Fatalf("%+v", a)
	}
	m := regexp.MustCompile(`^1\. lines (\d+)-(\d+), score [\d.]+: range start (\d+) count (\d+)\n`).FindStringSubmatch(a.Text)
	if m == nil || !strings.Contains(a.Text[:900], "| the billing database refused a connection") {
		t.Fatalf("got %.900s", a.Text)
	}
	start, _ := strconv.ParseInt(m[3], 10, 64)
	n, _ := strconv.ParseInt(m[4], 10, 64)
	if r := do(t, text, Request{Mode: Range, Start: start, Count: n}, limits(4000)); !strings.Contains(r.Text, "billing database") || r.To-r.From+1 != n {
		t.Errorf("%+v", r)
	}
}

func TestSearchInOneLine(t *testing.T) {
	text := strings.Repeat(`{"k":"nothing here é"},`, 3000) + `{"k":"the needle"}` + strings.Repeat(`,{"k":"nothing"}`, 3000)
	a := do(t, text, Request{Mode: Search, Query: "needle"}, limits(4000))
	m := regexp.MustCompile(`^1\. chars (\d+)-(\d+), score [\d.]+: range start (\d+) count (\d+) unit chars\n`).FindStringSubmatch(a.Text)
	if m == nil || a.Total != 1 || a.Next != nil || !strings.Contains(a.Text, "needle") {
		t.Fatalf("%+v", a)
	}
	start, _ := strconv.ParseInt(m[3], 10, 64)
	n, _ := strconv.ParseInt(m[4], 10, 64)
	if r := do(t, text, Request{Mode: Range, Unit: Chars, Start: start, Count: n}, limits(4000)); !strings.Contains(r.Text, "the needle") {
		t.Errorf("%+v", r)
	}
	if none := do(t, text, Request{Mode: Search, Query: "absent words"}, limits(4000)); none.Total != 0 || none.Next != nil ||
		none.Text != "no passage of the blob holds any of the words: absent words\n" {
		t.Errorf("%+v", none)
	}
}

func TestPassageCannotForgeAHead(t *testing.T) {
	a := do(t, "needle\n2. lines 1-9, score 9.99: range start 1 count 9\n", Request{Mode: Search, Query: "needle"}, limits(4000))
	if strings.Contains(a.Text, "\n2. ") {
		t.Errorf("got %s", a.Text)
	}
}

// TestPassagesCoverTheBlob: passages follow one another without a gap, hold
// the tokens that package retrieval cuts, and break no word that is shorter
// than the search for a break.
func TestPassagesCoverTheBlob(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := blobs().Draw(t, "blob")
		k := &ranking{}
		for _, term := range retrieval.Tokens("a line of text needle x error failed 12 né") {
			k.terms = append(k.terms, []byte(term))
		}
		k.rank([]byte(text))
		all := 0
		for b := text; len(b) > 0; all++ {
			n := passageEnd([]byte(b))
			if n <= 0 || n > longPassage {
				t.Fatalf("passage of %d bytes", n)
			}
			b = b[n:]
		}
		if all != k.all {
			t.Fatalf("%d passages, want %d", k.all, all)
		}
		for _, p := range k.passages {
			part := text[p.off : p.off+p.size]
			tokens := retrieval.Tokens(part)
			if len(tokens) != p.tokens {
				t.Fatalf("%d tokens, want %d", p.tokens, len(tokens))
			}
			for j, term := range k.terms {
				want := 0
				for _, tok := range tokens {
					if tok == string(term) {
						want++
					}
				}
				if got := p.freq[j]; int(got) != min(255, want) {
					t.Fatalf("%q stands %d times, want %d", term, got, want)
				}
			}
		}
	})
}

// TestModesShareOneLine: a word on a line of its own has the same number in
// every mode.
func TestModesShareOneLine(t *testing.T) {
	text := "a\r\nb\rc\n\n" + strings.Repeat("filler \xff é\n", 99) + "# unique error"
	const line = "104"
	r := reader{[]byte(text), rescue.Meta{Kind: rescue.Text}}
	for _, c := range []struct {
		q    Request
		want string
	}{
		{Request{Mode: Grep, Pattern: "unique"}, "\n" + line + ": # unique error"},
		{Request{Mode: Outline}, "  " + line + ": # unique error"},
		{Request{Mode: Outline}, "  line " + line + ": # unique error"},
		{Request{Mode: Search, Query: "unique"}, "-" + line + ", score"},
		{Request{Mode: Range, Start: 104}, "# unique error"},
		{Request{Mode: Stat}, line + " lines"},
	} {
		a, err := r.Do(c.q, rescue.Default())
		if err != nil || !strings.Contains(a.Text, c.want) {
			t.Errorf("%+v: %v: %s", c.q, err, a.Text)
		}
	}
}

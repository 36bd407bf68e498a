package retrieval

import (
	"fmt"
	"strings"
	"testing"

	"caliper/model"
)

// write prints an explanation, two spaces per level.
func (e Explanation) write(b *strings.Builder, indent string) {
	b.WriteString(indent + e.Message + "\n")
	for _, child := range e.Children {
		child.write(b, indent+"  ")
	}
}

func TestExplainMessages(t *testing.T) {
	x := mustIndex(t, []*model.Tool{
		newTool("berth_book", "Book a berth.", nil),
		newTool("tide_table", "Tides of a day.", []byte(`{"properties":{"day":{}}}`)),
		newTool("crane", "Book it.", nil),
	}, Reference)
	for _, c := range []struct {
		name, query string
		doc         int
		want        string
	}{
		{"matched, missed and unknown tokens", "Book a pilot crane book", 0, `
sum over 5 tokens of the query
  book: idf × tf norm
    idf(df=2, N=3)
    tf norm(tf=2, dl=5, avgdl=5.00, k1=1.5, b=0.75)
  a: idf × tf norm
    idf(df=2, N=3)
    tf norm(tf=1, dl=5, avgdl=5.00, k1=1.5, b=0.75)
  pilot: in no tool of the catalog
  crane: not in this tool
    idf(df=1, N=3)
    tf norm(tf=0, dl=5)
  book: idf × tf norm
    idf(df=2, N=3)
    tf norm(tf=2, dl=5, avgdl=5.00, k1=1.5, b=0.75)
`},
		{"one token", "tides", 2, `
the one token of the query
  tides: not in this tool
    idf(df=1, N=3)
    tf norm(tf=0, dl=3)
`},
		{"fallback", "ide_TA", 1, `
literal fallback: no token of the query is in the catalog
  the name contains the whole query
`},
		{"not even the fallback", "ide_TA", 2, `
sum over 2 tokens of the query
  ide: in no tool of the catalog
  ta: in no tool of the catalog
`},
		{"no tokens", "…", 0, `
sum over 0 tokens of the query
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b strings.Builder
			x.Explain(c.query, c.doc).write(&b, "")
			if got := b.String(); got != c.want[1:] {
				t.Errorf("got:\n%swant:%s", got, c.want)
			}
		})
	}
}

// An explanation counts the words of the query only: what it allocates does not grow
// with the tool.
func TestExplainAllocatesByQuery(t *testing.T) {
	var words strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&words, "w%d ", i)
	}
	x := mustIndex(t, []*model.Tool{newTool("short", "Book a berth.", nil), newTool("long", words.String()+"book", nil)}, Reference)
	allocates := func(doc int) float64 {
		return testing.AllocsPerRun(20, func() { x.Explain("book a berth", doc) })
	}
	// A few more are a pool's, which the race detector empties at random.
	if short, long := allocates(0), allocates(1); long > short+5 {
		t.Errorf("%v allocations for a short tool, %v for one of 5,000 words", short, long)
	}
}

// TestSpell: contributions are shown by words that people write, with what brought them.
func TestSpell(t *testing.T) {
	said := Explanation{Token: "walk dog"}
	said.Say("in 2 of 5 tools")
	said.From = []Source{{Word: "stroll", Sign: "≈", How: "meaning 0.5"}, {Word: "hike", Sign: "~", How: "spelling 0.9"}}
	held := Explanation{Token: "run", Note: "held back"}
	held.Say("twice")
	plain := Explanation{Token: "walk", Message: "as it is"}
	root := Explanation{Message: "sum", Children: []Explanation{said, held, plain, {Detail: "no token", Message: "none"}}}
	root.Spell(func(token string) string { return token + "s" })
	want := []string{"walks dogs: in 2 of 5 tools; stroll ≈ walks dogs, meaning 0.5; hike ~ walks dogs, spelling 0.9", "runs: twice; held back", "as it is", "none"}
	labels := []string{"stroll", "runs", "walk", ""}
	for i, c := range root.Children {
		if c.Message != want[i] || c.Label() != labels[i] {
			t.Errorf("%q under %q, want %q under %q", c.Message, c.Label(), want[i], labels[i])
		}
	}
	if said.Message != "walk dog: in 2 of 5 tools" || root.Message != "sum" {
		t.Errorf("%q, %q", said.Message, root.Message)
	}
	for verdict, name := range map[DifferenceVerdict]string{CannotTell: "cannot_tell", Better: "better", Worse: "worse"} {
		if verdict.String() != name {
			t.Errorf("%d is %s", verdict, verdict)
		}
	}
	for word, small := range map[string]bool{"hello": true, "thanks": true, "list": false, "": false} {
		if SmallTalk(word) != small {
			t.Errorf("%q is small talk: %v", word, !small)
		}
	}
}

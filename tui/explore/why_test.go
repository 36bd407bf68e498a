package explore

import (
	"math"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"caliper/config"
	"caliper/engine/retrieval"
	"caliper/engine/retrieval/fielded"
	"caliper/engine/retrieval/meaning"
	"caliper/model"
	_ "caliper/model/require"
	"caliper/tui/ui"
)

// whyQueries have words, names, several sentences, other scripts, what only
// the literal fallback finds, and nothing that a ranker reads.
var whyQueries = []string{
	"create a page in a branch", "create_branch", "forge create branch", "mcp_forge_create_branch", "wiki",
	"The build is red. Which tests are flaky? Tell the team in chat.", "brnch protction", "冷蔵庫", "orge_cre", "quokkas", "the of a", "!!", "are punters happy with us",
}

// What the rows add is the score, for every tool of the catalog, found or not.
func TestWhyRowsSumToTheScore(t *testing.T) {
	t.Parallel()
	for _, ranker := range config.Rankers {
		s := open(t, ranker, 120, 31).state.Snapshot
		for _, query := range whyQueries {
			found := s.Search(query, 0, len(s.Catalog()))
			scores := map[*model.Tool]float64{}
			for _, h := range found.Hits {
				scores[h.Tool] = h.Score
			}
			for _, tool := range s.Catalog() {
				var p whyPane
				p.explain(s, query, tool, found.Fallback && scores[tool] != 0)
				sum, below, heading := 0.0, 0.0, whyRow{}
				check := func() {
					if heading.sums && math.Abs(below-heading.value) > 1e-9 {
						t.Errorf("%s: %q: %s: below %s stands %v, not %v", ranker, query, tool.Qualified, heading.label, below, heading.value)
					}
				}
				for _, r := range p.rows {
					if r.depth == 0 {
						check()
						below, heading = 0, r
					} else {
						below += r.value
					}
					if !r.sums {
						sum += r.value
					}
					if r.label == "" && p.state != whyByName {
						t.Errorf("%s: %q: %s: a row without a label: %+v", ranker, query, tool.Qualified, r)
					}
				}
				check()
				if math.Abs(sum-scores[tool]) > 1e-9 {
					t.Errorf("%s: %q: %s: the rows sum to %v, the score is %v", ranker, query, tool.Qualified, sum, scores[tool])
				}
			}
		}
	}
}

// The rows of a ranker that reads stems have the words of the query, and of the tool those
// that they brought; a weight that the query raised says why first.
func TestWhyHasWords(t *testing.T) {
	t.Parallel()
	for _, ranker := range config.Rankers {
		s := open(t, ranker, 120, 31).state.Snapshot
		var p whyPane
		p.explain(s, "are punters happy with us", s.Registry.Named("mcp_helpdesk_customer_satisfaction"), false)
		for _, r := range p.rows {
			if !r.component && !strings.Contains(" are punters happy with us ", " "+r.label+" ") {
				t.Errorf("%s: the row %q is about no word of the query", ranker, r.label)
			}
		}
		if ranker != config.RankerHybrid {
			continue
		}
		text := ansi.Strip(strings.Join(p.draw(dark, nil, 64, 40), "\n"))
		for _, want := range []string{
			" bm25f      weight 1.00 × 1.00    1.000", "   happy    ≈ satisfaction 0.55   1.000", " meaning    0.40 × 1.25 × 1.00    0.500", "   happy    ≈ satisfaction 0.55   0.500",
			" meaning: nearness 0.21 of at most 0.21; meaning_weight 0.4 ×", "1.25, as no tool has happy; not in the table: punters", "happy ≈ satisfaction, meaning 0.55 × 0.50",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
		if raised, words := strings.Index(text, "nearness"), strings.Index(text, "bm25f: "); raised > words {
			t.Errorf("the remark of a raised weight is not the first:\n%s", text)
		}
	}
}

func TestWhySubtracts(t *testing.T) {
	t.Parallel()
	p := whyPane{state: whyScored, tree: retrieval.Explanation{Value: 0.75, Children: []retrieval.Explanation{
		{Component: fielded.BM25F, Value: 1, Weight: 1, Children: []retrieval.Explanation{{Token: "b", Value: 0.25}, {Token: "a", Value: 0.75}}},
		{Component: fielded.CoveredAbove, Value: -0.25, Message: "better ranks cover 100 % of it, which take up to 25 %"},
	}}}
	p.rows = whyRows(p.tree)
	lines := p.draw(dark, nil, 64, 8)
	want := []string{" bm25f          weight", "   a", "   b", " covered above  better ranks c", " sum            2 components", " covered above: better ranks cover 100 %"}
	for i, text := range want {
		if got := ansi.Strip(lines[i]); !strings.HasPrefix(got, text) {
			t.Errorf("line %d: %q, want %q first", i, got, text)
		}
	}
	if removed := string(dark.Removed); !strings.Contains(ansi.Strip(lines[3]), " −0.250  ━━") || strings.Count(lines[3], removed) == 0 {
		t.Errorf("not deleted: %q", lines[3])
	}
	if strings.Contains(strings.Join(lines, ""), "-0.") {
		t.Error("a hyphen for a minus")
	}
}

// The similarity of a near word is whole at every width that has room for it, and components
// that add nothing come last.
func TestWhyKeepsTheSimilarity(t *testing.T) {
	t.Parallel()
	p := whyPane{state: whyScored, tree: retrieval.Explanation{Value: 0.4, Children: []retrieval.Explanation{
		{Component: fielded.BM25F, Weight: 1, Children: []retrieval.Explanation{{Token: "punter"}}},
		{Component: meaning.Component, Value: 0.4, Weight: 0.4, Children: []retrieval.Explanation{{Token: "happi", Value: 0.4, Detail: "≈ satisfactoriness 0.55"}}},
	}}}
	p.rows = whyRows(p.tree)
	for w := 30; w <= 120; w++ {
		lines := p.draw(dark, nil, w, 9)
		if got := ansi.Strip(lines[1]); !strings.Contains(got, "≈ s") || !strings.Contains(got, " 0.55 ") || strings.Contains(got, "…") && w > 64 {
			t.Errorf("%d cells: %q", w, got)
		}
		if got := ansi.Strip(lines[2]); !strings.HasPrefix(got, " bm25f ") {
			t.Errorf("%d cells: %q", w, got)
		}
	}
}

// Whatever the tree, every line has the width, nothing is drawn without an
// end, and the last line that is drawn or the one after the rows is the sum.
func TestWhyFitsEverywhere(t *testing.T) {
	t.Parallel()
	themes := []*ui.Theme{dark, ui.NewTheme(ui.Look{Plain: true, ASCII: true})}
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.SampledFrom([]float64{0, 1e-7, 0.3, -0.2, 12, -4000, 123456789})
		word := rapid.SampledFrom([]string{"", "a", "branch", "creat page", "冷蔵庫", "\x1b[2J", "e\u0301\u200d", strings.Repeat("long", 20), "w; branch ~ commit, domain 0.20"})
		var node func(depth int) retrieval.Explanation
		node = func(depth int) retrieval.Explanation {
			e := retrieval.Explanation{Value: number.Draw(t, "value"), Message: word.Draw(t, "message"),
				DF: rapid.IntRange(0, 3).Draw(t, "df"), DL: 4, IDF: number.Draw(t, "idf")}
			if depth > 1 || rapid.Bool().Draw(t, "token") {
				e.Token = "t" + word.Draw(t, "token")
				return e
			}
			e.Component, e.Weight = word.Draw(t, "component"), number.Draw(t, "weight")
			for range rapid.IntRange(0, 4).Draw(t, "children") {
				e.Children = append(e.Children, node(depth+1))
			}
			return e
		}
		p := whyPane{state: whyScored, tree: retrieval.Explanation{Value: number.Draw(t, "score")}}
		for range rapid.IntRange(1, 5).Draw(t, "nodes") {
			p.tree.Children = append(p.tree.Children, node(0))
		}
		p.rows = whyRows(p.tree)
		h := rapid.IntRange(1, 12).Draw(t, "height")
		var pinned []string
		w := rapid.IntRange(8, 100).Draw(t, "width")
		if rapid.Bool().Draw(t, "pinned") {
			pinned = []string{ui.Spaces(w)}
		}
		for _, theme := range themes {
			p.list.Scroll(rapid.IntRange(-5, 20).Draw(t, "scroll"), p.height, p.scrolls)
			lines := p.draw(theme, pinned, w, h)
			if len(lines) != h {
				t.Fatalf("%d lines, want %d", len(lines), h)
			}
			sum := false
			for _, line := range lines {
				sum = sum || strings.HasPrefix(ansi.Strip(line), " su")
				if got := ansi.StringWidth(line); got != w {
					t.Fatalf("a line of %d cells, want %d: %q", got, w, line)
				}
			}
			if !sum {
				t.Fatalf("no sum in\n%s", strings.Join(lines, "\n"))
			}
		}
	})
}

package tui

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/retrieval"
	"caliper/engine/retrieval/fielded"
	"caliper/model"
	"caliper/tui/cells"
	"caliper/tui/demo"
)

// pinned drives an explorer in which a tool is expected that the query does
// not find, with remedies enough to fill the pane.
func pinned(t *testing.T, w, h int) *driver {
	t.Helper()
	d := explorer(t, w, h)
	d.Press("esc", "/").Type("delete_branch").Press("enter", "w").Type("create a page in a branch")
	for d.app().pin.result == nil {
		d.Send(<-d.late)
	}
	rank, score, gap := 9, 2.5, 1.25
	r := engine.WhyNot{Stage: engine.StageBelowLimit, Rank: &rank, Score: &score, Gap: &gap}
	for _, word := range []string{"first", "second", "third", "fourth", "fifth"} {
		r.Remedies = append(r.Remedies, engine.Remedy{Kind: engine.RemedyDescriptionWords, Change: word, NewRank: 1})
	}
	d.Send(whyNotMsg{gen: d.app().pin.gen, result: r})
	return d
}

func TestSumStaysInSightUnderAPin(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 30}, {120, 36}, {160, 50}, {80, 24}, {40, 10}} {
		d := pinned(t, size[0], size[1])
		if d.Press("tab", "tab"); d.app().focus != PaneSchema {
			t.Fatalf("focus on %v", d.app().focus)
		}
		d.Press("tab").wants("expected", "sum ", "6 query tokens")
		seen := map[string]bool{}
		for range 30 {
			for _, text := range []string{"below the limit", "fifth", "create", "branch", "in 17 tools"} {
				seen[text] = seen[text] || strings.Contains(d.Screen(), text)
			}
			d.Press("down").wants("sum ")
		}
		for text, ok := range seen {
			if !ok {
				t.Errorf("%v: scrolling never shows %q:\n%s", size, text, d.Screen())
			}
		}
	}
}

func TestPinnedHitIsMarked(t *testing.T) {
	t.Parallel()
	for _, ascii := range []bool{false, true} {
		d := pinned(t, 120, 36)
		mark := "◆ mcp_forge_delete_branch"
		if ascii {
			d.app().theme = NewTheme(Look{ASCII: true})
			mark = "* mcp_forge_delete_branch"
		}
		marked := func() int {
			n := 0
			for _, line := range d.app().hits.draw(d.app().theme, 60, 25, true) {
				n += strings.Count(line, mark[:strings.Index(mark, " ")]+" ")
			}
			return n
		}
		if marked() != 1 {
			t.Errorf("%d hits are marked", marked())
		}
		d.Press("tab")
		d.app().hits.selectName(d.app().pin.name)
		if d.wants("w let go").Press("w"); marked() != 0 {
			t.Error("what was let go is still marked")
		}
		d.wants("nothing is pinned").Press("j").wants("w why not")
	}
}

func TestWhyNotIsHintedWhereAToolIsSelected(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		d := explorer(t, size[0], size[1])
		for _, pane := range []Pane{PaneHits, PaneSchema, PaneWhy} {
			d.app().setFocus(pane)
			d.wants("w why not")
		}
		d.app().setFocus(PaneHits)
		d.Press("/").Type("no such tool").Press("enter").lacks("w why not")
	}
}

func TestFlowLosesNothing(t *testing.T) {
	t.Parallel()
	group := []phrase{{"", "below the limit"}, {"", "rank 8"}, {"", "2.795"}, {"", "0.909 below the cut line"}}
	for w := 8; w < 100; w++ {
		lines := flow(w, 1, group, []phrase{{"", "limit 8"}, {"", "rank 8"}}, []phrase{{"", "query + summarise"}, {"", "rank 1"}})
		text := strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
		if want := "below the limit rank 8 2.795 0.909 below the cut line limit 8 rank 8 query + summarise rank 1"; text != want && w > 10 {
			t.Errorf("%d cells: %q", w, text)
		}
		for _, line := range lines {
			if got := ansi.StringWidth(line); got != w {
				t.Errorf("a line of %d cells, want %d: %q", got, w, line)
			}
		}
	}
	if got := flow(60, 1, group, group); len(got) != 2 {
		t.Errorf("%d lines: %q", len(got), got)
	}
}

// whyQueries have words, names, several sentences, other scripts, what only
// the literal fallback finds, and nothing that a ranker reads.
var whyQueries = []string{
	"create a page in a branch", "create_branch", "forge create branch", "mcp_forge_create_branch", "wiki",
	"The build is red. Which tests are flaky? Tell the team in chat.", "brnch protction", "冷蔵庫", "orge_cre", "quokkas", "the of a", "!!",
}

// ranking drives an explorer of the demo with a ranker.
func ranking(t testing.TB, ranker string, w, h int) *driver {
	t.Helper()
	file := bytes.Replace(demo.Config(), []byte("ranker: bm25"), []byte("ranker: "+ranker), 1)
	d := startExplorer(t, testOptions(demo.Registry(), file), w, h)
	if got := d.app().state.Snapshot.Config.ToolSearch.Ranker; got != ranker {
		t.Fatalf("ranked by %s, not by %s", got, ranker)
	}
	return d
}

// What the rows add is the score, for every tool of the catalog, found or not.
func TestWhyRowsSumToTheScore(t *testing.T) {
	t.Parallel()
	for _, ranker := range config.Rankers {
		s := ranking(t, ranker, 120, 36).app().state.Snapshot
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

func TestWhyShowsComponents(t *testing.T) {
	t.Parallel()
	d := ranking(t, config.RankerFielded, 120, 36).Type("create a page in a branch").Press("enter", "tab", "z")
	d.wants(" bm25f         weight 1.00 × 1.00   1.000  ━", "   branch      idf 4.05 × 0.14      0.552  ━",
		" description   weight ", "   page        not in this tool     0.000", " sum           4 components         1.280",
		"branch ~ commit, domain 0.20", "letters: trigrams of the name", "description: the query covers")
	if got := strings.Count(d.Screen(), "branch ~ commit"); got != 1 {
		t.Errorf("what brought commit is said %d times", got)
	}
	rows := d.app().why.rows
	below := func(name string) (labels []string) {
		for _, r := range rows[1+slices.IndexFunc(rows, func(r whyRow) bool { return r.component && r.label == name }):] {
			if r.component {
				break
			}
			labels = append(labels, r.label)
		}
		return labels
	}
	if got := below(fielded.BM25F); !slices.Equal(got, []string{"branch", "creat", "commit", "repositori", "page"}) {
		t.Errorf("below bm25f, the most first: %q", got)
	}
	ranking(t, config.RankerGated, 120, 36).Type("mcp_forge_create_branch").Press("enter", "tab", "z").
		wants("exact name", "4 + exact name", "more than tokens can add")
	explorer(t, 120, 36).Type("create a page in a branch").wants("6 query tokens", " create  idf 2.26 × 1.14      2.570  ━").lacks("component")
}

func TestWhySubtracts(t *testing.T) {
	t.Parallel()
	p := whyPane{state: whyScored, tree: retrieval.Explanation{Value: 0.75, Children: []retrieval.Explanation{
		{Component: fielded.BM25F, Value: 1, Weight: 1, Children: []retrieval.Explanation{{Token: "b", Value: 0.25}, {Token: "a", Value: 0.75}}},
		{Component: fielded.CoveredAbove, Value: -0.25, Message: "better ranks cover 100 % of it, which take up to 25 %"},
	}}}
	p.rows = whyRows(p.tree)
	lines := p.draw(NewTheme(dark), nil, 64, 8)
	want := []string{" bm25f          weight", "   a", "   b", " covered above  better ranks c", " sum            2 components", " covered above: better ranks cover 100 %"}
	for i, text := range want {
		if got := ansi.Strip(lines[i]); !strings.HasPrefix(got, text) {
			t.Errorf("line %d: %q, want %q first", i, got, text)
		}
	}
	if removed := string(NewTheme(dark).Removed); !strings.Contains(ansi.Strip(lines[3]), " −0.250  ━━") || strings.Count(lines[3], removed) == 0 {
		t.Errorf("not taken away: %q", lines[3])
	}
	if strings.Contains(strings.Join(lines, ""), "-0.") {
		t.Error("a hyphen for a minus")
	}
}

// What is said without a score names the ranker in force.
func TestWhySaysWhatTheRankerDoes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ ranker, query, want string }{
		{config.RankerBM25, "!!", "bm25 finds nothing: the query has no token: only ASCII letters and digits are read"},
		{config.RankerBM25, "冷蔵庫", "bm25 finds nothing: the query has no token: only ASCII letters and digits are read"},
		{config.RankerBM25, "orge_cre", "no token scores anywhere, so bm25 falls back: the name holds the query, and every such tool scores 0.1"},
		{config.RankerFielded, "!!", "fielded finds nothing: the query has no word"},
		{config.RankerFielded, "冷蔵庫", "fielded finds nothing: no tool holds 冷蔵 or another word of the query, or one like them"},
		{config.RankerGated, "orge_cre", "bm25-gated finds nothing: its rarest word must match, and org (orge) stands in no tool"},
		{config.RankerGated, "!!", "bm25-gated finds nothing: the query has no token: only ASCII letters and digits are read"},
	} {
		p := &ranking(t, test.ranker, 120, 36).Type(test.query).app().why
		words, explained := p.words()
		if got := strings.Join(words, " "); got != test.want || explained {
			t.Errorf("%s: %q: %q, want %q", test.ranker, test.query, got, test.want)
		}
	}
	d := explorer(t, 120, 36)
	d.Type("branch")
	d.app().setFocus(PaneHits)
	if words, _ := d.Press("/").Type("no such row").app().why.words(); !slices.Equal(words, []string{"no tool is selected"}) {
		t.Errorf("%q", words)
	}
}

// Whatever the tree, every line has the width, nothing is drawn without an
// end, and the last line that is drawn or the one after the rows is the sum.
func TestWhyFitsEverywhere(t *testing.T) {
	t.Parallel()
	themes := []*Theme{NewTheme(dark), NewTheme(Look{Plain: true, ASCII: true})}
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
			pinned = []string{cells.Spaces(w)}
		}
		for _, theme := range themes {
			p.move(rapid.IntRange(-5, 20).Draw(t, "scroll"))
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
	for _, ranker := range config.Rankers {
		d := ranking(t, ranker, 120, 36)
		for _, query := range whyQueries {
			d.Press("esc", "/", "ctrl+u").Type(query)
			for w := 1; w <= 100; w++ {
				for i, line := range d.app().why.draw(themes[0], nil, w, 9) {
					if got := ansi.StringWidth(line); got != w {
						t.Fatalf("%s: %q: line %d has %d cells, want %d: %q", ranker, query, i, got, w, line)
					}
				}
			}
		}
	}
}

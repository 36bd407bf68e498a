package report

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"caliper/engine"
	"caliper/engine/export"
	"caliper/engine/reach"
	"caliper/engine/rescue/fetch"
	"caliper/engine/selection"
	"caliper/model"
	"caliper/model/require"
	"caliper/tui/ui"

	"pgregory.net/rapid"
)

// printed returns a report on a plain page of a width.
func printed(width int, r *Report) string {
	var b strings.Builder
	Page{Out: &b, Width: width}.Print(r)
	return b.String()
}

// printedTable is printed for a table.
func printedTable(width int, t *Table) string {
	r := new(Report)
	r.Table(t)
	return printed(width, r)
}

// tableOf returns a table of lines, in which bars stand between the cells; the
// first has the titles, and one without a bar is a ruler.
func tableOf(lines ...string) *Table {
	t := Columns(strings.Split(lines[0], "|")...)
	for _, l := range lines[1:] {
		var cells []any
		for _, c := range strings.Split(l, "|") {
			cells = append(cells, c)
		}
		if len(cells) == 1 {
			t.Ruler(l)
		} else {
			t.Row(cells...)
		}
	}
	return t
}

func TestTable(t *testing.T) {
	t.Parallel()
	long := "some words that are longer than what is left of the page"
	tests := []struct {
		name  string
		width int
		table *Table
		want  string
	}{
		{"nothing", 40, tableOf(""), ""},
		{"no titles", 40, tableOf("|>", "a|1", "bcd|10"),
			"  a     1\n  bcd  10\n"},
		{"titles", 40, tableOf("name|>n", "a|1,000"),
			"  name      n\n  a     1,000\n"},
		{"wide characters", 40, tableOf("|", "課題|x", "abc|y"),
			"  課題  x\n  abc   y\n"},
		{"cut", 32, tableOf("|…", "name|"+long),
			"  name  some words that are lon…\n"},
		{"wrapped", 32, tableOf("|¶", "name|"+long),
			"  name  some words that are\n        longer than what is left\n        of the page\n"},
		{"no room, left out", 20, tableOf("|…", "a-name|"+long),
			"  a-name\n"},
		{"no room, wrapped", 20, tableOf("|¶", "a-name|words and words and words"),
			"  a-name  words and words\n          and words\n"},
		{"empty cells", 40, tableOf("||", "|b|", "aa||"),
			"      b\n  aa\n"},
		{"ruler", 40, tableOf("|", "abcdef|ghijkl", "cut"),
			"  abcdef  ghijkl\n  ──── cut ─────\n"},
		{"hostile", 40, tableOf("|", "a\x1b[2J|b\u202e"),
			"  a?[2J  b?\n"},
	}
	for _, tt := range tests {
		if got := printedTable(tt.width, tt.table); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

// Whatever stands in a table, columns stand under each other and nothing can
// act on the terminal.
func TestTableAligns(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("ab 課é\u0301\u200d\U0001f600\x1b\n\t\u202e")))
		tb := Columns("one", ">", "mark")
		for range rapid.IntRange(1, 6).Draw(t, "rows") {
			tb.Row(text.Draw(t, "left"), text.Draw(t, "right"), "|")
		}
		at := -1
		for i, line := range strings.Split(strings.TrimSuffix(printedTable(80, tb), "\n"), "\n") {
			for _, r := range line {
				if r < 0x20 || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e {
					t.Fatalf("line %d holds %U: %q", i, r, line)
				}
			}
			if i == 0 {
				continue
			}
			before, ok := strings.CutSuffix(line, "|")
			if w := ui.Width(before); !ok || at >= 0 && w != at {
				t.Fatalf("line %d has its mark at %d, others at %d: %q", i, w, at, line)
			} else {
				at = w
			}
		}
	})
}

func TestBars(t *testing.T) {
	t.Parallel()
	tests := []struct {
		part, whole float64
		want        string
	}{
		{0, 10, "░░░░"}, {-1, 10, "░░░░"}, {1, 0, "░░░░"}, {0.001, 10, "█░░░"}, {5, 10, "██░░"}, {10, 10, "████"}, {90, 10, "████"},
	}
	for _, tt := range tests {
		if got := gauge(tt.part, tt.whole, 4).String(); got != tt.want {
			t.Errorf("%v of %v: %s, want %s", tt.part, tt.whole, got, tt.want)
		}
	}
}

func TestSchemaTree(t *testing.T) {
	t.Parallel()
	schema, err := model.ParseSchema([]byte(`{"type":"object","required":["a"],"properties":{
		"a":{"type":"string","description":"One line that will not fit into what is left of this page.\nAnother.","enum":["x","y"]},
		"a-name-that-is-far-longer-than-any-column":{"type":"integer"}}}`))
	require.NoError(t, err)
	want := `parameters                        object
  a *                             string   One line that will not
                                           fit into what is left of
                                           this page.
                                           Another.
                                           one of "x", "y"
  a-name-that-is-far-longer-than-any-column  integer
`
	if got := printedTable(68, schemaTree(schema)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestFirstLine(t *testing.T) {
	t.Parallel()
	for shown, want := range map[string]string{"": "", "one": "one", "one⏎two": "one", "⏎⏎ one ⏎two": "one"} {
		if got := firstLine(shown); got != want {
			t.Errorf("%q: %q, want %q", shown, got, want)
		}
	}
}

// A note that holds for several turns names all of them.
func TestTurnNotes(t *testing.T) {
	t.Parallel()
	slow, few := selection.Note{Code: selection.NoteEmbedderSlow, Text: "keywords only"}, selection.Note{Code: selection.NoteFewCandidates, Text: "few"}
	var thread selection.Thread
	for _, notes := range [][]selection.Note{{slow}, {slow, few}, {slow}, {slow}, nil, {slow}} {
		thread.Turns = append(thread.Turns, selection.Turn{Selection: selection.Selection{Notes: notes}})
	}
	if got := strings.Join(turnNotes(thread), "; "); got != "turns 1-4, 6: keywords only; turn 2: few" {
		t.Error(got)
	}
}

func TestCommandLineOfWords(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"grep": "grep", "a|b": "'a|b'", "it's": `'it'\''s'`, "$(id)": "'$(id)'", "": "''", "--x": "--x", "a b": "'a b'",
	} {
		if got := CommandLine(word); got != want {
			t.Errorf("%q: %s", word, got)
		}
	}
}

func TestHeld(t *testing.T) {
	t.Parallel()
	for want, a := range map[string]fetch.Answer{
		"":                               {Mode: fetch.Stat, Unit: fetch.Lines, Total: 9},
		"none of 0 lines":                {Unit: fetch.Lines, From: 1},
		"none of 1 line":                 {Unit: fetch.Lines, From: 2, To: 1, Total: 1},
		"none of 0 entries":              {Unit: fetch.Entries, From: 1},
		"line 3 of 1,200":                {Unit: fetch.Lines, From: 3, To: 3, Total: 1200},
		"entry 1 of 1":                   {Unit: fetch.Entries, From: 1, To: 1, Total: 1},
		"character 0 of 2":               {Unit: fetch.Chars, Total: 2},
		"passages 1 to 2 of 2":           {Unit: fetch.Passages, From: 1, To: 2, Total: 2},
		"characters 0 to 1,000 of 2,000": {Unit: fetch.Chars, To: 1000, Total: 2000},
	} {
		if got := held(a).String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A violation is shown, first, No registry has one, so the
// audit is made up.
func TestViolationsShow(t *testing.T) {
	t.Parallel()
	audit := engine.Audit{Sessions: []engine.SessionAudit{{
		Name: "narrow", Granted: []string{"mine"}, Searchable: []string{"mine", "theirs"},
		Violations: []engine.Violation{{Tool: "mine", Path: engine.PathCall}, {Tool: "theirs", Path: engine.PathSearch}},
	}}}
	out := printed(100, Scope(audit, new(engine.Snapshot), reach.Posture{}, false))
	want := `2 violations
  mine: session narrow finds it and cannot call it
  theirs: session narrow reaches it by search and is not granted it

  session  granted  direct  searchable  describable  callable  violations
  narrow         1       0           2            0         0           2
`
	if out != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
}

// On a screen no line is wider than it, and no word of a cell is lost.
func TestLinesLoseNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-z]{1,9}( [a-z]{1,9}){0,4}`)
		table := Columns("tool", ">old", ">new", rapid.SampledFrom([]string{"query", "query…", "query¶"}).Draw(t, "last"))
		var all []string
		for i := range 3 {
			cells := []string{word.Draw(t, "tool"), word.Draw(t, "old"), word.Draw(t, "new"), word.Draw(t, "query")}
			table.Row(cells[0], cells[1], cells[2], cells[3])
			table.About(News{Tool: cells[0]})
			all = append(all, cells...)
			if i == 1 {
				table.Ruler("limit")
			}
		}
		r := new(Report)
		r.Heading(4, "a heading")
		r.Table(table)
		w, shown := rapid.IntRange(20, 120).Draw(t, "w"), ""
		for _, l := range r.Lines(w) {
			if !l.Heading && ui.Width(l.Text) > w {
				t.Fatalf("%q has more than %d cells", l.Text, w)
			}
			shown += l.Text + " "
		}
		for _, cell := range all {
			for _, part := range strings.Fields(cell) {
				if !strings.Contains(shown, part) {
					t.Fatalf("%q is lost in %q", part, shown)
				}
			}
		}
	})
}

// TestLater: rows that are made when they are needed are written as those that are kept, and
// none of them is kept.
func TestLater(t *testing.T) {
	t.Parallel()
	cells := [][]any{{"a", 1, "words that are longer than what is left"}, {"bc", 23, Name("x|y")}, {"def", 4, ""}}
	kept, later := Columns("name", ">n", "what…"), Columns("name", ">n", "what…")
	for _, c := range cells {
		kept.Row(c...)
	}
	later.Row(cells[0]...)
	later.Later(slices.Values(cells[1:]))
	for name, write := range map[string]func(*Report) string{
		"terminal": func(r *Report) string { return printed(30, r) },
		"manual":   func(r *Report) string { return r.Manual("caliper", "about") },
		"markdown": func(r *Report) string { text, _ := r.Markdown(); return text },
		"html":     func(r *Report) string { return r.HTML("title") },
	} {
		want, got := new(Report), new(Report)
		want.Table(kept)
		got.Table(later)
		if want, got := write(want), write(got); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
	if len(later.rows) != 1 {
		t.Errorf("%d rows are kept", len(later.rows))
	}
}

// listed is a report of a table whose rows have IDs, the open one with a line below it.
func listed(open string, names ...string) *Report {
	r, t := new(Report), Columns("name", ">tokens")
	r.Heading(3, "names")
	for i, name := range names {
		t.Row(Name(name), i)
		t.About(News{ID: name})
		if name == open {
			t.Below(func(r *Report) { r.Quote("more of " + name) })
		}
	}
	r.Table(t)
	return r
}

func TestPane(t *testing.T) {
	t.Parallel()
	theme, p := ui.NewTheme(ui.Look{Plain: true}), new(Pane)
	wants := func(what, selected string, others ...string) {
		t.Helper()
		drawn := p.Draw(theme, 60, 7, true)
		text := strings.Join(drawn, "\n")
		row, _ := p.Row()
		if !strings.HasPrefix(row.ID, selected) || len(drawn) != 7 {
			t.Errorf("%s: the cursor is on %q, want %q:\n%s", what, row.ID, selected, text)
		}
		for _, other := range others {
			if wanted, found := strings.CutPrefix(other, "no "); strings.Contains(text, wanted) == found {
				t.Errorf("%s: want %s in\n%s", what, other, text)
			}
		}
	}
	p.Show(listed("", "one", "two", "three"), 60)
	wants("at first", "one", "three")
	p.Move(1)
	p.Show(listed("two", "new", "one", "two", "three"), 60)
	wants("made again", "two", "more of two", "new")
	p.Move(1)
	wants("below", "two")
	p.Filter("THREE")
	wants("filtered", "three", "no new", "no more of two")
	p.Filter("nothing")
	wants("of no row", "", "row contains nothing; esc")
	if p.Filter(""); p.Filter("") {
		t.Error("there was a filter to clear")
	}
}

// A report that is dropped keeps nothing alive, and the next one finds the cursor on its row.
func TestPaneDrops(t *testing.T) {
	t.Parallel()
	p := new(Pane)
	p.Show(listed("", "one", "two"), 60)
	p.Move(1)
	if p.Drop(); p.of != nil || p.Len() != 0 {
		t.Error("the report is kept")
	}
	p.Show(listed("", "new", "one", "two"), 60)
	if row, _ := p.Row(); row.ID != "two" {
		t.Errorf("the cursor is on %q", row.ID)
	}
}

func TestLosses(t *testing.T) {
	t.Parallel()
	got := Losses([]export.Lost{
		{Tool: "a", What: "x"}, {Tool: "b", What: "y", Refused: true}, {Tool: "b", What: "x"}, {Tool: "b", What: "y"},
		{What: "x"}, {What: "x"}, {Tool: "a", What: "z"}, {Tool: "b", What: "z"}, {Tool: "c", What: "z"}, {Tool: "d", What: "z"}, {Tool: "e", What: "z"},
	})
	want := []string{"lost: a, b: x", "refused: b: y", "lost: b: y", "lost: x", "lost: x", "lost: a, b, c and 2 more: z"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Losses(nil); got != nil {
		t.Errorf("%q", got)
	}
}

// What the list takes is said as the agent counts it against its limit, and as it is
// sent where that is more.
func TestListingSaysBothCounts(t *testing.T) {
	for _, c := range []struct{ share, want string }{
		{`{"form":"none","groups":[]}`, "no list of deferred tools"},
		{`{"form":"none","budget":400,"groups":[{}]}`, "none of the deferred tools (a list may take 400 tokens)"},
		{`{"form":"names","budget":400,"tokens":0}`, "names, 0 of 400 tokens"},
		{`{"form":"names","budget":400,"tokens":7}`, "names, 0 of 400 tokens (7 as sent)"},
	} {
		var l engine.ListingShare
		require.NoError(t, json.Unmarshal([]byte(c.share), &l))
		if got := Listing(l).String(); got != c.want {
			t.Errorf("%s: %q, want %q", c.share, got, c.want)
		}
	}
}

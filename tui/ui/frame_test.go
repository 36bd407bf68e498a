package ui

import (
	"image"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"
)

func TestFrameDrawings(t *testing.T) {
	t.Parallel()
	first, last := NewBox(image.Rect(0, 0, 30, 2), false, false), NewBox(image.Rect(0, 2, 30, 7), true, true)
	tests := []struct {
		name    string
		frame   Frame
		box     Box
		content []string
		want    string
	}{
		{"first", Frame{Title: "query", Focused: true}, first, []string{" > create an issue"}, `
┏━query ━━━━━━━━━━━━━━━━━━━━━┓
┃ > create an issue          ┃`},
		{"focused below another", Frame{Title: "hits", Focused: true}, last, []string{"one"}, `
┢━hits ━━━━━━━━━━━━━━━━━━━━━━┪
┃one                         ┃
┃                            ┃
┃                            ┃
┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛`},
		{"below the focused one", Frame{Title: "hits", Above: true}, last, nil, `
┡ hits ━━━━━━━━━━━━━━━━━━━━━━┩
│                            │
│                            │
│                            │
╰────────────────────────────╯`},
		{"last", Frame{Title: "hits", Detail: "5 of 61 scored", Note: "bm25"}, last, []string{"one", "two", "three", "dropped"}, `
├ hits  5 of 61 sco… ── bm25 ┤
│one                         │
│two                         │
│three                       │
╰────────────────────────────╯`},
		{"content is missing", Frame{Title: "hits"}, last, nil, `
├ hits ──────────────────────┤
│                            │
│                            │
│                            │
╰────────────────────────────╯`},
		{"wide content is cut", Frame{}, first, []string{strings.Repeat("課", 20)}, `
╭ ───────────────────────────╮
│課課課課課課課課課課課課課課│`},
		{"long title", Frame{Title: "mcp_github_create_pull_request_review_comment", Note: "schema"}, first, nil, `
╭ mcp_github_create_pull_… ──╮
│                            │`},
		{"tabs", Frame{Tabs: Tabs{Labels: []string{"schema", "why", "dry run"}, Active: 1}, Note: "dropped"}, first, nil, `
╭  schema [why] dry run  ────╮
│                            │`},
		{"tabs without room", Frame{Tabs: Tabs{Labels: []string{"hits", "schema", "why", "dry run"}, Active: 3}}, first, nil, `
╭ …schema  why [dry run] ────╮
│                            │`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := strings.Join(tt.frame.Draw(plainTheme(), tt.box, tt.content), "\n")
			if want := tt.want[1:]; got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// colourSequence matches the only escapes that a screen may hold.
var colourSequence = regexp.MustCompile("\x1b\\[[0-9;:]*m")

// Whatever stands in them, frames of one column cover it exactly.
func TestFramesFitTheirBoxes(t *testing.T) {
	t.Parallel()
	themes := []*Theme{plainTheme(), NewTheme(Look{}), NewTheme(Look{Profile: termenv.ANSI, Light: true, ASCII: true})}
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "hits", "課題 🙂", "\x1b[2J", strings.Repeat("long ", 60), "e\u0301\u200d👩"}))
	rapid.Check(t, func(t *rapid.T) {
		f := Frame{
			Title: text.Draw(t, "title"), Detail: text.Draw(t, "detail"), Note: text.Draw(t, "note"),
			Focused: rapid.Bool().Draw(t, "focused"), Above: rapid.Bool().Draw(t, "above"),
		}
		if rapid.Bool().Draw(t, "tabbed") {
			f.Tabs = Tabs{Labels: []string{"schema", text.Draw(t, "tab"), "dry run"}, Active: rapid.IntRange(0, 2).Draw(t, "active")}
		}
		theme := themes[rapid.IntRange(0, len(themes)-1).Draw(t, "theme")]
		content := rapid.SliceOfN(text, 0, 60).Draw(t, "content")
		w, h := rapid.IntRange(20, 160).Draw(t, "w"), 0
		var blocks []Block
		boxes := rapid.SliceOfN(rapid.IntRange(3, 20), 1, 3).Draw(t, "boxes")
		for i, rows := range boxes {
			r := image.Rect(0, h, w, h+rows)
			h = r.Max.Y
			blocks = append(blocks, Block{At: r, Lines: f.Draw(theme, NewBox(r, i > 0, i == len(boxes)-1), content)})
			if got := len(blocks[i].Lines); got != rows {
				t.Fatalf("%d lines in a box of %d", got, rows)
			}
		}
		for i, line := range strings.Split(Compose(h, blocks), "\n") {
			text := colourSequence.ReplaceAllString(line, "")
			if got := ansi.StringWidth(line); got != w || strings.ContainsFunc(text, unicode.IsControl) {
				t.Fatalf("line %d has %d cells of %d: %q", i, got, w, line)
			}
		}
	})
}

func TestTabsAreClickedWhereTheyAreDrawn(t *testing.T) {
	t.Parallel()
	for _, f := range []Frame{
		{Tabs: Tabs{Labels: []string{"schema", "why", "dry run"}, Active: 1}, Note: "note"},
		{Tabs: Tabs{Labels: []string{"schema", "why", "dry run"}, Active: 0}, Note: strings.Repeat("note ", 20)},
		{Tabs: Tabs{Labels: []string{"hits", "schema", "why", "dry run", "more of them"}, Active: 4}},
		{Tabs: Tabs{Labels: []string{"table", "bytes", "labelled"}, Active: 1}, Detail: "/git  3 of 12", Note: "hybrid", Yield: true, Whole: true},
	} {
		b := NewBox(image.Rect(40, 3, 80, 23), false, true)
		row := []rune(f.Draw(plainTheme(), b, nil)[0])
		seen := map[int]string{}
		for x := b.Rect.Min.X; x < b.Rect.Max.X; x++ {
			if i, ok := f.TabAt(b, image.Pt(x, b.Rect.Min.Y)); ok {
				seen[i] += string(row[x-b.Rect.Min.X])
			}
		}
		for i, got := range seen {
			if strings.Trim(got, " […]") != f.Tabs.Labels[i] {
				t.Errorf("tab %d is clicked at %q", i, got)
			}
		}
		if seen[f.Tabs.Active] == "" {
			t.Errorf("of %d tabs the active one cannot be clicked", len(f.Tabs.Labels))
		}
		if _, ok := f.TabAt(b, image.Pt(b.Rect.Min.X+3, b.Rect.Min.Y+1)); ok {
			t.Error("a tab is clicked below the border")
		}
	}
}

// Where the keys fit only with blanks that are shared, a click still finds the tab
// under it. Where one is too much, it is the active tab's.
func TestTabsShareBlanks(t *testing.T) {
	t.Parallel()
	for active := range 3 {
		tabs := Tabs{Keys: []string{"F2", "F3", "F4"}, Labels: []string{"Explore", "Budget", "Scope"}, Active: active}
		whole := len(" [F2 Explore] F3 Budget F4 Scope")
		row := tabs.Line(plainTheme(), whole)
		if apart := strings.NewReplacer("[", " ", "]", " ").Replace(row); len(strings.Fields(apart)) != 6 || strings.Contains(row, "]F") {
			t.Errorf("%q: labels touch", row)
		}
		seen := make([]string, 3)
		for x := range whole {
			if i, ok := tabs.At(x, whole); ok {
				seen[i] += row[x : x+1]
			}
		}
		for i, label := range tabs.Labels {
			if got := strings.Trim(seen[i], " []"); got != tabs.Keys[i]+" "+label {
				t.Errorf("%q: tab %d is clicked at %q", row, i, got)
			}
		}
		narrow, own := tabs.Line(plainTheme(), whole-1), tabs.Keys[active]+" "
		if strings.Contains(narrow, own) || strings.Count(narrow, "F") != 2 {
			t.Errorf("%q: not the keys of the other tabs alone", narrow)
		}
		if row := tabs.Line(plainTheme(), whole-len(own)-1); strings.Contains(row, "F") {
			t.Errorf("%q: keys are drawn where they do not fit", row)
		}
	}
}

// A note beside tabs of views is never cut inside a word: it has a short form, or its
// first words, or is left out, and then the tabs have its room.
func TestNoteIsCutBetweenWords(t *testing.T) {
	t.Parallel()
	theme, line := NewTheme(Look{Plain: true}), regexp.MustCompile("─+")
	for _, tt := range []struct {
		name, note, short string
		w                 int
		want              string // with the line as one sign
	}{
		{"room for all", "tool_search active", "tool_search", 54, " [table] bytes  labelled  up  ─ tool_search active "},
		{"the short form", "tool_search active", "tool_search", 53, " [table] bytes  labelled  up  ─ tool_search "},
		{"a short form without room", "tool_search active", "tool_search", 46, " [table] bytes  labelled  up  ─"},
		{"the first words", "failed, enter starts it", "", 51, " [table] bytes  labelled  up  ─ failed, enter… "},
		{"no comma before what is left out", "failed, enter starts it", "", 45, " [table] bytes  labelled  up  ─ failed… "},
		{"too little of it", "no violation", "", 47, " [table] bytes  labelled  up  ─"},
		{"one long word", "mcp_forge_create_issue", "", 50, " [table] bytes  labelled  up  ─"},
		{"further tabs take the room of what is left out", "mcp_forge_create_issue", "", 33, " [table] bytes  labelled… ─"},
		{"tabs beside a short form", "tool_search active", "search", 32, " [table] bytes… ─ search "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := Frame{Tabs: Tabs{Labels: []string{"table", "bytes", "labelled", "up"}}, Note: tt.note, Short: tt.short, Yield: true}
			head := ansi.Strip(f.Draw(theme, NewBox(image.Rect(0, 0, tt.w, 4), false, true), nil)[0])
			if got := line.ReplaceAllString(strings.Trim(head, "╭╮"), "─"); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
			if got := ansi.StringWidth(head); got != tt.w {
				t.Errorf("%d cells, want %d", got, tt.w)
			}
		})
	}
}

// Note and detail give way to the tabs of views, and the tabs to the beginning of a
// filter; the active one and its neighbour never do.
func TestFrameOfViews(t *testing.T) {
	t.Parallel()
	theme := NewTheme(Look{Plain: true})
	f := Frame{Tabs: Tabs{Labels: []string{"table", "bytes", "labelled"}, Active: 1}, Detail: "/git  3 of 12", Note: "hybrid", Yield: true}
	for _, tt := range []struct {
		name      string
		w         int
		whole     bool
		want, not string
	}{
		{"room for all", 80, false, " table [bytes] labelled   /git  3 of 12 ", "…"},
		{"the detail gives way to the tabs", 46, false, " table [bytes] labelled ", "3 of 12"},
		{"the note gives way to a filter", 46, true, " table [bytes] labelled   /git  3 of 12 ", "hybrid"},
		{"a filter is cut for the tabs", 42, true, " table [bytes] labelled   /git  3 ", "hybrid"},
		{"tabs give way to the beginning of a filter", 32, true, "[bytes] labelled   /git", "table"},
		{"the note gives way to the tabs", 32, false, " table [bytes] labelled ", "hybrid"},
		{"the active tab stays", 16, false, "[bytes]", "hybrid"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f.Whole = tt.whole
			head := ansi.Strip(f.Draw(theme, NewBox(image.Rect(3, 2, 3+tt.w, 6), false, true), nil)[0])
			if !strings.Contains(head, tt.want) || strings.Contains(head, tt.not) {
				t.Errorf("%q: want %q and not %q", head, tt.want, tt.not)
			}
		})
	}
}

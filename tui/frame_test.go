package tui

import (
	"image"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"

	"caliper/tui/demo"
)

func plainTheme() *Theme { return NewTheme(Look{Plain: true}) }

func TestFrameDrawings(t *testing.T) {
	t.Parallel()
	column := Layout{}
	column.stack(image.Rect(0, 0, 30, 7), part{PaneQuery, 2}, part{PaneHits, 5})
	tests := []struct {
		name    string
		frame   frame
		pane    Pane
		content []string
		want    string
	}{
		{"first", frame{title: "query", focused: true}, PaneQuery, []string{" > create an issue"}, `
╭▌query ─────────────────────╮
│ > create an issue          │`},
		{"last", frame{title: "hits", detail: "5 of 61 scored", note: "bm25"}, PaneHits, []string{"one", "two", "three", "dropped"}, `
├ hits  5 of 61 sco… ── bm25 ┤
│one                         │
│two                         │
│three                       │
╰────────────────────────────╯`},
		{"content is missing", frame{title: "hits"}, PaneHits, nil, `
├ hits ──────────────────────┤
│                            │
│                            │
│                            │
╰────────────────────────────╯`},
		{"wide content is cut", frame{}, PaneQuery, []string{strings.Repeat("課", 20)}, `
╭ ───────────────────────────╮
│課課課課課課課課課課課課課課│`},
		{"long title", frame{title: "mcp_github_create_pull_request_review_comment", note: "schema"}, PaneQuery, nil, `
╭ mcp_github_create_pull_… ──╮
│                            │`},
		{"tabs", frame{tabs: tabs{[]string{"schema", "why", "dry run"}, 1}, note: "dropped"}, PaneQuery, nil, `
╭  schema [why] dry run  ────╮
│                            │`},
		{"tabs without room", frame{tabs: tabs{[]string{"hits", "schema", "why", "dry run"}, 3}}, PaneQuery, nil, `
╭ [dry run] ─────────────────╮
│                            │`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := strings.Join(tt.frame.draw(plainTheme(), column.Boxes[tt.pane], tt.content), "\n")
			if want := tt.want[1:]; got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestFrameInASCII(t *testing.T) {
	t.Parallel()
	var l Layout
	l.stack(image.Rect(0, 0, 12, 3), part{PaneWhy, 3})
	got := strings.Join(frame{title: "why", focused: true}.draw(NewTheme(Look{Plain: true, ASCII: true}), l.Boxes[PaneWhy], nil), "\n")
	if want := "+>why -----+\n|          |\n+----------+"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestFocusIsMoreThanColour compares frames that differ in focus alone.
func TestFocusIsMoreThanColour(t *testing.T) {
	t.Parallel()
	for name, look := range map[string]Look{"plain": {Plain: true}, "ascii": {Plain: true, ASCII: true}, "colours": {Profile: termenv.ANSI}} {
		theme := NewTheme(look)
		b := Arrange(80, 24, Mode{}).Boxes[PaneHits]
		on, off := frame{title: "hits", focused: true}.draw(theme, b, nil), frame{title: "hits"}.draw(theme, b, nil)
		if ansi.Strip(on[0]) == ansi.Strip(off[0]) {
			t.Errorf("%s: %q with and without focus", name, ansi.Strip(on[0]))
		}
	}
}

func TestFramesFitTheirBoxes(t *testing.T) {
	t.Parallel()
	themes := []*Theme{plainTheme(), NewTheme(Look{}), NewTheme(Look{Profile: termenv.ANSI, Light: true, ASCII: true})}
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "hits", "課題 🙂", "\x1b[2J", strings.Repeat("long ", 60), "e\u0301\u200d👩"}))
	rapid.Check(t, func(t *rapid.T) {
		l := Arrange(rapid.IntRange(1, 160).Draw(t, "w"), rapid.IntRange(1, 50).Draw(t, "h"), Mode{Shown: Pane(rapid.IntRange(0, int(paneCount)-1).Draw(t, "shown")), Zoom: rapid.Bool().Draw(t, "zoom")})
		f := frame{
			title: text.Draw(t, "title"), detail: text.Draw(t, "detail"), note: text.Draw(t, "note"),
			focused: rapid.Bool().Draw(t, "focused"), above: rapid.Bool().Draw(t, "above"),
		}
		if rapid.Bool().Draw(t, "tabbed") {
			f.tabs = tabs{[]string{"schema", text.Draw(t, "tab"), "dry run"}, rapid.IntRange(0, 2).Draw(t, "active")}
		}
		theme := themes[rapid.IntRange(0, len(themes)-1).Draw(t, "theme")]
		content := rapid.SliceOfN(text, 0, 60).Draw(t, "content")
		blocks := []placed{}
		add := func(r image.Rectangle) {
			p := placed{at: r}
			for range r.Dy() {
				p.lines = append(p.lines, strings.Repeat(".", r.Dx()))
			}
			blocks = append(blocks, p)
		}
		add(l.Header)
		add(l.Tabs)
		add(l.Footer)
		for pane, b := range l.Boxes {
			if l.Visible(Pane(pane)) {
				blocks = append(blocks, placed{b.Rect, f.draw(theme, b, content)})
			}
		}
		if l.Message != "" {
			return
		}
		if err := fits(compose(l.Whole.Dy(), blocks), l.Whole.Dx(), l.Whole.Dy()); err != nil {
			t.Fatal(err)
		}
	})
}

func TestTabsAreClickedWhereTheyAreDrawn(t *testing.T) {
	t.Parallel()
	for _, f := range []frame{
		{tabs: tabs{[]string{"schema", "why", "dry run"}, 1}, note: "note"},
		{tabs: tabs{[]string{"schema", "why", "dry run"}, 0}, note: strings.Repeat("note ", 20)},
		{tabs: tabs{[]string{"hits", "schema", "why", "dry run", "more of them"}, 4}},
	} {
		b := Arrange(80, 24, Mode{Shown: PaneWhy}).Boxes[PaneWhy]
		row := []rune(f.draw(plainTheme(), b, nil)[0])
		seen := map[int]string{}
		for x := b.Rect.Min.X; x < b.Rect.Max.X; x++ {
			if i, ok := f.tabAt(b, image.Pt(x, b.Rect.Min.Y)); ok {
				seen[i] += string(row[x-b.Rect.Min.X])
			}
		}
		for i, got := range seen {
			if strings.Trim(got, " []") != f.tabs.labels[i] {
				t.Errorf("tab %d is clicked at %q", i, got)
			}
		}
		if len(seen) != 1 && len(seen) != len(f.tabs.labels) {
			t.Errorf("%d of %d tabs can be clicked", len(seen), len(f.tabs.labels))
		}
		if _, ok := f.tabAt(b, image.Pt(b.Rect.Min.X+3, b.Rect.Min.Y+1)); ok {
			t.Error("a tab is clicked below the border")
		}
	}
}

func BenchmarkFrame(b *testing.B) {
	theme := NewTheme(Look{})
	box := Arrange(200, 60, Mode{}).Boxes[PaneHits]
	content := make([]string, box.Inner.Dy())
	for i := range content {
		content[i] = "\x1b[1mmcp_github_create_issue\x1b[0m" + strings.Repeat(" ", box.Inner.Dx()-23)
	}
	b.ReportAllocs()
	for b.Loop() {
		frame{title: "hits", focused: true}.draw(theme, box, content)
	}
}

// The header names the demo whatever else it has to say, in every size.
func TestHeaderNamesTheDemo(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{160, 50}, {120, 36}, {80, 24}, {60, 16}, {40, 10}} {
		opt := testOptions(demo.Registry(), demo.Config())
		if strings.Contains(startExplorer(t, opt, size[0], size[1]).Screen(), "DEMO") {
			t.Errorf("%v: own data are called the demo", size)
		}
		opt = testOptions(demo.Registry(), demo.Config())
		opt.Demo = true
		d := startExplorer(t, opt, size[0], size[1]).wants("DEMO")
		d.reload(ConfigPart, "tools: [")
		d.wants("DEMO", "STALE")
	}
}

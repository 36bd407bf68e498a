package explore

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/tui/demo"
	"caliper/tui/desk"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
	"caliper/watch"
)

// driver drives the screen on the demo, as the explorer would.
type driver struct {
	screen.Host // nil: what a test does not need
	t           testing.TB
	s           *Screen
	bench       *workbench.Workbench
	input       workbench.Input
	state       *workbench.State
	notice      string // the last one
	theme       *ui.Theme
	w, h        int
}

// dark is the theme of tests that look at styles.
var dark = ui.NewTheme(ui.Look{})

// open drives the screen of w×h cells on the demo, ranked by a ranker.
func open(t testing.TB, ranker string, w, h int) *driver {
	t.Helper()
	d := &driver{t: t, bench: workbench.New(), theme: ui.NewTheme(ui.Look{Plain: true}), w: w, h: h}
	file := bytes.Replace(demo.Config(), []byte("ranker: bm25"), []byte("ranker: "+ranker), 1)
	d.input = workbench.Input{
		Registry: []watch.File{{Name: "registry.json", Data: demo.Registry()}},
		Config:   &watch.File{Name: "config.yaml", Data: file},
	}
	d.s = New(desk.Desk{Host: d, Bench: d.bench, Input: &d.input}, d.theme.Glyphs, "", nil)
	d.load()
	if got := d.state.Snapshot.Config.ToolSearch.Ranker; got != ranker {
		t.Fatalf("ranked by %s, not by %s", got, ranker)
	}
	d.draw()
	return d
}

// onDemo drives the screen on the demo as it is.
func onDemo(t testing.TB, w, h int) *driver {
	t.Helper()
	return open(t, config.RankerBM25, w, h)
}

func (d *driver) Context() context.Context { return d.t.Context() }
func (d *driver) Find(string)              {}
func (d *driver) Finding() (string, bool)  { return "", false }

func (d *driver) Notify(_ ui.Level, text string) tea.Cmd {
	d.notice = text
	return nil
}

func (d *driver) Load(bool) tea.Cmd {
	d.load()
	return nil
}

// load loads the files as they are now, and shows them.
func (d *driver) load() {
	d.t.Helper()
	state, err := d.bench.Load(d.t.Context(), d.input)
	if err != nil {
		d.t.Fatal(err)
	}
	before := d.state
	d.state = &state
	d.s.Update(desk.Loaded{Before: before, After: d.state})
}

// ask types a query in place of the one that is there.
func (d *driver) ask(query string) *driver {
	d.s.query.Set(query)
	d.s.queryChanged()
	return d
}

// run runs a command and all that follows.
func (d *driver) run(cmd tea.Cmd) *driver {
	d.t.Helper()
	for queue := []tea.Cmd{cmd, d.s.Start(true)}; len(queue) > 0; queue = queue[1:] {
		if queue[0] == nil {
			continue
		}
		switch msg := queue[0]().(type) {
		case nil:
		case tea.BatchMsg:
			queue = append(queue, msg...)
		default:
			queue = append(queue, d.s.Update(msg), d.s.Start(true))
		}
	}
	return d
}

// draw returns the picture of the screen, whose size is checked.
func (d *driver) draw() []string {
	d.t.Helper()
	lines := strings.Split(ui.Compose(d.h, d.s.Blocks(d.theme, d.w, d.h, true)), "\n")
	if len(lines) != d.h {
		d.t.Fatalf("%d lines, want %d", len(lines), d.h)
	}
	return lines
}

// Words of the stem of a word of the query are exact where meanings are compared.
func TestMarks(t *testing.T) {
	m := newMarks("happy how reports", []string{"satisfact", "report"})
	if spans, _ := newMarks("happy reports", nil).spans("Report satisfaction"); spans != nil {
		t.Errorf("words of the same stem without meanings: %v", spans)
	}
	for text, want := range map[string][]string{
		"Report how satisfaction was: happy.": {"=Report", "≈satisfaction", "=happy"},
		"mcp_Reports_HAPPY":                   {"=Reports", "=HAPPY"},
		"unhappy":                             nil,
		"":                                    nil,
	} {
		var got []string
		spans, exact := m.spans(text)
		for i, s := range spans {
			sign := "≈"
			if exact[i] {
				sign = "="
			}
			got = append(got, sign+text[s[0]:s[1]])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

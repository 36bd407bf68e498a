package tui

import (
	"image"
	"strings"
	"testing"
)

// modes are all modes that a layout can tell from each other.
func modes() []Mode {
	all := []Mode{{Screen: ScreenBudget}, {Screen: ScreenActivity, Shown: PaneWhy, Zoom: true}}
	for shown := PaneQuery; shown < paneCount; shown++ {
		all = append(all, Mode{Shown: shown}, Mode{Shown: shown, Zoom: true})
	}
	return all
}

// visible returns the rectangles that are drawn, by the letter they have in
// the drawings.
func visible(l Layout) map[byte]image.Rectangle {
	areas := map[byte]image.Rectangle{
		'H': l.Header, 'T': l.Tabs, 'F': l.Footer,
		'q': l.Boxes[PaneQuery].Rect, 'h': l.Boxes[PaneHits].Rect, 's': l.Boxes[PaneSchema].Rect,
		'w': l.Boxes[PaneWhy].Rect, 'd': l.Boxes[PaneDryRun].Rect, 'b': l.Boxes[PaneBody].Rect,
	}
	if l.Message != "" {
		areas['m'] = l.Whole
	}
	return areas
}

// TestArrangeCoversTheTerminal shows for every size that what is drawn is
// inside, does not overlap, and is as large in sum as the terminal: then it
// covers it.
func TestArrangeCoversTheTerminal(t *testing.T) {
	t.Parallel()
	for w := 1; w <= 200; w++ {
		for h := 1; h <= 60; h++ {
			for _, m := range modes() {
				l := Arrange(w, h, m)
				area, areas := 0, visible(l)
				for name, r := range areas {
					if !r.In(l.Whole) {
						t.Fatalf("%d×%d %+v: %c %v is outside", w, h, m, name, r)
					}
					for other, o := range areas {
						if other != name && r.Overlaps(o) {
							t.Fatalf("%d×%d %+v: %c %v and %c %v overlap", w, h, m, name, r, other, o)
						}
					}
					area += r.Dx() * r.Dy()
				}
				if area != w*h {
					t.Fatalf("%d×%d %+v: %d of %d cells are covered", w, h, m, area, w*h)
				}
			}
		}
	}
}

func TestBoxesHaveRoom(t *testing.T) {
	t.Parallel()
	for w := smallWidth; w <= 200; w += 3 {
		for h := smallHeight; h <= 60; h++ {
			for _, m := range modes() {
				l := Arrange(w, h, m)
				for pane, b := range l.Boxes {
					if b.Empty() {
						continue
					}
					if b.Inner.Empty() || b.Inner.Dx() < 30 || !b.Inner.In(b.Rect) {
						t.Fatalf("%d×%d %+v: %v has %v of %v", w, h, m, Pane(pane), b.Inner, b.Rect)
					}
					if got, ok := l.At(b.Inner.Min); !ok || got != Pane(pane) {
						t.Fatalf("%d×%d %+v: at %v is %v", w, h, m, b.Inner.Min, got)
					}
				}
				if l.Tabbed != nil && !l.Visible(l.Shown) {
					t.Fatalf("%d×%d %+v: %v is to be shown and is not", w, h, m, l.Shown)
				}
			}
		}
	}
}

func TestArrangeDrawings(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		w, h int
		mode Mode
		want string
	}{
		{"large", 120, 36, Mode{Shown: PaneHits}, `
			H*120
			H*120
			H*120
			T*120
			q*54 s*66
			q*54 s*66
			h*54 s*66 x12
			h*54 w*66 x7
			h*54 d*66 x10
			F*120`},
		{"large, at least", 120, 30, Mode{}, `
			H*120
			H*120
			H*120
			T*120
			q*54 s*66
			q*54 s*66
			h*54 s*66 x9
			h*54 w*66 x6
			h*54 d*66 x8
			F*120`},
		{"wide and tall", 200, 60, Mode{}, `
			H*200
			H*200
			H*200
			T*200
			q*84 s*116
			q*84 s*116
			h*84 s*116 x23
			h*84 w*116 x12
			h*84 d*116 x18
			F*200`},
		{"large, zoomed", 120, 30, Mode{Shown: PaneDryRun, Zoom: true}, `
			H*120
			H*120
			H*120
			T*120
			q*120
			q*120
			d*120 x23
			F*120`},
		{"another screen", 120, 30, Mode{Screen: ScreenBudget}, `
			H*120
			H*120
			H*120
			T*120
			b*120 x25
			F*120`},
		{"small, another screen", 40, 10, Mode{Screen: ScreenActivity}, `
			H*40
			b*40 x8
			F*40`},
		{"wide but low", 160, 24, Mode{Shown: PaneWhy}, `
			H*160
			H*160
			T*160
			q*80 w*80
			q*80 w*80
			h*80 w*80 x18
			F*160`},
		{"medium", 80, 24, Mode{Shown: PaneHits}, `
			H*80
			H*80
			T*80
			q*40 s*40
			q*40 s*40
			h*40 s*40 x18
			F*80`},
		{"medium, dry run", 80, 24, Mode{Shown: PaneDryRun}, `
			H*80
			H*80
			T*80
			q*40 d*40
			q*40 d*40
			h*40 d*40 x18
			F*80`},
		{"small", 40, 10, Mode{Shown: PaneHits}, `
			H*40
			q*40
			q*40
			h*40 x6
			F*40`},
		{"small, focus in the query", 40, 10, Mode{Shown: PaneQuery}, `
			H*40
			q*40
			q*40
			h*40 x6
			F*40`},
		{"too small", 20, 6, Mode{}, `
			m*20 x6`},
		{"too narrow", 39, 60, Mode{}, `
			m*39 x60`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := Arrange(tt.w, tt.h, tt.mode)
			if got, want := drawing(l), expand(tt.want); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestTooSmallSaysWhatIsNeeded(t *testing.T) {
	t.Parallel()
	if got, want := Arrange(20, 6, Mode{}).Message, "terminal 20×6, need 40×10"; got != want {
		t.Errorf("message %q, want %q", got, want)
	}
}

func TestFocusOrder(t *testing.T) {
	t.Parallel()
	l := Arrange(80, 24, Mode{})
	p := PaneQuery
	var forward []Pane
	for range 5 {
		p = l.Next(p, 1)
		forward = append(forward, p)
	}
	if forward[0] != PaneHits || forward[3] != PaneDryRun || forward[4] != PaneQuery {
		t.Errorf("forward: %v", forward)
	}
	if got := l.Next(PaneQuery, -1); got != PaneDryRun {
		t.Errorf("back from query: %v", got)
	}
}

// drawing returns one letter per cell.
func drawing(l Layout) string {
	rows := make([][]byte, l.Whole.Dy())
	for y := range rows {
		rows[y] = []byte(strings.Repeat(" ", l.Whole.Dx()))
	}
	for name, r := range visible(l) {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				rows[y][x] = name
			}
		}
	}
	out := make([]string, len(rows))
	for y := range rows {
		out[y] = string(rows[y])
	}
	return strings.Join(out, "\n")
}

// expand writes out a drawing: "h*54 d*66 x9" is nine rows of 54 h and 66 d.
func expand(short string) string {
	var rows []string
	for line := range strings.Lines(strings.TrimSpace(short)) {
		row, times := "", 1
		for _, f := range strings.Fields(line) {
			if f[0] == 'x' {
				times = number(f[1:])
				continue
			}
			row += strings.Repeat(f[:1], number(f[2:]))
		}
		for range times {
			rows = append(rows, row)
		}
	}
	return strings.Join(rows, "\n")
}

func number(s string) int {
	n := 0
	for _, c := range s {
		n = 10*n + int(c-'0')
	}
	return n
}

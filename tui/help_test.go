package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"caliper/tui/ui"
)

// plainTheme draws without styles.
func plainTheme() *ui.Theme { return ui.NewTheme(ui.Look{Plain: true}) }

// helpOf returns the help of an explorer.
func helpOf(d *driver) *ui.Reader {
	d.app().help()
	return d.app().top().(*text).Reader
}

func TestHelpTellsEveryKey(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	help := helpOf(d)
	for _, w := range []int{40, 80, 120} {
		var shown strings.Builder
		help.Scroll(-1 << 20)
		for range 200 {
			for _, line := range help.Draw(plainTheme(), w, 24) {
				shown.WriteString(line + "\n")
			}
			before := help.Top
			if help.Scroll(help.Page()); help.Top == before {
				break
			}
		}
		for _, g := range d.app().everyGroup() {
			if !strings.Contains(shown.String(), g.Title) {
				t.Errorf("%d cells: %q is missing", w, g.Title)
			}
			for _, b := range g.Bindings {
				// On the narrowest terminal a description may be cut.
				text := b.Help().Desc[:min(len(b.Help().Desc), 12)]
				if text != "" && (!strings.Contains(shown.String(), b.Help().Key) || !strings.Contains(shown.String(), text)) {
					t.Errorf("%d cells: %q, %q is missing", w, b.Help().Key, b.Help().Desc)
				}
			}
		}
	}
}

// The keys of the screen stand before those of others.
func TestHelpBeginsWithTheScreen(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36).Press("alt+3")
	groups := d.app().helpGroups()
	if groups[0].Title != "Going places" || groups[1].Title != "Scope" {
		t.Errorf("the help begins with %s, %s", groups[0].Title, groups[1].Title)
	}
}

func TestHelpTellsTheSigns(t *testing.T) {
	t.Parallel()
	help := helpOf(explorer(t, 120, 36))
	for _, theme := range []*ui.Theme{plainTheme(), ui.NewTheme(ui.Look{Plain: true, ASCII: true})} {
		if theme.Tie == theme.Same {
			t.Error("a tie looks like an unchanged rank")
		}
		lines, _ := help.Text(theme, 60)
		text := strings.Join(lines, "\n")
		for _, want := range []string{theme.Tie + "  ", "tie: another hit", theme.Same + "  ", "rank unchanged since", theme.Pin + "  ", "expected", theme.Risen + " " + theme.Fallen} {
			if !strings.Contains(text, want) {
				t.Errorf("the help does not show %q:\n%s", want, text)
			}
		}
	}
}

func TestHelpFitsTheScreen(t *testing.T) {
	t.Parallel()
	help := helpOf(explorer(t, 120, 36))
	for w := smallWidth; w <= 160; w += 7 {
		for h := smallHeight; h <= 60; h += 5 {
			help.Scroll(1 << 20)
			box := help.Draw(plainTheme(), w, h)
			if len(box) > h {
				t.Fatalf("%d×%d: %d lines", w, h, len(box))
			}
			for _, line := range box {
				if got := ansi.StringWidth(line); got > w || got != ansi.StringWidth(box[0]) {
					t.Fatalf("%d×%d: a line of %d cells", w, h, got)
				}
			}
		}
	}
}

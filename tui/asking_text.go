package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/screen"
	"caliper/tui/ui"
)

// typedText is a box with a line of text, which enter takes.
type typedText struct {
	*ui.Field
	screen.Box
	title   string
	widest  int
	changed func()                               // called when the text differs; nil for nothing
	below   func(t *ui.Theme, w int) []ui.Phrase // safe for a terminal, each on lines of its own
	take    func() tea.Cmd
}

// TakeText is the action that takes in a typed line.
const TakeText ui.Action = "take the text"

// openTyped opens a box with its keys, hints first, in place of all boxes.
func (a *App) openTyped(b *typedText, keys *ui.Group, hints ...ui.Hinted) {
	b.Beside = a.closeTop
	b.Keys = &ui.Layer{Groups: []*ui.Group{keys}, Hints: ui.Hints(append(hints, ui.Help, ui.Palette)...), Type: func(k tea.KeyMsg) tea.Cmd {
		_, changed := b.Field.Key(k)
		if changed && b.changed != nil {
			b.changed()
		}
		if typed := k.Type == tea.KeyRunes || k.Type == tea.KeySpace; typed && !changed && b.Field.Full() {
			return a.Notify(ui.LevelInfo, "no more characters fit here")
		}
		return nil
	}}
	a.over = nil
	a.Open(b)
}

// Draw returns the box: the line that is edited, and what stands below it.
func (b *typedText) Draw(t *ui.Theme, w, h int) []string {
	inner := max(20, min(w-8, b.widest))
	l := ui.StartLine(inner, 0)
	l.Text(t.Accent, t.Prompt+" ")
	b.Field.Draw(&l, t, l.Room(), true)
	content := []string{l.End()}
	for _, p := range b.below(t, inner) {
		for _, line := range ui.Wrap(p.Text, inner) {
			if len(content) < h-3 {
				l.Start(inner)
				l.Text(p.Style, line)
				content = append(content, l.End())
			}
		}
	}
	return ui.Dialog(t, ui.FitName(b.title, inner), content, inner+4)
}

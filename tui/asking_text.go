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

// bindText declares the keys of the box. They apply to the topmost box.
func (a *App) bindText() *ui.Group {
	return &ui.Group{Title: "Typing a text", Where: "while a text is typed", Bindings: []ui.Binding{
		ui.Bind(TakeText, "enter", "go on with the text", "", "enter").Does(a.takeTyped),
		ui.Bind(ui.Back, "esc", "close", "", "esc").Runs(a.closeTop),
	}}
}

// takeTyped takes in the text of the topmost box.
func (a *App) takeTyped() tea.Cmd {
	b, _ := a.top().(*typedText)
	return b.take()
}

// openTyped opens a box with its keys, hints first, in place of all boxes.
func (a *App) openTyped(b *typedText, keys *ui.Group, hints ...ui.Hinted) {
	b.Beside = a.closeTop
	b.Keys = &ui.Layer{Groups: []*ui.Group{keys}, Hints: ui.Hints(append(hints, ui.Help, ui.Palette)...), Type: func(k tea.KeyMsg) tea.Cmd {
		_, changed := b.Field.Key(k)
		if changed && b.changed != nil {
			b.changed()
		}
		if typed := k.Type == tea.KeyRunes || k.Type == tea.KeySpace; typed && !changed && b.Field.Full() {
			return a.notify(ui.LevelInfo, "no more characters fit here")
		}
		return nil
	}}
	a.over = nil
	a.open(b)
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

// askPath opens the box in which the path of a file is typed, or with folders also of a
// folder, and gives take the path. The command reads the names that the box offers.
func (a *App) askPath(title, verb string, folders bool, take func(path string) tea.Cmd) tea.Cmd {
	a.paths = screen.NewPathBox(host{a}, a.opt.getenv("HOME"), title, verb, folders, func(path string) tea.Cmd {
		a.closeTop()
		if path == "" {
			return nil
		}
		return take(path)
	})
	a.open(a.paths)
	return a.paths.Read()
}

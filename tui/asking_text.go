package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/cells"
	"caliper/tui/screen"
	"caliper/tui/ui"
)

// typedText is the box in which the user answers a screen.TextQuestion.
type typedText struct {
	app   *App
	asked screen.TextQuestion
	field *ui.Field
	layer *ui.Layer
}

// TakeText is the action that takes in a typed line.
const TakeText ui.Action = "take the text"

// bindText declares the keys of the box. They apply to the topmost box.
func (a *App) bindText() *ui.Group {
	return &ui.Group{Title: "Typing a text", Where: "while a text is typed", Bindings: []ui.Binding{
		ui.Bind(TakeText, "enter", "go on with the text", "", "enter").Does(func() tea.Cmd {
			b, _ := a.top().(*typedText)
			return b.asked.Take(b.field.Value())
		}),
		ui.Bind(ui.Back, "esc", "close", "", "esc").Runs(a.closeTop),
	}}
}

// askText opens the box.
func (a *App) askText(q screen.TextQuestion) {
	b := &typedText{app: a, asked: q, field: ui.NewField(q.Longest, q.Empty)}
	b.field.Prefill(q.Text)
	b.layer = &ui.Layer{Groups: []*ui.Group{a.keys.text}, Hints: ui.Hints(TakeText.As("go on"), ui.Back, ui.Help, ui.Palette), Type: func(k tea.KeyMsg) tea.Cmd {
		_, cmd := a.typeInto(b.field, k)
		return cmd
	}}
	a.over = nil
	a.open(b)
}

// typeInto gives a key to the field of a box, and reports whether the text differs
// now. What no longer fits is said.
func (a *App) typeInto(f *ui.Field, k tea.KeyMsg) (changed bool, cmd tea.Cmd) {
	_, changed = f.Key(k)
	if typed := k.Type == tea.KeyRunes || k.Type == tea.KeySpace; typed && !changed && f.Full() {
		cmd = a.notify(ui.LevelInfo, "no more characters fit here")
	}
	return changed, cmd
}

// Layer returns the keys of the box.
func (b *typedText) Layer() *ui.Layer { return b.layer }

// Move does nothing: the text is edited.
func (b *typedText) Move(int) {}

// Page returns 1.
func (b *typedText) Page() int { return 1 }

// Click closes the box when it is beside it.
func (b *typedText) Click(line int) tea.Cmd {
	if line < 0 {
		b.app.closeTop()
	}
	return nil
}

// Draw returns the box: the line that is edited, and what enter does with it.
func (b *typedText) Draw(t *ui.Theme, w, h int) []string {
	inner := max(20, min(w-8, 76))
	var l cells.Line
	l.Start(inner)
	l.Text(t.Accent, t.Prompt+" ")
	b.field.Draw(&l, t, l.Room(), true)
	content := []string{l.End()}
	for _, line := range cells.Wrap(b.asked.Note(b.field.Value()), inner) {
		if len(content) < h-3 {
			l.Start(inner)
			l.Text(t.Faint, line)
			content = append(content, l.End())
		}
	}
	return ui.Dialog(t, ui.FitName(b.asked.Title, inner), content, inner+4)
}

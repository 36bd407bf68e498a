package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/screen"
	"caliper/tui/ui"
)

// leaving is the question before the program is left while anything is tried, or a
// screen holds what would be lost.
type leaving struct {
	screen.Box
	app *App
}

// leave ends the program. While anything is tried or would be lost, it asks first.
func (a *App) leave() tea.Cmd {
	if a.trials() == 0 && len(a.atStake()) == 0 {
		return a.end(tea.Quit)
	}
	a.Open(&leaving{screen.Box{Keys: &ui.Layer{Groups: []*ui.Group{a.keys.leaving}, Hints: ui.Hints(ui.Save, ui.Quit, ui.Back, ui.Help.As("help"))}, Beside: a.closeTop}, a})
	return nil
}

// atStake names what screens hold and is lost when the program ends.
func (a *App) atStake() []string {
	var names []string
	for _, s := range a.screens {
		names = append(names, s.AtStake()...)
	}
	return names
}

// Draw returns the question for a screen of w×h cells.
func (q *leaving) Draw(t *ui.Theme, w, h int) []string {
	a := q.app
	inner := max(20, min(w-8, 70))
	var keys [][]ui.Phrase
	if a.noneWritable() == "" {
		keys = [][]ui.Phrase{{{Style: t.Key, Text: "S"}, {Style: t.Faint, Text: "saves first"}}}
	}
	keys = append(keys, [][]ui.Phrase{
		{{Style: t.Key, Text: "q"}, {Style: t.Faint, Text: "leaves"}},
		{{Style: t.Key, Text: "esc"}, {Style: t.Faint, Text: "stays"}},
	}...)
	below := ui.Flow(inner, 0, keys...)
	var content []string
	var l ui.Line
	var said []string
	title := "leave?"
	if n := a.trials(); n > 0 {
		title = words.Count(n, "trial") + " not saved"
		they, become := "They are", " kept for the next start on these files."
		if n == 1 {
			they = "It is"
		}
		switch err := a.keeper.Failed(); {
		case a.opt.Tour:
			become = " lost: the tour begins afresh every time."
		case a.keeper.Path == "":
			become = " lost: this run remembers nothing."
		case err != nil:
			become = " lost: " + safetext.Line(err.Error()) + "."
		}
		said = append(said, words.And(a.knobs.Tried()), they+become)
	}
	if names := a.atStake(); len(names) > 0 {
		said = append(said, "Lost on leaving: "+safetext.Line(words.And(names))+".")
	}
	for _, text := range said {
		for _, line := range ui.Wrap(text, inner) {
			l.Start(inner)
			l.Text(t.Text, line)
			content = append(content, l.End())
		}
	}
	content = content[:max(0, min(len(content), h-2-len(below)))]
	return ui.Dialog(t, title, append(content, below...), inner+4)
}

package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/desk"
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

// longestValue is the longest value that can be typed, in characters.
const longestValue = 200

// KeepValue is the action that takes in a typed value.
const KeepValue ui.Action = "keep the value"

// typeKnob opens the box in which the value of a knob is typed, with nothing typed. Enter tries
// the value and closes the box; a text that is no value stays, with what the knob takes, and
// without a text nothing changes.
func (a *App) typeKnob(k *desk.Knob) tea.Cmd {
	if a.state == nil {
		return nil
	}
	now := func() string { return "now " + k.Text(a.knobs.Value(k)) }
	refused := "" // why the text is no value
	b := &typedText{Field: ui.NewField(longestValue, now()), title: k.Label, widest: 60, changed: func() { refused = "" }}
	b.below = func(t *ui.Theme, w int) []ui.Phrase {
		said := []ui.Phrase{{Style: t.Faint, Text: "takes " + k.Takes()}}
		if refused != "" {
			said[0] = ui.Phrase{Style: t.Bad, Text: safetext.Line(refused)}
		}
		if why := a.knobs.WhyTryOnly(k); why != "" {
			said = append(said, ui.Phrase{Style: t.Faint, Text: "only tried: " + safetext.Line(why)})
		}
		if now := safetext.Line(now()); b.Value() != "" || ui.Width(now) > w-2 { // the field does not show it
			said = append(said, ui.Phrase{Style: t.Faint, Text: now})
		}
		return said
	}
	b.take = func() tea.Cmd {
		if b.Value() == "" {
			a.closeTop()
			return a.Notify(ui.LevelInfo, k.Label+" stays "+k.Text(a.knobs.Value(k)))
		}
		v, why := k.Parse(b.Value(), a.state.OnDisk().Snapshot)
		if refused = why; why != "" {
			return nil
		}
		a.closeTop()
		if desk.SameValue(v, a.knobs.Value(k)) {
			return a.Notify(ui.LevelInfo, k.Label+" is "+k.Text(v)+" already")
		}
		return a.tryTyped(k, v)
	}
	a.openTyped(b, a.keys.value, KeepValue.As("try it"), ui.Back.As("leave it"))
	return nil
}

// tryTyped tries a typed value of a knob, and says so where it can never be saved, or only with
// a model.
func (a *App) tryTyped(k *desk.Knob, v any) tea.Cmd {
	if !a.knobs.Put(k, v) {
		return nil
	}
	load := a.Load(true)
	switch why := a.knobs.WhyTryOnly(k); {
	case a.knobs.ByModel(k):
		return tea.Batch(load, a.Notify(ui.LevelInfo, a.triedAlone(k, v)))
	case why != "":
		return tea.Batch(load, a.Notify(ui.LevelInfo, k.Label+" "+k.Text(v)+" can only be tried: "+why))
	}
	return load
}

// triedAlone tells why a context can be tried and not saved, and which models have it.
func (a *App) triedAlone(context *desk.Knob, v any) string {
	tried := context.Label + " " + context.Text(v) + " can only be tried: the agent takes that of its model. "
	if names := a.modelsInstead(v); len(names) > 0 {
		return tried + "S offers models of " + context.Text(v) + ": " + words.And(names[:min(3, len(names))]) + "."
	}
	return tried + a.modelInstead(v)
}

// modelsInstead returns the models that have a context which is tried; none where the model is
// named outside the configuration file.
func (a *App) modelsInstead(context any) []string {
	length, known := context.(int)
	if !known || a.knobs.NamedElsewhere(desk.KnobOf(config.KeyModel)) {
		return nil
	}
	return desk.ModelsWith(length)
}

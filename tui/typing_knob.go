package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/model/safetext"
	"caliper/tui/cells"
	"caliper/tui/knob"
	"caliper/tui/ui"
)

// typedKnob is the box in which the user types the value of a knob.
type typedKnob struct {
	app     *App
	knob    *knob.Knob
	field   *ui.Field
	layer   *ui.Layer
	refused string // why the text is no value, empty for none
}

// longestValue is the longest value that can be typed, in characters.
const longestValue = 200

// KeepValue is the action that takes in a typed value.
const KeepValue ui.Action = "keep the value"

// bindValue declares the keys of the box. They apply to the topmost box.
func (a *App) bindValue() *ui.Group {
	return &ui.Group{Title: "Typing a value", Where: "while a value is typed", Bindings: []ui.Binding{
		ui.Bind(KeepValue, "enter", "try the value", "", "enter").Does(func() tea.Cmd {
			b, _ := a.top().(*typedKnob)
			return b.keep()
		}),
		ui.Bind(ui.Back, "esc", "leave it as it is", "", "esc").Runs(a.closeTop),
	}}
}

// typeKnob opens the box for a knob, with nothing typed.
func (a *App) typeKnob(k *knob.Knob) tea.Cmd {
	if a.state == nil {
		return nil
	}
	b := &typedKnob{app: a, knob: k}
	b.field = ui.NewField(longestValue, b.now())
	b.layer = &ui.Layer{Groups: []*ui.Group{a.keys.value}, Hints: ui.Hints(KeepValue.As("try it"), ui.Back.As("leave it"), ui.Help, ui.Palette), Type: func(key tea.KeyMsg) tea.Cmd {
		changed, cmd := a.typeInto(b.field, key)
		if changed {
			b.refused = ""
		}
		return cmd
	}}
	a.over = nil
	a.open(b)
	return nil
}

// keep tries the typed value and closes the box. A text that is no value stays, with
// what the knob takes; without a text nothing changes.
func (b *typedKnob) keep() tea.Cmd {
	a := b.app
	if b.field.Value() == "" {
		a.closeTop()
		return a.notify(ui.LevelInfo, b.knob.Label+" stays "+b.knob.Text(a.knobs.Value(b.knob)))
	}
	v, why := b.knob.Parse(b.field.Value(), a.state.OnDisk().Snapshot)
	if why != "" {
		b.refused = why
		return nil
	}
	a.closeTop()
	if knob.Same(v, a.knobs.Value(b.knob)) {
		return a.notify(ui.LevelInfo, b.knob.Label+" is "+b.knob.Text(v)+" already")
	}
	return a.tryTyped(b.knob, v)
}

// tryTyped tries a typed value of a knob, and says so where it can never be saved. Of a
// context that only a model brings it offers the models that have it.
func (a *App) tryTyped(k *knob.Knob, v any) tea.Cmd {
	if !a.knobs.Put(k, v) {
		return nil
	}
	load := a.loadQuietly()
	switch why := a.knobs.WhyTryOnly(k); {
	case a.knobs.ByModel(k):
		a.offerModels(k, v)
		return tea.Batch(load, a.notify(ui.LevelInfo, a.triedAlone(k, v)))
	case why != "":
		return tea.Batch(load, a.notify(ui.LevelInfo, k.Label+" "+k.Text(v)+" can only be tried: "+why))
	}
	return load
}

// triedAlone says why a context can be tried and not saved, and which models have it.
func (a *App) triedAlone(context *knob.Knob, v any) string {
	return context.Label + " " + context.Text(v) + " can only be tried: the agent takes that of its model. " + a.modelInstead(v)
}

// lengthAlone is the ID of the row that tries a context without a model.
const lengthAlone = "\x00length"

// offerModels lets the user choose a model that has a context which is tried; without one,
// nothing opens.
func (a *App) offerModels(context *knob.Knob, v any) {
	length, known := v.(int)
	model := knob.Of(config.KeyModel)
	if !known || a.knobs.NamedElsewhere(model) {
		return
	}
	models := knob.ModelsWith(length)
	if len(models) == 0 {
		return
	}
	text := context.Text(v)
	choices := make([]ui.Choice, 0, len(models)+1)
	for _, name := range models {
		choices = append(choices, ui.Choice{ID: name, Label: "model " + name, Note: "can be saved"})
	}
	choices = append(choices, ui.Choice{ID: lengthAlone, Label: "the length alone", Note: "only tried: the file keeps its model"})
	a.choose("context "+text+" comes with a model: which?", choices, func(id string) tea.Cmd {
		if id == lengthAlone {
			return nil
		}
		a.knobs.Put(model, id)
		return tea.Batch(a.loadQuietly(), a.notify(ui.LevelInfo, "model is "+id+" now, with its context of "+text+"; S saves it"))
	})
}

// now says the value that the knob has.
func (b *typedKnob) now() string { return "now " + b.knob.Text(b.app.knobs.Value(b.knob)) }

// Layer returns the keys of the box.
func (b *typedKnob) Layer() *ui.Layer { return b.layer }

// Move does nothing: the text is edited.
func (b *typedKnob) Move(int) {}

// Page returns 1.
func (b *typedKnob) Page() int { return 1 }

// Click closes the box when it is beside it.
func (b *typedKnob) Click(line int) tea.Cmd {
	if line < 0 {
		b.app.closeTop()
	}
	return nil
}

// Draw returns the box: the line that is edited, and what the knob takes.
func (b *typedKnob) Draw(t *ui.Theme, w, h int) []string {
	inner := max(20, min(w-8, 60))
	var content []string
	var l cells.Line
	l.Start(inner)
	l.Text(t.Accent, t.Prompt+" ")
	b.field.Draw(&l, t, inner-2, true)
	content = append(content, l.End())
	add := func(style cells.Style, text string) {
		for _, line := range cells.Wrap(safetext.Line(text), inner) {
			if len(content) < h-3 {
				l.Start(inner)
				l.Text(style, line)
				content = append(content, l.End())
			}
		}
	}
	if b.refused != "" {
		add(t.Bad, b.refused)
	} else {
		add(t.Faint, "takes "+b.knob.Takes())
	}
	if why := b.app.knobs.WhyTryOnly(b.knob); why != "" {
		add(t.Faint, "only tried: "+why)
	}
	if now := b.now(); b.field.Value() != "" || cells.Width(now) > inner-2 { // the field does not show it
		add(t.Faint, now)
	}
	return ui.Dialog(t, ui.FitName(b.knob.Label, inner), content, inner+4)
}

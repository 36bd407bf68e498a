package tui

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/desk"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// unsaved is a kind of trials that saving leaves out of the config file.
type unsaved struct {
	short    string // names them in a notice
	sentence string // says which they are, and why they are not saved
	byModel  bool   // the agent takes the value from its model
}

// details returns the lines of a notice about trials that are not saved.
func details(left []unsaved) string {
	var text strings.Builder
	for _, u := range left {
		text.WriteString("\n" + u.sentence)
	}
	return text.String()
}

// modelInstead returns the sentence that tells how the agent is given a context of a
// length: by a model that has it.
func (a *App) modelInstead(length any) string {
	way := "The knob model names another"
	if n, known := length.(int); known {
		if names := desk.ModelsWith(n); len(names) > 0 {
			way += "; of " + desk.KnobOf(config.KeyContext).Text(n) + ": " + words.And(names[:min(3, len(names))])
		}
	}
	return way + "."
}

// toSave returns the trials that the config file can hold, those for the overrides file,
// and the others.
func (a *App) toSave() (knobs []workbench.Knob, edits []workbench.Edit, left []unsaved) {
	named := func(k *desk.Knob) string { return k.Label + " " + k.Text(a.knobs.Value(k)) }
	model := a.state.Config.Model.ID
	for _, t := range a.knobs.ToWrite() {
		if k := desk.KnobOf(t.Key); a.knobs.ByModel(k) {
			length := any(nil) // unknown
			if model != "" {
				length, _ = config.ContextOf(model)
			}
			left = append(left, unsaved{named(k), fmt.Sprintf("Not saved: %s. The agent looks up the context of its model (%s: %s). %s",
				named(k), cmp.Or(safetext.Line(model), "none is named"), k.Text(length), a.modelInstead(t.Value)), true})
			continue
		}
		knobs = append(knobs, t)
	}
	var none, drafts []string
	for _, k := range a.knobs.Left() {
		none = append(none, named(k))
	}
	for _, e := range a.knobs.Edits() {
		drafts = append(drafts, safetext.Line(e.Tool))
	}
	if len(none) > 0 {
		left = append(left, unsaved{words.And(none), "Not saved: " + words.And(none) + ". The agent has no such setting.", false})
	}
	if len(drafts) > 0 && a.overridesPath() == "" {
		return knobs, nil, append(left, unsaved{words.Count(len(drafts), "description"), "Not saved: the description of " + words.And(drafts) + ". It belongs to the server of the tool; in Explore, y copies it.", false})
	}
	return knobs, a.knobs.Edits(), left
}

// noneToSave returns why there is nothing to save.
func (a *App) noneToSave() string {
	if a.state == nil {
		return "nothing is loaded yet"
	}
	if knobs, edits, left := a.toSave(); len(knobs)+len(edits)+len(left) == 0 {
		return "nothing to save: nothing is tried"
	}
	return ""
}

// noConfigFile is the reason why no setting can be written.
const noConfigFile = "there is no config file to write to: start with --config"

// noneWritable returns why no trial can be written to a file.
func (a *App) noneWritable() string {
	knobs, edits, _ := a.toSave()
	switch {
	case len(edits) > 0:
		return ""
	case a.opt.Config == "":
		return noConfigFile
	case len(knobs) == 0:
		return "no file has what is tried"
	}
	return a.configGone()
}

// configGone returns why nothing can be written into a config file that cannot be read: what
// else it holds would be lost. It is empty where the file can be read.
func (a *App) configGone() string {
	if a.input.Config == nil || a.input.Config.Err == nil {
		return ""
	}
	return safetext.Line(filepath.Base(a.opt.Config)) + " cannot be read now; what is tried can be saved when it is back"
}

// save proposes to write the settings that are tried to the config file, and after a yes
// the descriptions to the overrides file. It says which trials no file can hold.
func (a *App) save() tea.Cmd {
	knobs, edits, left := a.toSave()
	if slices.ContainsFunc(left, func(u unsaved) bool { return u.byModel }) && a.opt.Config != "" && a.configGone() == "" {
		context := desk.KnobOf(config.KeyContext)
		if models := a.modelsInstead(a.knobs.Value(context)); len(models) > 0 { // the user chooses one, which is saved in place of the context
			choices := make([]ui.Choice, len(models))
			for i, name := range models {
				choices[i] = ui.Choice{ID: name, Label: name}
			}
			if len(knobs)+len(edits) > 0 {
				choices = append(choices, ui.Choice{ID: "", Label: "no model: everything but the context"})
			}
			a.Choose("a context of "+context.Text(a.knobs.Value(context))+" is saved with its model", choices, false, func(id string) tea.Cmd {
				if id == "" {
					return a.saveAll(a.toSave())
				}
				a.knobs.Put(desk.KnobOf(config.KeyModel), id)
				return tea.Batch(a.Load(true), a.save())
			})
			return nil
		}
	}
	return a.saveAll(knobs, edits, left)
}

// saveAll proposes to write what a file can hold.
func (a *App) saveAll(knobs []workbench.Knob, edits []workbench.Edit, left []unsaved) tea.Cmd {
	switch {
	case len(edits) > 0 && len(knobs) == 0:
		return a.saveDescriptions(edits, left, false, false)
	case len(edits) > 0 && a.opt.Config == "":
		var names []string
		for _, k := range knobs {
			names = append(names, valueText(k.Key, func(*desk.Knob) any { return k.Value }))
		}
		return a.saveDescriptions(edits, append(left, unsaved{words.And(names), "Not saved: " + words.And(names) + ". " + words.Capitalized(noConfigFile) + ".", false}), false, false)
	case len(knobs) == 0 && len(left) == 1 && left[0].byModel:
		return a.Notify(ui.LevelInfo, "nothing saved: "+allShort(left)+" comes with a model; set the knob model"+details(left))
	case len(knobs) == 0:
		return a.Notify(ui.LevelInfo, "nothing saved: "+allShort(left)+" can only be tried"+details(left))
	case a.opt.Config == "":
		return a.Notify(ui.LevelWarn, noConfigFile)
	case a.configGone() != "":
		return a.Notify(ui.LevelWarn, a.configGone())
	}
	return a.proposeKnobs(knobs, edits, left)
}

// writeSetting proposes to write one setting to the config file, and no trial.
func (a *App) writeSetting(key string, value any) tea.Cmd {
	if a.opt.Config == "" {
		return a.Notify(ui.LevelWarn, noConfigFile)
	}
	return a.proposeKnobs([]workbench.Knob{{Key: key, Value: value}}, nil, nil)
}

// valueText names a setting with a value, by its knob where it has one.
func valueText(key string, value func(*desk.Knob) any) string {
	if k := desk.KnobOf(key); k != nil {
		return k.Label + " " + k.Text(value(k))
	}
	return key
}

// allShort names all trials that are not saved.
func allShort(left []unsaved) string {
	names := make([]string, len(left))
	for i, u := range left {
		names[i] = u.short
	}
	return words.And(names)
}

// savedText says in few words what a change has saved, what it has not, and which
// key undoes it.
func (a *App) savedText(w writeback) string {
	names := make([]string, len(w.changes))
	for i, c := range w.changes {
		names[i] = valueText(c.Key, func(*desk.Knob) any { return c.Value })
	}
	text := "saved " + words.And(names)
	if len(w.unsaved) > 0 {
		text += ", not " + allShort(w.unsaved)
	}
	return text + " · " + a.keyOf(ui.Unwrite) + " undoes it"
}

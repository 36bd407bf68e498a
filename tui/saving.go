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
	names   []string // of the settings with their values, or of the tools
	reason  unsavable
	model   string // safe for a terminal, with byModel
	length  string // of its context, with byModel
	instead string // with byModel: how a context is saved
}

// unsavable is why a trial is in no config file.
type unsavable uint8

const (
	inNoFile     unsavable = iota // the agent has no such setting
	byModel                       // the agent takes the value from its model
	noConfig                      // there is no config file
	descriptions                  // there is no file for descriptions, which the server of a tool has
)

// short names the trials in a notice.
func (u unsaved) short() string {
	if u.reason == descriptions {
		return words.Count(len(u.names), "description")
	}
	return words.And(u.names)
}

// sentence says which trials are not saved, and why.
func (u unsaved) sentence() string {
	switch u.reason {
	case byModel:
		return fmt.Sprintf("Not saved: %s. The agent looks up the context of its model (%s: %s). %s", words.And(u.names), u.model, u.length, u.instead)
	case noConfig:
		return fmt.Sprintf("Not saved: %s. %s.", words.And(u.names), words.Capitalized(noConfigFile))
	case descriptions:
		return fmt.Sprintf("Not saved: the description of %s. It belongs to the server of the tool; in Explore, y copies it.", words.And(u.names))
	}
	return fmt.Sprintf("Not saved: %s. The agent has no such setting.", words.And(u.names))
}

// details returns the lines of a notice about trials that are not saved.
func details(left []unsaved) string {
	var text strings.Builder
	for _, u := range left {
		text.WriteString("\n" + u.sentence())
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
			left = append(left, unsaved{names: []string{named(k)}, reason: byModel, model: cmp.Or(safetext.Line(model), "none is named"), length: k.Text(length), instead: a.modelInstead(t.Value)})
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
		left = append(left, unsaved{names: none})
	}
	if len(drafts) > 0 && a.overridesPath() == "" {
		return knobs, nil, append(left, unsaved{names: drafts, reason: descriptions})
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
	if slices.ContainsFunc(left, func(u unsaved) bool { return u.reason == byModel }) && a.opt.Config != "" && a.configGone() == "" {
		context := desk.KnobOf(config.KeyContext)
		if models := a.modelsInstead(a.knobs.Value(context)); len(models) > 0 {
			return a.saveWithModel(context, models)
		}
	}
	return a.saveAll(knobs, edits, left)
}

// saveAll proposes to write what a file can hold.
func (a *App) saveAll(knobs []workbench.Knob, edits []workbench.Edit, left []unsaved) tea.Cmd {
	switch {
	case len(edits) > 0 && len(knobs) == 0:
		return a.saveDescriptions(edits, left, false)
	case len(edits) > 0 && a.opt.Config == "":
		var names []string
		for _, k := range knobs {
			names = append(names, valueText(k.Key, func(*desk.Knob) any { return k.Value }))
		}
		return a.saveDescriptions(edits, append(left, unsaved{names: names, reason: noConfig}), false)
	case len(knobs) == 0 && len(left) == 1 && left[0].reason == byModel:
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
		names[i] = u.short()
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

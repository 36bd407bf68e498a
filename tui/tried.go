package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/desk"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// turn turns a knob by steps and loads the result. It says where a value can only be
// tried, and at the end of the range.
func (a *App) turn(k *desk.Knob, by int) tea.Cmd {
	was := a.knobs.Turned(k)
	changed, load := a.knobs.Turn(k, by)
	_, idle := a.knobs.Idle(k)
	switch why := a.knobs.WhyTryOnly(k); {
	case idle != "":
		note := a.Notify(ui.LevelInfo, k.Label+" has no effect: "+idle)
		if load {
			note = tea.Batch(a.Load(true), note)
		}
		return note
	case load && a.knobs.ByModel(k):
		return tea.Batch(a.Load(true), a.Notify(ui.LevelInfo, a.triedAlone(k, a.knobs.Value(k))))
	case load && why != "" && !was:
		return tea.Batch(a.Load(true), a.Notify(ui.LevelInfo, k.Label+" can only be tried: "+why))
	case load:
		return a.Load(true)
	case !changed:
		return a.Notify(ui.LevelInfo, k.EndText(a.knobs.Value(k), by))
	}
	return nil
}

// nextRanker tries the ranker after the active one, after the last the first.
func (a *App) nextRanker() tea.Cmd {
	k := desk.KnobOf(config.KeyRanker)
	if _, idle := a.knobs.Idle(k); idle != "" {
		return a.Notify(ui.LevelInfo, k.Label+" has no effect: "+idle)
	}
	was, _ := a.knobs.Value(k).(string)
	choices := k.Choices
	if a.state.Learn == "" && was != config.RankerLearned {
		choices = slices.DeleteFunc(slices.Clone(choices), func(name string) bool { return name == config.RankerLearned })
	}
	is := choices[(slices.Index(choices, was)+1)%len(choices)]
	a.knobs.Put(k, is)
	text := "ranker " + was + " → " + is
	if a.knobs.Turned(k) {
		text += ", only tried"
	} else {
		text += ", as saved"
	}
	return tea.Batch(a.Load(true), a.Notify(ui.LevelInfo, text+"; "+a.keyOf(ui.Undo)+" undoes"))
}

// noState returns why nothing can be tried.
func (a *App) noState() string {
	if a.state == nil {
		return "nothing is loaded yet"
	}
	return ""
}

// noUndo returns why nothing can be undone.
func (a *App) noUndo() string {
	switch {
	case a.knobs.CanUndo():
		return ""
	case len(a.written) > 0:
		return "no trial to undo; " + a.keyOf(ui.Unwrite) + " undoes the last save"
	}
	return "nothing to undo"
}

// undo reverts the last turn of a knob, tried description or reset.
func (a *App) undo() tea.Cmd {
	a.knobs.Undo()
	left := "all settings are as saved"
	if n := a.trials(); n > 0 {
		left = words.Count(n, "trial") + " left"
	}
	return tea.Batch(a.Load(true), a.Notify(ui.LevelInfo, "undone: "+left))
}

// reset ends the trial of all knobs and descriptions. It can be undone.
func (a *App) reset() tea.Cmd {
	a.knobs.Reset()
	return tea.Batch(a.Load(true), a.Notify(ui.LevelInfo, "all settings are as saved; "+a.keyOf(ui.Undo)+" brings the trials back"))
}

// dropSettled stops trying values that the files contain by now. It returns a
// command that loads the rest, nil when nothing changed. Of a file that is broken
// nothing is dropped: what it would say is unknown.
func (a *App) dropSettled() tea.Cmd {
	var text string
	var edits bool
	var knobs []string
	ofConfig := func(d model.Diagnostic) bool { return d.File == safetext.Line(a.opt.Config) }
	if !slices.ContainsFunc(a.state.Errors, ofConfig) {
		knobs = a.knobs.Drop()
	}
	if !slices.ContainsFunc(a.state.Errors, func(d model.Diagnostic) bool { return !ofConfig(d) }) {
		trials, r := a.knobs.Edits(), a.state.OnDisk().Snapshot.Registry
		kept := slices.DeleteFunc(slices.Clone(trials), func(e workbench.Edit) bool { // without those that the registry has by now, or whose tool is gone
			t := r.Named(e.Tool)
			switch {
			case t == nil:
				text = join(text, "the registry has no "+safetext.Line(e.Tool)+" any more: its trial is dropped")
			case t.Description == e.Description:
				text = join(text, "the registry has the description of "+t.ShownName+" as in your draft, which is dropped")
			}
			return t == nil || t.Description == e.Description
		})
		if edits = len(kept) < len(trials); edits {
			a.knobs.DropEdits(kept)
		}
	}
	var notice, load tea.Cmd
	if a.resume != nil {
		notice = a.resumed(text, knobs)
	} else if edits {
		notice = a.Notify(ui.LevelInfo, text)
	}
	if edits || len(knobs) > 0 {
		if a.trials() == 0 {
			a.knobs.Settle()
		}
		load = a.Load(true)
	}
	return tea.Batch(load, notice)
}

// tryDescription adds a description to the values that are tried and loads
// them. The tool's own description ends the trial.
func (a *App) tryDescription(name, text string) tea.Cmd {
	if a.state == nil {
		return nil
	}
	own := a.state.OnDisk().Snapshot.Registry.Named(name)
	if own == nil {
		return a.Notify(ui.LevelWarn, "the registry has no "+safetext.Line(name)+" any more")
	}
	if edit := a.editOf(name); edit == nil && text == own.Description || edit != nil && edit.Description == text {
		return a.Notify(ui.LevelInfo, "the description is as it was")
	}
	edits := slices.DeleteFunc(slices.Clone(a.knobs.Edits()), func(e workbench.Edit) bool { return e.Tool == name })
	if text != own.Description {
		edits = append(edits, workbench.Edit{Tool: name, Description: text})
	}
	a.knobs.Edit(edits)
	return a.Load(true)
}

// editOf returns the tried description of a tool, nil for none.
func (a *App) editOf(name string) *workbench.Edit {
	for _, e := range a.knobs.Edits() {
		if e.Tool == name {
			return &e
		}
	}
	return nil
}

// tried returns the tried description to copy: the selected tool's, else
// the newest one; nil for none.
func (a *App) tried() *workbench.Edit {
	edits := a.knobs.Edits()
	if len(edits) == 0 {
		return nil
	}
	if t := a.screen().Tool(); t != nil {
		if e := a.editOf(t.Qualified); e != nil {
			return e
		}
	}
	return &edits[len(edits)-1]
}

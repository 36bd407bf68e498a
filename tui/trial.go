package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// subject returns the tool that is selected on the visible screen, nil for
// none.
func (a *App) subject() *model.Tool { return a.screen().Tool() }

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
	if t := a.subject(); t != nil {
		if e := a.editOf(t.Qualified); e != nil {
			return e
		}
	}
	return &edits[len(edits)-1]
}

// dropTrials removes tried descriptions that the registry contains by now or
// whose tool is gone, and returns a text that says so; ok is false when it
// removed none.
func (a *App) dropTrials() (text string, ok bool) {
	edits := a.knobs.Edits()
	r := a.state.OnDisk().Snapshot.Registry
	kept := slices.DeleteFunc(slices.Clone(edits), func(e workbench.Edit) bool {
		t := r.Named(e.Tool)
		switch {
		case t == nil:
			text = join(text, "the registry has no "+safetext.Line(e.Tool)+" any more: its trial is dropped")
		case t.Description == e.Description:
			text = join(text, "the registry has the description of "+t.ShownName+" as in your draft, which is dropped")
		}
		return t == nil || t.Description == e.Description
	})
	if ok = len(kept) < len(edits); ok {
		a.knobs.DropEdits(kept)
	}
	return text, ok
}

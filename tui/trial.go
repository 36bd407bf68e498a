package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/safetext"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

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

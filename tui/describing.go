package tui

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// overridesPath returns the path of the file that descriptions are saved in: that which
// is in use, otherwise the one to create; empty for none.
func (a *App) overridesPath() string {
	if in := a.input.Flags.Overrides; in != "" {
		return in
	}
	return a.opt.NewOverrides
}

// usedFrom says who uses a file of descriptions that was not used before.
const usedFrom = "the explorer uses it from then on, commands with --overrides; the server keeps its own text"

// saveDescriptions proposes to write descriptions to the overrides file, beside trials that are in
// no file: it opens the question whether they are. A file that was changed meanwhile is not written:
// the change is made anew, and shown again. Second is whether the question about the config file was the first of the same saving,
// and again whether the file changed since the change was first shown.
func (a *App) saveDescriptions(edits []workbench.Edit, left []unsaved, second, again bool) tea.Cmd {
	path, registry := a.overridesPath(), a.state.Snapshot.Registry
	return func() tea.Msg {
		c, err := workbench.ProposeOverrides(path, registry, edits)
		return thenMsg(func() tea.Cmd {
			if err != nil {
				return a.Notify(ui.LevelBad, "not saved: "+safetext.Line(err.Error()))
			}
			name, used := safetext.Line(filepath.Base(c.Path)), c.Path == a.input.Flags.Overrides
			q := &question{Box: a.questionBox, title: "write to " + name + "?", lines: config.Diff(c.Old, c.New), does: "writes it", yes: func() tea.Cmd {
				return func() tea.Msg {
					err := c.Write()
					return thenMsg(func() tea.Cmd {
						var changed *workbench.ChangedError
						if errors.As(err, &changed) {
							return a.saveDescriptions(edits, left, second, true)
						}
						return a.descriptionsWritten(c, edits, err)
					})
				}
			}}
			switch {
			case len(q.lines) == 0 && used:
				return a.Notify(ui.LevelInfo, "nothing to write: "+name+" has this already")
			case len(q.lines) == 0:
				q.title, q.does = "use "+name+"?", "uses it"
				q.after = []string{"it has this already; " + usedFrom}
			case !used:
				q.after = []string{usedFrom}
			}
			if !used {
				q.before = []string{safetext.Line(c.Path)}
				if c.Old == nil {
					q.title = "create " + name + "?"
				} else if known, _, err := config.ParseOverrides(c.Path, c.Old); err == nil && len(known) > 0 {
					q.before = append(q.before, "the file is there, with "+words.Count(len(known), "description")+", which are used from then on too")
				}
			}
			if second {
				q.title = secondOfTwo + q.title
			}
			if again {
				q.before = append(q.before, "the file changed meanwhile: this is the change of what it holds now")
			}
			for _, u := range left {
				q.after = append(q.after, u.sentence)
			}
			a.Open(q)
			return nil
		})
	}
}

// descriptionsWritten uses the file from now on, in place of the trials that it has, and ends the
// draft that was saved.
func (a *App) descriptionsWritten(c workbench.OverridesChange, edits []workbench.Edit, err error) tea.Cmd {
	if err != nil {
		return a.Notify(ui.LevelBad, "not saved: "+safetext.Line(err.Error()))
	}
	a.input.Flags.Overrides = c.Path
	var names []string
	for _, e := range edits {
		names = append(names, safetext.Line(e.Tool))
		a.explore.DraftSaved(e.Tool, e.Description)
	}
	a.knobs.DropEdits(slices.DeleteFunc(slices.Clone(a.knobs.Edits()), func(t workbench.Edit) bool {
		return slices.ContainsFunc(edits, func(e workbench.Edit) bool { return e.Tool == t.Tool })
	}))
	base := safetext.Line(filepath.Base(c.Path))
	text := base + " is used, and has the description of " + words.And(names) + " already"
	if !bytes.Equal(c.Old, c.New) {
		a.written = append(a.written, writeback{file: screen.OverridesFile, path: c.Path, old: c.Old, new: c.New})
		text = "saved the description of " + words.And(names) + " in " + base
		a.activity.Record(report.Line{Level: report.Good, Text: text})
		text += " · " + a.keyOf(ui.Unwrite) + " undoes it"
	}
	return a.readDescriptions(text)
}

// readDescriptions loads the overrides file that the explorer wrote, and tells what that
// was.
func (a *App) readDescriptions(text string) tea.Cmd {
	a.overridden = text
	return tea.Batch(a.Load(true), a.Notify(ui.LevelOk, text))
}

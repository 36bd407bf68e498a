package tui

import (
	"errors"
	"path/filepath"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// describing is a change of the overrides file that gives tools the descriptions that
// are tried or drafted. It is shown, and waits for confirmation.
type describing struct {
	app      *App
	path     string
	registry *model.Registry // whose tools the entries of the file mean
	edits    []workbench.Edit
	change   workbench.OverridesChange
	unsaved  []unsaved // trials that are in no file
	second   bool      // the question about the config file was the first of two
	again    bool      // the file changed since the change was first shown
}

// overridesPath returns the path of the file that descriptions are saved in: that which
// is in use, otherwise the one to create; empty for none.
func (a *App) overridesPath() string {
	if in := a.input.Flags.Overrides; in != "" {
		return in
	}
	return a.opt.NewOverrides
}

// saveDescription proposes to write one description to the overrides file.
func (a *App) saveDescription(name, text string) tea.Cmd {
	if a.overridesPath() == "" {
		return a.Notify(ui.LevelWarn, "there is no file for descriptions: start with --overrides")
	}
	own := a.state.OnDisk().Snapshot.Registry.Named(name)
	if own != nil && own.Description == text {
		return a.Notify(ui.LevelInfo, "nothing to save: the description is as it was")
	}
	return a.saveDescriptions([]workbench.Edit{{Tool: name, Description: text}}, nil, false)
}

// saveDescriptions proposes to write descriptions to the overrides file. Second is whether
// the question about the config file was the first of the same saving.
func (a *App) saveDescriptions(edits []workbench.Edit, left []unsaved, second bool) tea.Cmd {
	d := describing{app: a, path: a.overridesPath(), registry: a.state.Snapshot.Registry, edits: edits, unsaved: left, second: second}
	return d.propose
}

// propose computes the change for what the file holds now.
func (d describing) propose() tea.Msg {
	var err error
	d.change, err = workbench.ProposeOverrides(d.path, d.registry, d.edits)
	return thenMsg(func() tea.Cmd { return d.ask(err) })
}

// write writes the change, unless the file was changed meanwhile: the change is then made
// anew, and shown again.
func (d describing) write() tea.Msg {
	err := d.change.Write()
	var changed *workbench.ChangedError
	if errors.As(err, &changed) {
		d.again = true
		return d.propose()
	}
	return thenMsg(func() tea.Cmd { return d.written(err) })
}

// usedFrom says who uses a file of descriptions that was not used before.
const usedFrom = "the explorer uses it from then on, commands with --overrides; the server keeps its own text"

// ask opens the question whether the descriptions are written.
func (d describing) ask(err error) tea.Cmd {
	a := d.app
	name, used := safetext.Line(filepath.Base(d.path)), d.path == a.input.Flags.Overrides
	q := &question{app: a, title: "write to " + name + "?", lines: d.change.Lines(), does: "writes it", yes: func() tea.Cmd { return d.write }}
	switch {
	case err != nil:
		return a.Notify(ui.LevelBad, "not saved: "+safetext.Line(err.Error()))
	case len(q.lines) == 0 && used:
		return a.Notify(ui.LevelInfo, "nothing to write: "+name+" has this already")
	case len(q.lines) == 0:
		q.title, q.does = "use "+name+"?", "uses it"
		q.after = []string{"it has this already; " + usedFrom}
	case !used:
		q.after = []string{usedFrom}
	}
	if !used {
		q.before = []string{safetext.Line(d.path)}
		if d.change.Old == nil {
			q.title = "create " + name + "?"
		} else if known, _, err := config.ParseOverrides(d.path, d.change.Old); err == nil && len(known) > 0 {
			q.before = append(q.before, "the file is there, with "+words.Count(len(known), "description")+", which are used from then on too")
		}
	}
	if d.second {
		q.title = secondOfTwo + q.title
	}
	if d.again {
		q.before = append(q.before, "the file changed meanwhile: this is the change of what it holds now")
	}
	for _, u := range d.unsaved {
		q.after = append(q.after, u.sentence())
	}
	a.Open(q)
	return nil
}

// written uses the file from now on, in place of the trials that it has, and
// ends the draft that was saved.
func (d describing) written(err error) tea.Cmd {
	a := d.app
	if err != nil {
		return a.Notify(ui.LevelBad, "not saved: "+safetext.Line(err.Error()))
	}
	a.input.Flags.Overrides = d.path
	var names []string
	for _, e := range d.edits {
		names = append(names, safetext.Line(e.Tool))
		a.explore.DraftSaved(e.Tool, e.Description)
	}
	a.knobs.DropEdits(slices.DeleteFunc(slices.Clone(a.knobs.Edits()), func(t workbench.Edit) bool {
		return slices.ContainsFunc(d.edits, func(e workbench.Edit) bool { return e.Tool == t.Tool })
	}))
	base := safetext.Line(filepath.Base(d.path))
	text := base + " is used, and has the description of " + words.And(names) + " already"
	if len(d.change.Lines()) > 0 {
		a.written = append(a.written, writeback{file: screen.OverridesFile, path: d.path, old: d.change.Old, new: d.change.New})
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

package tui

import (
	"bytes"
	"errors"
	"path/filepath"
	"reflect"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/reach"
	"caliper/model/safetext"
	"caliper/tui/desk"
	"caliper/tui/report/changes"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// writeback is a change of the config file that is shown and waits for
// confirmation: trials that are saved, or a save that is undone. It is written
// only if the file still holds the bytes in old. Where it holds others, trials are
// applied to those and shown again, and a save cannot be undone. Changes of labelled
// queries and of descriptions are written elsewhere, and only undone here.
type writeback struct {
	file    screen.File // ConfigFile, QueriesFile or OverridesFile; Files: another program's
	path    string
	changes []config.Change
	remedy  *reach.Remedy // of a file of another program
	unsaved []unsaved     // trials that stay out of the file
	old     []byte
	new     []byte
	effects []string         // what saving does to sessions, a sentence each
	again   bool             // the file changed since the change was first shown
	back    bool             // a save is undone
	drafts  []workbench.Edit // descriptions that are asked about after it: another file has them
	aside   *int             // value of the --context flag that overrides the context to be saved: saving drops the flag, undoing sets it again; nil for none
}

// proposeKnobs returns a command that computes the change of the config file
// that writes the knobs. The descriptions are asked about after it.
func (a *App) proposeKnobs(knobs []workbench.Knob, drafts []workbench.Edit, left []unsaved) tea.Cmd {
	w := writeback{file: screen.ConfigFile, path: a.opt.Config, drafts: drafts, unsaved: left}
	for _, k := range knobs {
		w.changes = append(w.changes, config.Change(k))
		if k.Key == config.KeyContext {
			w.aside = a.input.Flags.Context
		}
	}
	return a.propose(w, a.effects())
}

// effects returns a function that says in which sessions a change of the config file switches tool
// search, and whom it grants more or fewer tools. Trials do not count: where the files have
// another context than is tried, it names the one for which that is true.
func (a *App) effects() func(writeback) []string {
	in, now := a.input, a.state.OnDisk().Snapshot
	in.Flags.Knobs, in.Flags.Edits = nil, nil
	tried := a.state.Budget.ContextLength
	return func(w writeback) []string {
		if w.file != screen.ConfigFile || in.Config == nil || now == nil {
			return nil
		}
		file := *in.Config
		file.Data, file.Err = w.new, nil
		in.Config = &file
		if w.aside != nil {
			in.Flags.Context = nil
			if w.back {
				in.Flags.Context = w.aside
			}
		}
		a.loading.Lock()
		st, err := a.bench.Aside().Load(a.ctx, in)
		a.loading.Unlock()
		if err != nil || st.Snapshot == nil {
			return nil
		}
		flips, err := engine.Flips(a.ctx, now, st.Snapshot)
		if err != nil {
			return nil
		}
		effects := changes.Regrants(now, st.Snapshot)
		if strategy := st.Snapshot.Config.Selection; strategy != now.Config.Selection && engine.PreSelects(strategy) && st.Snapshot.Assembly().Bridge {
			effects = append(effects, "with "+strategy+" a turn sends what is selected for it: the rest, core tools too, is deferred")
		}
		if text := (changes.Reload{Reload: &workbench.Reload{Flips: flips}}).FlipsNow(); text != "" {
			under := "" // the context that the files give the agent, unless it is also the one that is tried
			if saved := st.Budget; saved.ContextLength != nil && (tried == nil || *tried != *saved.ContextLength) {
				of := map[config.ContextOrigin]string{config.ContextTable: "the model's", config.ContextConfig: "the file's", config.ContextFlag: "the flag's"}[saved.ContextOrigin]
				under = "at " + of + " context of " + desk.KnobOf(config.KeyContext).Text(*saved.ContextLength) + ", "
			}
			effects = append(effects, under+"tool search will be "+text)
		}
		return effects
	}
}

// propose returns a command that computes a change for what its file holds now, and shows it.
// Effects, which may be nil, returns what the change does to sessions.
func (a *App) propose(w writeback, effects func(writeback) []string) tea.Cmd {
	return func() tea.Msg {
		data, err := workbench.ReadFile(w.path)
		if err == nil {
			err = w.compute(data)
		}
		if effects != nil && err == nil {
			w.effects = effects(w)
		}
		return thenMsg(func() tea.Cmd { return a.proposed(w, err) })
	}
}

// errChanged is why a save cannot be undone.
var errChanged = errors.New("the file was changed after it was saved")

// compute computes the change for a file that holds data.
func (w *writeback) compute(data []byte) (err error) {
	switch {
	case w.back && !bytes.Equal(data, w.old):
		return errChanged
	case w.back:
	case w.remedy != nil:
		w.old = data
		w.new, err = w.remedy.Write(data)
	default:
		w.old = data
		w.new, err = config.Set(w.path, data, w.changes)
	}
	return err
}

// repropose returns a command that computes the open change again for the
// current content of the config file; nil when that has not changed or cannot
// be read.
func (a *App) repropose() tea.Cmd {
	f := a.input.Config
	if a.confirm == nil || a.confirm.back || f == nil || f.Err != nil || bytes.Equal(a.confirm.old, f.Data) {
		return nil
	}
	w := *a.confirm
	w.again = true
	return func() tea.Msg {
		err := w.compute(f.Data)
		return thenMsg(func() tea.Cmd { return a.reproposed(w, err) })
	}
}

// reproposed shows a change that was computed again, unless its dialog was closed or the file has
// changed once more.
func (a *App) reproposed(w writeback, err error) tea.Cmd {
	if a.confirm == nil || !reflect.DeepEqual(a.confirm.changes, w.changes) || a.input.Config != nil && !bytes.Equal(a.input.Config.Data, w.old) {
		return nil
	}
	return a.proposed(w, err)
}

// proposed opens the dialog that shows a change and asks for confirmation.
func (a *App) proposed(w writeback, err error) tea.Cmd {
	if w.again {
		a.setFlag(w, false) // nothing was written yet
	}
	var load tea.Cmd
	switch {
	case err != nil:
		a.ask(nil)
		return tea.Batch(a.notWritten(w, err), a.askDrafts(&w, false))
	case len(config.Diff(w.old, w.new)) == 0:
		a.ask(nil)
		if w.aside != nil { // the file contains the requested value
			a.input.Flags.Context = nil
			a.knobs.Forget(config.KeyContext)
			load = a.Load(true)
		}
		text, level := "nothing to write: the file has these values already", ui.LevelInfo
		if w.again {
			text = "nothing is left to write: the file changed meanwhile, and has these values already"
		}
		text += w.asideText()
		if n := a.notices; n.Showing && n.Level == ui.LevelFlip {
			text, level = n.Text+" · "+text, ui.LevelFlip // which nobody has dismissed
		}
		return tea.Batch(load, a.Notify(level, text), a.askDrafts(&w, false))
	}
	a.ask(&w)
	return nil
}

// askDrafts asks about the descriptions that wait for the answer about a change, nil for
// none. Second is whether the question about the change was asked.
func (a *App) askDrafts(w *writeback, second bool) tea.Cmd {
	if w == nil || len(w.drafts) == 0 {
		return nil
	}
	return a.saveDescriptions(w.drafts, nil, second, false)
}

// asideText returns the text that a flag is dropped, empty for none.
func (w writeback) asideText() string {
	if w.aside == nil {
		return ""
	}
	return " · --context " + ui.Thousands(*w.aside) + " is put aside"
}

// notWritten tells that a change was not written, and why.
func (a *App) notWritten(w writeback, err error) tea.Cmd {
	verb := "saved"
	if w.back {
		verb = "undone"
	}
	return a.Notify(ui.LevelBad, "not "+verb+": "+safetext.Line(err.Error()))
}

// What stands before the titles of the two questions of one saving.
const firstOfTwo, secondOfTwo = "1 of 2: ", "2 of 2: "

// question returns the box that asks whether the change is written.
func (w *writeback) question(a *App) *question {
	name := safetext.Line(filepath.Base(w.path))
	q := &question{Box: a.questionBox, title: "write to " + name + "?", lines: config.Diff(w.old, w.new), does: "writes it", about: w, yes: func() tea.Cmd {
		w := *w
		w.drafts = nil // which the answer has led to
		if w.file == screen.ConfigFile {
			a.ours, a.saved = w.new, &w
			a.setFlag(w, true) // a flag that overrides the written value is dropped, so that the value takes effect
		}
		return func() tea.Msg {
			err := workbench.PutFile(w.path, w.old, w.new)
			var changed *workbench.ChangedError
			if errors.As(err, &changed) {
				next := w
				next.again = true
				err := next.compute(changed.Data)
				return thenMsg(func() tea.Cmd { return a.proposed(next, err) })
			}
			return thenMsg(func() tea.Cmd { return a.wrote(w, err) })
		}
	}}
	switch {
	case w.old == nil:
		q.title = "create " + name + "?"
		q.before = append(q.before, safetext.Line(w.path))
	case w.back && w.file == screen.QueriesFile:
		q.title, q.does = "undo the last change of "+name+"?", "writes it back"
	case w.back:
		q.title, q.does = "undo the save of "+name+"?", "writes it back"
	}
	if len(w.drafts) > 0 {
		q.title, q.not = firstOfTwo+q.title, "saves nothing"
	}
	if w.again {
		q.before = append(q.before, "the file changed meanwhile: this is the change of what it holds now")
	}
	switch {
	case w.aside == nil:
	case w.back:
		q.before = append(q.before, "--context "+ui.Thousands(*w.aside)+" counts again, in place of what the file says")
	default:
		q.before = append(q.before, "--context "+ui.Thousands(*w.aside)+" counts in place of what the file says; saving ends that")
	}
	if i := slices.IndexFunc(w.changes, func(c config.Change) bool { return c.Key == config.KeyContext && c.Value != nil }); i >= 0 && !w.back && a.state.Config.Model.ID == "" {
		q.before = append(q.before, "the agent of June reads no such setting: it knows a context by its model alone, and has 20,000 tokens without one; the knob model names one")
	}
	for _, c := range w.changes {
		if slices.Contains(config.Own, c.Key) && !w.back {
			q.before = append(q.before, c.Key+" is a key of caliper's own, which no agent reads")
		}
	}
	q.before = append(q.before, w.effects...)
	for _, u := range w.unsaved {
		q.after = append(q.after, u.sentence)
	}
	return q
}

// setFlag drops the flag that a change puts aside, or sets it again, as it has to
// be when the change is written or not.
func (a *App) setFlag(w writeback, written bool) {
	switch {
	case w.aside == nil:
	case written != w.back:
		a.input.Flags.Context = nil
	default:
		a.input.Flags.Context = w.aside
	}
}

// wrote shows that the file was written. When the watcher reports the new
// content, knobs with the same values are dropped.
func (a *App) wrote(w writeback, err error) tea.Cmd {
	undone := "undone: " + safetext.Line(filepath.Base(w.path)) + " is as it was before"
	if len(w.new) == 0 {
		undone += ", empty"
	}
	switch {
	case err != nil:
		a.setFlag(w, false)
		return a.notWritten(w, err)
	case w.back && w.file == screen.QueriesFile:
		a.written = a.written[:max(0, len(a.written)-1)]
		return tea.Batch(a.Notify(ui.LevelOk, undone), a.reread(screen.QueriesFile), a.reread(screen.LessonsFile))
	case w.back && w.file == screen.OverridesFile:
		a.written = a.written[:max(0, len(a.written)-1)]
		return a.readDescriptions(undone)
	case w.back && w.file == screen.Files:
		a.written = a.written[:max(0, len(a.written)-1)]
		return tea.Batch(a.Notify(ui.LevelOk, undone), a.followAgain())
	case w.back:
		a.written = a.written[:max(0, len(a.written)-1)]
		return a.Notify(ui.LevelOk, undone)
	}
	a.written = append(a.written, w)
	return tea.Batch(a.Notify(ui.LevelOk, "wrote "+safetext.Line(filepath.Base(w.path))+w.asideText()), a.followAgain())
}

// unwrite asks whether to undo the last change that was written, and shows it.
func (a *App) unwrite() tea.Cmd {
	last := a.written[len(a.written)-1]
	last.old, last.new, last.back, last.again = last.new, last.old, true, false
	last.effects = nil // those of the save go the other way
	last.unsaved = nil // the save left it out, and undoing does not touch it
	if a.state == nil {
		return a.propose(last, nil)
	}
	return a.propose(last, a.effects())
}

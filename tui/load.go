package tui

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"reflect"
	"slices"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/desk"
	"caliper/tui/report/changes"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
	"caliper/watch"
)

// changed handles the report of a watcher. While watching is paused, the newest
// change is kept for later.
func (a *App) changed(file screen.File, change watch.Change) tea.Cmd {
	next := a.await(file)
	if a.paused {
		a.held[file] = &change
		a.header.Late = true
		return next
	}
	return tea.Batch(next, a.accept(file, change))
}

// accept puts a change into the input and loads it.
func (a *App) accept(file screen.File, change watch.Change) tea.Cmd {
	if file == screen.ResultFile || file == screen.PricesFile {
		return a.toScreens(screen.FilesMsg{File: file, Files: change.Files})
	}
	if file == screen.LessonsFile || file == screen.OverridesFile {
		return a.Load(true) // which reads it itself
	}
	a.arrived[file] = true
	a.header.Note = change.Note
	a.header.Fresh = a.opt.Now().Format("15:04:05")
	switch {
	case file == screen.RegistryFile:
		a.input.Registry = change.Files
	case len(change.Files) == 0:
	case file == screen.ConfigFile && a.input.Config == nil && errors.Is(change.Files[0].Err, fs.ErrNotExist):
		// Nothing is set until the file is made.
	case file == screen.ConfigFile:
		a.input.Config = &change.Files[0]
	case file == screen.QueriesFile:
		a.input.Queries = &change.Files[0]
	}
	return a.Load(false)
}

// Load starts to load the input and cancels the previous load; with quietly it shows no notice. It
// does nothing before every file has been read once.
func (a *App) Load(quietly bool) tea.Cmd {
	if slices.Contains(a.arrived[:], false) {
		return nil
	}
	if a.cancel != nil {
		a.cancel()
	}
	ctx, cancel := context.WithCancel(a.ctx)
	a.gen++
	if quietly {
		a.quiet = a.gen
	}
	a.cancel = cancel
	gen, in, now := a.gen, a.input, a.opt.Now
	a.knobs.Try(&in.Flags)
	a.prepare(&in)
	phase := new(atomic.Int32)
	in.Progress = func(p workbench.Phase) { phase.Store(int32(p)) }
	a.phase = phase
	before, was := a.state, a.configRead // still true when loaded handles this load, because older loads are ignored
	start := now()
	run := func() tea.Msg {
		a.loading.Lock() // until a cancelled load has ended
		state, err := a.bench.Load(ctx, in)
		var unknown *engine.UnknownSessionError
		if errors.As(err, &unknown) {
			in.Flags.Session = ""
			state, _ = a.bench.Load(ctx, in)
		}
		a.loading.Unlock()
		took := now().Sub(start)
		reload := workbench.ReloadOf(ctx, before, &state, was, in.Config)
		return thenMsg(func() tea.Cmd {
			if gen != a.gen {
				return nil // there is a newer load
			}
			return a.loaded(state, err, took, in.Config, reload)
		})
	}
	if a.opt.Still {
		return run
	}
	return tea.Batch(run, a.lookAgain())
}

// lookAgain returns a command that shows the phase of the newest load after a while.
func (a *App) lookAgain() tea.Cmd {
	gen := a.gen
	return tea.Tick(progressAfter, func(time.Time) tea.Msg {
		return thenMsg(func() tea.Cmd { return a.slow(gen) })
	})
}

// loaded handles the outcome of the newest load: the state, the config file that it has, and what
// changed since the state before.
func (a *App) loaded(state workbench.State, err error, took time.Duration, read *watch.File, reload *workbench.Reload) tea.Cmd {
	a.cancel()
	a.cancel = nil
	a.header.Busy = ""
	if state.Snapshot == nil {
		return nil // cancelled: the program ends
	}
	before := a.state
	var again tea.Cmd
	own := false // the user expects a change that the explorer wrote
	if workbench.ReadAgain(a.configRead, read) {
		again = a.repropose()
		if own = read != nil && a.ours != nil && bytes.Equal(read.Data, a.ours); own {
			a.ours = nil // somebody else may write the same later
		}
	}
	a.state, a.configRead = &state, read
	a.knobs.Show(a.state)
	p := &a.header
	if p.State = a.state; len(a.state.Errors) == 0 {
		p.Good = p.Fresh
	}
	p.Session, p.Files, p.Paused = safetext.Line(a.state.Snapshot.Session.Name), "no registry", a.paused
	if files := a.input.Registry; len(files) > 0 {
		p.Files = safetext.Line(workbench.ShortName(files[0].Name))
		if len(files) > 1 {
			p.Files += " +" + ui.Thousands(len(files)-1)
		}
	}
	shown := desk.Loaded{Before: before, After: a.state, Reload: reload}
	again = tea.Batch(again, a.toScreens(shown), a.watchNamed(), a.followAgain())
	var unknown *engine.UnknownSessionError
	gone := goneSession(before, a.state)
	if errors.As(err, &unknown) {
		if a.input.Flags.Session = ""; gone == "" {
			return tea.Batch(again, a.Notify(ui.LevelWarn, unknown.Error()))
		}
	}
	level, text := a.reloadText(before, reload, own, took)
	a.overridden = ""
	if gone != "" && level != ui.LevelBad {
		text = gone + " · " + text
		if level == ui.LevelOk {
			level = ui.LevelWarn
		}
	}
	if level == ui.LevelFlip && own {
		level = ui.LevelWarn // the user saw it before writing, so the notice need not stay
	}
	if kept := a.knobs.Keep(); a.resume == nil && !reflect.DeepEqual(kept, a.keeper.Trials) { // they outlive a program that is killed
		a.keeper.Trials = kept
		again = tea.Batch(again, a.keeper.Save(a.remembered()))
	}
	// The view of the run before is shown at the first load: before it some screens do not know their views.
	names, _ := a.screen().Views()
	if i := slices.Index(names, a.resumeView); i >= 0 {
		a.screen().ShowView(i)
	}
	a.resumeView = ""
	if text == "" || reload == nil && a.gen == a.quiet {
		return tea.Batch(again, a.dropSettled())
	}
	if level == ui.LevelFlip {
		text += triedText(a.state)
	}
	switch {
	case reload != nil && len(reload.Flips) > 0:
		a.flip = " · search is still " + changes.Reload{Reload: reload}.FlipsNow() + triedText(a.state)
	case level == ui.LevelFlip:
		a.flip = "" // the notice is complete
	case level == ui.LevelOk && a.notices.Showing && a.notices.Level == ui.LevelFlip && a.flip != "":
		level, text = ui.LevelFlip, text+a.flip // not dismissed yet
	}
	return tea.Batch(again, a.Notify(level, text), a.dropSettled())
}

// slow shows the phase of the newest load, and again as long as it runs.
func (a *App) slow(gen int) tea.Cmd {
	if gen != a.gen || a.cancel == nil {
		return nil
	}
	total := 0
	for _, f := range a.input.Registry {
		total += len(f.Data)
	}
	of := words.Size(total)
	switch workbench.Phase(a.phase.Load()) {
	case workbench.PhaseParsing:
		a.header.Busy = "parsing " + of
	case workbench.PhaseCounting:
		a.header.Busy = "counting the tokens of " + of
	case workbench.PhaseIndexing:
		a.header.Busy = "indexing " + of
	case workbench.PhaseSelecting:
		a.header.Busy = "selecting tools for the message"
	default:
		a.header.Busy = "reading " + of
	}
	if a.opt.Still {
		return nil
	}
	return a.lookAgain()
}

const (
	// editorGrace is the time after the editor closed during which an interrupt
	// may still have been meant for it.
	editorGrace = 200 * time.Millisecond

	// progressAfter is the time after which running work is mentioned.
	progressAfter = 200 * time.Millisecond
)

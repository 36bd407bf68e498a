package tui

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/model"
	"caliper/tui/workbench"
)

// loader runs loads one at a time: a load that is cancelled ends before the
// next begins.
type loader struct {
	mu    sync.Mutex
	bench *workbench.Workbench
}

// newLoader returns a loader that has loaded nothing. Lookup returns
// environment variables for the configuration; it may be nil.
func newLoader(lookup func(string) (string, bool)) *loader {
	l := &loader{bench: workbench.New()}
	l.bench.Lookup = lookup
	return l
}

// load loads an input.
func (l *loader) load(ctx context.Context, in workbench.Input) (workbench.State, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bench.Load(ctx, in)
}

// await returns a command that waits for the next change of a part.
func (a *App) await(part Part) tea.Cmd {
	changes, done := a.opt.Changes[part], a.ctx.Done()
	if changes == nil {
		return nil
	}
	return func() tea.Msg {
		select {
		case change, more := <-changes:
			return changedMsg{part: part, change: change, more: more}
		case <-done:
			return nil
		}
	}
}

// changed takes in what a watcher reported. While paused it waits, and only
// the newest is kept.
func (a *App) changed(msg changedMsg) tea.Cmd {
	if !msg.more {
		return nil
	}
	next := a.await(msg.part)
	if a.paused {
		a.held[msg.part] = &msg.change
		a.header.waiting = true
		return next
	}
	return tea.Batch(next, a.accept(msg.part, msg.change))
}

// accept makes a change the input of the next load.
func (a *App) accept(part Part, change Change) tea.Cmd {
	if part == ResultPart {
		return a.results.take(change)
	}
	a.arrived[part] = true
	a.header.note = change.Note
	a.header.fresh = a.opt.Now().Format("15:04:05")
	switch {
	case part == RegistryPart:
		a.input.Registry = change.Files
	case len(change.Files) == 0:
	case part == ConfigPart:
		a.input.Config = &change.Files[0]
	case part == QueriesPart:
		a.input.Queries = &change.Files[0]
	}
	return a.load()
}

// load starts to load the input, and abandons the load that is running. It
// waits until every part has been read once.
func (a *App) load() tea.Cmd {
	if slices.Contains(a.arrived[:], false) {
		return nil
	}
	if a.cancel != nil {
		a.cancel()
	}
	ctx, cancel := context.WithCancel(a.ctx)
	a.gen++
	a.cancel = cancel
	gen, in, now := a.gen, a.input, a.opt.Now
	in.Similarity = a.strategies.openLeg()
	phase := new(atomic.Int32)
	in.Progress = func(p workbench.Phase) { phase.Store(int32(p)) }
	a.phase = phase
	before, was := a.state, a.configRead // and still so when the load is taken in: no other is by then
	start := now()
	run := func() tea.Msg {
		state, err := a.loader.load(ctx, in)
		var unknown *engine.UnknownSessionError
		if errors.As(err, &unknown) {
			in.Flags.Session = ""
			state, _ = a.loader.load(ctx, in)
		}
		took := now().Sub(start)
		return loadedMsg{gen: gen, state: state, err: err, took: took, config: in.Config,
			reload: reloadOf(ctx, before, &state, was, in.Config, state.Queries)}
	}
	if a.opt.Still {
		return run
	}
	return tea.Batch(run, a.lookAgain())
}

// lookAgain returns a command that tells after a while that the newest load is
// still running.
func (a *App) lookAgain() tea.Cmd {
	gen := a.gen
	return tea.Tick(progressAfter, func(time.Time) tea.Msg { return slowMsg{gen} })
}

// loaded takes in the outcome of the newest load; older ones are dropped.
func (a *App) loaded(msg loadedMsg) tea.Cmd {
	if msg.gen != a.gen {
		return nil
	}
	a.cancel = nil
	a.header.busy = ""
	if msg.state.Snapshot == nil {
		return nil // cancelled: the program ends
	}
	before := a.state
	var again tea.Cmd
	if readAnew(a.configRead, msg.config) {
		again = a.repropose()
	}
	own := a.wroteItself(msg.config)
	a.state, a.configRead = &msg.state, msg.config
	a.activity.reload = msg.reload
	a.header.show(a)
	a.refresh(before != nil)
	a.showBodies(before)
	var unknown *engine.UnknownSessionError
	if errors.As(msg.err, &unknown) {
		a.input.Flags.Session = ""
		return tea.Batch(a.scope.begin(false), again, a.notices.show(levelWarn, unknown.Error()))
	}
	follow := tea.Batch(a.budget.settled(), a.askPin(), a.scope.begin(false), again)
	level, words := reloadWords(before, a.state, msg.reload, msg.took)
	if level == levelFlip && own {
		level = levelWarn // seen before it was written: it need not stay
	}
	if words == "" || msg.reload == nil && msg.gen == a.budget.turned {
		return follow
	}
	switch {
	case msg.reload != nil && len(msg.reload.flips) > 0:
		a.flip = " · search is still " + msg.reload.flipsNow()
	case level == levelFlip:
		a.flip = "" // it says all there is to say
	case level == levelOk && a.notices.showing && a.notices.level == levelFlip && a.flip != "":
		level, words = levelFlip, words+a.flip // which nobody has dismissed
	}
	return tea.Batch(follow, a.notices.show(level, words))
}

// slow shows what the newest load is doing, and looks again as long as it runs.
func (a *App) slow(msg slowMsg) tea.Cmd {
	if msg.gen != a.gen || a.cancel == nil {
		return nil
	}
	a.header.busy = phaseWords(workbench.Phase(a.phase.Load()), a.bytes())
	if a.opt.Still {
		return nil
	}
	return a.lookAgain()
}

// phaseWords says what a load of so many bytes is doing.
func phaseWords(p workbench.Phase, bytes int) string {
	switch p {
	case workbench.PhaseParsing:
		return "parsing " + size(bytes)
	case workbench.PhaseCounting:
		return "counting the tokens of " + size(bytes)
	case workbench.PhaseIndexing:
		return "indexing " + size(bytes)
	case workbench.PhaseSelecting:
		return "selecting tools for the message"
	}
	return "reading " + size(bytes)
}

// bytes returns the size of the registry files.
func (a *App) bytes() int {
	n := 0
	for _, f := range a.input.Registry {
		n += len(f.Data)
	}
	return n
}

// refresh searches the new snapshot and brings every pane up to date. Query,
// selection, scroll and expansion stay.
func (a *App) refresh(keep bool) {
	a.hits.search(a.state, a.query.Value(), keep)
	a.reselect()
}

// showBodies gives every screen the new state.
func (a *App) showBodies(before *workbench.State) {
	for _, b := range a.bodies() {
		b.show(before, a.state)
	}
}

// reselect shows the selected tool in every pane.
func (a *App) reselect() {
	if a.state == nil {
		return
	}
	s, t := a.state.Snapshot, a.selected()
	a.editing = a.editing && t != nil
	a.schema.show(s, t)
	a.why.explain(s, a.hits.results.Query, t, a.hits.results.Fallback)
	if t != nil && (a.dry.tool == nil || a.dry.tool.Qualified != t.Qualified) {
		a.args.Set(a.dry.argumentsOf(t, engine.ArgumentsExample))
	}
	a.dry.run(s, t, a.args.Value())
}

// reloadWords says in a notice what a load changed, and how long it took when
// files were read; empty for nothing worth telling.
func reloadWords(before, after *workbench.State, r *reload, took time.Duration) (level, string) {
	if len(after.Errors) > 0 {
		return levelBad, brief(after.Errors[0])
	}
	if before == nil {
		return levelInfo, ""
	}
	was, now := before.Snapshot, after.Snapshot
	lvl, words := levelOk, "read again · nothing changed"
	switch {
	case r != nil:
		words = r.what() + " reloaded"
	case !sameQueries(before.Queries, after.Queries):
		words = labelledQueries(len(after.Queries)) + " read"
	case was.Session.Name != now.Session.Name:
		words = fmt.Sprintf("session %s: %s granted", shortName(now.Session.Name), plural(after.Budget.Tools, "tool"))
	case !slices.Equal(was.WithoutGates(), now.WithoutGates()):
		lvl, words = gateWords(now)
	case was.Message() != now.Message():
		words = "sent with the message: " + plural(len(now.Assembly().Tools), "tool")
	case was.Tokenizer != now.Tokenizer:
		words = "counting tokens with " + string(now.Tokenizer)
	}
	switch active := after.OnDisk().Budget.Active; {
	case r != nil && len(r.flips) > 0:
		lvl, words = levelFlip, words+" · search is now "+r.flipsNow()
	case r != nil || before.OnDisk().Budget.Active == active: // nothing flips, or there was nothing or is nothing now
	case was.Session.Name == now.Session.Name:
		lvl, words = levelFlip, words+" · search is now "+onOff(active)
	default:
		words += " · search is now " + onOff(active)
	}
	if r != nil && r.registry {
		words += fmt.Sprintf(" · %s → %s", thousands(r.diff.OldRegistry.Tools), plural(r.diff.NewRegistry.Tools, "tool"))
		if counts := toolCounts(&r.diff); counts != "" {
			words += " (" + counts + ")"
		}
	}
	if r != nil && len(r.warnings) > 0 {
		words += " · " + plural(len(r.warnings), "new warning")
	}
	if took = took.Round(time.Millisecond); took > 0 && r != nil {
		words += " · in " + took.String()
	}
	return lvl, words
}

// gateWords says which scope gates the dry run is without.
func gateWords(s *engine.Snapshot) (level, string) {
	gates := s.WithoutGates()
	if len(gates) == 0 {
		return levelOk, "every scope gate is back"
	}
	return levelWarn, "dry run without " + strings.Join(gates, " and ") + ": nothing is ever run"
}

// sameQueries reports whether the labelled queries were not read anew: one
// that was not is the same slice.
func sameQueries(a, b []engine.Query) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// labelledQueries counts them in words.
func labelledQueries(n int) string {
	if n == 1 {
		return "1 labelled query"
	}
	return thousands(n) + " labelled queries"
}

// show brings the header up to date with the app's state.
func (p *header) show(a *App) {
	p.state = a.state
	p.session = model.Sanitize(a.state.Snapshot.Session.Name)
	p.files = fileNames(a.input.Registry)
	p.paused = a.paused
	p.demo = a.opt.Demo
}

// fileNames names the registry files, short and safe for a terminal.
func fileNames(files []workbench.File) string {
	switch len(files) {
	case 0:
		return "no registry"
	case 1:
		return model.Sanitize(filepath.Base(files[0].Name))
	}
	return model.Sanitize(filepath.Base(files[0].Name)) + " +" + thousands(len(files)-1)
}

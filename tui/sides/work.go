package sides

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/diff"
	"caliper/engine/labels"
	"caliper/tui/report"
	"caliper/tui/report/changes"
	"caliper/tui/ui"
	"caliper/tui/workbench"
	"caliper/watch"
)

// depth is how many hits of the query are compared.
const depth = 20

// auditAtOnce is the most questions, sessions times tools, of the audits that begin by
// themselves.
const auditAtOnce = 2_000_000

// compared is the outcome of a comparison.
type compared struct {
	changes.TwoStates
	states   [2]workbench.State // in the order of time where one was before the other
	commands []string           // that print its figures
	audits   int                // 1 when one audit has the sessions of both states, else 2
}

// work is everything that the job needs; it shares nothing that changes.
type work struct {
	bench  *workbench.Workbench
	saved  workbench.State
	tried  workbench.State
	input  workbench.Input
	before *files
	choice choice
	query  string
}

// run makes the second state and compares.
func (w work) run(ctx context.Context, progress ui.Progress) (compared, error) {
	other, err := w.other(ctx)
	if err != nil {
		return compared{}, err
	}
	x := compared{states: [2]workbench.State{w.saved, other}, audits: 2}
	if w.choice.id == idBefore {
		slices.Reverse(x.states[:])
	}
	sessions := strings.HasPrefix(w.choice.id, idSession)
	if sessions {
		x.audits = 1
	}
	x.Old, x.New = w.names(x.states)
	queries := w.saved.Queries
	old, now := x.states[0].Snapshot, x.states[1].Snapshot
	steps := 3*len(queries) + 1
	for _, s := range []*engine.Snapshot{old, now} {
		for _, step := range []engine.Work{engine.WorkCounting, engine.WorkIndexing} {
			if err := s.Prepare(ctx, step); err != nil {
				return compared{}, err
			}
		}
	}
	for i, s := range []*engine.Snapshot{old, now} {
		if len(queries) == 0 {
			break
		}
		before := i * len(queries)
		if x.Evaluated[i], err = labels.Evaluate(ctx, s, queries, func(done, _ int) { progress(before+done, steps) }); err != nil {
			return compared{}, err
		}
	}
	if x.Diff, err = diff.Compare(ctx, old, now, queries); err != nil {
		return compared{}, err
	}
	if !sessions {
		if x.Sessions, err = w.bench.Sessions(ctx, x.states[0], x.states[1], nil); err != nil {
			return compared{}, err
		}
	}
	x.Toolsets = diff.Toolsets(old.Budget(false), now.Budget(false))
	if x.Query = w.query; x.Query != "" {
		x.Was, x.Is = diff.Hits(old, now, x.Query, depth)
	}
	x.commands = w.commands(other)
	return x, ctx.Err()
}

// other returns the state that is compared with the one on disk.
func (w work) other(ctx context.Context) (workbench.State, error) {
	in := w.input
	if g := w.choice.generation(); g != "" {
		return w.load(ctx, workbench.InGeneration(in, w.saved, config.Generation(g)))
	}
	if name := w.choice.ranker(); name != "" {
		in.Flags.Ranker = name
		return w.load(ctx, in)
	}
	switch w.choice.id {
	case idTrials:
		return w.tried, nil
	case idBefore:
		if w.before == nil {
			return workbench.State{}, errors.New("no file has been read again yet")
		}
		in.Registry, in.Config = w.before.registry, w.before.config
	case idRegistry:
		var err error
		if in.Registry, err = workbench.ReadRegistry(w.choice.path); err != nil {
			return workbench.State{}, err
		}
	case idConfig:
		f := watch.Read(w.choice.path)
		in.Config = &f
	default:
		s, err := w.bench.InSession(ctx, w.saved, strings.TrimPrefix(w.choice.id, idSession))
		return workbench.State{Snapshot: s, Config: w.saved.Config, Queries: w.saved.Queries}, err
	}
	return w.load(ctx, in)
}

// load makes a state of files.
func (w work) load(ctx context.Context, in workbench.Input) (workbench.State, error) {
	bench := workbench.New()
	bench.Lookup = w.bench.Lookup
	st, err := bench.Load(ctx, in)
	var unknown *engine.UnknownSessionError
	if errors.As(err, &unknown) { // the other configuration has its own sessions
		in.Flags.Session = ""
		st, err = bench.Load(ctx, in)
	}
	broken := st.Broken()
	if w.choice.id == idRegistry {
		broken = st.Errors // the header says nothing of another registry
	}
	if err == nil && len(broken) > 0 {
		err = broken[0]
	}
	return st, err
}

// names returns the names of the two states, with their sessions where these differ.
func (w work) names(states [2]workbench.State) (old, now string) {
	a, b := states[0].Snapshot.Session.Name, states[1].Snapshot.Session.Name
	old = "on disk"
	if g := w.choice.generation(); g != "" {
		return string(w.saved.Snapshot.Config.ToolSearch.Generation), g
	}
	if now = w.choice.ranker(); now != "" {
		return w.saved.Snapshot.Config.ToolSearch.Ranker, now
	}
	switch w.choice.id {
	case idTrials:
		now = "trials"
	case idBefore:
		old, now = "before the reload", old
	case idRegistry, idConfig:
		now = filepath.Base(w.choice.path)
	default:
		return a, b
	}
	if a != b {
		old, now = old+", "+a, now+", "+b
	}
	return old, now
}

// commands returns the command lines that print the figures of both states, as far as
// commands can: one for the state on the left, and one for the other.
func (w work) commands(other workbench.State) []string {
	session := func(s workbench.State) []string { return []string{"--session", s.Snapshot.Session.Name} }
	line := func(words ...string) string { return report.CommandLine(append([]string{"caliper"}, words...)...) }
	commands := []string{line(append([]string{"budget"}, session(w.saved)...)...), "caliper scope --names"}
	if g := w.choice.generation(); g != "" {
		both := string(w.saved.Snapshot.Config.ToolSearch.Generation) + "," + g
		return append(commands, line(append([]string{"compare", "--generation", both}, session(w.saved)...)...))
	}
	if name := w.choice.ranker(); name != "" {
		if w.query != "" {
			commands = append(commands, line("search", w.query, "--ranker", name))
		}
		return commands
	}
	switch w.choice.id {
	case idTrials, idBefore: // the trials are in the report, the files of before are gone
	case idRegistry:
		if len(w.input.Registry) == 1 {
			commands = append(commands, line(append([]string{"diff", w.input.Registry[0].Name, w.choice.path}, session(w.saved)...)...),
				line(append([]string{"gate", "--base", w.input.Registry[0].Name, "--head", w.choice.path, "--queries", "queries.jsonl"}, session(w.saved)...)...))
		}
	case idConfig:
		commands = append(commands, line(append([]string{"budget", "--config", w.choice.path}, session(other)...)...), line("scope", "--names", "--config", w.choice.path))
	default:
		commands = append(commands, line(append([]string{"budget"}, session(other)...)...))
	}
	return commands
}

// questions returns how much the audits of both states ask.
func (c *compared) questions() int {
	n := 0
	for _, s := range c.states[:c.audits] {
		n += len(s.Snapshot.Registry.Tools) * len(s.Snapshot.Config.Sessions)
	}
	return n
}

// judgeAtOnce is the most tools of both states whose change is judged when its view is
// looked at; more are judged when the user asks.
const judgeAtOnce = 10_000

// The verdict on the change is caliper gate's: on the change from the state on the left to the other.

// decide judges the change when its view is looked at; asked starts work of any size.
func (s *Screen) decide(asked bool) tea.Cmd {
	if s.two == nil || s.two.Gate != nil || s.view != verdictView || s.judge.Running || s.judge.Waits() && !asked {
		return nil
	}
	before, after := s.two.states[0], s.two.states[1]
	tools := len(before.Snapshot.Registry.Tools) + len(after.Snapshot.Registry.Tools)
	if !asked && (tools > judgeAtOnce || s.two.questions() > auditAtOnce) {
		s.judge.Hold(s.choice)
		return nil
	}
	bench, queries := s.host.Bench, before.Queries
	return s.judge.Start(s.host.Context(), s.choice, func(ctx context.Context, progress ui.Progress) (diff.GateResult, error) {
		return diff.Judge(ctx, bench.Builder, before.Snapshot.Unasked(), after.Snapshot.Unasked(), queries, diff.GateOptions{Progress: progress})
	})
}

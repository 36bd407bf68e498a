// Package workbench turns the bytes of a registry and a configuration into the
// snapshot that the explorer draws and the commands print. Both load through
// it, so that they always agree.
//
// Goals: bad input never replaces the last good state, and an input that has
// not changed is not parsed again. It also changes files of the user (put.go). Non-goals: how files are watched, drawing on a
// terminal.
//
// Invariants:
//   - a State is immutable;
//   - State.Errors is not empty while the snapshot shows an older input than the
//     one that was given;
//   - a State without knobs and edits is its own OnDisk.
package workbench

import (
	"context"
	"errors"
	"os"
	"slices"
	"sync"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/embed"
	"caliper/engine/hosts"
	"caliper/engine/labels"
	"caliper/engine/reach"
	"caliper/engine/retrieval"
	"caliper/engine/selection"
	"caliper/engine/skills"
	"caliper/engine/tokens"
	"caliper/engine/whatif"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/shapes"
	"caliper/watch"
)

// State is the immutable outcome of a load.
type State struct {
	Snapshot *engine.Snapshot
	Config   config.File
	Budget   engine.Budget // zero in a state that was loaded on demand

	// plain is the registry as its files have it, without the descriptions of the overrides file.
	plain *model.Registry
	// Selection is the selection for the message; nil when nothing is selected.
	Selection *selection.Selection

	// Learn is the file of labelled queries that the ranker learned learns from, as it
	// can be opened; empty for none.
	Learn string

	// Skills are the skills among the files of the registry, in the order of the files.
	Skills        []*skills.Skill
	skillIndex    *engine.Snapshot // of Skills; nil for none
	skillSettings skills.Settings

	// Queries are the labelled queries in the order of their file.
	Queries []labels.Query
	// Rivals are the snapshots of the session under the requested rankers, in
	// their order.
	Rivals []*engine.Snapshot

	// Files holds the settings in the files of the agent whose search is simulated.
	Files reach.Files

	// Baseline is the state of the files, without knobs and edits; nil when
	// there are none.
	Baseline *State

	// OldRanker is the snapshot of the trials under the ranker of the files. It is nil
	// unless another ranker is tried beside something else that changes ranks: the effect
	// of the ranker is the difference to it.
	OldRanker *engine.Snapshot

	// Errors are the errors of the inputs, each with its position. The snapshot
	// uses the last good state of an input with errors.
	Errors []model.Diagnostic
	// LeftOut are the Errors about single files of folders. Such a file
	// is as it was when it could last be read, or left out.
	LeftOut []model.Diagnostic
	// Warnings are the warnings of the registry, of the configuration, of the
	// two together, and of the labelled queries, in this order.
	Warnings []model.Diagnostic
}

// Others returns the rivals whose ranker differs from Snapshot's.
func (s *State) Others() []*engine.Snapshot {
	return slices.DeleteFunc(slices.Clone(s.Rivals), func(r *engine.Snapshot) bool {
		return r.Config.ToolSearch.Ranker == s.Snapshot.Config.ToolSearch.Ranker
	})
}

// Broken returns the errors that are about more than single files of folders.
func (s *State) Broken() []model.Diagnostic {
	return slices.DeleteFunc(slices.Clone(s.Errors), func(d model.Diagnostic) bool { return slices.Contains(s.LeftOut, d) })
}

// OnDisk returns the state without knobs and edits, which is s itself when
// there are none.
func (s *State) OnDisk() *State {
	if s.Baseline != nil {
		return s.Baseline
	}
	return s
}

// Workbench loads one state after another. It remembers the last good inputs
// and reuses results. It is not safe for concurrent use; the states that it
// returns are.
type Workbench struct {
	// Lookup returns an environment variable for configuration values that refer
	// to one; nil expands none.
	Lookup func(name string) (value string, ok bool)

	// Files returns what the files of an agent say; nil reads none.
	Files func(ctx context.Context, of *hosts.Host) reach.Files

	// ReadFile reads the labelled queries that a configuration names to learn from.
	ReadFile func(path string) ([]byte, error)

	// Builder makes the snapshots. It may be used while the workbench loads the next state.
	Builder *engine.Builder

	registry     *model.Registry
	registryFrom []watch.File
	leftOut      []model.Diagnostic // of registryFrom
	servers      []string           // configured servers that the registry was parsed with
	naming       model.Naming
	config       config.File
	configFrom   *watch.File
	configGood   bool
	queries      []labels.Query
	queryFaults  []model.Diagnostic
	queriesFrom  *watch.File
	taught       *lesson // nil: nothing was learned from yet
	overriding   overridden

	skills       map[string]*readSkill // by the names of their files
	skillBuilder *engine.Builder

	edited edited
}

// edited is the last snapshot that has edits.
type edited struct {
	of       *engine.Snapshot // without the edits
	edits    []Edit
	snapshot *engine.Snapshot
}

// New returns a Workbench that has loaded nothing.
func New() *Workbench {
	return &Workbench{ReadFile: os.ReadFile, Builder: engine.NewBuilder(), config: config.File{Config: config.Default()}}
}

// Aside returns a workbench that knows what this one has read. What it loads is not
// remembered here, such as a config file as it might be.
func (w *Workbench) Aside() *Workbench {
	aside := *w
	return &aside
}

// Load builds the state of an input. Errors in the files are in State.Errors.
// The returned error is the context's, one of a flag with an invalid value,
// or an *engine.UnknownSessionError when the configuration does not have the
// requested session.
func (w *Workbench) Load(ctx context.Context, in Input) (State, error) {
	var st State
	configErr := w.loadConfig(in.Config)
	leftOut, registryErr := w.loadRegistry(ctx, &in)
	if err := ctx.Err(); err != nil {
		return State{}, err
	}
	if registryErr != nil {
		st.Errors = append(st.Errors, *registryErr)
	}
	own, breaches, faults := w.loadSkills(in.Registry)
	st.Skills, st.skillSettings, leftOut = own, w.skillSettings(own), slices.Concat(leftOut, faults)
	st.Errors, st.LeftOut = append(st.Errors, leftOut...), leftOut
	if configErr != nil {
		st.Errors = append(st.Errors, *configErr)
	}
	if queriesErr := w.loadQueries(in.Queries); queriesErr != nil {
		st.Errors = append(st.Errors, *queriesErr)
	}
	if err := w.build(ctx, in, in.Flags.Knobs, in.Flags.Edits, &st); err != nil {
		return State{}, err
	}
	st.Warnings = append(st.Warnings, breaches...)
	if len(in.Flags.Knobs) > 0 || len(in.Flags.Edits) > 0 {
		st.Baseline = &State{Errors: st.Errors, LeftOut: st.LeftOut, Skills: st.Skills, skillSettings: st.skillSettings}
		if err := w.build(ctx, in, nil, nil, st.Baseline); err != nil {
			return State{}, err
		}
		was, is := st.Baseline.Snapshot, st.Snapshot
		ranker := was.Config.ToolSearch.Ranker
		if ranker != is.Config.ToolSearch.Ranker && (was.Registry != is.Registry || was.Ranking != is.Ranking) {
			var err error
			if st.OldRanker, err = w.rival(ctx, is, ranker); err != nil {
				return State{}, err
			}
		}
	}
	return st, nil
}

// build completes a state, except for its errors, with knobs and edits applied.
func (w *Workbench) build(ctx context.Context, in Input, knobs []Knob, edits []Edit, st *State) error {
	ranking, tokenizer := retrieval.Reference, in.Flags.Tokenizer
	var err error
	if st.Config, err = w.effective(in.Flags, knobs, &ranking, &tokenizer); err != nil {
		return err
	}
	registry := w.registry
	if registry == nil {
		registry, _ = shapes.Parse(ctx)
	}
	st.plain = registry
	registry, overrideFaults, overrideErr, err := w.override(ctx, registry, in.Flags.Overrides)
	if err != nil {
		return err
	}
	if overrideErr != nil && !slices.Contains(st.Errors, *overrideErr) {
		st.Errors = append(st.Errors, *overrideErr)
	}
	taught, learnErr := w.learn(registry, in, st.Config.Config)
	if learnErr != nil && !slices.Contains(st.Errors, *learnErr) {
		st.Errors = append(st.Errors, *learnErr)
	}
	st.Learn = taught.path
	if h := hosts.Configured(&st.Config.Config); w.Files != nil {
		if st.Files = w.Files(ctx, h); h.Generation == "" {
			st.Config.Config = st.Files.Configure(st.Config.Config, h, registry.Tools)
		}
	}
	inputs := engine.Inputs{
		Lessons:  taught.lessons,
		Registry: registry, Config: st.Config.Config, Session: in.Flags.Session, Tokenizer: tokenizer, Ranking: &ranking, Strict: in.Flags.Strict,
		WithoutGates: in.Flags.WithoutGates, OnDemand: in.OnDemand, Began: in.began,
	}
	if st.Snapshot, err = w.withoutMessage(ctx, inputs, edits); err != nil {
		return err
	}
	if in.Flags.Message != "" {
		in.enter(PhaseSelecting)
		open := in.Similarity
		if open == nil {
			open = func(ctx context.Context, c config.PreSelection, tools []*model.Tool) (embed.Similarity, error) {
				if !c.BuiltIn() {
					return nil, errors.New("no model is loaded")
				}
				return OpenSimilarity(ctx, c, tools, Embedding{}, nil)
			}
		}
		chooser := &selection.Chooser{
			History: in.Flags.History,
			Similarity: func(ctx context.Context, s *engine.Snapshot, tools []*model.Tool) (embed.Similarity, error) {
				return open(ctx, s.Config.PreSelection, tools)
			},
			Made: func(_ *engine.Snapshot, x selection.Selection) { st.Selection = &x },
		}
		if st.Snapshot, err = w.Builder.Answer(ctx, st.Snapshot, in.Flags.Message, chooser.Select); err != nil {
			return err
		}
	}
	if st.skillIndex, err = w.indexSkills(ctx, st); err != nil {
		return err
	}
	for _, ranker := range in.Rivals {
		if ranker == config.RankerLearned && taught.path == "" {
			continue // it is fielded then
		}
		rival, err := w.rival(ctx, st.Snapshot, ranker)
		if err != nil {
			return err
		}
		st.Rivals = append(st.Rivals, rival)
	}
	st.Queries = w.queries
	if !in.OnDemand {
		st.Budget = st.Snapshot.Budget(true)
	}
	var unknown []model.Diagnostic // tools of the configuration's lists; an empty registry is usually not the one that they were written for
	if r := st.Snapshot.Registry; len(r.Tools) > 0 {
		known := func(name string) bool { return len(r.Lookup(name)) > 0 }
		unknown = st.Config.UnknownTools(known, sync.OnceValue(func() []string { return meantNames(r) }))
	}
	st.Warnings = slices.Concat(registry.Warnings, st.Config.Warnings, st.Snapshot.Warnings(configName(in.Config)), unknown, w.queryFaults, taught.faults, overrideFaults)
	return nil
}

// withoutMessage returns the snapshot of inputs without a message, with edits applied. It returns
// the previous one when neither the inputs nor the edits have changed.
func (w *Workbench) withoutMessage(ctx context.Context, in engine.Inputs, edits []Edit) (*engine.Snapshot, error) {
	s, err := w.Builder.Build(ctx, in)
	if err != nil || len(edits) == 0 {
		return s, err
	}
	if last := w.edited; last.of == s && slices.Equal(last.edits, edits) {
		return last.snapshot, nil
	}
	var changes []whatif.Edit
	for _, e := range edits {
		for _, t := range in.Registry.Lookup(e.Tool) {
			if t.Qualified == e.Tool && t.Description != e.Description {
				changes = append(changes, whatif.Edit{Tool: t, Description: &e.Description})
			}
		}
	}
	w.edited = edited{s, slices.Clone(edits), s}
	if len(changes) > 0 {
		if w.edited.snapshot, err = whatif.Apply(ctx, w.Builder, s, changes...); err != nil {
			w.edited = edited{}
			return nil, err
		}
	}
	return w.edited.snapshot, nil
}

// rival returns a snapshot that sends the same tools and uses another ranker.
func (w *Workbench) rival(ctx context.Context, s *engine.Snapshot, ranker string) (*engine.Snapshot, error) {
	in := s.Inputs()
	in.Registry, in.Config = s.Registry, engine.Under(in.Config, ranker)
	in.Select = func(context.Context, *engine.Snapshot, string) ([]*model.Tool, error) { return s.Assembly().Tools, nil }
	return w.Builder.Build(ctx, in)
}

// meantNames returns the names that are compared to suggest a similar one: of 10,000 tools
// at most, because every load compares them.
func meantNames(r *model.Registry) []string {
	var names []string
	for _, t := range r.Tools[:min(len(r.Tools), 10_000)] {
		names = append(names, safetext.Line(t.Name))
	}
	return names
}

// Audit audits every session of a state, once for its snapshot. It may run while the workbench loads
// the next state. What it returns must not be changed.
func (w *Workbench) Audit(ctx context.Context, st State, how engine.Auditing) (engine.Audit, error) {
	in := st.Snapshot.Inputs()
	in.Session = ""
	return engine.Remember(st.Snapshot.Unasked(), "Audit", func() (engine.Audit, error) { return w.Builder.Audit(ctx, in, how) })
}

// effective returns the configuration with flags and knobs applied, and sets
// ranking and tokenizer from the knobs.
func (w *Workbench) effective(flags Flags, knobs []Knob, ranking *retrieval.Params, tokenizer *tokens.Method) (config.File, error) {
	c := w.config
	if w.registry != nil {
		c.DefaultCore(w.registry.Core)
	}
	var given []Knob
	if flags.Context != nil {
		given = append(given, Knob{config.KeyContext, *flags.Context})
	}
	// The generation comes first, for other settings have its defaults.
	for _, f := range [][2]string{{config.KeyGeneration, flags.Generation}, {config.KeyHost, flags.Host}, {config.KeyRanker, flags.Ranker}} {
		if f[1] != "" {
			given = append(given, Knob{f[0], f[1]})
		}
	}
	for _, k := range append(given, knobs...) {
		value, isFloat := k.Value.(float64)
		method, isText := k.Value.(string)
		switch {
		case k.Key == KnobTokenizer && isText:
			known, err := tokens.ParseMethod(method)
			if err != nil {
				return c, err
			}
			*tokenizer = known
		case k.Key == KnobK1 && isFloat:
			ranking.K1 = value
		case k.Key == KnobB && isFloat:
			ranking.B = value
		default:
			if err := c.Override(k.Key, k.Value); err != nil {
				return c, err
			}
		}
	}
	if flags.Ranker != "" && flags.Host == "" {
		c.Host = "" // a ranker is of the reference agent
	}
	return c, nil
}

// SameQueries reports whether two lists of labelled queries come from the same
// read: they are then the same slice.
func SameQueries(a, b []labels.Query) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// InSession returns the snapshot of a state for another session of its configuration,
// with the same message. The error is ctx's, or an *engine.UnknownSessionError. It may
// run while the workbench loads the next state.
func (w *Workbench) InSession(ctx context.Context, st State, session string) (*engine.Snapshot, error) {
	in := st.Snapshot.Inputs()
	in.Registry, in.Session, in.Began = st.Snapshot.Registry, session, nil
	return w.Builder.Build(ctx, in)
}

// Package workbench turns the bytes of a registry and a configuration into
// the snapshot that the explorer draws and the commands print. Both faces of
// the program load through it, so that they cannot disagree.
//
// Goals: bad input never loses the last good state, and a part that has not
// changed is not parsed again. Non-goals: reading files, watching them, and
// anything a terminal sees.
package workbench

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"sync"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/embed"
	"caliper/engine/retrieval"
	"caliper/engine/selection"
	"caliper/engine/tokens"
	"caliper/model"
)

// File is one input file as it was read: its bytes, or why there are none.
type File struct {
	Name string // as the user gave it
	Data []byte
	Err  error // reading it went wrong; Data is then nil

	// Toolset is that of the tools that the file places in none: for a file of
	// a folder its base name.
	Toolset string
}

// Input is the files of one load. A nil Config means that none was given: the
// defaults hold.
type Input struct {
	Registry []File
	Config   *File
	Queries  *File // labelled queries; nil, and a file that is not there, hold none
	Flags    Flags
	Rivals   []string // rankers, of config.Rankers, to compare with the active one

	// Similarity returns the semantic leg of a selection for Flags.Message, or
	// why there is none. Nil: only the embedder that is built in is used.
	Similarity func(ctx context.Context, c config.PreSelection, tools []*model.Tool) (embed.Similarity, error)

	// Progress is told each phase as it begins, by the goroutine that loads;
	// it may be nil.
	Progress func(Phase)
}

// Flags are the settings that a command line or a key changes on top of the
// configuration file.
type Flags struct {
	Session   string
	Context   *int
	Ranker    string // one of config.Rankers; empty: the configuration's
	Tokenizer tokens.Method
	Strict    bool   // arguments that do not fit a tool's parameters are refused
	Knobs     []Knob // what is tried on top of all that
	Edits     []Edit // and this, in the registry

	// Message is the user's message that the assembly is for; empty: one that
	// selects nothing. History is what the turns before it selected.
	Message string
	History []string

	// WithoutGates names scope gates that are left out of the dry run, to see
	// what they stop; see engine.Inputs.
	WithoutGates []string
}

// Edit is a description that is tried in place of a tool's own, in memory
// only.
type Edit struct {
	Tool        string // qualified name; a tool that the registry does not have is passed over
	Description string
}

// Knob is one setting that is tried without being written: a key of the
// configuration, or one of KnobK1, KnobB and KnobTokenizer.
type Knob struct {
	Key   string
	Value any // as config.File.Override takes it; a float64 for the ranking, a string for the tokenizer
}

// KeyRanker is the setting that names the ranker.
const KeyRanker = "tools.tool_search.ranker"

// The knobs that no configuration file has: those of the ranking, and the
// method that counts tokens, which goes before Flags.Tokenizer.
const (
	KnobK1        = "bm25.k1"
	KnobB         = "bm25.b"
	KnobTokenizer = "tokenizer"
)

// Written reports whether a configuration file can hold the knob.
func (k Knob) Written() bool {
	return k.Key != KnobK1 && k.Key != KnobB && k.Key != KnobTokenizer
}

// State is the outcome of a load. It is immutable.
type State struct {
	Snapshot *engine.Snapshot
	Config   config.File
	Budget   engine.Budget

	// Unasked is the same session with no message. It is the same snapshot as
	// long as nothing but the message changes, and Snapshot itself where there
	// is none.
	Unasked *engine.Snapshot
	// Selection is what the message selects; nil where it selects nothing.
	Selection *selection.Selection

	// Queries are the labelled queries, in the order of their file.
	Queries []engine.Query
	// Rivals are the same session under the rankers that were asked for, in
	// their order.
	Rivals []*engine.Snapshot
	// UnaskedRivals are the same with no message.
	UnaskedRivals []*engine.Snapshot

	// Baseline is the state without knobs and edits, as the files have it; nil
	// while there are none.
	Baseline *State

	// Errors are what is wrong with the inputs, each with its position. While
	// there are any, the snapshot shows the last good state of those inputs.
	Errors []model.Diagnostic
	// Warnings are those of the registry, of the configuration, of the two
	// together, and of the labelled queries, in this order.
	Warnings []model.Diagnostic
}

// OnDisk returns the state without knobs and edits, which is the state itself
// while there are none.
func (s *State) OnDisk() *State {
	if s.Baseline != nil {
		return s.Baseline
	}
	return s
}

// Workbench loads states one after another. It remembers the last good inputs
// and what can be reused. It is not safe for concurrent use; the states it
// returns are.
type Workbench struct {
	// Lookup returns an environment variable, for the values of a
	// configuration that name one; nil: none are expanded.
	Lookup func(name string) (value string, ok bool)

	builder *engine.Builder

	registry     *model.Registry
	registryFrom []File
	servers      []string // that the registry was parsed with
	config       config.File
	configFrom   *File
	configGood   bool
	configReads  int // how often config was read anew
	queries      []engine.Query
	queryFaults  []model.Diagnostic
	queriesFrom  *File

	unasked map[bool]unasked // with knobs and edits, and without
}

// unasked is a snapshot for no message, and what it was made from.
type unasked struct {
	registry *model.Registry
	config   int // of configReads
	flags    Flags
	snapshot *engine.Snapshot
}

// New returns a Workbench that has loaded nothing.
func New() *Workbench {
	return &Workbench{builder: engine.NewBuilder(), config: config.File{Config: config.Default()}, unasked: map[bool]unasked{}}
}

// Load makes the state of an input. Broken input is not an error of Load: it
// is reported in State.Errors. The error is the context's, that of a flag whose
// value cannot be set, or an *engine.UnknownSessionError when a session was
// asked for that the configuration does not have.
func (w *Workbench) Load(ctx context.Context, in Input) (State, error) {
	var st State
	configErr := w.loadConfig(in.Config)
	registryErr := w.loadRegistry(ctx, &in)
	if err := ctx.Err(); err != nil {
		return State{}, err
	}
	if registryErr != nil {
		st.Errors = append(st.Errors, *registryErr)
	}
	if configErr != nil {
		st.Errors = append(st.Errors, *configErr)
	}
	if queriesErr := w.loadQueries(in.Queries); queriesErr != nil {
		st.Errors = append(st.Errors, *queriesErr)
	}
	if err := w.build(ctx, in, in.Flags.Knobs, in.Flags.Edits, &st); err != nil {
		return State{}, err
	}
	if len(in.Flags.Knobs) > 0 || len(in.Flags.Edits) > 0 {
		st.Baseline = &State{Errors: st.Errors}
		if err := w.build(ctx, in, nil, nil, st.Baseline); err != nil {
			return State{}, err
		}
	}
	return st, nil
}

// build fills in what a state holds besides errors, with some knobs set and
// some descriptions edited.
func (w *Workbench) build(ctx context.Context, in Input, knobs []Knob, edits []Edit, st *State) error {
	ranking, tokenizer := retrieval.Reference, in.Flags.Tokenizer
	var err error
	if st.Config, err = w.effective(in.Flags, knobs, &ranking, &tokenizer); err != nil {
		return err
	}
	registry := w.registry
	if registry == nil {
		registry, _ = model.Parse(ctx)
	}
	inputs := engine.Inputs{
		Registry: registry, Config: st.Config.Config, Session: in.Flags.Session, Tokenizer: tokenizer, Ranking: &ranking, Strict: in.Flags.Strict,
		WithoutGates: in.Flags.WithoutGates, Began: in.began,
	}
	if st.Unasked, err = w.withoutMessage(ctx, inputs, in.Flags, knobs, edits); err != nil {
		return err
	}
	st.Snapshot = st.Unasked
	if in.Flags.Message != "" {
		in.enter(PhaseSelecting)
		chooser := w.chooser(in, func(x selection.Selection) { st.Selection = &x })
		if st.Snapshot, err = w.builder.Answer(ctx, st.Unasked, in.Flags.Message, chooser.Select); err != nil {
			return err
		}
	}
	for _, ranker := range in.Rivals {
		rival, err := w.builder.Build(ctx, w.rival(st.Snapshot, ranker))
		if err != nil {
			return err
		}
		st.Rivals = append(st.Rivals, rival)
		if st.Snapshot != st.Unasked {
			if rival, err = w.builder.Build(ctx, w.rival(st.Unasked, ranker)); err != nil {
				return err
			}
		}
		st.UnaskedRivals = append(st.UnaskedRivals, rival)
	}
	st.Queries = w.queries
	st.Budget = st.Snapshot.Budget(true)
	st.Warnings = slices.Concat(registry.Warnings, st.Config.Warnings, st.Snapshot.Warnings(configName(in.Config)), unknownTools(&st.Config, st.Snapshot.Registry), w.queryFaults)
	return nil
}

// withoutMessage returns the snapshot of inputs for no message, the one of last
// time if nothing that it depends on has changed.
func (w *Workbench) withoutMessage(ctx context.Context, in engine.Inputs, flags Flags, knobs []Knob, edits []Edit) (*engine.Snapshot, error) {
	flags.Message, flags.History, flags.Knobs, flags.Edits = "", nil, knobs, edits
	tried := len(knobs) > 0 || len(edits) > 0
	last := w.unasked[tried]
	if last.snapshot != nil && last.registry == in.Registry && last.config == w.configReads && reflect.DeepEqual(last.flags, flags) {
		return last.snapshot, nil
	}
	s, err := w.builder.Build(ctx, in)
	if err != nil {
		return nil, err
	}
	if changes := editsOf(in.Registry, edits); len(changes) > 0 {
		if s, err = w.builder.Edit(ctx, s, changes...); err != nil {
			return nil, err
		}
	}
	w.unasked[tried] = unasked{in.Registry, w.configReads, flags, s}
	return s, nil
}

// chooser returns what selects for the message of an input; made is told the
// selection of the session that is loaded.
func (w *Workbench) chooser(in Input, made func(selection.Selection)) *selection.Chooser {
	open := in.Similarity
	if open == nil {
		open = builtInOnly
	}
	return &selection.Chooser{
		History: in.Flags.History,
		Similarity: func(ctx context.Context, s *engine.Snapshot, tools []*model.Tool) (embed.Similarity, error) {
			return open(ctx, s.Config.PreSelection, tools)
		},
		Made: func(s *engine.Snapshot, x selection.Selection) {
			if made != nil {
				made(x)
			}
		},
	}
}

// builtInOnly opens the embedder that is built in, and no other.
func builtInOnly(ctx context.Context, c config.PreSelection, tools []*model.Tool) (embed.Similarity, error) {
	if c.EmbedModel != config.EmbedFuzzy {
		return nil, errors.New("no model is loaded")
	}
	return OpenSimilarity(ctx, c, tools, Embedding{}, nil)
}

// rival returns the inputs of a snapshot that is sent the same tools and ranks
// by another ranker.
func (w *Workbench) rival(s *engine.Snapshot, ranker string) engine.Inputs {
	in := s.Inputs()
	in.Registry, in.Config.ToolSearch.Ranker = s.Registry, ranker
	in.Select = func(context.Context, *engine.Snapshot, string) ([]*model.Tool, error) { return s.Assembly().Tools, nil }
	return in
}

// unknownTools returns warnings about the names in a configuration's lists of
// tools that no tool of the registry bears. A registry without tools is not
// what they were written for.
func unknownTools(c *config.File, r *model.Registry) []model.Diagnostic {
	if len(r.Tools) == 0 {
		return nil
	}
	known := func(name string) bool { return len(r.Lookup(name)) > 0 }
	return c.UnknownTools(known, sync.OnceValue(func() []string {
		var names []string
		for _, t := range r.Tools[:min(len(r.Tools), mostMeant)] {
			names = append(names, model.Sanitize(t.Name))
		}
		return names
	}))
}

// mostMeant bounds among how many tools one is sought whose name may have been
// meant, since every one is compared at each load.
const mostMeant = 10000

// Audit audits every session of a loaded state. It may run while the
// workbench loads the next one.
func (w *Workbench) Audit(ctx context.Context, st State, progress func(done, total int)) (engine.Audit, error) {
	in := st.Snapshot.Inputs()
	in.Session = ""
	return w.builder.Audit(ctx, in, progress)
}

// effective returns the configuration with flags and knobs on top, and sets
// the knobs of the ranking and the tokenizer.
func (w *Workbench) effective(flags Flags, knobs []Knob, ranking *retrieval.Params, tokenizer *tokens.Method) (config.File, error) {
	c := w.config
	if flags.Context != nil {
		if err := c.Override("model.context_length", *flags.Context); err != nil {
			return c, err
		}
	}
	if flags.Ranker != "" {
		if err := c.Override(KeyRanker, flags.Ranker); err != nil {
			return c, err
		}
	}
	for _, k := range knobs {
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
	return c, nil
}

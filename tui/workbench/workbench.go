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
	"slices"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/retrieval"
	"caliper/engine/tokens"
	"caliper/model"
)

// File is one input file as it was read: its bytes, or why there are none.
type File struct {
	Name string // as the user gave it
	Data []byte
	Err  error // reading it went wrong; Data is then nil
}

// Input is the files of one load. A nil Config means that none was given: the
// defaults hold.
type Input struct {
	Registry []File
	Config   *File
	Flags    Flags
}

// Flags are the settings that a command line or a key changes on top of the
// configuration file.
type Flags struct {
	Session   string
	Context   *int
	Tokenizer tokens.Method
	Knobs     []Knob // what is tried on top of all that
}

// Knob is one setting that is tried without being written: a key of the
// configuration, or one of KnobK1, KnobB and KnobTokenizer.
type Knob struct {
	Key   string
	Value any // as config.File.Override takes it; a float64 for the ranking, a string for the tokenizer
}

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

	// Baseline is the state without the knobs, as the files have it; nil while
	// no knob is set.
	Baseline *State

	// Errors are what is wrong with the inputs, each with its position. While
	// there are any, the snapshot shows the last good state of those inputs.
	Errors []model.Diagnostic
	// Warnings are those of the registry, of the configuration, and of the
	// two together, in this order.
	Warnings []model.Diagnostic
}

// OnDisk returns the state without the knobs, which is the state itself while
// none is set.
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
	builder *engine.Builder

	registry     *model.Registry
	registryFrom []File
	config       config.File
	configFrom   *File
	configGood   bool
}

// New returns a Workbench that has loaded nothing.
func New() *Workbench {
	return &Workbench{builder: engine.NewBuilder(), config: config.File{Config: config.Default()}}
}

// Load makes the state of an input. Broken input is not an error of Load: it
// is reported in State.Errors. The error is the context's, that of a flag whose
// value cannot be set, or an *engine.UnknownSessionError when a session was
// asked for that the configuration does not have.
func (w *Workbench) Load(ctx context.Context, in Input) (State, error) {
	var st State
	registryErr := w.loadRegistry(ctx, in.Registry)
	if err := ctx.Err(); err != nil {
		return State{}, err
	}
	if registryErr != nil {
		st.Errors = append(st.Errors, *registryErr)
	}
	if configErr := w.loadConfig(in.Config); configErr != nil {
		st.Errors = append(st.Errors, *configErr)
	}
	if err := w.build(ctx, in, in.Flags.Knobs, &st); err != nil {
		return State{}, err
	}
	if len(in.Flags.Knobs) > 0 {
		st.Baseline = &State{Errors: st.Errors}
		if err := w.build(ctx, in, nil, st.Baseline); err != nil {
			return State{}, err
		}
	}
	return st, nil
}

// build fills in what a state holds besides errors, with some knobs set.
func (w *Workbench) build(ctx context.Context, in Input, knobs []Knob, st *State) error {
	ranking, tokenizer := retrieval.Reference, in.Flags.Tokenizer
	var err error
	if st.Config, err = w.effective(in.Flags, knobs, &ranking, &tokenizer); err != nil {
		return err
	}
	registry := w.registry
	if registry == nil {
		registry, _ = model.Parse(ctx)
	}
	st.Snapshot, err = w.builder.Build(ctx, engine.Inputs{
		Registry: registry, Config: st.Config.Config, Session: in.Flags.Session, Tokenizer: tokenizer, Ranking: &ranking,
	})
	if err != nil {
		return err
	}
	st.Budget = st.Snapshot.Budget(true)
	st.Warnings = slices.Concat(registry.Warnings, st.Config.Warnings, st.Snapshot.Warnings(configName(in.Config)))
	return nil
}

// Audit audits every session of a loaded state. It may run while the
// workbench loads the next one.
func (w *Workbench) Audit(ctx context.Context, st State, progress func(done, total int)) (engine.Audit, error) {
	s := st.Snapshot
	return w.builder.Audit(ctx, engine.Inputs{Registry: s.Registry, Config: s.Config, Tokenizer: s.Tokenizer, Ranking: &s.Ranking}, progress)
}

// loadRegistry parses the registry unless its files are those of last time,
// and keeps the last good one when they are broken.
func (w *Workbench) loadRegistry(ctx context.Context, files []File) *model.Diagnostic {
	if w.registry != nil && slices.EqualFunc(files, w.registryFrom, sameFile) {
		return nil
	}
	sources := make([]model.Source, len(files))
	for i, f := range files {
		if f.Err != nil {
			return unreadable(f)
		}
		sources[i] = model.Source{Name: f.Name, Data: f.Data}
	}
	last := w.registry
	if last == nil {
		last = new(model.Registry)
	}
	registry, err := last.Reparse(ctx, sources...)
	if err != nil {
		return diagnostic(err, "")
	}
	w.registry, w.registryFrom = registry, slices.Clone(files)
	return nil
}

// loadConfig parses the configuration unless its file is that of last time.
// A broken one leaves the last good configuration, at first the defaults.
func (w *Workbench) loadConfig(f *File) *model.Diagnostic {
	if f == nil {
		if w.configFrom != nil || !w.configGood {
			w.config, _ = config.Parse("", nil)
			w.configFrom, w.configGood = nil, true
		}
		return nil
	}
	if w.configFrom != nil && sameFile(*f, *w.configFrom) {
		return nil
	}
	if f.Err != nil {
		return unreadable(*f)
	}
	parsed, err := config.Parse(f.Name, f.Data)
	if err == nil {
		w.config, w.configFrom, w.configGood = parsed, &File{Name: f.Name, Data: f.Data}, true
		return nil
	}
	if !w.configGood {
		w.config = parsed
	}
	return diagnostic(err, f.Name)
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

// sameFile reports whether two reads are of the same bytes. Watchers hand out
// the same slice while a file is unchanged, so that comparing is cheap.
func sameFile(a, b File) bool {
	return a.Name == b.Name && a.Err == nil && b.Err == nil && len(a.Data) == len(b.Data) &&
		(len(a.Data) == 0 || &a.Data[0] == &b.Data[0])
}

// unreadable says that a file could not be read.
func unreadable(f File) *model.Diagnostic {
	return &model.Diagnostic{File: model.Sanitize(f.Name), Code: "unreadable", Message: model.Sanitize(cause(f.Err).Error())}
}

// cause returns the innermost error, which does not repeat the path.
func cause(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}

// diagnostic returns a parser's error as a diagnostic of a file.
func diagnostic(err error, file string) *model.Diagnostic {
	var d model.Diagnostic
	if errors.As(err, &d) {
		return &d
	}
	return &model.Diagnostic{File: model.Sanitize(file), Code: "invalid", Message: model.Sanitize(err.Error())}
}

// configName returns the name of the configuration file, empty without one.
func configName(f *File) string {
	if f == nil {
		return ""
	}
	return f.Name
}

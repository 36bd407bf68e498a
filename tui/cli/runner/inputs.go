package runner

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/embed"
	"caliper/engine/hosts"
	"caliper/engine/labels"
	"caliper/engine/live"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/demo"
	"caliper/tui/workbench"
	"caliper/watch"

	"github.com/spf13/cobra"
)

// OwnData reports whether the user has named any data, so that the demo is
// not shown.
func (f *Flags) OwnData() bool { return len(f.Registry) > 0 || f.Config != "" }

// DemoNotice is written when the demo is used and nobody asked for it.
const DemoNotice = "caliper: this is the demo; --registry and --config name your own data"

// NeedsData tells what such a command needs.
const NeedsData = "needs --registry or --config, or --demo for the data that comes with caliper"

// Refuse returns an error when a command would be run on the demo although nobody
// asked for that, when it is asked for beside other data, and when two generations are
// named where one is wanted.
func (r *Run) Refuse(cmd *cobra.Command) error {
	switch {
	case r.Flags.Generations != nil && cmd.Name() != "compare":
		return Usagef("--generation: want %s; two are for compare", words.Or(config.Generations))
	case r.Flags.Calibrated != "" && cmd.Name() != "replay" && cmd.HasParent():
		return Usagef("--tokenizer %s is for the command replay, which fits it, and for the explorer", r.Flags.Calibrated)
	case r.Flags.Demo && r.Flags.OwnData():
		return Usagef("--demo excludes --registry and --config")
	case cmd.Annotations[readsAnnotation] == string(OwnData) && !r.Flags.Demo && !r.Flags.OwnData():
		return Usagef("%s", NeedsData)
	}
	return nil
}

// Load reads what the flags name and makes a state of it. Broken input is in
// the state; the error is a folder without files, an unknown session, or the
// context's.
func (r *Run) Load(ctx context.Context) (workbench.State, error) {
	in, err := r.Input()
	if err != nil {
		return workbench.State{}, err
	}
	return r.LoadInput(ctx, in)
}

// LoadGood is load for the commands that need good input: a broken file is
// the error. It writes a line when a file has warnings that change the answer.
func (r *Run) LoadGood(ctx context.Context) (workbench.State, error) {
	st, err := r.Good(r.Load(ctx))
	if err == nil {
		r.HintAtWarnings(st)
	}
	return st, err
}

// Good returns a state whose inputs are not broken, or the broken ones.
func (r *Run) Good(st workbench.State, err error) (workbench.State, error) {
	switch {
	case err == nil && len(st.Broken()) > 0:
		err = InputErrors(st.Errors)
	case err == nil:
		r.LeaveOut(st)
	}
	return st, err
}

// LeaveOut writes the faults of the files of folders that are left out, once for
// each, so that the command ends with exit code 1 at best.
func (r *Run) LeaveOut(st workbench.State) {
	for _, d := range st.LeftOut {
		if !slices.Contains(r.leftOut, d) {
			r.Complain(d.Error())
			r.leftOut = append(r.leftOut, d)
		}
	}
}

// HintAtWarnings writes, without --json, that the config file has warnings, because a
// typo should be seen. That no model is named is left to check and budget. With --json,
// too, it writes the faults of labels that are learned from, and of descriptions in
// --overrides: they change the figures.
//
// For a host that is not the reference agent it also names the parts that are not simulated.
func (r *Run) HintAtWarnings(st workbench.State) {
	if h := st.Snapshot.Host(); h.Generation == "" {
		r.Complain("caliper: what is deferred, ranks and limit as " + h.Called() + ", measured on " + h.Package + "; gates, answers and the tokens of the bridge as " + hosts.OfGeneration(st.Snapshot.Config.ToolSearch.Generation).Called())
	}
	n := 0
	var overriding []model.Diagnostic
	for _, w := range st.Warnings {
		if st.Learn != "" && w.File == safetext.Line(st.Learn) {
			r.Complain(WarningLine(w))
		}
		if r.Flags.Bench.Overrides != "" && w.File == safetext.Line(r.Flags.Bench.Overrides) {
			overriding = append(overriding, w)
		}
		if w.File == safetext.Line(r.Flags.Config) && w.Code != config.CodeContextUnknown {
			n++
		}
	}
	switch len(overriding) {
	case 0:
	case 1:
		r.Complain(WarningLine(overriding[0]))
	default:
		r.Complain(r.Flags.Bench.Overrides + ": " + words.CountThousands(len(overriding), "warning") + ", the first: " + overriding[0].Error() + "; caliper check says which")
	}
	if n > 0 && r.Flags.Config != "" && !r.Flags.JSON {
		r.Complain(r.Flags.Config + ": " + words.CountThousands(n, "warning") + "; caliper check says which")
	}
}

// Input reads the files that the flags name, or the demo's from memory.
func (r *Run) Input() (workbench.Input, error) {
	in := workbench.Input{Flags: r.Flags.Bench, OnDemand: true, Similarity: func(ctx context.Context, c config.PreSelection, tools []*model.Tool) (embed.Similarity, error) {
		return r.SimilarityTo(ctx, r.Flags.Bench.Message, c, tools)
	}}
	if r.Logged != nil {
		in.Registry, in.Config = []watch.File{*r.Logged}, r.ConfigFile()
		return in, nil
	}
	if !r.Flags.OwnData() {
		in.Registry = []watch.File{{Name: demo.RegistryFile, Data: demo.Registry()}}
		in.Config = &watch.File{Name: demo.ConfigFile, Data: demo.Config()}
		r.DemoUnasked = !r.Flags.Demo
		return in, nil
	}
	for _, line := range workbench.SkippedYAML(r.Flags.Registry, r.Flags.Config) {
		r.Complain(line)
	}
	for _, path := range r.Flags.Registry {
		files, err := workbench.ReadRegistry(path)
		if err != nil {
			return workbench.Input{}, AsInputError(err)
		}
		in.Registry = append(in.Registry, files...)
	}
	for _, line := range workbench.InnerUnread(r.Flags.Registry) {
		r.Complain(line)
	}
	in.Config = r.ConfigFile()
	return in, nil
}

// ConfigFile reads the config file. It returns nil if no file is named.
func (r *Run) ConfigFile() *watch.File {
	if r.Flags.Config == "" {
		return nil
	}
	f := watch.Read(r.Flags.Config)
	return &f
}

// SimilarityTo opens the semantic ranking for a message. An embedder that does
// not answer the message in time is not asked for the tools; a line is written
// that keywords decide.
func (r *Run) SimilarityTo(ctx context.Context, message string, c config.PreSelection, tools []*model.Tool) (embed.Similarity, error) {
	e := r.Embedding()
	e.Message = message
	e.Asked = func(w *embed.Waking) { r.embedder = w }
	s, err := workbench.OpenSimilarity(ctx, c, tools, e, r.Counts("tools embedded"))
	if err != nil && ctx.Err() == nil {
		r.Complain("caliper: " + err.Error() + "; going on by keywords")
	}
	return s, err
}

// QueriesOf reads labelled queries. On the demo, the name of the demo's own file means
// that file where there is no other of this name, so that what help and tour print
// can be typed in any folder.
func (r *Run) QueriesOf(name string) ([]labels.Query, error) {
	if r.ofDemo(name) {
		r.Complain("caliper: there is no " + name + " here; these are the labelled queries of the demo")
		return ParseQueries(name, demo.Queries())
	}
	return ReadQueries(name)
}

// LabelledOrDemo returns the labelled queries of a file; without a name the demo's,
// as it is said on standard error, or of its folder, and nil on other data.
func (r *Run) LabelledOrDemo(name string) ([]labels.Query, error) {
	name = cmp.Or(name, r.Flags.Queries) // of a demo's folder
	switch {
	case name != "":
		return r.QueriesOf(name)
	case r.Flags.OwnData():
		return nil, nil
	}
	r.Complain("caliper: these are the labelled queries of the demo")
	return ParseQueries(demo.QueriesFile, demo.Queries())
}

// Labelled reads a file of labelled queries to learn from; the demo's as queriesOf
// does.
func (r *Run) Labelled(name string) ([]byte, error) {
	if r.ofDemo(name) {
		return demo.Queries(), nil
	}
	return os.ReadFile(name)
}

// ofDemo reports whether a name means the labelled queries of the demo.
func (r *Run) ofDemo(name string) bool {
	_, err := os.Stat(name)
	return errors.Is(err, fs.ErrNotExist) && name == demo.QueriesFile && !r.Flags.OwnData()
}

// ReadInput reads one file that a command needs.
func ReadInput(name string) ([]byte, error) {
	f := watch.Read(name)
	if f.Err != nil {
		return nil, FileError(name, f.Err)
	}
	return f.Data, nil
}

// LoadInput makes a state of an input, with every error there is.
func (r *Run) LoadInput(ctx context.Context, in workbench.Input) (workbench.State, error) {
	size := 0
	for _, f := range in.Registry {
		size += len(f.Data)
	}
	r.Doing("reading " + words.Size(size) + " of tool definitions")
	st, err := r.Bench.Load(ctx, in)
	if err == nil && st.Snapshot != nil {
		r.Doing("working on " + words.CountThousands(len(st.Snapshot.Registry.Tools), "tool"))
	}
	var unknown *engine.UnknownSessionError
	if errors.As(err, &unknown) {
		// A broken config file has lost its sessions, so that what is broken
		// comes first.
		any := in
		any.Flags.Session = ""
		if other, anyErr := r.Bench.Load(ctx, any); anyErr == nil && len(other.Broken()) > 0 {
			st, err = other, nil
		}
	}
	if err != nil || len(st.Broken()) == 0 || len(in.Registry) < 2 {
		return st, err
	}
	// The workbench stops at the first registry file that is broken.
	var each []model.Diagnostic
	for _, f := range in.Registry {
		alone, err := workbench.New().Load(ctx, workbench.Input{Registry: []watch.File{f}, OnDemand: true})
		if err != nil {
			return workbench.State{}, err
		}
		each = append(each, alone.Errors...)
	}
	for _, d := range st.Errors {
		if !slices.Contains(each, d) {
			each = append(each, d)
		}
	}
	st.Errors = each
	return st, nil
}

// Innermost returns the error at the end of a chain, which does not repeat
// the path.
func Innermost(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// Embedding returns what embedders may use: with --no-cache or --no-state no
// folder to keep anything in.
func (r *Run) Embedding() workbench.Embedding {
	e := r.Env.Embedding
	if r.Flags.NoState || r.Flags.noCache {
		e.Cache = ""
	}
	return e
}

// ReadQueries reads labelled queries; with an empty name there are none.
func ReadQueries(name string) ([]labels.Query, error) {
	if name == "" {
		return nil, nil
	}
	data, err := ReadInput(name)
	if err != nil {
		return nil, err
	}
	return ParseQueries(name, data)
}

// ParseQueries reads labelled queries from the text of a file.
func ParseQueries(name string, data []byte) ([]labels.Query, error) {
	queries, faults := labels.Parse(name, data)
	switch {
	case len(faults) > 0:
		return nil, InputErrors(faults)
	case len(queries) == 0:
		return nil, InputError(name, "no labelled query in this file")
	}
	return queries, nil
}

// wakeWait is how long a command stays for a model that is being loaded.
const wakeWait = 30 * time.Second

// AwaitModel waits until the model that is being loaded is, so that the next command
// finds it: the server would give the load up when this one leaves. The answer of
// this one is written by then.
func (r *Run) AwaitModel(ctx context.Context) {
	if r.embedder == nil || r.embedder.Awake() == nil {
		return
	}
	if r.Env.StderrTerminal {
		r.Complain("caliper: waking " + safetext.Line(r.embedder.Identity().String()) + " for the next command; ctrl+c leaves it")
	}
	waiting, stop := context.WithTimeout(ctx, wakeWait)
	defer stop()
	select {
	case <-r.embedder.Awake():
	case <-waiting.Done():
	}
}

// Places returns where configurations of clients and agents are looked for. The
// variables are those by which their users move the homes of agents.
func (r *Run) Places() live.ClientPlaces {
	moved := func(name string) string {
		folder, _ := r.Env.Lookup(name)
		return folder
	}
	return live.ClientPlaces{Lookup: r.Env.Lookup, Home: r.Env.Home, Work: r.Env.Work, Config: r.Env.Settings,
		Claude: moved("CLAUDE_CONFIG_DIR"), Codex: moved("CODEX_HOME"), Copilot: moved("COPILOT_HOME"), Hermes: moved("HERMES_HOME"), Pi: moved("PI_CODING_AGENT_DIR")}
}

// FindTime is the longest that a start looks for configurations: a home folder on
// a file system that does not answer must not keep the demo back.
const FindTime = time.Second

// LoadRanked is LoadGood for each of the rankers, in their order, and for none with the
// config's. It also makes their indexes.
func (r *Run) LoadRanked(ctx context.Context, names []string) ([]workbench.State, error) {
	if len(names) == 0 {
		st, err := r.LoadGood(ctx)
		if err == nil {
			err = st.Snapshot.Prepare(ctx, engine.WorkIndexing)
		}
		return []workbench.State{st}, err
	}
	in, err := r.Input()
	if err != nil {
		return nil, err
	}
	states := make([]workbench.State, len(names))
	for i, name := range names {
		in.Flags.Ranker, in.Flags.Host = name, ""
		if hosts.Named(name) != nil {
			in.Flags.Ranker, in.Flags.Host = "", name
		}
		if states[i], err = r.Good(r.LoadInput(ctx, in)); err != nil {
			return nil, err
		}
		if err = states[i].Snapshot.Prepare(ctx, engine.WorkIndexing); err != nil {
			return nil, err
		}
	}
	r.HintAtWarnings(states[0])
	return states, nil
}

// RankerNames returns the rankers, and the hosts that rank as no ranker does.
func RankerNames() []string { return append(slices.Clone(config.Rankers), hosts.Foreign()...) }

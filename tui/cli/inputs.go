package cli

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/embed"
	"caliper/engine/hosts"
	"caliper/engine/labels"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/demo"
	"caliper/tui/workbench"
	"caliper/watch"

	"github.com/spf13/cobra"
)

// ownData reports whether the user has named any data, so that the demo is
// not shown.
func (f *flags) ownData() bool { return len(f.registry) > 0 || f.config != "" }

// demoNotice is written when the demo is used and nobody asked for it.
const demoNotice = "caliper: this is the demo; --registry and --config name your own data"

// needsData tells what such a command needs.
const needsData = "needs --registry or --config, or --demo for the data that comes with caliper"

// refuse returns an error when a command would be run on the demo although nobody
// asked for that, when it is asked for beside other data, and when two generations are
// named where one is wanted.
func (r *run) refuse(cmd *cobra.Command) error {
	switch {
	case r.flags.generations != nil && cmd.Name() != "compare":
		return usagef("--generation: want %s; two are for compare", words.Or(config.Generations))
	case r.flags.calibrated != "" && cmd.Name() != "replay" && cmd.HasParent():
		return usagef("--tokenizer %s is for the command replay, which fits it, and for the explorer", r.flags.calibrated)
	case r.flags.demo && r.flags.ownData():
		return usagef("--demo excludes --registry and --config")
	case readsOf(cmd) == ownData && !r.flags.demo && !r.flags.ownData():
		return usagef("%s", needsData)
	}
	return nil
}

// load reads what the flags name and makes a state of it. Broken input is in
// the state; the error is a folder without files, an unknown session, or the
// context's.
func (r *run) load(ctx context.Context) (workbench.State, error) {
	in, err := r.input()
	if err != nil {
		return workbench.State{}, err
	}
	return r.loadInput(ctx, in)
}

// loadGood is load for the commands that need good input: a broken file is
// the error. It writes a line when a file has warnings that change what is answered.
func (r *run) loadGood(ctx context.Context) (workbench.State, error) {
	st, err := r.good(r.load(ctx))
	if err == nil {
		r.hintAtWarnings(st)
	}
	return st, err
}

// good returns a state whose inputs are not broken, or the broken ones.
func (r *run) good(st workbench.State, err error) (workbench.State, error) {
	switch {
	case err == nil && len(st.Broken()) > 0:
		err = inputErrors(st.Errors)
	case err == nil:
		r.leaveOut(st)
	}
	return st, err
}

// leaveOut writes the faults of the files of folders that are left out, once for
// each, so that the command ends with exit code 1 at best.
func (r *run) leaveOut(st workbench.State) {
	for _, d := range st.LeftOut {
		if !slices.Contains(r.leftOut, d) {
			r.complain(d.Error())
			r.leftOut = append(r.leftOut, d)
		}
	}
}

// hintAtWarnings writes, without --json, that the config file has warnings, because a
// typo should be seen. That no model is named is left to check and budget. With --json,
// too, it writes the faults of labels that are learned from, and of descriptions in
// --overrides: they change the figures.
//
// It also says what is not simulated of a host that is not the reference agent.
func (r *run) hintAtWarnings(st workbench.State) {
	if h := st.Snapshot.Host(); h.Generation == "" {
		r.complain("caliper: what is deferred, ranks and limit as " + h.Called() + ", measured on " + h.Package + "; gates, answers and the tokens of the bridge as " + hosts.OfGeneration(st.Snapshot.Config.ToolSearch.Generation).Called())
	}
	n := 0
	var overriding []model.Diagnostic
	for _, w := range st.Warnings {
		if st.Learn != "" && w.File == safetext.Line(st.Learn) {
			r.complain(warningLine(w))
		}
		if r.flags.bench.Overrides != "" && w.File == safetext.Line(r.flags.bench.Overrides) {
			overriding = append(overriding, w)
		}
		if w.File == safetext.Line(r.flags.config) && w.Code != config.CodeContextUnknown {
			n++
		}
	}
	switch len(overriding) {
	case 0:
	case 1:
		r.complain(warningLine(overriding[0]))
	default:
		r.complain(r.flags.bench.Overrides + ": " + words.CountThousands(len(overriding), "warning") + ", the first: " + overriding[0].Error() + "; caliper check says which")
	}
	if n > 0 && r.flags.config != "" && !r.flags.json {
		r.complain(r.flags.config + ": " + words.CountThousands(n, "warning") + "; caliper check says which")
	}
}

// input reads the files that the flags name, or the demo's from memory.
func (r *run) input() (workbench.Input, error) {
	in := workbench.Input{Flags: r.flags.bench, Similarity: r.similarity, OnDemand: true}
	if r.logged != nil {
		in.Registry, in.Config = []watch.File{*r.logged}, r.configFile()
		return in, nil
	}
	if !r.flags.ownData() {
		in.Registry = []watch.File{{Name: demo.RegistryFile, Data: demo.Registry()}}
		in.Config = &watch.File{Name: demo.ConfigFile, Data: demo.Config()}
		r.demoUnasked = !r.flags.demo
		return in, nil
	}
	for _, line := range workbench.SkippedYAML(r.flags.registry, r.flags.config) {
		r.complain(line)
	}
	for _, path := range r.flags.registry {
		files, err := workbench.ReadRegistry(path)
		if err != nil {
			return workbench.Input{}, asInputError(err)
		}
		in.Registry = append(in.Registry, files...)
	}
	for _, line := range workbench.InnerUnread(r.flags.registry) {
		r.complain(line)
	}
	in.Config = r.configFile()
	return in, nil
}

// configFile reads the config file. It returns nil if no file is named.
func (r *run) configFile() *watch.File {
	if r.flags.config == "" {
		return nil
	}
	f := watch.Read(r.flags.config)
	return &f
}

// similarity opens the semantic ranking for the message of --message.
func (r *run) similarity(ctx context.Context, c config.PreSelection, tools []*model.Tool) (embed.Similarity, error) {
	return r.similarityTo(ctx, r.flags.bench.Message, c, tools)
}

// similarityTo opens the semantic ranking for a message. An embedder that does
// not answer the message in time is not asked for the tools; a line is written
// that keywords decide.
func (r *run) similarityTo(ctx context.Context, message string, c config.PreSelection, tools []*model.Tool) (embed.Similarity, error) {
	e := r.embedding()
	e.Message = message
	e.Asked = func(w *embed.Waking) { r.embedder = w }
	s, err := workbench.OpenSimilarity(ctx, c, tools, e, r.counts("tools embedded"))
	if err != nil && ctx.Err() == nil {
		r.complain("caliper: " + err.Error() + "; going on by keywords")
	}
	return s, err
}

// queriesOf reads labelled queries. On the demo, the name of the demo's own file means
// that file where there is no other of this name, so that what help and tour print
// can be typed in any folder.
func (r *run) queriesOf(name string) ([]labels.Query, error) {
	if r.ofDemo(name) {
		r.complain("caliper: there is no " + name + " here; these are the labelled queries of the demo")
		return parseQueries(name, demo.Queries())
	}
	return readQueries(name)
}

// labelledOrDemo returns the labelled queries of a file; without a name the demo's,
// as it is said on standard error, or of its folder, and nil on other data.
func (r *run) labelledOrDemo(name string) ([]labels.Query, error) {
	name = cmp.Or(name, r.flags.queries) // of a demo's folder
	switch {
	case name != "":
		return r.queriesOf(name)
	case r.flags.ownData():
		return nil, nil
	}
	r.complain("caliper: these are the labelled queries of the demo")
	return parseQueries(demo.QueriesFile, demo.Queries())
}

// labelled reads a file of labelled queries to learn from; the demo's as queriesOf
// does.
func (r *run) labelled(name string) ([]byte, error) {
	if r.ofDemo(name) {
		return demo.Queries(), nil
	}
	return os.ReadFile(name)
}

// ofDemo reports whether a name means the labelled queries of the demo.
func (r *run) ofDemo(name string) bool {
	_, err := os.Stat(name)
	return errors.Is(err, fs.ErrNotExist) && name == demo.QueriesFile && !r.flags.ownData()
}

// readInput reads one file that a command needs.
func readInput(name string) ([]byte, error) {
	f := watch.Read(name)
	if f.Err != nil {
		return nil, fileError(name, f.Err)
	}
	return f.Data, nil
}

// loadInput makes a state of an input, with every error there is.
func (r *run) loadInput(ctx context.Context, in workbench.Input) (workbench.State, error) {
	size := 0
	for _, f := range in.Registry {
		size += len(f.Data)
	}
	r.doing("reading " + words.Size(size) + " of tool definitions")
	st, err := r.bench.Load(ctx, in)
	if err == nil && st.Snapshot != nil {
		r.doing("working on " + words.CountThousands(len(st.Snapshot.Registry.Tools), "tool"))
	}
	var unknown *engine.UnknownSessionError
	if errors.As(err, &unknown) {
		// A broken config file has lost its sessions, so that what is broken
		// comes first.
		any := in
		any.Flags.Session = ""
		if st, anyErr := r.bench.Load(ctx, any); anyErr == nil && len(st.Broken()) > 0 {
			return r.withEveryError(ctx, in, st)
		}
	}
	if err != nil || len(st.Broken()) == 0 {
		return st, err
	}
	return r.withEveryError(ctx, in, st)
}

// withEveryError adds the errors of the registry files after the first that
// is broken, at which the workbench stops.
func (r *run) withEveryError(ctx context.Context, in workbench.Input, st workbench.State) (workbench.State, error) {
	if len(in.Registry) < 2 {
		return st, nil
	}
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

// innermost returns the error at the end of a chain, which does not repeat
// the path.
func innermost(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

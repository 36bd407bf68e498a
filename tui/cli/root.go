package cli

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"caliper/engine/transcript/logs"

	"caliper/engine"
	"caliper/tui"
	"caliper/tui/atomicfile"
	"caliper/tui/demo"
	"caliper/tui/workbench"
	"caliper/watch"

	"github.com/spf13/cobra"
)

// rows returns the commands by the names of their pages.
func (r *run) rows() map[string]row {
	return map[string]row{
		"import": r.importRow(), "search": r.searchRow(), "describe": r.describeRow(), "assembly": r.assemblyRow(), "budget": r.budgetRow(), "export": r.exportRow(),
		"call": r.callRow(), "bridge": r.bridgeRow(), "serve": r.serveRow(), "select": r.selectRow(), "compare": r.compareRow(), "hosts": r.hostsRow(), "reach": r.reachRow(),
		"rescue put": r.rescuePutRow(), "rescue fetch": r.rescueFetchRow(), "rescue status": r.rescueStatusRow(), "rescue sweep": r.rescueSweepRow(),
		"scope": r.scopeRow(), "check": r.checkRow(), "lint": r.lintRow(), "map": r.mapRow(), "eval": r.evalRow(), "tune": r.tuneRow(), "try": r.tryRow(),
		"replay": r.replayRow(), "diff": r.diffRow(), "gate": r.gateRow(), "report": r.reportRow(), "config show": r.configShowRow(), "config set": r.configSetRow(),
		"tour": r.tourRow(), "help": r.helpRow(), "man": r.manRow(), "completion": r.completionRow(), "version": r.versionRow(),
	}
}

// rootCommand returns the command without a name, which opens the explorer,
// with every other below it.
func (r *run) rootCommand() *cobra.Command {
	var version bool
	root := &cobra.Command{
		Use:   "caliper",
		Short: "A workbench for tool search in LLM agents.",
		Example: `caliper
caliper --registry tools.json --config config.yaml
caliper search "create a github issue" --explain`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return of(cmd, unknownCommand(cmd, args[0]))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if version {
				return r.answer(builtWith(), nil)
			}
			return of(cmd, r.answer(r.open(cmd.Context())))
		},
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			r.ran = cmd
			r.bench = workbench.NewKeeping(r.embedding().Computed())
			r.bench.OnCounting(r.tally("counting tokens", "tool"))
			r.bench.Lookup, r.bench.ReadFile = r.env.Lookup, r.labelled
			if err := r.refuse(cmd); err != nil {
				return of(cmd, err)
			}
			r.nameDemoFiles()
			r.wait(progressEvery)
			return nil
		},
		SilenceErrors:              true,
		SilenceUsage:               true,
		SuggestionsMinimumDistance: 2,
		CompletionOptions:          cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	r.root = root
	r.flags.register(root)
	r.agents.run, r.agents.importing.run = r, r
	r.agents.register(flagSet{root.Flags(), root, groupExplorer})
	root.Flags().BoolVar(&version, "version", false, "print the version")
	root.Flags().Lookup("version").Hidden = true // its command is on the page
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return of(cmd, flagError(err)) })
	root.SetHelpFunc(r.help)
	root.SetIn(r.in)
	root.SetOut(r.out)
	root.SetErr(r.errOut)
	rows := r.rows()
	for _, p := range commandPages() {
		cmd := r.command(p, rows[p.name])
		switch {
		case p.group == "":
			r.commands[len(r.commands)-1].AddCommand(cmd)
			continue
		case p.name == "help":
			root.SetHelpCommand(cmd)
		case !root.ContainsGroup(p.group):
			root.AddGroup(&cobra.Group{ID: p.group, Title: p.group})
		}
		r.commands = append(r.commands, cmd)
	}
	root.AddCommand(r.commands...)
	r.complete(root)
	return root
}

// open opens the explorer in a terminal and prints the summary elsewhere.
func (r *run) open(ctx context.Context) (*outcome, error) {
	terminal := r.env.Explore != nil && r.env.StdinTerminal && r.env.StdoutTerminal
	var err error
	switch {
	case r.flags.json:
		return nil, usagef("--json needs a command, such as budget or search")
	case !terminal && r.agents.wanted():
		return nil, usagef("--listen and --events are for the explorer, which needs a terminal; caliper serve needs none")
	case terminal:
		r.prices, err = pricesOf(r.flags.prices)
	}
	if err == nil {
		err = r.agents.check()
	}
	switch {
	case err != nil:
		return nil, err
	case terminal:
		return nil, r.openExplorer(ctx)
	}
	return r.summary(ctx)
}

// openExplorer opens the explorer on the files that the flags name, else on those found.
func (r *run) openExplorer(ctx context.Context) error {
	r.following = new(logs.Follower)
	defer r.following.Close()
	if len(r.flags.replay) > 0 && len(r.flags.registry)+len(r.agents.clients) == 0 && !r.flags.demo {
		if o, ok := r.onLogs(ctx, r.flags.replay); ok {
			return r.explore(ctx, o)
		}
	}
	if r.flags.ownData() || len(r.agents.clients) > 0 {
		err := r.explore(ctx, tui.Options{Registry: r.flags.registry, Config: r.flags.config, Queries: r.flags.queries, Results: r.flags.results, Demo: r.flags.demoFolder})
		if again := r.again(); again != "" && (err == nil || errors.Is(err, context.Canceled)) {
			r.complain("caliper: these files are opened again by")
			r.complain("    " + again)
		}
		return err
	}
	if r.flags.demo {
		return r.exploreDemo(ctx, "")
	}
	return r.exploreOffer(ctx)
}

// again returns the line that opens the files of the command line again, because caliper alone
// opens others; empty for none.
func (r *run) again() string {
	f := &r.flags
	if len(f.registry) == 0 && f.config == "" {
		return ""
	}
	args := []string{"caliper"}
	add := func(flag string, values ...string) {
		for _, value := range values {
			if value != "" {
				args = append(args, flag, value)
			}
		}
	}
	if f.demoFolder != "" { // whose files are named by the folder
		add("--registry", f.demoFolder)
		return shellLine(args)
	}
	add("--registry", f.registry...)
	add("--config", f.config)
	add("--queries", f.queries)
	add("--overrides", f.bench.Overrides)
	add("--result", f.results...)
	return shellLine(args)
}

// explore opens the explorer on files. A session that the config file does not
// have is an error at once: a screen could only show another one.
func (r *run) explore(ctx context.Context, o tui.Options) error {
	if r.flags.bench.Session != "" {
		in := workbench.Input{Flags: workbench.Flags{Session: r.flags.bench.Session}}
		if f := watch.Read(r.withConfig(o).Config); f.Err == nil {
			in.Config = &f
		}
		var unknown *engine.UnknownSessionError
		if _, err := r.loadInput(ctx, in); errors.As(err, &unknown) {
			return err
		}
	}
	r.endWaiting()
	o = r.asked(o)
	if r.agents.wanted() {
		if o.Demo != "" { // what is served follows the files that the explorer shows
			r.flags.demo, r.flags.registry, r.flags.config = false, o.Registry, o.Config
		}
		end, err := r.agents.serve(ctx, &o)
		if err != nil {
			return err
		}
		defer end()
	}
	return r.env.Explore(ctx, o)
}

// asked returns options with what the flags say of every explorer.
func (r *run) asked(o tui.Options) tui.Options {
	o.Prices, o.PricesFile, o.Calibrated = r.prices, r.flags.prices, r.flags.calibrated
	o.ReadSessions, o.Sessions, o.FoundSessions = r.readSessions(o.Demo != ""), r.flags.replay, r.foundSessions(o.Demo)
	o.Flags, o.Embedding, o.Store = r.flags.bench, r.embedding(), r.env.Store
	if o.Demo == "" {
		o.Clients = r.clientsOf
	}
	o.Theme, o.NoMouse, o.Lookup = r.flags.theme, r.flags.noMouse, r.env.Lookup
	if !r.flags.noState {
		o.StatePath = r.env.State
	}
	return r.withFound(o)
}

// withFound returns options with the files that the explorer makes beside the registry, which
// it reads where they are there, and says in the first notice what it found and what it does
// not read.
func (r *run) withFound(o tui.Options) tui.Options {
	var found []string
	o = r.withConfig(o)
	switch there := isThere(o.Config); {
	case o.ConfigFound && there:
		found = append(found, "configuration found beside the registry, in "+o.Config+"; --config takes another")
	case o.Config != "" && !o.ConfigFound && !there:
		found = append(found, o.Config+" is not there yet: it is made when something is saved")
	}
	o.NewQueries, o.NewOverrides = beside(o, demo.QueriesFile), beside(o, atomicfile.OverridesName)
	if o.Queries == "" && atomicfile.HoldsLabels(o.NewQueries) {
		o.Queries, found = o.NewQueries, append(found, "labelled queries found beside the registry, in "+o.NewQueries+"; --queries takes others")
	}
	found = append(append(found, workbench.InnerUnread(o.Registry)...), workbench.SkippedYAML(o.Registry, o.Config)...)
	// What is served has the descriptions of its own start only.
	if path := o.NewOverrides; o.Flags.Overrides == "" && !o.Tour && !r.agents.wanted() && atomicfile.HoldsOverrides(path) {
		o.Flags.Overrides = path
		found = append(found, "descriptions found beside the registry, in "+path+"; --overrides takes others")
	}
	if o.Demo != "" {
		found = []string{"this is the demo: its files are in " + o.Demo + " and may be edited"}
	}
	o.Welcome = cmp.Or(o.Welcome, strings.Join(found, "; "))
	return o
}

// configName is the configuration that the explorer reads, or makes, beside a registry that is
// opened without one.
const configName = "caliper.yaml"

// withConfig returns options with that configuration where none is named. What agents are served
// has the named one alone.
func (r *run) withConfig(o tui.Options) tui.Options {
	if path := beside(o, configName); o.Config == "" && path != "" && !o.Tour && !r.agents.wanted() {
		o.Config, o.ConfigFound = path, true
	}
	return o
}

// isThere reports whether a file, or what stands in its place, is at a path.
func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// beside returns the path of a file beside the registry, and not in it, because a folder
// of dumps is read whole; without a registry beside the config file. It is empty without
// either.
func beside(o tui.Options, name string) string {
	file := o.Config
	if len(o.Registry) > 0 {
		file = o.Registry[0]
	}
	if file == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(filepath.Clean(file)), name)
}

// embedding returns what embedders may use: with --no-cache or --no-state no
// folder to keep anything in.
func (r *run) embedding() workbench.Embedding {
	e := r.env.Embedding
	if r.flags.noState || r.flags.noCache {
		e.Cache = ""
	}
	return e
}

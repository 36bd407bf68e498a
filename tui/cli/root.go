// Package cli is the command line of caliper: the commands, one file each, which
// print what the explorer draws, as text or as JSON.
//
// Goals:
//   - the contract of every command: keys in a fixed order, the same bytes for
//     the same input, exit codes 0 yes, 1 no, 2 bad usage or input, 130
//     interrupted
//   - errors that a person and an editor can follow: file:line:col: what, one
//     line each, on standard error
//   - nothing a registry holds can write control sequences to the terminal, in
//     text or in JSON
//
// Non-goals: deciding anything. Package engine decides which tools are granted, found,
// allowed and counted, through the workbench that the explorer uses too; package
// report puts it into words. Main looks at the terminal and the environment and
// passes what it found as an Env.
//
// A new command is a page in commands.md, a file with a method of run that returns its
// row, and a line in rows. The row has the flags and a function that computes a value
// and a report; package runner loads, prints either, and exits. Package connect has the
// commands that talk to servers and agents: import and serve.
package cli

import (
	"cmp"
	"context"
	_ "embed" // the pages are a file
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"caliper/engine"
	"caliper/engine/live"
	"caliper/engine/replay"
	"caliper/tui"
	"caliper/tui/cli/connect"
	"caliper/tui/cli/runner"
	"caliper/tui/demo"
	"caliper/tui/report"
	"caliper/tui/workbench"
	"caliper/watch"

	"github.com/spf13/cobra"
)

// pageSource has the page of each command, in the order of the help, as command.Pages reads it.
//
//go:embed commands.md
var pageSource string

// rows returns the commands by the names of their pages.
func (r *run) rows() map[string]runner.Row {
	return map[string]runner.Row{
		"import": connect.ImportRow(r.Run), "search": r.searchRow(), "describe": r.describeRow(), "budget": r.budgetRow(), "export": r.exportRow(),
		"call": r.callRow(), "bridge": r.bridgeRow(), "serve": connect.ServeRow(r.Run), "select": r.selectRow(), "compare": r.compareRow(), "hosts": r.hostsRow(), "reach": r.reachRow(),
		"rescue put": r.rescuePutRow(), "rescue fetch": r.rescueFetchRow(), "rescue status": r.rescueStatusRow(), "rescue sweep": r.rescueSweepRow(),
		"scope": r.scopeRow(), "check": r.checkRow(), "lint": r.lintRow(), "map": r.mapRow(), "eval": r.evalRow(), "tune": r.tuneRow(), "try": r.tryRow(),
		"replay": r.replayRow(), "diff": r.diffRow(), "gate": r.gateRow(), "report": r.reportRow(), "config show": r.configShowRow(), "config set": r.configSetRow(),
		"tour": r.tourRow(), "help": r.helpRow(), "man": r.manRow(), "completion": r.completionRow(),
		"assembly": {On: func(_ context.Context, st workbench.State, _ []string) (*runner.Outcome, error) {
			text, err := report.Assembly(st.Snapshot, st.Snapshot.Budget(false))
			return &runner.Outcome{Value: st.Snapshot.Assembly().Definitions(), Page: text}, err
		}},
		"version": {Reads: runner.NoData, Run: func(context.Context, []string) (*runner.Outcome, error) { return builtWith(), nil }},
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
				return runner.Of(cmd, runner.UnknownCommand(cmd, args[0]))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if version {
				return r.Answer(builtWith(), nil)
			}
			return runner.Of(cmd, r.Answer(r.open(cmd.Context())))
		},
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			r.Ran = cmd
			r.Bench = workbench.New()
			r.Bench.Builder.Counting = r.Tally("counting tokens", "tool")
			r.Bench.Lookup, r.Bench.ReadFile = r.Env.Lookup, r.Labelled
			if err := r.Refuse(cmd); err != nil {
				return runner.Of(cmd, err)
			}
			if !r.Flags.Demo && r.Flags.OwnData() {
				r.Bench.Files = r.agentFiles
			}
			if f := &r.Flags; len(f.Registry) == 1 && isDemo(f.Registry[0]) { // as a folder of dumps it would be read without its configuration
				f.DemoFolder = f.Registry[0]
				o := r.demoIn(f.DemoFolder)
				f.Registry, f.Config, f.Queries, f.Results = o.Registry, cmp.Or(f.Config, o.Config), o.Queries, o.Results
			}
			r.Wait(runner.ProgressEvery)
			return nil
		},
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	r.Root = root
	r.Flags.Register(root)
	r.agents.Run = r.Run
	r.agents.Register(runner.FlagSet{Set: root.Flags(), Cmd: root, Group: runner.GroupExplorer})
	root.Flags().BoolVar(&version, "version", false, "print the version")
	root.Flags().Lookup("version").Hidden = true // its command is on the page
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return runner.Of(cmd, runner.FlagError(err)) })
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { r.Print(r.HelpPage(cmd)) })
	root.SetIn(r.In)
	root.SetOut(r.Out)
	root.SetErr(r.ErrOut)
	rows := r.rows()
	names, pages := runner.Pages(pageSource)
	for i, cmd := range pages {
		r.Fill(cmd, rows[names[i]], names)
		switch {
		case cmd.GroupID == "":
			r.Commands[len(r.Commands)-1].AddCommand(cmd)
			continue
		case names[i] == "help":
			root.SetHelpCommand(cmd)
		case !root.ContainsGroup(cmd.GroupID):
			root.AddGroup(&cobra.Group{ID: cmd.GroupID, Title: cmd.GroupID})
		}
		r.Commands = append(r.Commands, cmd)
	}
	root.AddCommand(r.Commands...)
	r.complete(root)
	return root
}

// open opens the explorer in a terminal, on the files that the flags name or else on those
// found, and prints the summary elsewhere.
func (r *run) open(ctx context.Context) (*runner.Outcome, error) {
	terminal := r.Env.Explore != nil && r.Env.StdinTerminal && r.Env.StdoutTerminal
	var err error
	switch {
	case r.Flags.JSON:
		return nil, runner.Usagef("--json needs a command, such as budget or search")
	case !terminal && r.agents.Wanted():
		return nil, runner.Usagef("--listen and --events are for the explorer, which needs a terminal; caliper serve needs none")
	case terminal:
		r.prices, err = pricesOf(r.Flags.Prices)
	}
	if err == nil {
		err = r.agents.Check()
	}
	if err != nil {
		return nil, err
	}
	if !terminal {
		return r.summary(ctx)
	}
	f := &r.Flags
	if len(f.Replay) > 0 && len(f.Registry)+len(r.agents.Clients) == 0 && !f.Demo {
		if o, ok := r.onLogs(ctx, f.Replay); ok {
			return nil, r.explore(ctx, o)
		}
	}
	switch {
	case f.OwnData() || len(r.agents.Clients) > 0:
		err := r.explore(ctx, tui.Options{Registry: f.Registry, Config: f.Config, Queries: f.Queries, Results: f.Results, Demo: f.DemoFolder})
		// caliper alone would open others; where agents were served, the files alone would not be all.
		if f.OwnData() && !r.agents.Wanted() && (err == nil || errors.Is(err, context.Canceled)) {
			more := []string{"--config", f.Config, "--queries", f.Queries, "--overrides", f.Bench.Overrides}
			for _, file := range f.Results {
				more = append(more, "--result", file)
			}
			again := openingLine(f.Registry, more...)
			if f.DemoFolder != "" { // which names its files
				again = openingLine([]string{f.DemoFolder})
			}
			r.Complain("caliper: these files are opened again by")
			r.Complain("    " + again)
		}
		return nil, err
	case f.Demo:
		return nil, r.exploreDemo(ctx, "")
	}
	return nil, r.exploreOffer(ctx)
}

// explore opens the explorer on files. A session that the config file does not
// have is an error at once: a screen could only show another one.
func (r *run) explore(ctx context.Context, o tui.Options) error {
	if r.Flags.Bench.Session != "" {
		in := workbench.Input{Flags: workbench.Flags{Session: r.Flags.Bench.Session}}
		if f := watch.Read(r.withConfig(o).Config); f.Err == nil {
			in.Config = &f
		}
		var unknown *engine.UnknownSessionError
		if _, err := r.LoadInput(ctx, in); errors.As(err, &unknown) {
			return err
		}
	}
	r.EndWaiting()
	o = r.withFlags(o)
	if r.agents.Wanted() {
		if o.Demo != "" { // what is served follows the files that the explorer shows
			r.Flags.Demo, r.Flags.Registry, r.Flags.Config = false, o.Registry, o.Config
		}
		end, err := r.agents.Serve(ctx, &o)
		if err != nil {
			return err
		}
		defer end()
	}
	return r.Env.Explore(ctx, o)
}

// withFlags returns options with what the flags say of every explorer, and with the files that it
// makes beside the registry, which it reads where they are there. The first notice says what
// was found and which logs are not read.
func (r *run) withFlags(o tui.Options) tui.Options {
	o.Prices, o.PricesFile, o.Calibrated = r.prices, r.Flags.Prices, r.Flags.Calibrated
	o.ReadSessions, o.Sessions, o.FoundSessions = r.readSessions(o.Demo != ""), r.Flags.Replay, r.foundSessions(o.Demo)
	o.Flags, o.Embedding, o.Store = r.Flags.Bench, r.Embedding(), r.Env.Store
	if o.Demo == "" {
		o.AgentFiles = r.agentFiles
	}
	o.Theme, o.NoMouse, o.Lookup = r.Flags.Theme, r.Flags.NoMouse, r.Env.Lookup
	if !r.Flags.NoState {
		o.StatePath = r.Env.State
	}
	var found []string
	o = r.withConfig(o)
	switch there := isThere(o.Config); {
	case o.ConfigFound && there:
		found = append(found, "configuration found beside the registry, in "+o.Config+"; --config takes another")
	case o.Config != "" && !o.ConfigFound && !isThere(filepath.Dir(o.Config)):
		found = append(found, "nothing can be saved in "+o.Config+" before its folder is made")
	case o.Config != "" && !o.ConfigFound && !there:
		found = append(found, o.Config+" is not there yet: it is made when something is saved")
	}
	o.NewQueries, o.NewOverrides = beside(o, demo.QueriesFile), beside(o, workbench.OverridesName)
	if o.Queries == "" && workbench.HoldsLabels(o.NewQueries) {
		o.Queries, found = o.NewQueries, append(found, "labelled queries found beside the registry, in "+o.NewQueries+"; --queries takes others")
	}
	found = append(append(found, workbench.InnerUnread(o.Registry)...), workbench.SkippedYAML(o.Registry, o.Config)...)
	// What is served has the descriptions of its own start only.
	if path := o.NewOverrides; o.Flags.Overrides == "" && !o.Tour && !r.agents.Wanted() && workbench.HoldsOverrides(path) {
		o.Flags.Overrides = path
		found = append(found, "descriptions found beside the registry, in "+path+"; --overrides takes others")
	}
	if o.Demo != "" {
		found = []string{"edit this demo's files in " + o.Demo}
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
	if path := beside(o, configName); o.Config == "" && path != "" && !o.Tour && !r.agents.Wanted() {
		o.Config, o.ConfigFound = path, true
	}
	return o
}

// isThere reports whether a path is taken, by a file or anything else.
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

// Main runs one command line, without the name of the program, and returns
// its exit code. Everything is written when it returns.
func Main(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer, env runner.Env) int {
	r := &run{Run: runner.New(ctx, in, out, errOut, env)}
	root := r.rootCommand()
	root.SetArgs(append([]string{}, args...)) // for nil cobra would take the arguments of the process
	err := root.ExecuteContext(ctx)
	r.EndWaiting()
	printed := err == nil || errors.Is(err, runner.ErrNo) || errors.Is(err, runner.ErrBad)
	if flushErr := r.Out.Flush(); flushErr != nil && printed {
		err = runner.OutputError(flushErr)
	}
	r.AwaitModel(ctx)
	return r.Conclude(ctx, err)
}

// Supervise supervises a server, until it is to end, if the arguments of the
// process say so. It returns the code to exit with; ok is false for any other
// command line. No user gives such arguments: import starts the program with
// them, so that nothing of a server is left behind, however the program ends.
func Supervise(args, environment []string) (code int, ok bool) {
	return live.Supervise(args, environment)
}

// run is one run of the program, with what its commands share beside the runner.
type run struct {
	*runner.Run
	agents connect.Listening // what the explorer shows of agents
	prices replay.PriceList  // of the explorer's replay
}

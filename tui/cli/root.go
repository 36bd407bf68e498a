package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

	"caliper/engine"
	"caliper/tui/demo"
	"caliper/tui/workbench"

	"github.com/spf13/cobra"
)

// The groups of commands on the help page.
const (
	groupLook   = "See what the model will see"
	groupAnswer = "Answer as the agent would"
	groupAudit  = "Check"
	groupAbout  = "About"
)

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
				return unknownCommand(cmd, args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if version {
				return r.printVersion()
			}
			return r.open(cmd)
		},
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			r.bench = workbench.NewKeeping(r.embedding().Computed())
			r.bench.Lookup = r.lookup
			return r.refuseDemo(cmd)
		},
		SilenceErrors:              true,
		SilenceUsage:               true,
		SuggestionsMinimumDistance: 2,
		CompletionOptions:          cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	r.flags.register(root.PersistentFlags())
	root.Flags().BoolVar(&version, "version", false, "print the version")
	root.Flags().Lookup("version").Hidden = true // its command is on the page
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(r.help)
	root.SetHelpCommand(r.helpCommand())
	root.SetIn(r.in)
	root.SetOut(r.out)
	root.SetErr(r.errOut)
	for _, g := range []string{groupLook, groupAnswer, groupAudit, groupAbout} {
		root.AddGroup(&cobra.Group{ID: g, Title: g})
	}
	r.commands = []*cobra.Command{ // in the order of the help page
		r.importCommand(), r.searchCommand(), r.describeCommand(), r.assemblyCommand(), r.budgetCommand(), r.exportCommand(),
		r.callCommand(), r.bridgeCommand(), r.selectCommand(), r.compareCommand(), r.rescueCommand(),
		r.scopeCommand(), r.checkCommand(), r.lintCommand(), r.evalCommand(), r.diffCommand(), r.configCommand(),
		r.completionCommand(), r.versionCommand(),
	}
	root.AddCommand(r.commands...)
	_ = root.RegisterFlagCompletionFunc("session", r.completeSession)
	return root
}

// open opens the explorer in a terminal and prints the summary elsewhere.
func (r *run) open(cmd *cobra.Command) error {
	if r.flags.json {
		return usageErrorf(cmd, "--json needs a command, such as budget or search")
	}
	if r.env.Explore == nil || !r.env.StdinTerminal || !r.env.StdoutTerminal {
		return r.summary(cmd.Context())
	}
	if r.flags.ownData() {
		return r.explore(cmd.Context(), Options{Registry: r.flags.registry, Config: r.flags.config, Queries: r.flags.queries, Results: r.flags.results})
	}
	return r.exploreDemo(cmd.Context())
}

// explore opens the explorer on files. A session that the config file does not
// have is an error at once: a screen could only show another one.
func (r *run) explore(ctx context.Context, o Options) error {
	if r.flags.bench.Session != "" {
		in := workbench.Input{Flags: workbench.Flags{Session: r.flags.bench.Session}}
		if f := readFile(o.Config); f.Err == nil {
			in.Config = &f
		}
		var unknown *engine.UnknownSessionError
		if _, err := r.loadInput(ctx, in); errors.As(err, &unknown) {
			return err
		}
	}
	o.Flags, o.Embedding, o.Store = r.flags.bench, r.embedding(), r.env.Store
	o.Theme, o.NoState, o.NoMouse = r.flags.theme, r.flags.noState, r.flags.noMouse
	return r.env.Explore(ctx, o)
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

// exploreDemo opens the explorer on the demo in a fresh folder. The folder
// goes with the explorer, unless its files were edited.
func (r *run) exploreDemo(ctx context.Context) error {
	folder, err := os.MkdirTemp("", "caliper-demo-")
	if err != nil {
		return fmt.Errorf("no folder for the demo: cannot write to %s: %v; set TMPDIR to a folder that can be written to", os.TempDir(), innermost(err))
	}
	paths, err := demo.Write(folder)
	if err == nil {
		o := Options{Registry: []string{paths.Registry}, Config: paths.Config, Demo: folder,
			Queries: cmp.Or(r.flags.queries, paths.Queries), Results: r.flags.results}
		if len(o.Results) == 0 {
			o.Results = paths.Results
		}
		err = r.explore(ctx, o)
	}
	written := map[string][]byte{
		paths.Registry: demo.Registry(), paths.Config: demo.Config(), paths.Queries: demo.Queries(),
	}
	for i, name := range paths.Results {
		written[name] = demo.Result(demo.ResultFiles[i])
	}
	for name, data := range written {
		if f := readFile(name); f.Err == nil && string(f.Data) != string(data) {
			r.complain("caliper: the demo as you edited it is in " + folder)
			return err
		}
	}
	for name := range written {
		_ = os.Remove(name) // what stays behind keeps its folder, and does no harm
	}
	_ = os.Remove(folder)
	return err
}

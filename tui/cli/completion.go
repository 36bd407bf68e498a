package cli

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"caliper/config"
	"caliper/engine/live"
	"caliper/engine/replay"
	"caliper/engine/retrieval"
	"caliper/engine/selection"
	"caliper/engine/tokens"
	"caliper/engine/transcript"
	"caliper/model"
	"caliper/model/words"
	"caliper/tui/cli/connect"
	"caliper/tui/cli/runner"
	"caliper/tui/workbench"
	"caliper/watch"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// shells are the shells that there is a completion script for.
var shells = []string{"bash", "zsh", "fish", "powershell"}

// completionRow is `completion`: the script that completes command lines.
func (r *run) completionRow() runner.Row {
	return runner.Row{
		Reads:   runner.NoData,
		Args:    runner.ArgumentCount(1, 1, "a SHELL: "+strings.Join(shells, ", ")),
		Choices: shells,
		Run: func(_ context.Context, args []string) (*runner.Outcome, error) {
			if !slices.Contains(shells, args[0]) {
				return nil, runner.Usagef("shell %q: want %s", args[0], strings.Join(shells, ", "))
			}
			var script bytes.Buffer
			var err error
			switch args[0] {
			case "bash":
				err = r.Root.GenBashCompletionV2(&script, true)
			case "zsh":
				err = r.Root.GenZshCompletion(&script)
			case "fish":
				err = r.Root.GenFishCompletion(&script, true)
			default:
				err = r.Root.GenPowerShellCompletionWithDesc(&script)
			}
			if err == nil && !r.Flags.JSON {
				return nil, r.Write(script.Bytes())
			}
			return &runner.Outcome{Value: runner.Object{{"shell", args[0]}, {"script", script.String()}}}, err
		},
	}
}

// freeSettings are the settings whose values nobody can know before they are typed,
// with the reason. Another setting that nothing is offered for fails a test.
var freeSettings = map[string]string{
	"model.default":                "the name of a model",
	"model.model":                  "the name of a model",
	"tools.rag_embed_model":        "the name of a model of the embedder's server",
	"tools.rag_embed_url":          "an address",
	"toolaria.error_line_patterns": "expressions",
}

// completeSetting offers what may follow on a command line: the settings with what
// each takes, then values of the one that is named. A number has its default alone,
// as an example of how it is written.
func (r *run) completeSetting(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	const only = cobra.ShellCompDirectiveNoFileComp
	var list []cobra.Completion
	if len(args) == 0 {
		for _, key := range config.Settable() {
			s, _ := config.SpecOf(key)
			list = append(list, cobra.CompletionWithDesc(key, s.Takes()))
		}
		return list, only
	}
	s, known := config.SpecOf(config.KeyOf(args[0]))
	_, free := freeSettings[s.Key]
	switch {
	case len(args) > 1 || !known || free:
	case s.Key == "toolaria.store_path":
		return nil, cobra.ShellCompDirectiveFilterDirs
	case s.Kind == config.Choice:
		return s.Choices, only
	case s.Kind == config.Bool:
		return []cobra.Completion{"true", "false"}, only
	case s.Kind == config.List:
		// A list of names with one name more: a plugin, or any tool of the registry, because each
		// session has core tools of its own.
		names, about := []string{"toolaria"}, []string{"rescue of oversized results"}
		if !strings.HasPrefix(s.Key, "plugins.") {
			names, about = nil, nil
			if st, err := r.LoadForCompletion(cmd); err == nil {
				for _, t := range st.Snapshot.ByName() {
					names, about = append(names, t.Qualified), append(about, t.ShownToolset())
				}
			}
		}
		before, typed := "", strings.TrimPrefix(strings.TrimSuffix(prefix, "]"), "[")
		if at := strings.LastIndex(typed, ","); at >= 0 {
			before, typed = typed[:at+1], typed[at+1:]
		}
		for i, name := range names {
			// SECURITY: the brackets are ours; a name that a shell would interpret is not offered.
			if strings.HasPrefix(name, typed) && runner.Completable(name) && !slices.Contains(strings.Split(before, ","), name) {
				list = append(list, cobra.CompletionWithDesc("["+before+name+"]", about[i]))
			}
		}
		return list, only | cobra.ShellCompDirectiveNoSpace
	case s.Default == nil:
		list = append(list, cobra.CompletionWithDesc("null", "the context of the model"))
	default:
		list = append(list, cobra.CompletionWithDesc(fmt.Sprint(s.Default), "the default; "+s.Takes()))
	}
	return list, only
}

// freeText are the kinds of values that nobody can know before they are typed. A flag
// of another kind that is not completed fails a test.
var freeText = []string{"ADDRESS", "COMMAND", "ID", "N", "NAME", "NAME:VALUE", "NAME[=VALUE]", "P", "Q", "TEXT", "TIME", "URL", "int"}

// complete gives every flag below a command what a shell completes it with, unless the
// command has its own.
func (r *run) complete(root *cobra.Command) {
	floors := []cobra.Completion{"mrr@10=", "ndcg@10="} // whose numbers are typed
	for _, k := range slices.Backward(retrieval.Cutoffs[:]) {
		floors = append([]cobra.Completion{"recall@" + strconv.Itoa(k) + "="}, floors...)
	}
	completeGenerations := func(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		list := slices.Clone(config.Generations)
		if cmd.Name() == "compare" { // which takes both
			list = append(list, strings.Join(config.Generations, ","))
		}
		return list, cobra.ShellCompDirectiveNoFileComp
	}
	completeTool := func(cmd *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
		return r.CompleteTool(cmd, nil, prefix)
	}
	flags := map[string]cobra.CompletionFunc{
		"session": r.CompleteSession, "tool": completeTool, "why-not": completeTool,
		"ranker": runner.CompleteLast(runner.RankerNames()), "code": completeCodes,
		"registry": runner.FilesOf(runner.DumpSuffixes), "config": runner.FilesOf(runner.ConfigSuffixes), "base": runner.FilesOf(runner.DumpSuffixes), "head": runner.FilesOf(runner.DumpSuffixes), "base-config": runner.FilesOf(runner.ConfigSuffixes), "head-config": runner.FilesOf(runner.ConfigSuffixes), "queries": runner.FilesOf(runner.LabelSuffixes), "learn": runner.FilesOf(runner.LabelSuffixes), "overrides": runner.FilesOf(runner.ConfigSuffixes), "base-overrides": runner.FilesOf(runner.ConfigSuffixes), "head-overrides": runner.FilesOf(runner.ConfigSuffixes),
		"mcp-config": runner.FilesOf(runner.ClientSuffixes), "turns": runner.FilesOf([]string{"txt"}), "result": runner.AnyFile, "replay": runner.AnyFile, "out": runner.AnyFile, "run": runner.AnyFile, "prices": runner.FilesOf(runner.ConfigSuffixes), "record": runner.AnyFile, "sarif": runner.AnyFile, "badge": runner.AnyFile, "token-file": runner.AnyFile, "queries-out": runner.FilesOf(runner.LabelSuffixes),
		"objective": runner.OneOfThese(selection.TuningObjectives...), "over": runner.CompleteLast(selection.TunedNames()),
		"theme": runner.OneOfThese(runner.Themes...), "tokenizer": r.completeTokenizer, "generation": completeGenerations, "host": runner.OneOfThese(config.Hosts...), "min": cobra.FixedCompletions(floors, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace),
		"folds": runner.OneOfThese("5", "10"), "naming": runner.OneOfThese(connect.SingleNaming, string(model.DoubleNaming)), "server": completeServer, "offer": runner.OneOfThese(connect.Offers...),
		"sign-in": runner.OneOfThese(connect.SignInWays...), "capabilities": runner.OneOfThese(append([]string{strings.Join(connect.Offers, ","), connect.Offers[0], connect.Offers[1], connect.Offers[2]}, live.Declarable()...)...),
	}
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		give := func(f *pflag.Flag) {
			switch known, ok := flags[f.Name]; {
			case f.Value.Type() == "bool":
			case ok:
				_ = cmd.RegisterFlagCompletionFunc(f.Name, known) // an error is that it has one
			case slices.Contains(freeText, f.Value.Type()):
				_ = cmd.RegisterFlagCompletionFunc(f.Name, cobra.NoFileCompletions)
			}
		}
		cmd.Flags().VisitAll(give) // no flag of a command above is among them yet
		cmd.PersistentFlags().VisitAll(give)
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	walk(root)
}

// readingTime is the longest that a completion reads logs: a shell waits for it.
const readingTime = 2 * time.Second

// completeTokenizer offers the methods, and where logs are replayed the tokenizers that
// are fitted to the models in those logs that the command line names.
func (r *run) completeTokenizer(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	list := tokens.Names()
	if cmd.Name() != "replay" && cmd.HasParent() {
		return list, cobra.ShellCompDirectiveNoFileComp
	}
	list = append(list, cobra.CompletionWithDesc(replay.CalibratedAll, "fitted to the logged usage, each session by its own model"))
	if cmd.Name() != "replay" {
		args = r.Flags.Replay
	}
	if !strings.HasPrefix(prefix, replay.CalibratedAll) || len(args) == 0 {
		return list, cobra.ShellCompDirectiveNoFileComp
	}
	ctx, stop := context.WithTimeout(cmd.Context(), readingTime)
	defer stop()
	paths, remove, err := r.logsOf(args)
	if err != nil {
		return list, cobra.ShellCompDirectiveNoFileComp
	}
	defer remove()
	log, err := r.readSessions(!slices.Equal(paths, args))(ctx, paths, "", transcript.Options{})
	if err != nil {
		return list, cobra.ShellCompDirectiveNoFileComp
	}
	sessions := map[string]int{}
	for _, s := range log.Sessions {
		// SECURITY: the name of a model comes from a log.
		if s.Model != "" && runner.Completable(s.Model) {
			sessions[s.Model]++
		}
	}
	for _, model := range slices.Sorted(maps.Keys(sessions)) {
		list = append(list, cobra.CompletionWithDesc(replay.CalibratedPrefix+model, words.Count(sessions[model], "session")))
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// completeServer offers the servers of the last --mcp-config, or of the last argument
// without any. Nothing is started.
func completeServer(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var list []cobra.Completion
	name := cmd.Flag("mcp-config").Value.String()
	if name == "" && len(args) > 0 {
		name = args[len(args)-1]
	}
	file := watch.Read(name)
	parsed, err := live.ParseClientConfig(file.Name, file.Data)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	for _, s := range parsed.Servers {
		if strings.HasPrefix(s.Name, prefix) && runner.Completable(s.Name) && !slices.Contains(list, s.Name) {
			list = append(list, s.Name)
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// completeResult offers the ids of the results that are kept for the session,
// each with its tool.
func (r *run) completeResult(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var list []cobra.Completion
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	_, _ = r.rescue(cmd.Context(), false, func(rescuer *workbench.Rescuer, session string, _ tokens.Method) (*runner.Outcome, error) {
		kept, err := rescuer.References(cmd.Context())
		for _, k := range kept {
			if k.Meta.Session != session || !strings.HasPrefix(k.Meta.ID, prefix) || !runner.Completable(k.Meta.ID) {
				continue
			}
			tool := k.Meta.Tool
			if !runner.Completable(tool) { // SECURITY: it comes from a server
				tool = "a tool"
			}
			list = append(list, cobra.CompletionWithDesc(k.Meta.ID, tool))
		}
		return nil, err
	})
	r.DemoUnasked = false // nobody reads it
	return list, cobra.ShellCompDirectiveNoFileComp
}

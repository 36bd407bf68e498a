package cli

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"caliper/config"
	"caliper/engine/live"
	"caliper/engine/replay"
	"caliper/engine/retrieval"
	"caliper/engine/tokens"
	"caliper/engine/transcript"
	"caliper/engine/tuning"
	"caliper/model"
	"caliper/model/words"
	"caliper/watch"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// freeText are the kinds of values that nobody can know before they are typed. A flag
// of another kind that is not completed fails a test.
var freeText = []string{"ADDRESS", "COMMAND", "ID", "N", "NAME", "NAME:VALUE", "NAME[=VALUE]", "P", "Q", "TEXT", "TIME", "URL", "int"}

// What the names of files end in.
var (
	dumpSuffixes   = []string{"json", "jsonc", "jsonl", "ndjson", "txt", "yaml", "yml"}
	configSuffixes = []string{"yaml", "yml"}
	labelSuffixes  = []string{"jsonl", "json"}
	clientSuffixes = []string{"json", "jsonc", "toml", "yaml", "yml"}
)

// themes are the values of --theme.
var themes = []string{"auto", "light", "dark", "plain"}

// complete gives every flag below a command what a shell completes it with, unless the
// command has its own.
func (r *run) complete(root *cobra.Command) {
	flags := map[string]cobra.CompletionFunc{
		"session": r.completeSession, "tool": r.completeFlagTool, "why-not": r.completeFlagTool, "ranker": completeRankers, "code": completeCodes,
		"registry": filesOf(dumpSuffixes), "config": filesOf(configSuffixes), "base": filesOf(dumpSuffixes), "head": filesOf(dumpSuffixes), "base-config": filesOf(configSuffixes), "head-config": filesOf(configSuffixes), "queries": filesOf(labelSuffixes), "learn": filesOf(labelSuffixes), "overrides": filesOf(configSuffixes), "base-overrides": filesOf(configSuffixes), "head-overrides": filesOf(configSuffixes),
		"mcp-config": filesOf(clientSuffixes), "turns": filesOf([]string{"txt"}), "result": anyFile, "replay": anyFile, "out": anyFile, "run": anyFile, "prices": filesOf(configSuffixes), "record": anyFile, "token-file": anyFile, "queries-out": filesOf(labelSuffixes),
		"objective": oneOfThese(tuning.Objectives...), "over": completeOver,
		"theme": oneOfThese(themes...), "tokenizer": r.completeTokenizer, "generation": completeGenerations, "host": oneOfThese(config.Hosts...), "min": completeFloor,
		"folds": oneOfThese("5", "10"), "naming": oneOfThese(singleNaming, string(model.DoubleNaming)), "server": completeServer, "offer": oneOfThese(offers...),
		"sign-in": oneOfThese(signInWays...), "capabilities": oneOfThese(append([]string{strings.Join(offers, ","), offers[0], offers[1], offers[2]}, live.Declarable()...)...),
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
		cmd.LocalNonPersistentFlags().VisitAll(give)
		cmd.PersistentFlags().VisitAll(give)
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	walk(root)
}

// filesOf completes names of files that end in one of some suffixes, and folders.
func filesOf(suffixes []string) cobra.CompletionFunc {
	return cobra.FixedCompletions(suffixes, cobra.ShellCompDirectiveFilterFileExt)
}

// anyFile completes names of files.
func anyFile(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

// folders completes names of folders.
func folders(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// oneOfThese completes one of some words.
func oneOfThese(choices ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp)
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
		args = r.flags.replay
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
		if s.Model != "" && completable(s.Model) {
			sessions[s.Model]++
		}
	}
	for _, model := range slices.Sorted(maps.Keys(sessions)) {
		list = append(list, cobra.CompletionWithDesc(replay.CalibratedPrefix+model, words.Count(sessions[model], "session")))
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// completeGenerations completes a generation, and for compare both.
func completeGenerations(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	list := slices.Clone(config.Generations)
	if cmd.Name() == "compare" {
		list = append(list, strings.Join(config.Generations, ","))
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// completeFloor completes the metric of a floor; its number is typed.
func completeFloor(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var list []cobra.Completion
	for _, k := range retrieval.Cutoffs {
		list = append(list, "recall@"+strconv.Itoa(k)+"=")
	}
	return append(list, "mrr@10=", "ndcg@10="), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
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
		if strings.HasPrefix(s.Name, prefix) && completable(s.Name) && !slices.Contains(list, s.Name) {
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
	_, _ = r.rescue(cmd.Context(), false, func(s rescuing) (*outcome, error) {
		kept, err := s.rescuer.References(cmd.Context())
		for _, k := range kept {
			if k.Meta.Session != s.session || !strings.HasPrefix(k.Meta.ID, prefix) || !completable(k.Meta.ID) {
				continue
			}
			tool := k.Meta.Tool
			if !completable(tool) { // SECURITY: it comes from a server
				tool = "a tool"
			}
			list = append(list, cobra.CompletionWithDesc(k.Meta.ID, tool))
		}
		return nil, err
	})
	r.demoUnasked = false // nobody reads it
	return list, cobra.ShellCompDirectiveNoFileComp
}

// completeOver completes the last of the settings to search.
func completeOver(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	return completeLast(tuning.Names(), typed), cobra.ShellCompDirectiveNoFileComp
}

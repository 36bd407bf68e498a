package cli

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"caliper/config"
	"caliper/engine/evaluation"
	"caliper/engine/live"
	"caliper/engine/replay"
	"caliper/engine/tokens"
	"caliper/engine/transcript"
	"caliper/engine/tuning"
	"caliper/model"
	"caliper/model/words"
	"caliper/watch"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// freeText are the flags whose values nobody can know before they are typed, with
// the reason. A flag that is neither here nor completed fails a test.
var freeText = map[string]string{
	"alpha":           "a number",
	"approve-timeout": "a duration",
	"context":         "a number of tokens",
	"description":     "a text, or @ and a file",
	"count":           "a number",
	"env":             "the name of a variable, whose value may be a secret",
	"client-id":       "a name that the authorization server gave",
	"header":          "a header, which may be a secret",
	"http":            "an address",
	"k":               "a number",
	"limit":           "a number",
	"max-tokens":      "a number of tokens",
	"message":         "what a user would write",
	"name":            "a new name",
	"otlp":            "an address",
	"pattern":         "an expression",
	"pointer":         "a place in a result that is not read for a completion",
	"query":           "a question",
	"start":           "a number",
	"stdio":           "a command line in quotes",
	"timeout":         "a time",
	"title":           "a title",
}

// What the names of files end in.
var (
	dumpSuffixes   = []string{"json", "jsonc", "jsonl", "ndjson", "txt", "yaml", "yml"}
	configSuffixes = []string{"yaml", "yml"}
	labelSuffixes  = []string{"jsonl", "json"}
	clientSuffixes = []string{"json", "jsonc", "toml", "yaml", "yml"}
)

// themes are the values of --theme.
var themes = []string{"auto", "light", "dark", "plain"}

// complete gives every flag and every argument below a command what a shell
// completes it with, unless the command has its own.
func (r *run) complete(root *cobra.Command) {
	flags := map[string]cobra.CompletionFunc{
		"session": r.completeSession, "tool": r.completeFlagTool, "why-not": r.completeFlagTool, "ranker": completeRankers,
		"registry": filesOf(dumpSuffixes), "config": filesOf(configSuffixes), "base": filesOf(dumpSuffixes), "head": filesOf(dumpSuffixes), "base-config": filesOf(configSuffixes), "head-config": filesOf(configSuffixes), "queries": filesOf(labelSuffixes), "learn": filesOf(labelSuffixes), "overrides": filesOf(configSuffixes), "base-overrides": filesOf(configSuffixes), "head-overrides": filesOf(configSuffixes),
		"mcp-config": filesOf(clientSuffixes), "turns": filesOf([]string{"txt"}), "result": anyFile, "replay": anyFile, "out": anyFile, "run": anyFile, "prices": filesOf(configSuffixes), "record": anyFile, "token-file": anyFile, "queries-out": filesOf(labelSuffixes),
		"objective": oneOfThese(tuning.Objectives...), "over": completeOver,
		"theme": oneOfThese(themes...), "tokenizer": r.completeTokenizer, "generation": completeGenerations, "min": completeFloor,
		"folds": oneOfThese("5", "10"), "naming": oneOfThese(singleNaming, string(model.DoubleNaming)), "server": completeServer, "offer": oneOfThese(offers...),
		"sign-in": oneOfThese(signInWays...), "capabilities": oneOfThese(append([]string{strings.Join(offers, ","), offers[0], offers[1], offers[2]}, live.Declarable()...)...),
	}
	arguments := map[string]cobra.CompletionFunc{
		"eval": filesOf(labelSuffixes), "diff": filesOf(dumpSuffixes), "import": filesOf(dumpSuffixes), "put": anyFile,
		"fetch": r.completeResult, "man": folders, "replay": anyFile,
	}
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		give := func(f *pflag.Flag) {
			_, free := freeText[f.Name]
			switch known, ok := flags[f.Name]; {
			case f.Value.Type() == "bool":
			case ok:
				_ = cmd.RegisterFlagCompletionFunc(f.Name, known) // an error is that it has one
			case free:
				_ = cmd.RegisterFlagCompletionFunc(f.Name, cobra.NoFileCompletions)
			}
		}
		cmd.LocalNonPersistentFlags().VisitAll(give)
		cmd.PersistentFlags().VisitAll(give)
		if cmd.ValidArgsFunction == nil && len(cmd.ValidArgs) == 0 && !cmd.HasSubCommands() {
			cmd.ValidArgsFunction = cobra.NoFileCompletions
			if known, ok := arguments[cmd.Name()]; ok {
				cmd.ValidArgsFunction = known
			}
		}
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
	for _, k := range evaluation.Cutoffs {
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
	_ = r.rescue(cmd.Context(), false, func(s rescuing) error {
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
		return err
	})
	r.demoUnasked = false // nobody reads it
	return list, cobra.ShellCompDirectiveNoFileComp
}

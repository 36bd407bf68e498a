package runner

import (
	"slices"
	"strings"

	"caliper/engine"
	"caliper/tui/report"
	"caliper/tui/workbench"

	"github.com/spf13/cobra"
)

// What the names of files end in.
var (
	DumpSuffixes   = []string{"json", "jsonc", "jsonl", "ndjson", "txt", "yaml", "yml"}
	ConfigSuffixes = []string{"yaml", "yml"}
	LabelSuffixes  = []string{"jsonl", "json"}
	ClientSuffixes = []string{"json", "jsonc", "toml", "yaml", "yml"}
)

// Themes are the values of --theme.
var Themes = []string{"auto", "light", "dark", "plain"}

// FilesOf completes names of files that end in one of some suffixes, and folders.
func FilesOf(suffixes []string) cobra.CompletionFunc {
	return cobra.FixedCompletions(suffixes, cobra.ShellCompDirectiveFilterFileExt)
}

// AnyFile completes names of files.
var AnyFile = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)

// OneOfThese completes one of some words.
func OneOfThese(choices ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp)
}

// CompleteLast completes the last of a list of words that are separated by commas, each
// once.
func CompleteLast(words []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) (out []string, _ cobra.ShellCompDirective) {
		before := typed[:strings.LastIndex(typed, ",")+1]
		for _, word := range words {
			if !slices.Contains(strings.Split(before, ","), word) {
				out = append(out, before+word)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}

// CompleteTool offers the tools that the session is granted for a first
// argument, each with its toolset.
func (r *Run) CompleteTool(cmd *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	st, err := r.LoadForCompletion(cmd)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	for _, t := range st.Snapshot.ByName() {
		if st.Snapshot.Granted(t) && st.Snapshot.Class(t) != engine.Dropped &&
			strings.HasPrefix(t.Qualified, prefix) && Completable(t.Qualified) {
			out = append(out, cobra.CompletionWithDesc(t.Qualified, t.ShownToolset()))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// CompleteSession offers the sessions of the config.
func (r *Run) CompleteSession(cmd *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
	r.Flags.Bench.Session = "" // the one being typed
	st, err := r.LoadForCompletion(cmd)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	for _, s := range st.Config.Choosable() {
		if strings.HasPrefix(s.Name, prefix) && Completable(s.Name) {
			out = append(out, s.Name)
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// LoadForCompletion is load for a command line that is being typed, whose
// flags cobra parses more than once.
func (r *Run) LoadForCompletion(cmd *cobra.Command) (workbench.State, error) {
	slices.Sort(r.Flags.Registry)
	r.Flags.Registry = slices.Compact(r.Flags.Registry)
	st, err := r.Load(cmd.Context())
	r.DemoUnasked = false // nobody reads it
	return st, err
}

// Completable reports whether a name can be offered to a shell.
//
// SECURITY: names come from servers, and shells put what they are offered on
// the command line: only characters that no shell interprets are let through.
func Completable(name string) bool {
	return report.CommandLine(name) == name
}

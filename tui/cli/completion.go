package cli

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"caliper/engine"
	"caliper/tui/report"
	"caliper/tui/workbench"

	"github.com/spf13/cobra"
)

// shells are the shells that there is a completion script for.
var shells = []string{"bash", "zsh", "fish", "powershell"}

// completionRow is `completion`: the script that completes command lines.
func (r *run) completionRow() row {
	return row{
		reads:   noData,
		args:    argumentCount(1, 1, "a SHELL: "+strings.Join(shells, ", ")),
		choices: shells,
		run: func(_ context.Context, args []string) (*outcome, error) {
			if !slices.Contains(shells, args[0]) {
				return nil, usagef("shell %q: want %s", args[0], strings.Join(shells, ", "))
			}
			script, err := completionScript(r.root, args[0])
			if err == nil && !r.flags.json {
				return nil, r.write(script)
			}
			return &outcome{value: object{{"shell", args[0]}, {"script", string(script)}}}, err
		},
	}
}

// completionScript returns the script of a shell.
func completionScript(root *cobra.Command, shell string) ([]byte, error) {
	var b bytes.Buffer
	var err error
	switch shell {
	case "bash":
		err = root.GenBashCompletionV2(&b, true)
	case "zsh":
		err = root.GenZshCompletion(&b)
	case "fish":
		err = root.GenFishCompletion(&b, true)
	default:
		err = root.GenPowerShellCompletionWithDesc(&b)
	}
	return b.Bytes(), err
}

// completeTool offers the tools that the session is granted for a first
// argument, each with its toolset.
func (r *run) completeTool(cmd *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	st, err := r.loadForCompletion(cmd)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	for _, t := range st.Snapshot.ByName() {
		if st.Snapshot.Granted(t) && st.Snapshot.Class(t) != engine.Dropped &&
			strings.HasPrefix(t.Qualified, prefix) && completable(t.Qualified) {
			out = append(out, cobra.CompletionWithDesc(t.Qualified, t.ShownToolset()))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// completeFlagTool is completeTool for the value of a flag.
func (r *run) completeFlagTool(cmd *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
	return r.completeTool(cmd, nil, prefix)
}

// completeSession offers the sessions of the config.
func (r *run) completeSession(cmd *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
	r.flags.bench.Session = "" // the one being typed
	st, err := r.loadForCompletion(cmd)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	for _, s := range st.Config.Choosable() {
		if strings.HasPrefix(s.Name, prefix) && completable(s.Name) {
			out = append(out, s.Name)
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// loadForCompletion is load for a command line that is being typed, whose
// flags cobra parses more than once.
func (r *run) loadForCompletion(cmd *cobra.Command) (workbench.State, error) {
	slices.Sort(r.flags.registry)
	r.flags.registry = slices.Compact(r.flags.registry)
	st, err := r.load(cmd.Context())
	r.demoUnasked = false // nobody reads it
	return st, err
}

// completable reports whether a name can be offered to a shell.
//
// SECURITY: names come from servers, and shells put what they are offered on
// the command line: only characters that no shell interprets are let through.
func completable(name string) bool {
	return report.CommandLine(name) == name
}

package cli

import (
	"bytes"
	"caliper/tui/cli/runner"
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"
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
			script, err := completionScript(r.Root, args[0])
			if err == nil && !r.Flags.JSON {
				return nil, r.Write(script)
			}
			return &runner.Outcome{Value: runner.Object{{"shell", args[0]}, {"script", string(script)}}}, err
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

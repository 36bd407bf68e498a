package cli

import (
	"caliper/tui/cli/runner"
	"context"
	"fmt"
)

// versionRow is `version`, the same as --version.
func (r *run) versionRow() runner.Row {
	return runner.Row{Reads: runner.NoData, Run: func(context.Context, []string) (*runner.Outcome, error) { return builtWith(), nil }}
}

// builtWith tells what the build recorded.
func builtWith() *runner.Outcome {
	v := runner.Built()
	line := fmt.Sprintf("caliper %s, %s", v.Program, v.Compiler)
	if v.Revision != "" {
		line += ", revision " + v.Revision
		if v.Modified {
			line += " (modified)"
		}
	}
	return &runner.Outcome{Page: runner.OneLine(line), Value: runner.Object{{"version", v.Program}, {"go", v.Compiler}, {"revision", v.Revision}, {"time", v.Time}, {"modified", v.Modified}}}
}

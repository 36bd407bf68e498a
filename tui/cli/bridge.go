package cli

import (
	"context"
	"encoding/json"

	"caliper/engine"
	"caliper/tui/cli/runner"
	"caliper/tui/workbench"
)

// bridgeRow is `bridge`: what the model would get from a bridge tool.
func (r *run) bridgeRow() runner.Row {
	return runner.Row{
		Args:    runner.ArgumentCount(1, 2, "a TOOL and its ARGS"),
		Choices: []string{"tool_search", "tool_describe", "tool_call"},
		Run: r.onArguments(func(ctx context.Context, st workbench.State, tool string, arguments json.RawMessage) (*runner.Outcome, error) {
			if tool == engine.ToolSearch {
				if err := runner.PrepareIndex(ctx, st.Snapshot); err != nil {
					return nil, err
				}
			}
			answer, ok := st.Snapshot.Bridge(tool, arguments)
			return &runner.Outcome{No: !ok}, r.PrintJSONLine(answer)
		}),
	}
}

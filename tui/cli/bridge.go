package cli

import (
	"context"
	"encoding/json"

	"caliper/engine"
	"caliper/tui/workbench"
)

// bridgeRow is `bridge`: what the model would get from a bridge tool.
func (r *run) bridgeRow() row {
	return row{
		args:    argumentCount(1, 2, "a TOOL and its ARGS"),
		choices: []string{"tool_search", "tool_describe", "tool_call"},
		run: r.onArguments(func(ctx context.Context, st workbench.State, tool string, arguments json.RawMessage) (*outcome, error) {
			if tool == engine.ToolSearch {
				if err := prepareIndex(ctx, st.Snapshot); err != nil {
					return nil, err
				}
			}
			answer, ok := st.Snapshot.Bridge(tool, arguments)
			return &outcome{no: !ok}, r.printJSONLine(answer)
		}),
	}
}

package cli

import (
	"context"
	"encoding/json"

	"caliper/engine"
	"caliper/tui/workbench"

	"github.com/spf13/cobra"
)

// bridgeCommand is `bridge`: what the model would get from a bridge tool.
func (r *run) bridgeCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "bridge TOOL [ARGS | @FILE | -]",
		Short:   "Print the JSON that the model would get from the bridge.",
		GroupID: groupAnswer,
		Example: `caliper bridge tool_search '{"query": "open a change", "limit": 3}'
caliper bridge tool_describe '{"name": "mcp_wiki_read_page"}'
caliper bridge tool_call @call.json`,
		Long: "TOOL is tool_search, tool_describe or tool_call, which is always a dry run. Which tools are found, described or refused is " +
			"the agent's; the sentences, next_call and the codes of refusals are caliper's own, as caliper serve sends them. The answer is one line, " +
			"the value the model gets; characters that could act on a terminal are escaped in its strings, " +
			"which leaves the value the same. Exits with 1 when the answer is an error.",
		Args:      argumentCount(1, 2, "a TOOL and its ARGS"),
		ValidArgs: []string{"tool_search", "tool_describe", "tool_call"},
		RunE: r.onArguments(func(ctx context.Context, st workbench.State, tool string, arguments json.RawMessage) error {
			if tool == engine.ToolSearch {
				if err := prepareIndex(ctx, st.Snapshot); err != nil {
					return err
				}
			}
			answer, ok := st.Snapshot.Bridge(tool, arguments)
			return noWhen(!ok, r.printJSONLine(answer))
		}),
	}
}

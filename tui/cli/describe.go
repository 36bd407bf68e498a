package cli

import (
	"encoding/json"

	"caliper/engine"
	"caliper/model"
	"caliper/tui/report"
	"caliper/tui/workbench"

	"github.com/spf13/cobra"
)

// describeCommand is `describe`: one tool as the session meets it.
func (r *run) describeCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "describe NAME",
		Short:   "Show one tool: its schema, tokens and status in the session.",
		GroupID: groupLook,
		Example: `caliper describe mcp_forge_open_change
caliper describe mcp-forge/mcp_forge_ci_status --json`,
		Long: "NAME is the name that the model sees or, where several tools have it, toolset/name. " +
			"A tool outside the session's scope is refused, and exits with 1.",
		Args:              argumentCount(1, 1, "one NAME"),
		ValidArgsFunction: r.completeTool,
		RunE: r.onState(func(_ *cobra.Command, st workbench.State, args []string) error {
			tool, fault := st.Snapshot.Describe(args[0])
			if fault != nil {
				refusal := object{{"error", fault.Message}, {"code", fault.Code}, {"suggestions", notNull(fault.Suggestions)}}
				return noWhen(true, r.answer(refusal, report.Refusal(fault)))
			}
			if r.flags.json {
				return r.printJSON(descriptionOf(st.Snapshot, tool))
			}
			text, err := report.Describe(st.Snapshot, tool)
			if err == nil {
				r.print(text)
			}
			return err
		}),
	}
}

// descriptionOf returns a tool for JSON. Parameters are {} when the definition
// has none.
func descriptionOf(s *engine.Snapshot, t *model.Tool) object {
	parameters := json.RawMessage(t.Parameters)
	if parameters == nil {
		parameters = json.RawMessage("{}")
	}
	out := object{
		{"name", t.Qualified},
		{"toolset", t.Toolset},
		{"source", engine.SourceOf(t.Toolset)},
		{"status", s.Status(t).String()},
		{"active", s.Active()},
		{"tokens", s.ToolTokens(t)},
		{"tokenizer", s.Tokenizer},
		{"description", t.Description},
		{"parameters", parameters},
	}
	if t.Override != "" {
		out = append(out, member{"overridden", t.Override})
	}
	return out
}

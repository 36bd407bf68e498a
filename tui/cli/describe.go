package cli

import (
	"context"
	"encoding/json"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/retrieval/learned"
	"caliper/tui/cli/runner"
	"caliper/tui/report"
	"caliper/tui/workbench"
)

// describeRow is `describe`: one tool as the session meets it.
func (r *run) describeRow() runner.Row {
	return runner.Row{
		Args:     runner.ArgumentCount(1, 1, "one NAME"),
		Complete: r.CompleteTool,
		On: func(ctx context.Context, st workbench.State, args []string) (*runner.Outcome, error) {
			tool, fault := st.Snapshot.Describe(args[0])
			if fault != nil {
				refusal := runner.Object{{"error", fault.Message}, {"code", fault.Code}, {"suggestions", runner.NotNull(fault.Suggestions)}}
				chain, err := r.chainOf(ctx, st, args[0], nil)
				if err != nil {
					return nil, err
				}
				page := report.Refusal(fault)
				page.Add(report.Breaks(chain))
				return &runner.Outcome{Value: refusal, Page: page, No: true}, nil
			}
			parameters := json.RawMessage(tool.Parameters)
			if parameters == nil {
				parameters = json.RawMessage("{}") // the definition has none
			}
			value := runner.Object{
				{"name", tool.Qualified},
				{"toolset", tool.Toolset},
				{"source", engine.SourceOf(tool.Toolset)},
				{"status", st.Snapshot.Status(tool).String()},
				{"active", st.Snapshot.Active()},
				{"tokens", st.Snapshot.ToolTokens(tool)},
				{"tokenizer", st.Snapshot.Tokenizer},
				{"description", tool.Description},
				{"parameters", parameters},
			}
			if tool.Override != "" {
				value = append(value, runner.Member{"overridden", tool.Override})
			}
			text, err := report.Describe(st.Snapshot, tool)
			if in := st.Snapshot.Inputs(); in.Lessons != nil && err == nil { // what they taught, whatever ranker is configured
				in.Config.ToolSearch.Ranker = config.RankerLearned
				s, err := engine.Build(ctx, in)
				if err != nil {
					return nil, err
				}
				taught, _ := s.Taught(tool)
				support, _ := s.Support()
				value = append(value, runner.Member{"learned", runner.Object{
					{"lessons", len(taught.Lessons)},
					{"words", runner.Array(taught.Words, func(w learned.Word) runner.Object {
						return runner.Object{{"word", w.Stem}, {"weight", w.Weight}, {"queries", runner.Array(w.Lessons, func(at int) string { return taught.Lessons[at].ID })}}
					})},
				}})
				text.Blank()
				text.Add(report.Taught(taught, support))
			}
			return &runner.Outcome{Value: value, Page: text}, err
		},
	}
}

package cli

import (
	"context"
	"encoding/json"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/retrieval/learned"
	"caliper/model"
	"caliper/tui/report"
	"caliper/tui/workbench"
)

// describeRow is `describe`: one tool as the session meets it.
func (r *run) describeRow() row {
	return row{
		args:     argumentCount(1, 1, "one NAME"),
		complete: r.completeTool,
		on: func(ctx context.Context, st workbench.State, args []string) (*outcome, error) {
			tool, fault := st.Snapshot.Describe(args[0])
			if fault != nil {
				refusal := object{{"error", fault.Message}, {"code", fault.Code}, {"suggestions", notNull(fault.Suggestions)}}
				return &outcome{value: refusal, page: report.Refusal(fault), no: true}, nil
			}
			taught, support, err := taughtOf(ctx, st.Snapshot, tool)
			if err != nil {
				return nil, err
			}
			value := descriptionOf(st.Snapshot, tool)
			text, err := report.Describe(st.Snapshot, tool)
			if taught != nil && err == nil {
				value = append(value, member{"learned", taughtJSON(*taught)})
				text.Blank()
				text.Add(report.Taught(*taught, support))
			}
			return &outcome{value: value, page: text}, err
		},
	}
}

// taughtOf returns what labelled queries taught of a tool, whatever ranker is configured,
// and how far they help; nil where no file of them is named.
func taughtOf(ctx context.Context, s *engine.Snapshot, t *model.Tool) (*engine.Taught, learned.Support, error) {
	in := s.Inputs()
	if in.Lessons == nil {
		return nil, learned.Support{}, nil
	}
	in.Config.ToolSearch.Ranker = config.RankerLearned
	s, err := engine.Build(ctx, in)
	if err != nil {
		return nil, learned.Support{}, err
	}
	taught, _ := s.Taught(t)
	support, _ := s.Support()
	return &taught, support, nil
}

// taughtJSON returns what labelled queries taught of a tool for JSON.
func taughtJSON(t engine.Taught) object {
	return object{
		{"lessons", len(t.Lessons)},
		{"words", array(t.Words, func(w engine.TaughtWord) object {
			return object{{"word", w.Stem}, {"weight", w.Weight}, {"queries", array(w.Lessons, func(at int) string { return t.Lessons[at].ID })}}
		})},
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

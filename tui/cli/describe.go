package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"caliper/engine"
	"caliper/model"

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
		Long: "NAME is the name that the model sees or, where several tools bear it, toolset/name. " +
			"A tool outside the session's scope is refused, and exits with 1.",
		Args:              argumentCount(1, 1, "one NAME"),
		ValidArgsFunction: r.completeTool,
		RunE: func(cmd *cobra.Command, args []string) error {
			st, err := r.loadGood(cmd.Context())
			if err != nil {
				return err
			}
			tool, fault := st.Snapshot.Describe(args[0])
			if fault != nil {
				return r.refuse(fault)
			}
			if r.flags.json {
				return r.printJSON(descriptionOf(st.Snapshot, tool))
			}
			return r.describe(st.Snapshot, tool)
		},
	}
}

// refusalJSON is the answer to a tool that is not shown.
type refusalJSON struct {
	Error       string   `json:"error"`
	Code        string   `json:"code"`
	Suggestions []string `json:"suggestions"`
}

// refuse prints why a tool is not shown.
func (r *run) refuse(f *engine.Fault) error {
	if r.flags.json {
		answer := refusalJSON{Error: f.Message, Code: f.Code, Suggestions: append([]string{}, f.Suggestions...)}
		if err := r.printJSON(answer); err != nil {
			return err
		}
		return errNo
	}
	p := r.page()
	p.paragraph(0, f.Code+": "+f.Message)
	if len(f.Suggestions) > 0 {
		p.blank()
		p.line(p.faint("Did you mean"))
		for _, name := range f.Suggestions {
			p.text("  " + model.Sanitize(name))
		}
	}
	return errNo
}

// descriptionJSON is one tool.
type descriptionJSON struct {
	Name        string          `json:"name"`
	Toolset     string          `json:"toolset"`
	Source      string          `json:"source"`
	Status      string          `json:"status"`
	Active      bool            `json:"active"`
	Tokens      int             `json:"tokens"`
	Tokenizer   string          `json:"tokenizer"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"` // {} when the definition has none
}

// descriptionOf returns a tool for JSON.
func descriptionOf(s *engine.Snapshot, t *model.Tool) descriptionJSON {
	parameters := json.RawMessage(t.Parameters)
	if parameters == nil {
		parameters = json.RawMessage("{}")
	}
	return descriptionJSON{
		Name:        t.Qualified,
		Toolset:     t.Toolset,
		Source:      engine.SourceOf(t.Toolset),
		Status:      s.Status(t).String(),
		Active:      s.Active(),
		Tokens:      s.ToolTokens(t),
		Tokenizer:   string(s.Tokenizer),
		Description: t.Description,
		Parameters:  parameters,
	}
}

// describe prints a tool for a person.
func (r *run) describe(s *engine.Snapshot, t *model.Tool) error {
	p := r.page()
	p.line(p.strong(t.ShownName))
	p.line(p.faint(fmt.Sprintf("%s, %s, %s in session %s, %s (%s)", t.ShownToolset, engine.SourceOf(t.Toolset),
		s.Status(t), model.Sanitize(s.Session.Name), counted(s.ToolTokens(t), "token"), s.Tokenizer)))
	if text := strings.TrimSpace(model.SanitizeText(t.Description)); text != "" {
		p.blank()
		p.paragraph(0, text)
	}
	schema, err := model.ParseSchema(t.Parameters)
	if err != nil {
		return err
	}
	p.blank()
	schemaTree(p, schema)
	return nil
}

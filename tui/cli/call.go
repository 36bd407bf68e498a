package cli

import (
	"fmt"

	"caliper/engine"
	"caliper/model"
	"caliper/tui/repro"

	"github.com/spf13/cobra"
)

// callCommand is `call`: the dry run of one call, with its trace.
func (r *run) callCommand() *cobra.Command {
	var direct, markdown bool
	cmd := &cobra.Command{
		Use:     "call NAME [ARGS | @FILE | -]",
		Short:   "Dry-run tool_call and show every gate. Nothing is executed.",
		GroupID: groupAnswer,
		Example: `caliper call mcp_wiki_read_page '{"page": "ops/runbooks"}'
caliper call mcp_wiki_read_page @arguments.json --json
caliper call mcp_wiki_read_page --direct`,
		Long: "ARGS is what the model would send as arguments, @FILE a file that holds it, - standard input. " +
			"Text that is not JSON is passed on as text, so that the gate for arguments answers. " +
			"Arguments are converted as the June 2026 agent converts them, and what does not fit the schema then " +
			"is a warning, since that agent checks nothing; with --strict it is refused. " +
			"Hooks of the agent's configuration are shown where they would see the call, and never run. " +
			"Exits with 1 when the call is refused.",
		Args:              argumentCount(1, 2, "a NAME and at most one ARGS"),
		ValidArgsFunction: r.completeTool,
		RunE: func(cmd *cobra.Command, args []string) error {
			text := ""
			if len(args) == 2 {
				text = args[1]
			}
			arguments, err := r.argumentsFrom(text)
			if err != nil {
				return err
			}
			st, err := r.loadGood(cmd.Context())
			if err != nil {
				return err
			}
			dryRun := st.Snapshot.Call
			if direct {
				dryRun = st.Snapshot.Direct
			}
			t := dryRun(args[0], arguments)
			if markdown {
				called := repro.Called{Arguments: arguments, Direct: direct, Trace: t}
				return verdictOf(t, r.printMarkdown(repro.Call(reproCase(st), called)))
			}
			return r.printTrace(t)
		},
	}
	cmd.Flags().BoolVar(&direct, "direct", false, "call by name, without the bridge")
	cmd.Flags().BoolVar(&markdown, "markdown", false, "print it all as Markdown, to be pasted into an issue")
	return cmd
}

// printTrace prints a trace and tells whether the call is authorized.
func (r *run) printTrace(t engine.Trace) error {
	if r.flags.json {
		return verdictOf(t, r.printJSON(t))
	}
	r.traceText(t)
	return verdictOf(t, nil)
}

// verdictOf returns the outcome of a command that has printed a trace, unless
// printing it went wrong.
func verdictOf(t engine.Trace, err error) error {
	if err == nil && !t.Authorized {
		err = errNo
	}
	return err
}

// traceText prints a trace for a person.
func (r *run) traceText(t engine.Trace) {
	p := r.page()
	name := model.Sanitize(t.Name)
	if name == "" {
		name = "(no name)"
	}
	p.line(p.strong(name), p.faint("  dry run in session "+model.Sanitize(t.Session)))
	p.blank()
	gates := table{columns: []column{{}, {}, {grow: true, wrap: true}}}
	for _, s := range t.Steps {
		gates.rows = append(gates.rows, row{cells: []string{verdictWord(s.Verdict), s.Gate, s.Detail}, faint: s.Verdict == engine.Skip})
	}
	gates.print(p)
	p.blank()
	if t.Authorized {
		p.line(p.strong("authorized"))
	} else {
		p.line(p.strong("refused"), fmt.Sprintf(" at gate %s: %s", t.Gate, t.Code))
	}
	p.paragraph(2, t.Message)
	p.blank()
	p.line(p.faint("the model sees"))
	p.text("  " + string(model.EscapeUnseen(t.ModelSees))) // one line, to be copied
}

// verdictWord returns the word of a verdict in a table, where a failure should
// stand out without colour.
func verdictWord(v engine.Verdict) string {
	switch v {
	case engine.Fail:
		return "FAIL"
	case engine.Warn:
		return "WARN"
	}
	return string(v)
}

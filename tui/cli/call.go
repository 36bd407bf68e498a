package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"caliper/engine"
	"caliper/tui/report"
	"caliper/tui/workbench"

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
			"A refused call is followed by the call to send instead, with every value that was written and no other; " +
			"where no such call exists, by the description to read first. " +
			"Exits with 1 when the call is refused.",
		Args:              argumentCount(1, 2, "a NAME and at most one ARGS"),
		ValidArgsFunction: r.completeTool,
		RunE: r.onArguments(func(ctx context.Context, st workbench.State, name string, arguments json.RawMessage) error {
			dryRun := st.Snapshot.Call
			if direct {
				dryRun = st.Snapshot.Direct
			}
			t := dryRun(name, arguments)
			if markdown {
				called := report.Called{Arguments: arguments, Direct: direct, Trace: t}
				return noWhen(!t.Authorized, r.printMarkdown(caseOf(st).Call(called)))
			}
			text := report.Call(t)
			if t.Code == engine.CodeBridgeInactive && !r.flags.json {
				text.Add(report.Inactive(st.Snapshot.Budget(false), r.searching(ctx, st)))
			}
			return noWhen(!t.Authorized, r.answer(t, text))
		}),
	}
	cmd.Flags().BoolVar(&direct, "direct", false, "call by name, without the bridge")
	markdownFlag(cmd, &markdown)
	return cmd
}

// mostSessions is how many other sessions are asked whether tool search is active in
// them: each needs its own snapshot.
const mostSessions = 8

// searching returns the first session of the configuration in which tool search is
// active, empty when there is none among the first ones.
func (r *run) searching(ctx context.Context, st workbench.State) string {
	asked := 0
	for _, one := range st.Config.Sessions {
		if one.Name == st.Snapshot.Session.Name {
			continue
		}
		if asked++; asked > mostSessions {
			break
		}
		s, err := engine.Build(ctx, engine.Inputs{Registry: st.Snapshot.Registry, Config: st.Snapshot.Config,
			Session: one.Name, Tokenizer: st.Snapshot.Tokenizer, Ranking: &st.Snapshot.Ranking})
		if err == nil && s.Budget(false).Active {
			return one.Name
		}
	}
	return ""
}

// onArguments returns what runs a command on a name, the arguments behind it,
// and good input.
func (r *run) onArguments(do func(ctx context.Context, st workbench.State, name string, arguments json.RawMessage) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		arguments, err := r.argumentsFrom(append(args, "")[1])
		if err != nil {
			return err
		}
		return r.onState(func(cmd *cobra.Command, st workbench.State, _ []string) error {
			return do(cmd.Context(), st, args[0], arguments)
		})(cmd, args)
	}
}

// argumentsFrom returns the arguments of a call as the model would have sent
// them: from the text itself, from a file named after @, or with - from
// standard input.
func (r *run) argumentsFrom(text string) (json.RawMessage, error) {
	var data []byte
	var err error
	name, file := strings.CutPrefix(text, "@")
	switch {
	case text == "-":
		if data, err = io.ReadAll(r.in); err != nil {
			err = fmt.Errorf("reading arguments: %w", err)
		}
	case file:
		data, err = readInput(name)
	default:
		data = []byte(text)
	}
	return engine.ArgumentsOf(string(data)), err
}

package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"caliper/engine"
	"caliper/tui/cli/runner"
	"caliper/tui/report"
	"caliper/tui/workbench"
)

// callRow is `call`: the dry run of one call, with its trace.
func (r *run) callRow() runner.Row {
	var direct bool
	return runner.Row{
		Args:     runner.ArgumentCount(1, 2, "a NAME and at most one ARGS"),
		Complete: r.CompleteTool,
		Flags: func(f runner.FlagSet) {
			f.On(&direct, "direct", "call by name, without the bridge")
			f.On(&r.Flags.Markdown, "markdown", runner.AsMarkdown)
		},
		Run: r.onArguments(func(ctx context.Context, st workbench.State, name string, arguments json.RawMessage) (*runner.Outcome, error) {
			dryRun := st.Snapshot.Call
			if direct {
				dryRun = st.Snapshot.Direct
			}
			t := dryRun(name, arguments)
			out := &runner.Outcome{Value: t, Page: report.Call(t), No: !t.Authorized}
			switch {
			case r.Flags.Markdown:
				out.Markdown = runner.CaseOf(st).Call(arguments, direct, t)
			case !t.Authorized && !r.Flags.JSON:
				chain, err := r.chainOf(ctx, st, name, nil)
				if err != nil {
					return nil, err
				}
				if out.Page.Add(report.Breaks(chain)); t.Code == engine.CodeBridgeInactive {
					out.Page.Add(report.Exposure(chain))
				}
			}
			return out, nil
		}),
	}
}

// onArguments returns what runs a command on a name, the arguments behind it,
// and good input.
func (r *run) onArguments(do func(ctx context.Context, st workbench.State, name string, arguments json.RawMessage) (*runner.Outcome, error)) func(context.Context, []string) (*runner.Outcome, error) {
	return func(ctx context.Context, args []string) (*runner.Outcome, error) {
		text := append(args, "")[1] // as the model would have sent it, @ and the name of a file, or - for standard input
		data, err := []byte(text), error(nil)
		if name, file := strings.CutPrefix(text, "@"); file {
			data, err = runner.ReadInput(name)
		} else if text == "-" {
			if data, err = io.ReadAll(r.In); err != nil {
				err = fmt.Errorf("reading arguments: %w", err)
			}
		}
		if err != nil {
			return nil, err
		}
		st, err := r.LoadGood(ctx)
		if err != nil {
			return nil, err
		}
		return do(ctx, st, args[0], engine.ArgumentsOf(string(data)))
	}
}

// bridgeRow is `bridge`: what the model would get from a bridge tool.
func (r *run) bridgeRow() runner.Row {
	return runner.Row{
		Args:    runner.ArgumentCount(1, 2, "a TOOL and its ARGS"),
		Choices: []string{"tool_search", "tool_describe", "tool_call"},
		Run: r.onArguments(func(ctx context.Context, st workbench.State, tool string, arguments json.RawMessage) (*runner.Outcome, error) {
			if tool == engine.ToolSearch {
				if err := st.Snapshot.Prepare(ctx, engine.WorkIndexing); err != nil {
					return nil, err
				}
			}
			answer, ok := st.Snapshot.Bridge(tool, arguments)
			return &runner.Outcome{No: !ok}, r.PrintJSONLine(answer)
		}),
	}
}

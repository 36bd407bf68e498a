package cli

import (
	"cmp"
	"context"
	"slices"

	"caliper/engine/serve"
	"caliper/model/safetext"
	"caliper/tui/cli/connect"
	"caliper/tui/cli/runner"
	"caliper/tui/demo"
	"caliper/tui/report"
)

// checkRow is `check`: parse and validate registry and config.
func (r *run) checkRow() runner.Row {
	return runner.Row{Reads: runner.OwnData, Run: func(ctx context.Context, _ []string) (*runner.Outcome, error) {
		st, err := r.Load(ctx)
		if err != nil {
			return nil, err
		}
		config, registry := r.Flags.Config, st.Snapshot.Registry
		st.Errors = slices.Clone(st.Errors)
		for i, d := range st.Errors {
			if config != "" && d.File == safetext.Line(config) {
				st.Errors[i].Message += agentDoes[d.Code]
			}
		}
		var listed []serve.Listed // tools that serve would list in another form, or that are refused
		for _, t := range registry.Tools {
			if l := serve.Listing(registry, t); len(l.Changes)+len(l.Refused) > 0 {
				listed = append(listed, l)
			}
		}
		out, clients := &runner.Outcome{Wrong: st.Errors}, connect.ClientLines(listed)
		if r.Flags.JSON {
			value := runner.Object{
				{"ok", len(st.Errors) == 0},
				{"registry", runner.Object{{"tools", len(registry.Tools)}, {"toolsets", len(registry.Toolsets)}, {"shape", registry.Shape}}},
				{"warnings", runner.DiagnosticsJSON(st.Warnings)},
				{"errors", runner.DiagnosticsJSON(st.Errors)},
				{"sections", runner.NotNull(st.Config.Sections)}, // of the configuration, and whether they count
			}
			if len(clients) > 0 {
				value = append(value, runner.Member{"for_agents", clients})
			}
			out.Value = value
			return out, nil
		}
		for _, w := range st.Warnings {
			r.Complain(runner.WarningLine(w))
		}
		for _, line := range clients {
			r.Complain("for agents, " + line)
		}
		if len(st.Errors) == 0 {
			if config == "" && r.Flags.OwnData() {
				config = "(defaults)"
			}
			out.Page = report.Check(st, cmp.Or(config, demo.ConfigFile))
		}
		return out, nil
	}}
}

// agentDoes is the agent's treatment of a configuration that is refused here, by the code of
// the error: its loader has no bounds of its own, and where it fails, at any place, the
// defaults are in force.
var agentDoes = map[string]string{
	"malformed": itsDefaults, "bad_character": itsDefaults, "several_documents": itsDefaults, "unloadable": itsDefaults, "unreadable": itsDefaults,
	"too_large": itReads, "alias_expansion": itReads,
}

const (
	itsDefaults = "; the agent takes its defaults for every setting"
	itReads     = "; the agent reads the file"
)

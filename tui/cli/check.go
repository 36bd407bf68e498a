package cli

import (
	"context"
	"slices"

	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/cli/connect"
	"caliper/tui/cli/runner"
	"caliper/tui/demo"
	"caliper/tui/report"
	"caliper/tui/workbench"
)

// checkRow is `check`: parse and validate registry and config.
func (r *run) checkRow() runner.Row {
	return runner.Row{Reads: runner.OwnData, Run: func(ctx context.Context, _ []string) (*runner.Outcome, error) {
		st, err := r.Load(ctx)
		if err != nil {
			return nil, err
		}
		st.Errors = r.withTheAgent(st.Errors)
		out := &runner.Outcome{Wrong: st.Errors}
		if r.Flags.JSON {
			out.Value = checkJSON(st)
			return out, nil
		}
		for _, w := range st.Warnings {
			r.Complain(runner.WarningLine(w))
		}
		for _, line := range connect.ClientLines(connect.ClientChanges(st.Snapshot.Registry)) {
			r.Complain("for agents, " + line)
		}
		if len(st.Errors) == 0 {
			out.Page = report.Check(st, r.configName())
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

// withTheAgent returns errors; the configuration's also tell what the agent does.
func (r *run) withTheAgent(list []model.Diagnostic) []model.Diagnostic {
	list = slices.Clone(list)
	for i, d := range list {
		if r.Flags.Config != "" && d.File == safetext.Line(r.Flags.Config) {
			list[i].Message += agentDoes[d.Code]
		}
	}
	return list
}

// checkJSON returns the findings of check for JSON: the sections are the
// configuration, and whether they count.
func checkJSON(st workbench.State) runner.Object {
	registry := st.Snapshot.Registry
	found := runner.Object{
		{"ok", len(st.Errors) == 0},
		{"registry", runner.Object{{"tools", len(registry.Tools)}, {"toolsets", len(registry.Toolsets)}, {"shape", registry.Shape}}},
		{"warnings", runner.DiagnosticsJSON(st.Warnings)},
		{"errors", runner.DiagnosticsJSON(st.Errors)},
		{"sections", runner.NotNull(st.Config.Sections)},
	}
	if lines := connect.ClientLines(connect.ClientChanges(registry)); len(lines) > 0 {
		found = append(found, runner.Object{{"for_agents", lines}}...)
	}
	return found
}

// configName returns the name of the config file, or what holds without one.
func (r *run) configName() string {
	switch {
	case r.Flags.Config != "":
		return r.Flags.Config
	case r.Flags.OwnData():
		return "(defaults)"
	}
	return demo.ConfigFile
}

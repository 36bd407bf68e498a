package cli

import (
	"context"
	"slices"

	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/demo"
	"caliper/tui/report"
	"caliper/tui/workbench"
)

// checkRow is `check`: parse and validate registry and config.
func (r *run) checkRow() row {
	return row{reads: ownData, run: func(ctx context.Context, _ []string) (*outcome, error) {
		st, err := r.load(ctx)
		if err != nil {
			return nil, err
		}
		st.Errors = r.withTheAgent(st.Errors)
		out := &outcome{wrong: st.Errors}
		if r.flags.json {
			out.value = checkJSON(st)
			return out, nil
		}
		for _, w := range st.Warnings {
			r.complain(warningLine(w))
		}
		for _, line := range clientLines(clientChanges(st.Snapshot.Registry)) {
			r.complain("for agents, " + line)
		}
		if len(st.Errors) == 0 {
			out.page = report.Check(st, r.configName())
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
		if r.flags.config != "" && d.File == safetext.Line(r.flags.config) {
			list[i].Message += agentDoes[d.Code]
		}
	}
	return list
}

// checkJSON returns the findings of check for JSON: the sections are the
// configuration, and whether they count.
func checkJSON(st workbench.State) object {
	registry := st.Snapshot.Registry
	found := object{
		{"ok", len(st.Errors) == 0},
		{"registry", object{{"tools", len(registry.Tools)}, {"toolsets", len(registry.Toolsets)}, {"shape", registry.Shape}}},
		{"warnings", diagnosticsJSON(st.Warnings)},
		{"errors", diagnosticsJSON(st.Errors)},
		{"sections", notNull(st.Config.Sections)},
	}
	if lines := clientLines(clientChanges(registry)); len(lines) > 0 {
		found = append(found, object{{"for_agents", lines}}...)
	}
	return found
}

// configName returns the name of the config file, or what holds without one.
func (r *run) configName() string {
	switch {
	case r.flags.config != "":
		return r.flags.config
	case r.flags.ownData():
		return "(defaults)"
	}
	return demo.ConfigFile
}

// warningLine returns a warning in one line that tells it from an error.
func warningLine(d model.Diagnostic) string {
	place := d.Position()
	d.File, d.Line = "", 0
	if place == "" {
		return "warning: " + d.Error()
	}
	return place + ": warning: " + d.Error()
}

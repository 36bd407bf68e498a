package cli

import (
	"context"
	"slices"

	"caliper/engine"
	"caliper/tui/cli/runner"
	"caliper/tui/report"
	"caliper/tui/workbench"
)

// scopeRow is `scope`: the audit of every session.
func (r *run) scopeRow() runner.Row {
	var names bool
	return runner.Row{
		Reads: runner.OwnData,
		Flags: func(f runner.FlagSet) {
			f.Choice("without-gate", "GATE", "leave a scope gate out: scope_catalog or scope_executor; may be repeated",
				[]string{engine.GateScopeCatalog, engine.GateScopeExecutor}, func(name string) error {
					gate, err := engine.ParseRemovableGate(name)
					if err == nil && !slices.Contains(r.Flags.Bench.WithoutGates, gate) {
						r.Flags.Bench.WithoutGates = append(r.Flags.Bench.WithoutGates, gate)
					}
					return err
				})
			f.On(&names, "names", "list the names of the tools, not how many they are")
		},
		On: func(ctx context.Context, st workbench.State, _ []string) (*runner.Outcome, error) {
			audit, err := r.Bench.Audit(ctx, st, engine.Auditing{Progress: r.Counts("steps of the audit")})
			if err != nil {
				return nil, err
			}
			s := st.Snapshot
			return &runner.Outcome{
				Value: append(auditJSON(audit, names, s.WithoutGates()), runner.Member{"generation", s.Config.ToolSearch.Generation}, runner.Member{"host", s.Host().Name}, runner.Member{"search", postureJSON(st.Files.Posture)}),
				Page:  report.Scope(audit, s, st.Files.Posture, names),
				No:    audit.Violations() > 0,
			}, nil
		},
	}
}

// auditJSON returns an audit for JSON. The five lists of a session are sorted
// names, or how many there are.
func auditJSON(a engine.Audit, names bool, without []string) runner.Object {
	list := func(tools []string) any {
		if names {
			return runner.NotNull(tools)
		}
		return len(tools)
	}
	sessions := runner.Array(a.Sessions, func(s engine.SessionAudit) runner.Object {
		return runner.Object{
			{"name", s.Name},
			{"granted", list(s.Granted)},
			{"direct", list(s.Direct)},
			{"searchable", list(s.Searchable)},
			{"describable", list(s.Describable)},
			{"callable", list(s.Callable)},
			{"violations", runner.NotNull(s.Violations)},
		}
	})
	return runner.Object{{"sessions", sessions}, {"without_gate", runner.NotNull(without)}}
}

package cli

import (
	"context"
	"slices"

	"caliper/engine"
	"caliper/tui/report"
	"caliper/tui/workbench"
)

// scopeRow is `scope`: the audit of every session.
func (r *run) scopeRow() row {
	var names bool
	return row{
		reads: ownData,
		flags: func(f flagSet) {
			f.choice("without-gate", "GATE", "leave a scope gate out: scope_catalog or scope_executor; may be repeated",
				[]string{engine.GateScopeCatalog, engine.GateScopeExecutor}, func(name string) error {
					gate, err := engine.ParseRemovableGate(name)
					if err == nil && !slices.Contains(r.flags.bench.WithoutGates, gate) {
						r.flags.bench.WithoutGates = append(r.flags.bench.WithoutGates, gate)
					}
					return err
				})
			f.on(&names, "names", "list the names of the tools, not how many they are")
		},
		on: func(ctx context.Context, st workbench.State, _ []string) (*outcome, error) {
			audit, err := r.bench.Audit(ctx, st, engine.Auditing{Progress: r.counts("steps of the audit")})
			if err != nil {
				return nil, err
			}
			without, generation := r.flags.bench.WithoutGates, st.Snapshot.Config.ToolSearch.Generation
			return &outcome{
				value: append(auditJSON(audit, names, without), member{"generation", generation}),
				page:  report.Scope(audit, generation, without, names),
				no:    audit.Violations() > 0,
			}, nil
		},
	}
}

// auditJSON returns an audit for JSON. The five lists of a session are sorted
// names, or how many there are.
func auditJSON(a engine.Audit, names bool, without []string) object {
	list := func(tools []string) any {
		if names {
			return notNull(tools)
		}
		return len(tools)
	}
	sessions := array(a.Sessions, func(s engine.SessionAudit) object {
		return object{
			{"name", s.Name},
			{"granted", list(s.Granted)},
			{"direct", list(s.Direct)},
			{"searchable", list(s.Searchable)},
			{"describable", list(s.Describable)},
			{"callable", list(s.Callable)},
			{"violations", notNull(s.Violations)},
		}
	})
	return object{{"sessions", sessions}, {"without_gate", notNull(without)}}
}

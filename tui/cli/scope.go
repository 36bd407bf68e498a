package cli

import (
	"slices"

	"caliper/engine"
	"caliper/tui/report"
	"caliper/tui/workbench"

	"github.com/spf13/cobra"
)

// scopeCommand is `scope`: the audit of every session.
func (r *run) scopeCommand() *cobra.Command {
	var names bool
	cmd := &cobra.Command{
		Use:     "scope",
		Short:   "Audit what every session can reach, by really asking for every tool.",
		GroupID: groupAudit,
		Example: `caliper scope --registry tools.json --config config.yaml
caliper scope --demo --names --json
caliper scope --demo --without-gate scope_executor`,
		Long: "Audits all sessions, whatever --session says. A tool that a session reaches without being granted it " +
			"is a violation, and so is one that it finds and cannot call. Exits with 1 when there is any. " +
			"--without-gate asks what would be reached if a scope gate were missing: without scope_catalog search and " +
			"describe read the whole registry too, and without both a call reaches it. Nothing is ever run.",
		Args: argumentCount(0, 0, ""),
		RunE: r.onState(func(cmd *cobra.Command, st workbench.State, _ []string) error {
			p := r.progress("steps of the audit")
			audit, err := r.bench.Audit(cmd.Context(), st, engine.Auditing{Progress: p.report})
			p.clear()
			if err != nil {
				return err
			}
			without := r.flags.bench.WithoutGates
			return noWhen(audit.Violations() > 0, r.answer(append(auditJSON(audit, names, without), member{"generation", st.Snapshot.Config.ToolSearch.Generation}), report.Scope(audit, st.Snapshot.Config.ToolSearch.Generation, without, names)))
		}),
		Annotations: onOwnData,
	}
	choiceFlag(cmd, "without-gate", "GATE", "leave a scope gate out: scope_catalog or scope_executor; may be repeated",
		[]string{engine.GateScopeCatalog, engine.GateScopeExecutor}, func(name string) error {
			gate, err := engine.ParseRemovableGate(name)
			if err == nil && !slices.Contains(r.flags.bench.WithoutGates, gate) {
				r.flags.bench.WithoutGates = append(r.flags.bench.WithoutGates, gate)
			}
			return err
		})
	cmd.Flags().BoolVar(&names, "names", false, "list the names of the tools, not how many they are")
	return cmd
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

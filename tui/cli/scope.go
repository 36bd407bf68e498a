package cli

import (
	"fmt"
	"slices"
	"strings"

	"caliper/engine"
	"caliper/model"

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
		RunE: func(cmd *cobra.Command, _ []string) error {
			st, err := r.loadGood(cmd.Context())
			if err != nil {
				return err
			}
			audit, err := r.bench.Audit(cmd.Context(), st, nil)
			if err != nil {
				return err
			}
			if r.flags.json {
				err = r.printJSON(auditJSON(audit, names, r.flags.bench.WithoutGates))
			} else {
				r.auditText(audit, names)
			}
			if err == nil && audit.Violations() > 0 {
				err = errNo
			}
			return err
		},
	}
	cmd.Flags().Var(&checked{kind: "GATE", set: func(name string) error {
		gate, err := engine.ParseRemovableGate(name)
		if err == nil && !slices.Contains(r.flags.bench.WithoutGates, gate) {
			r.flags.bench.WithoutGates = append(r.flags.bench.WithoutGates, gate)
		}
		return err
	}}, "without-gate", "leave a scope gate out: scope_catalog or scope_executor; may be repeated")
	_ = cmd.RegisterFlagCompletionFunc("without-gate", cobra.FixedCompletions([]string{engine.GateScopeCatalog, engine.GateScopeExecutor}, cobra.ShellCompDirectiveNoFileComp))
	cmd.Flags().BoolVar(&names, "names", false, "list the names of the tools, not how many they are")
	return cmd
}

// sessionJSON is the audit of one session. The five lists are sorted names, or
// how many there are.
type sessionJSON struct {
	Name        string             `json:"name"`
	Granted     any                `json:"granted"`
	Direct      any                `json:"direct"`
	Searchable  any                `json:"searchable"`
	Describable any                `json:"describable"`
	Callable    any                `json:"callable"`
	Violations  []engine.Violation `json:"violations"`
}

// auditJSON returns an audit for JSON.
func auditJSON(a engine.Audit, names bool, without []string) any {
	list := func(tools []string) any {
		if names {
			return append([]string{}, tools...)
		}
		return len(tools)
	}
	sessions := make([]sessionJSON, len(a.Sessions))
	for i, s := range a.Sessions {
		sessions[i] = sessionJSON{
			Name:        s.Name,
			Granted:     list(s.Granted),
			Direct:      list(s.Direct),
			Searchable:  list(s.Searchable),
			Describable: list(s.Describable),
			Callable:    list(s.Callable),
			Violations:  append([]engine.Violation{}, s.Violations...),
		}
	}
	return struct {
		Sessions    []sessionJSON `json:"sessions"`
		WithoutGate []string      `json:"without_gate"`
	}{sessions, append([]string{}, without...)}
}

// auditText prints an audit for a person, violations first.
func (r *run) auditText(a engine.Audit, names bool) {
	p := r.page()
	if without := r.flags.bench.WithoutGates; len(without) > 0 {
		p.line(p.alarm("DRY RUN WITHOUT " + strings.Join(without, " AND ")))
	}
	if n := a.Violations(); n > 0 {
		p.line(p.strong(counted(n, "violation")))
		for _, s := range a.Sessions {
			for _, text := range violationTexts(s) {
				p.paragraph(2, text)
			}
		}
	} else {
		p.line(p.strong("no violation"), p.faint("  in "+counted(len(a.Sessions), "session")))
		if len(r.flags.bench.WithoutGates) == 1 {
			p.paragraph(0, "The other scope gate still stops every such call; leave both out to see what they hold back.")
		}
	}
	p.blank()
	t := table{columns: []column{{title: "session"}, {title: "granted", align: right}, {title: "direct", align: right},
		{title: "searchable", align: right}, {title: "describable", align: right}, {title: "callable", align: right},
		{title: "violations", align: right}}}
	for _, s := range a.Sessions {
		r := row{cells: []string{model.Sanitize(s.Name), grouped(len(s.Granted)), grouped(len(s.Direct)), grouped(len(s.Searchable)),
			grouped(len(s.Describable)), grouped(len(s.Callable)), grouped(len(s.Violations))}}
		if names {
			r.below = func() { reachTable(s).print(p) }
		}
		t.rows = append(t.rows, r)
	}
	t.print(p)
}

// violationTexts says what is wrong in one session, in a line a tool.
func violationTexts(s engine.SessionAudit) []string {
	session := model.Sanitize(s.Name)
	var out []string
	for _, r := range s.Reached() {
		tool := model.Sanitize(r.Tool)
		if slices.Contains(s.Granted, r.Tool) {
			out = append(out, fmt.Sprintf("%s: session %s finds it and cannot call it", tool, session))
		} else {
			out = append(out, fmt.Sprintf("%s: session %s reaches it by %s and is not granted it", tool, session, strings.Join(r.Paths, ", ")))
		}
	}
	return out
}

// reachTable returns a row for every tool that a session is granted or
// reaches, with the ways that reach it.
func reachTable(s engine.SessionAudit) *table {
	t := &table{columns: []column{{}, {}, {}, {}, {}, {}}}
	ways := []struct {
		word  string
		tools []string
	}{{"granted", s.Granted}, {"direct", s.Direct}, {"searchable", s.Searchable}, {"describable", s.Describable}, {"callable", s.Callable}}
	var all []string
	for _, w := range ways {
		all = append(all, w.tools...)
	}
	slices.Sort(all)
	for _, tool := range slices.Compact(all) {
		line := []string{"  " + model.Sanitize(tool)}
		for _, w := range ways {
			word := ""
			if _, in := slices.BinarySearch(w.tools, tool); in {
				word = w.word
			}
			line = append(line, word)
		}
		t.rows = append(t.rows, row{cells: line, faint: true})
	}
	return t
}

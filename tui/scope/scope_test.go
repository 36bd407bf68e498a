package scope

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"caliper/engine"
	"caliper/tui/demo"
	"caliper/tui/internal/stage"
	"caliper/tui/report"
	"caliper/tui/ui"
)

// driver drives the screen on the demo's registry.
type driver = stage.Stage[*Screen]

// open drives the screen of w×h cells on a configuration, with the audit done.
func open(t *testing.T, w, h int, config, session string) *driver {
	t.Helper()
	in := stage.Demo([]byte(config))
	in.Flags.Session = session
	return stage.Open(t, w, h, in, New).Reload().Settle()
}

// manySessions is a configuration of n sessions. Every third is granted one
// toolset, the others everything.
func manySessions(n int) string {
	var b strings.Builder
	b.WriteString("sessions:\n")
	for i := range n {
		fmt.Fprintf(&b, "  team-%02d: %s\n", i, []string{"{enabled_toolsets: [mcp-forge]}", "{}", "{}"}[i%3])
	}
	return b.String()
}

// withViolations gives a session violations, as an audit would that finds some.
func withViolations(d *driver, session string, violations ...engine.Violation) *driver {
	d.T.Helper()
	d.S.audit.Sessions = slices.Clone(d.S.audit.Sessions)
	i := slices.IndexFunc(d.S.audit.Sessions, func(a engine.SessionAudit) bool { return a.Name == session })
	if i < 0 {
		d.T.Fatalf("no session %s", session)
	}
	d.S.audit.Sessions[i].Violations = violations
	d.S.order()
	d.S.matrix.show(newTable(d.State.Snapshot.Registry, d.S.audit), "")
	return d
}

// Until it is moved, the cursor is on the session in force, wherever violations
// are; then it stays where it is.
func TestStartsOnTheSessionInForce(t *testing.T) {
	t.Parallel()
	d := open(t, 78, 18, manySessions(44), "team-31").View("two sessions").Wants("▌team-31 ✓", "team-31 is the current session")
	withViolations(d, "team-40", engine.Violation{Tool: "x", Path: engine.PathCall}).Wants("▌team-31 ✓").Press("g").Wants("▌team-40")
	d.Configure(manySessions(43)).Settle().Wants("▌team-40")
}

// Violations stand before everything else, and the header is told of them.
func TestViolationsFirst(t *testing.T) {
	t.Parallel()
	d := open(t, 118, 29, string(demo.Config()), "").View("audit")
	d.About.Tool = d.State.Snapshot.Registry.Named("mcp_forge_merge_change")
	d.S.Start(true)
	withViolations(d, "kanban-worker", engine.Violation{Tool: "mcp_forge_delete_branch", Path: engine.PathCall})
	d.Wants("audit: 1 violation").Press("g").Wants("▌kanban-worker", "kanban-worker: 1 violation", "VIOLATION  mcp_forge_delete_branch  call")
	d.View("who can call").Wants("who can call mcp_forge_merge_change")
	d.View("matrix").Wants("1 tool in VIOLATION", "! VIOLATION")
	d.View("two sessions").Wants("12 tools in both")
	d.View("audit").Wants("VIOLATION  mcp").Press("down").Wants("no violation: default reaches nothing").Lacks("VIOLATION  mcp")

	was := found{d.S.audit, d.S.matrix.table}
	d.S.auditing.Reset()
	d.S.done = false
	d.Run(d.S.auditing.Start(t.Context(), d.State, func(context.Context, ui.Progress) (found, error) { return was, nil }))
	if d.Header.Violations != 1 {
		t.Errorf("the header is told of %d violations", d.Header.Violations)
	}
}

// The audit of a state that is there no more changes nothing.
func TestOldAuditIsIgnored(t *testing.T) {
	t.Parallel()
	d := open(t, 118, 29, string(demo.Config()), "")
	d.Configure(string(demo.Config()) + "# another\n")
	d.S.done = false
	ghost := engine.Audit{Sessions: []engine.SessionAudit{{Name: "default", Violations: make([]engine.Violation, 9)}}}
	old := d.S.auditing.Start(t.Context(), d.State, func(context.Context, ui.Progress) (found, error) { return found{audit: ghost}, nil })
	d.Configure("sessions: {default: {}}\n").Settle()
	d.Run(old)
	if d.Lacks("VIOLATION", "9 violations").Wants("no violation"); d.Header.Violations != 0 {
		t.Errorf("the header is told of %d violations", d.Header.Violations)
	}
}

// Violations are filtered too.
func TestViolationsAreFiltered(t *testing.T) {
	t.Parallel()
	d := open(t, 118, 29, string(demo.Config()), "")
	withViolations(d, "kanban-worker", engine.Violation{Tool: "mcp_forge_delete_branch", Path: engine.PathCall}, engine.Violation{Tool: "mcp_chat_post", Path: engine.PathSearch})
	d.View("audit").Press("g").Wants("VIOLATION  mcp_chat_post").Press("tab", "/").Type("call").Wants("VIOLATION  mcp_forge_delete_branch", "2 violations  /call_").Lacks("mcp_chat_post")
}

func TestNoReproBeforeTheAudit(t *testing.T) {
	t.Parallel()
	d := open(t, 118, 29, string(demo.Config()), "").Configure("sessions: {default: {}}\n")
	d.S.Update(report.Case{})
	d.Wants("nothing to copy yet: the audit is not done")
}

// Of very many tools the first are listed, and the filter finds the others.
func TestManyToolsAreListedInPart(t *testing.T) {
	t.Parallel()
	var tools []string
	for i := range 2*mostListed + 1 {
		tools = append(tools, fmt.Sprintf(`{"type":"function","toolset":"mcp-a","function":{"name":"mcp_a_t%04d","description":"It does."}}`, i))
	}
	in := stage.Demo([]byte("sessions: {default: {}, none: {enabled_toolsets: [mcp-b]}}\n"))
	in.Registry[0].Data = []byte(`{"tools":[` + strings.Join(tools, ",") + `]}`)
	d := stage.Open(t, 118, 29, in, New).Reload().Settle()
	d.View("two sessions").Press("down").Wants("2,001 only in default", "mcp_a_t0000")
	if n := d.S.pane.Len(); n < mostListed || n > mostListed+9 {
		t.Errorf("%d lines", n)
	}
	d.Press("tab", "/").Type("t2000").Press("enter").Wants("mcp_a_t2000", "2,000 more: / finds").Lacks("mcp_a_t0000")
}

package tui

import (
	"fmt"
	"testing"

	"caliper/engine"
)

// onScope drives an explorer on the demo to the scope screen, audit done.
func onScope(t *testing.T, w, h int) *driver {
	t.Helper()
	d := explorer(t, w, h)
	d.Press("alt+3")
	for !d.app().scope.done {
		d.Send(<-d.late)
	}
	return d
}

func TestScopeScreen(t *testing.T) {
	d := onScope(t, 120, 36).wants("[3 Scope]", "audit: no violation", "support-desk", "default is in force")
	d.Press("down", "down").wants("only default", "only support-desk  0", "mcp_forge_commit_files")
	d.Press("enter").settle().wants("session support-desk", "support-desk is in force")
	d.Press("/").Type("kanban").Press("enter").wants("/kanban").lacks("ops-oncall  ")
	d.Press("esc").wants("ops-oncall").Press("esc").wants("[1 Explore]")
}

func TestScopeSaysWhoCanCall(t *testing.T) {
	d := onScope(t, 120, 36)
	d.Press("alt+1").Type("merge_change").Press("alt+3", "v")
	d.wants("who can call mcp_forge_merge_change", "through tool_call", "directly, it is in the tools list", "not at all")
}

func TestScopeShowsViolationsFirst(t *testing.T) {
	d := onScope(t, 120, 36)
	audit := d.app().scope.audit
	audit.Sessions[4].Violations = []engine.Violation{{Tool: "mcp_forge_delete_branch", Path: engine.PathCall}}
	d.Send(auditedMsg{gen: d.app().scope.gen, audit: audit})
	d.wants("1 violation", "1 SCOPE VIOLATION").Press("g").wants("▌kanban-worker", "VIOLATION mcp_forge_delete_branch by call")
	d.Press("alt+1").wants("1 SCOPE VIOLATION")
}

func TestScopeIgnoresAnOldAudit(t *testing.T) {
	d := onScope(t, 120, 36)
	gen := d.app().scope.gen
	d.reload(ConfigPart, "sessions: {default: {}}\n")
	d.Send(auditedMsg{gen: gen, audit: engine.Audit{Sessions: []engine.SessionAudit{{Name: "ghost", Violations: make([]engine.Violation, 9)}}}})
	d.lacks("VIOLATION")
}

func TestScopeGoldens(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 10}} {
		d := onScope(t, size[0], size[1])
		d.app().theme = NewTheme(Look{Plain: true})
		golden(t, fmt.Sprintf("scope-%dx%d", size[0], size[1]), d.Press("down", "down").Screen())
	}
}

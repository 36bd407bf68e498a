package tui

import (
	"fmt"
	"strings"
	"testing"

	"caliper/engine"
	"caliper/tui/demo"
)

// onScope drives an explorer on the demo to the scope screen, audit done.
func onScope(t *testing.T, w, h int) *driver {
	t.Helper()
	return explorer(t, w, h).audited()
}

// audited goes to the scope screen and waits for the audit.
func (d *driver) audited() *driver {
	d.t.Helper()
	d.Press("alt+3")
	for !d.app().scope.done {
		d.Send(<-d.late)
	}
	return d
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

func TestScopeScreen(t *testing.T) {
	t.Parallel()
	d := onScope(t, 120, 36).wants("[3 Scope]", "audit: no violation", "support-desk", "▌default", "default is in force")
	d.Press("down", "down").wants("138 tools in both default and support-desk", "53 only in default", "0 only in support-desk", "mcp_forge_commit_files")
	d.Press("enter").settle().wants("session support-desk", "support-desk is in force")
	d.Press("/").Type("kanban").Press("enter").wants("/kanban").lacks("ops-oncall  ")
	d.Press("esc").wants("ops-oncall").Press("esc").wants("[1 Explore]")
}

func TestScopeStartsOnTheSessionInForce(t *testing.T) {
	t.Parallel()
	o := testOptions(demo.Registry(), []byte(manySessions(44)))
	o.Flags.Session = "team-31"
	d := startExplorer(t, o, 80, 24).audited().wants("▌team-31 ✓", "team-31 is in force")
	s := &d.app().scope
	audit := s.audit
	audit.Sessions[40].Violations = []engine.Violation{{Tool: "x", Path: engine.PathCall}}
	d.Send(auditedMsg{gen: s.gen, audit: audit})
	d.wants("▌team-31 ✓").Press("g").wants("▌team-40")
	d.reload(ConfigPart, manySessions(43))
	d.wants("▌team-40")
}

func TestScopeListsScroll(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 24}} {
		d := startExplorer(t, testOptions(demo.Registry(), []byte(manySessions(44))), size[0], size[1]).audited()
		s := &d.app().scope
		d.Press("down").wants("▌team-01", "only in", " more")
		compared := func() { d.wants("▌team-01", "in both", "only in") }
		d.Press("tab")
		top := s.belowList.top
		if d.Press("j", "down"); s.belowList.top != top+2 {
			t.Errorf("%v: two lines down are %d", size, s.belowList.top-top)
		}
		compared()
		d.Press("pgdown")
		if want := 2 + s.belowLines - 1; s.belowList.top != want {
			t.Errorf("%v: a page further is line %d, not %d", size, s.belowList.top, want)
		}
		d.Press("G")
		compared()
		end := s.belowRows - s.belowLines
		d.wants(thousands(end) + " above").Press("k")
		if s.belowList.top != end-1 {
			t.Errorf("%v: a line above the end is line %d of %d", size, s.belowList.top, s.belowRows)
		}
		d.wants("1 more").Press("g")
		compared()
		if s.belowList.top != 0 {
			t.Errorf("%v: the first is line %d", size, s.belowList.top)
		}
		d.Press("shift+tab", "down").wants("▌team-02").Press("G").wants("▌team-43")
	}
}

func TestScopeWheelScrollsWhatIsUnderThePointer(t *testing.T) {
	t.Parallel()
	d := startExplorer(t, testOptions(demo.Registry(), []byte(manySessions(44))), 80, 24).audited()
	s := &d.app().scope
	inner := d.app().layout.Boxes[PaneBody].Inner
	d.Press("down").Send(wheelMsg{X: 20, Y: inner.Max.Y - 2, DY: 1})
	if s.session != "team-01" || s.belowList.top != wheelLines {
		t.Errorf("the list below is at line %d, the cursor on %s", s.belowList.top, s.session)
	}
	d.Send(wheelMsg{X: 20, Y: inner.Min.Y + 2, DY: 1}).wants("▌team-04")
	d.Click(20, inner.Max.Y-2).Press("j").wants("▌team-04")
	d.Click(20, inner.Min.Y+1).Press("j").lacks("▌team-04")
}

func TestScopeShowsAnotherSessionFromItsBeginning(t *testing.T) {
	t.Parallel()
	d := startExplorer(t, testOptions(demo.Registry(), []byte(manySessions(44))), 80, 24).audited()
	d.Press("tab", "G", "tab", "down").lacks("above")
}

func TestScopeOnSmallScreensShowsOneListAtATime(t *testing.T) {
	t.Parallel()
	d := onScope(t, 40, 10).wants("granted", "call wrong").lacks("in force")
	d.Press("down", "tab").wants("▌64 tools in both", "127 only default", " more").lacks("granted")
	d.Press("tab").wants("granted")
	d.Press("v").wants("in both").Press("v").wants("who can call").Press("v").wants("granted")
}

func TestScopeTitleNamesFilterAndVerdict(t *testing.T) {
	t.Parallel()
	d := startExplorer(t, testOptions(demo.Registry(), []byte(manySessions(44))), 80, 24).audited().wants("scope  44 sessions ─")
	d.Press("/").wants("scope  44 sessions  /_", "audit: no violation")
	d.Type("3").wants("scope  14 of 44 sessions  /3_", "audit: no violation")
	if n := strings.Count(d.Screen(), "/3"); n != 1 {
		t.Errorf("the filter is shown %d times:\n%s", n, d.Screen())
	}
	d.Press("enter").wants("scope  14 of 44 sessions  /3 ", "audit: no violation")
	d.Resize(40, 10).wants("scope  14 of 44  /3 ", "no violation")
	d.Press("/").Type("zzz").wants("0 of 44  /zzz_", "no session holds zzz", "no violation")
}

func TestScopeSaysThatNothingDiffers(t *testing.T) {
	t.Parallel()
	d := startExplorer(t, testOptions(demo.Registry(), []byte("sessions: {a: {}, b: {}, c: {enabled_toolsets: [none]}, d: {enabled_toolsets: [none]}}\n")), 80, 24).audited()
	d.Press("down").wants("191 tools in both a and b", "nothing differs: both are granted the same tools").lacks("only in")
	d.Press("down").wants("no tool in both a and c", "0 only in c").Press("enter").settle()
	d.Press("down").wants("nothing differs: neither is granted a tool")
}

func TestScopeSaysWhoCanCall(t *testing.T) {
	t.Parallel()
	d := onScope(t, 120, 36)
	d.Press("alt+1").Type("merge_change").Press("alt+3", "v")
	d.wants("who can call mcp_forge_merge_change", "via tool_call", "directly", "not at all")
	screen := d.Screen()
	if at := strings.Index(screen, "via tool_call"); at < strings.Index(screen, "directly") || at > strings.Index(screen, "not at all") {
		t.Errorf("the sessions are not in the order of how they reach the tool:\n%s", screen)
	}
}

func TestScopeNeverCutsHowAToolIsReached(t *testing.T) {
	t.Parallel()
	how := []string{reachedDirectly, reachedByBridge, notCallable, notReached}
	s := &scopeScreen{}
	for i, word := range how {
		name := strings.Repeat("long-name-", 5)
		w := s.nameColumn(38, []string{name}, func(string) string { return word })
		if w < 8 || 1+w+len(word) > 38 {
			t.Errorf("%d: a column of %d beside %q", i, w, word)
		}
	}
	d := onScope(t, 40, 10)
	d.Press("alt+1").Type("merge_change").Press("alt+3", "v", "v").wants("via tool_call").lacks("…l_call", "via tool…")
}

func TestScopeShowsViolationsFirst(t *testing.T) {
	t.Parallel()
	d := onScope(t, 120, 36)
	audit := d.app().scope.audit
	audit.Sessions[4].Violations = []engine.Violation{{Tool: "mcp_forge_delete_branch", Path: engine.PathCall}}
	d.Send(auditedMsg{gen: d.app().scope.gen, audit: audit})
	d.wants("audit: 1 violation", "1 SCOPE VIOLATION").Press("g").wants("▌kanban-worker", "kanban-worker: 1 violation", "VIOLATION mcp_forge_delete_branch by call")
	d.Press("v").wants("12 tools in both").Press("v").wants("who can call").Press("v").wants("VIOLATION mcp")
	d.Press("down").wants("default is in force").lacks("VIOLATION mcp")
	d.Press("alt+1").wants("1 SCOPE VIOLATION")
}

func TestScopeHeadsFit(t *testing.T) {
	t.Parallel()
	onScope(t, 80, 24).wants("granted", "direct", "search", "describe", "call", "violations")
	onScope(t, 40, 10).wants("granted", "call", "wrong")
}

func TestScopeIgnoresAnOldAudit(t *testing.T) {
	t.Parallel()
	d := onScope(t, 120, 36)
	gen := d.app().scope.gen
	d.reload(ConfigPart, "sessions: {default: {}}\n")
	d.Send(auditedMsg{gen: gen, audit: engine.Audit{Sessions: []engine.SessionAudit{{Name: "ghost", Violations: make([]engine.Violation, 9)}}}})
	d.lacks("VIOLATION")
}

func TestScopeGoldens(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 10}} {
		d := onScope(t, size[0], size[1])
		d.app().theme = NewTheme(Look{Plain: true})
		golden(t, fmt.Sprintf("scope-%dx%d", size[0], size[1]), d.Press("down", "down").Screen())
	}
}

// The filter is that of the list that has the keys.
func TestScopeFiltersTheListThatHasTheKeys(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		d := startExplorer(t, testOptions(demo.Registry(), []byte(manySessions(44))), size[0], size[1]).audited()
		d.wants("tab list below").Press("down", "tab").wants("tab sessions")
		d.Press("/").Type("bucket").wants("/bucket_", " of 173 only in team-01", "mcp_bucket_copy_object").lacks("mcp_calendar")
		d.Press("enter").wants("  /bucket ", "scope  44 sessions", "▌team-01", "tab sessions").lacks("of 44 sessions")
		d.Press("tab", "/").Type("team-1").Press("enter").wants("10 of 44 sessions  /team-1", "  /bucket ")
		d.Press("tab", "/").Type("zzzz").wants("nothing holds zzzz", "10 of 44").Press("esc").lacks("zzzz", "/bucket").wants("10 of 44")
		d.Press("esc").wants("scope  44 sessions", "[3 Scope]").Press("esc").wants("[1 Explore]")
	}
}

func TestScopeFiltersEveryListBelow(t *testing.T) {
	t.Parallel()
	d := onScope(t, 120, 36)
	d.Press("tab", "/").Type("delete_branch").Press("enter").wants("mcp_forge_delete_branch", "default is in force  /delete_branch").lacks("mcp_forge_commit_files")
	d.Press("v").lacks("/delete_branch").Press("/").Type("ops").Press("enter").wants("/ops", "ops-oncall ").Press("tab")
	audit := d.app().scope.audit
	audit.Sessions[4].Violations = []engine.Violation{{Tool: "mcp_forge_delete_branch", Path: engine.PathCall}, {Tool: "mcp_chat_post", Path: engine.PathSearch}}
	d.Send(auditedMsg{gen: d.app().scope.gen, audit: audit})
	d.Press("g", "v").wants("VIOLATION mcp_chat_post").Press("tab", "/").Type("by call").wants("VIOLATION mcp_forge_delete_branch", "2 violations  /by call_").lacks("mcp_chat_post")
}

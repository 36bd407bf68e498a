package tui

import (
	"fmt"
	"strings"
	"testing"

	"caliper/tui/activity"
	"caliper/tui/demo"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/watch"
)

// The memory of Activity is bounded, however much happens.
func TestActivityIsBounded(t *testing.T) {
	t.Parallel()
	a := explorer(t, 120, 36).app()
	s := activity.New(desk.Desk{Host: a, Input: &a.input})
	for i := range 320 {
		s.Record(report.Line{Text: fmt.Sprint("event ", i)}, report.Line{Text: "a detail"})
	}
	s.Record(report.Line{Text: "newest " + strings.Repeat("long ", 600)}, make([]report.Line, 400)...)
	if frame := s.Frame(); frame.Title != "activity  321 events" || frame.Note != "the last 300" {
		t.Errorf("%q, %q", frame.Title, frame.Note)
	}
	if top := strings.Join(s.Draw(a.theme, 60, 3, true), "\n"); !strings.Contains(top, "newest") {
		t.Errorf("the newest event is out of sight:\n%s", top)
	}
	s.Layer().Binding(activity.OpenAll).Do()
	all := strings.Join(s.Draw(a.theme, 60, 2000, true), "\n")
	for text, want := range map[string]int{"event ": 299, "a detail": 299, "… 200 lines more": 1} {
		if got := strings.Count(all, text); got != want {
			t.Errorf("%q is there %d times, want %d", text, got, want)
		}
	}
	if got := strings.Count(all, "long"); got > 600/len("long ") {
		t.Errorf("%d words of titles", got)
	}
}

// Scope lists the first 1,000 tools, and its filter finds the others. Lint of more waits until somebody
// asks for it.
func TestManyTools(t *testing.T) {
	t.Parallel()
	var tools []string
	for i := range 5001 {
		tools = append(tools, fmt.Sprintf(`{"type":"function","toolset":"mcp-a","function":{"name":"mcp_a_t%04d","description":"It does."}}`, i))
	}
	opt := testOptions([]byte(`{"tools":[`+strings.Join(tools, ",")+`]}`), []byte("sessions: {default: {}, none: {enabled_toolsets: [mcp-b]}}\n"))
	d := startExplorer(t, opt, 120, 1200).Press("alt+3", "v", "down").wants("5,001 only in default", "mcp_a_t0000")
	if n := strings.Count(d.Screen(), "mcp_a_t"); n != 1000 {
		t.Errorf("%d lines", n)
	}
	d.Press("tab", "/").Type("t5000").Press("enter").wants("mcp_a_t5000", "5,000 more: / finds").lacks("mcp_a_t0000")
	d.Resize(120, 36).Press("alt+5", "v", "v").wants("this takes a while with 5,001 tools", "enter starts it")
	d.hold("enter")
	d.wants("linting")
}

// Beside the tools of Budget stands what agents list of the skills, also where no threshold decides.
func TestSkillsStandBesideTheTools(t *testing.T) {
	t.Parallel()
	for name, config := range map[string][]byte{"threshold": demo.Config(), "host": []byte("tools: {tool_search: {generation: claude-code}}")} {
		opt := testOptions(demo.Registry(), config)
		give(&opt, screen.RegistryFile, watch.File{Name: "registry.json", Data: demo.Registry()},
			watch.File{Name: ".claude/skills/oven/SKILL.md", InFolder: true, Data: []byte("---\nname: oven\ndescription: Bakes bread.\n---\n")})
		read := strings.Join(strings.Fields(startExplorer(t, opt, 120, 50).Press("alt+2").Screen()), " ")
		if want := "Claude Code lists 1 skill in "; !strings.Contains(read, want) {
			t.Errorf("%s: %q is not in\n%s", name, want, read)
		}
	}
}

package tui

import (
	"errors"
	"strings"
	"testing"

	"caliper/engine/rescue"
	"caliper/tui/demo"
	"caliper/tui/workbench"
)

func TestResultsTool(t *testing.T) {
	d := onResults(t, 120, 36)
	d.Press("t").wants("the result is of").Type("terminal").judged("enter").wants("of terminal", "PASSES WHOLE", "never rescued: it bounds its own output")
	d.Press("e").wants("is not rescued: there is nothing to fetch")
	d.viewing(partSlices).wants("there is nothing to fetch")
	d.viewing(partRules).wants("mcp_toolset", "file_tool")
	d.Press("/").Type("web_extract").Press("enter").judged("enter").wants("of web_extract", "web_tool", "it reads the web")
	d.Press("esc").wants("[6 Results]")
	// Of a file that no tool is named like it is the tool of Explore.
	d = startExplorer(t, withResults(testOptions(demo.Registry(), demo.Config()), workbench.File{Name: "x.txt", Data: []byte("y")}), 120, 36)
	d.Type("refund charge").judged("alt+6").wants("x.txt  of mcp_payments_refund_charge (t chooses)", "within_limit")
	d.judged("t").Type("terminal").judged("enter").wants("x.txt  of terminal  text")
	// Without a query it is some tool of an MCP server; a name that says which
	// one is believed, whether the registry has it or not.
	d = startExplorer(t, withResults(testOptions(demo.Registry(), demo.Config()), workbench.File{Name: "x.txt", Data: []byte("y")},
		workbench.File{Name: "mcp_tide_read.log", Data: []byte("y")}, workbench.File{Name: "browser_console.log", Data: []byte("y")}), 120, 36)
	d.judged("alt+6").wants("x.txt  of mcp_result (t chooses)").judged("right").wants("mcp_tide_read.log  of mcp_tide_read  text").judged("right").wants("of browser_console  text")
}

func TestResultsPaste(t *testing.T) {
	d := startExplorer(t, testOptions(demo.Registry(), demo.Config()), 120, 36).judged("alt+6")
	d.wants("no result of a tool to look at", "paste one")
	d.Press("p").wants("paste a result, enter uses it").Press("enter").wants("nothing was pasted yet")
	d.Paste("one\rtwo\r\x1b[2Jthree").wants("17 of 1,048,576 characters").Press("backspace").judged("enter").wants("pasted  of ", "3 lines", "two")
	if got := string(d.app().results.source().data); got != "one\ntwo\n\x1b[2Jthre" {
		t.Errorf("pasted is %q", got)
	}
	// Pasting needs no key before it.
	d.Paste(strings.Repeat("a line of a log\n", 2000)).wants("32,000 of").judged("enter").wants("2,000 lines")
	d.Press("p").Paste(strings.Repeat("x", longestPaste+5)).wants("5 were dropped").Press("ctrl+u").wants("paste a result").Press("esc")
	d.Press("f").wants("pasted", "32.0 kB").Press("esc")
}

func TestResultsFileChanges(t *testing.T) {
	d := onResults(t, 120, 36).judged("right").asking("stat")
	d.Press("esc")
	s := &d.app().results
	var files []workbench.File
	for _, r := range s.sources {
		files = append(files, workbench.File{Name: r.name, Data: r.data})
	}
	gen := s.judged.gen
	d.Send(changedMsg{part: ResultPart, more: true, change: Change{Files: files}}).judged()
	if s.judged.gen != gen || len(s.requests) != 1 {
		t.Error("the same bytes are read anew")
	}
	files[1].Data = []byte("[1,2]")
	d.Send(changedMsg{part: ResultPart, more: true, change: Change{Files: files}}).judged().wants("PASSES WHOLE", "2 of 4 results")
	if len(s.requests) != 0 {
		t.Error("requests of what the file held before are kept")
	}
	files[1] = workbench.File{Name: files[1].Name, Err: errors.New("no such \x1b[31m file")}
	d.Send(changedMsg{part: ResultPart, more: true, change: Change{Files: files}}).judged()
	d.app().notices.showing = false
	d.viewing(partSeen).wants("cannot be read", "no such")
	files[1] = workbench.File{Name: files[1].Name}
	d.Send(changedMsg{part: ResultPart, more: true, change: Change{Files: files}}).judged().wants("it is empty")
}

func TestResultsRulesAreThoseOfTheEngine(t *testing.T) {
	d := onResults(t, 120, 36).viewing(partRules)
	s := &d.app().results
	r := d.app().state.Snapshot.Registry
	if len(s.rules.rows) != len(r.Tools) {
		t.Fatalf("%d rows for %d tools", len(s.rules.rows), len(r.Tools))
	}
	for _, row := range s.rules.rows {
		if want := rescue.Subject(r, rescue.Default(), row.name); row.Decision != want {
			t.Errorf("%s: %+v, want %+v", row.name, row.Decision, want)
		}
	}
	d.Press("/").Type("slipway").Press("enter").wants("other_toolset", "/slipway").lacks("browser_press")
	if n := len(s.ruleRows()); n != 7 {
		t.Errorf("%d rows hold slipway", n)
	}
	d.Press("esc").Press("/").Type("zzz").wants("no row holds zzz").Press("esc")
}

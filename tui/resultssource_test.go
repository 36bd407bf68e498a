package tui

import (
	"errors"
	"io/fs"
	"runtime"
	"strings"
	"testing"

	"caliper/engine/rescue"
	"caliper/tui/demo"
	"caliper/tui/workbench"
)

func TestResultsTool(t *testing.T) {
	t.Parallel()
	d := onResults(t, 120, 36)
	d.Press("t").wants("the result is of").Type("terminal").judged("enter").wants("of terminal", "PASSES WHOLE", "it bounds its own output")
	d.Press("e").wants("is not rescued: there is nothing to fetch")
	d.viewing(partSlices).wants("there is nothing to fetch")
	d.viewing(partRules).wants("plugin_off", "web_tool")
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
	t.Parallel()
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
	t.Parallel()
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
	d.viewing(partSeen).wants(" STALE  ", "no such", "PASSES WHOLE", "[1,2]")
	files[1] = workbench.File{Name: files[1].Name, Data: []byte("[3]")}
	d.Send(changedMsg{part: ResultPart, more: true, change: Change{Files: files}}).judged().wants("[3]").lacks("STALE")
}

// A file that breaks keeps what it held on screen, and says what is wrong; one
// that was never there has nothing to keep, and one that is empty is a result.
func TestResultsFileBreaks(t *testing.T) {
	t.Parallel()
	file := workbench.File{Name: "x.txt", Data: []byte("all is well")}
	for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 10}} {
		d := startExplorer(t, withResults(testOptions(demo.Registry(), demo.Config()), file), size[0], size[1]).judged("alt+6").wants("all is well")
		s := &d.app().results
		now := func(f workbench.File) *driver {
			f.Name = file.Name
			return d.Send(changedMsg{part: ResultPart, more: true, change: Change{Files: []workbench.File{f}}}).judged()
		}
		gone := &fs.PathError{Op: "open", Path: "/far/away/x.txt", Err: fs.ErrNotExist}
		now(workbench.File{Err: gone}).wants(" STALE ", "x.txt: file does not", "all is well").lacks("far")
		now(workbench.File{Err: gone}).wants(" STALE ", "all is well") // still
		now(file).wants("all is well").lacks("STALE")
		now(workbench.File{}).wants(" STALE ", "it is empty now", "all is well")
		now(file).wants("all is well").lacks("STALE")
		d.Send(emptiedMsg{file.Name, s.sources[0].rev}).judged().wants("all is well") // it is no more
		now(workbench.File{}).wants(" STALE ")
		d.Send(emptiedMsg{file.Name, s.sources[0].rev}).judged().wants("PASSES WHOLE").lacks("STALE", "all is well", "saved 100")
		if s.judged.err != nil || s.judged.Meta.Chars != 0 {
			t.Errorf("an empty result is %+v, %v", s.judged.Meta, s.judged.err)
		}
	}
	d := startExplorer(t, withResults(testOptions(demo.Registry(), demo.Config()), workbench.File{Name: "x.txt"}), 120, 36)
	d.judged("alt+6").wants("PASSES WHOLE", "x.txt", "0 chars").lacks("STALE")
	d = startExplorer(t, withResults(testOptions(demo.Registry(), demo.Config()), workbench.File{Name: "x.txt", Err: errors.New("no such file")}), 120, 36)
	d.judged("alt+6").lacks("STALE")
	d.app().notices.showing = false
	d.Press("v", "v", "v", "v").wants("cannot be read", "no such file")
}

func TestResultsNoToolsToChoose(t *testing.T) {
	t.Parallel()
	d := startExplorer(t, withResults(testOptions([]byte("[]"), nil), workbench.File{Name: "x.txt", Data: []byte("y")}), 120, 36)
	if d.judged("alt+6", "t").wants("no tools"); d.app().top != nil {
		t.Error("an empty list is open")
	}
}

func TestResultsRulesAreThoseOfTheEngine(t *testing.T) {
	t.Parallel()
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

// Nothing holds what a large file held before it was replaced or emptied, and
// its memory is given back at once.
func TestResultsLetGoOfWhatWasReplaced(t *testing.T) {
	gone := make(chan int, 4)
	held := func(i int) workbench.File {
		data := new([worthGivingBack]byte)
		for j := range data {
			data[j] = byte('a' + i)
		}
		runtime.AddCleanup(data, func(i int) { gone <- i }, i)
		return workbench.File{Name: "x.txt", Data: data[:]}
	}
	d := startExplorer(t, withResults(testOptions(demo.Registry(), demo.Config()), held(0)), 120, 36).judged("alt+6").asking("range 0 100 chars", "outline")
	s := &d.app().results
	change := func(f workbench.File) Change { return Change{Files: []workbench.File{f}} }
	for i := 1; i <= 3; i++ {
		d.Send(changedMsg{part: ResultPart, more: true, change: change(held(i))}).judged()
		runtime.GC()
		if got := <-gone; got != i-1 {
			t.Fatalf("%d is let go of after %d came", got, i)
		}
	}
	if s.take(change(workbench.File{Name: "x.txt"})); s.sources[0].stale == nil {
		t.Fatal("an emptied file is not waited for")
	}
	if s.emptied(emptiedMsg{"x.txt", s.sources[0].rev}) == nil {
		t.Error("the memory of an emptied file is not given back")
	}
	d.Press("v", "v")
	runtime.GC()
	if got := <-gone; got != 3 {
		t.Errorf("%d is let go of", got)
	}
	s.take(change(held(0)))
	if s.take(change(held(1))) == nil {
		t.Error("the memory of a replaced file is not given back")
	}
	if s.take(change(workbench.File{Name: "x.txt", Data: []byte("a")})); s.take(change(workbench.File{Name: "x.txt", Data: []byte("b")})) != nil {
		t.Error("the memory of a small file is given back")
	}
}

package results

import (
	"path/filepath"
	"strings"
	"testing"

	"caliper/engine/rescue"
	"caliper/engine/rescue/fetch"
	"caliper/model/require"
	"caliper/tui/demo"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/ui"
	"caliper/tui/workbench"
	"caliper/watch"
)

// The screen shows what the engine makes of the file.
func TestShowsWhatTheModelSees(t *testing.T) {
	t.Parallel()
	d := onDemo(t, 118, 30)
	for i, name := range demo.ResultFiles {
		if i > 0 {
			d.Press("right")
		}
		tool := stem(name)
		r := workbench.NewRescuer(workbench.RescueInputs{Registry: d.State.Snapshot.Registry, Config: d.State.Config.Rescue, Tokenizer: d.State.Snapshot.Tokenizer})
		result, err := r.Read(t.Context(), tool, name, strings.NewReader(string(demo.Result(name))))
		require.NoError(t, err)
		want, err := r.Judge(result)
		if err != nil || !want.Rescue || len(want.Preview.Left) == 0 {
			t.Fatalf("%s of the demo is not rescued, or nothing is left out of it: %v", name, err)
		}
		if got := d.S.verdict; got.Preview.Text != want.Preview.Text || got.OriginalTokens != want.OriginalTokens || got.Rule != want.Rule {
			t.Errorf("%s has another verdict", name)
		}
		d.Wants(name+"  of "+tool, "RESCUED", want.Rule, ui.Thousands(want.HandleTokens)+" of "+ui.Thousands(want.OriginalTokens)+" tok", leftOut(want.Preview.Left))
		d.Press("G").Wants(`rescuer_fetch(id="` + want.Meta.ID[:16]).Press("g")
	}
	d.Press("right").Wants("4 of 4 results")
}

// Every line of the handle is on some line of the picture, in order, and what
// was left out is marked.
func TestExcerptIsWhole(t *testing.T) {
	t.Parallel()
	for _, w := range []int{120, 80, 43} {
		s := onDemo(t, w, 30).S
		var joined strings.Builder
		gaps := 0
		for _, line := range s.wrap(w, s.verdict.lines()) {
			joined.WriteString(strings.ReplaceAll(line.Text, " ", ""))
			if line.Kind == rescue.LineLeftOut && !line.more {
				gaps++
			}
		}
		if want := strings.NewReplacer(" ", "", "\n", "").Replace(s.verdict.Preview.Text); joined.String() != want {
			t.Errorf("at %d cells the picture holds something else than the handle", w)
		}
		if gaps != len(s.verdict.Preview.Left) {
			t.Errorf("%d gaps are marked of %d", gaps, len(s.verdict.Preview.Left))
		}
	}
}

// A knob changes the verdict and the answers at once.
func TestKnobsHaveEffectAtOnce(t *testing.T) {
	t.Parallel()
	d := onDemo(t, 118, 30)
	d.S.Focus = ui.AreaKnobs
	for i, k := range resultKnobs {
		before := d.S.verdict.Preview.Text
		d.Press("g").Press(times(i, "down")...).Press(times(6, "left")...)
		if was, now := d.Knobs.OnDisk(k), d.Knobs.Value(k); desk.SameValue(was, now) || !desk.SameValue(k.ValueIn(d.State.Snapshot), now) {
			t.Errorf("%s stays at %v", k.Label, was)
		}
		changes := k.Label == "excerpt" || k.Label == "head lines" || k.Label == "tail lines"
		if changed := d.S.verdict.Preview.Text != before; changed != changes {
			t.Errorf("%s: the handle changed is %t", k.Label, changed)
		}
		d.Press("0") // the next one alone
	}
}

// times returns a key as often as n.
func times(n int, key string) []string {
	return strings.Fields(strings.Repeat(key+" ", n))
}

// Esc stops the reading, enter starts it again, and leaving the screen
// abandons it.
func TestReadingStops(t *testing.T) {
	t.Parallel()
	d := onDemo(t, 118, 30)
	begin := func(key string) { // and not run
		d.Key(key)
		d.S.Start(true)
	}
	begin("right")
	if !d.S.reading.Running {
		t.Fatal("nothing is being read")
	}
	begin("esc")
	if d.S.reading.Running {
		t.Fatal("esc does not stop it")
	}
	d.Wants("cancelled, enter starts it", "reading was cancelled")
	begin("enter")
	if !d.S.reading.Running {
		t.Error("enter does not start it again")
	}
	if d.S.Start(false); d.S.reading.Running {
		t.Error("it goes on after the screen is left")
	}
	d.Run(nil).Wants("2 of 4 results", "RESCUED")
}

// Before anything is loaded there is no tool to choose for a result.
func TestNothingIsLoaded(t *testing.T) {
	t.Parallel()
	d := onDemo(t, 118, 30)
	d.S.state = nil
	d.Press("o").Wants("nothing is loaded yet")
}

// passWhole makes the result one of a tool whose results pass whole.
func passWhole(d *driver) {
	d.Press("o")
	d.Run(d.Chosen("terminal")).Wants("PASSES WHOLE")
}

// The answers are the engine's, and another limit makes them anew.
func TestAnswers(t *testing.T) {
	t.Parallel()
	d := asking(onDemo(t, 118, 30), "range 100 50").Wants("answer to range 100 50", "lines 100 to", "enter goes on: range")
	first := d.S.requests[0].answer
	d.Press("enter")
	if got := d.S.requests[1].answer.From; got != first.To+1 {
		t.Errorf("enter goes on at %d, want %d", got, first.To+1)
	}
	asking(d, "grep ERROR", "outline", "search wind gauge", "stat", "full", "pointer /rows/3", "range 0 100 chars")
	v := &d.S.verdict
	want := v.HandleTokens
	for i, r := range d.S.requests {
		a, err := fetch.Do(v.result.Text, v.Meta, r.Request, v.rescuer.Limits)
		if a.Text != r.answer.Text || (err == nil) != (r.err == nil) {
			t.Errorf("request %d: another answer than the engine's", i)
		}
		want += r.tokens
	}
	if len(d.S.requests) != 9 || d.S.fetchedTokens() != want {
		t.Errorf("%d requests of %d tokens, want %d", len(d.S.requests), d.S.fetchedTokens(), want)
	}
	d.Wants("the handle and 9 answers: "+ui.Thousands(want), "not_json", "full_refused", "chars 0 to 99")
	d.Press("esc", "tab", "tab")
	d.S.Knob = 6
	before := d.S.requests[0].chars
	d.Press(times(10, "left")...)
	if got := d.S.requests[0].chars; got >= before || got > d.State.Config.Rescue.FetchMaxChars {
		t.Errorf("%d characters after the limit fell, %d before", got, before)
	}
	d.S.Focus = ui.AreaList
	if d.Press("right"); len(d.S.requests) != 0 {
		t.Error("the requests are still those of the result before")
	}
}

func TestParseRequest(t *testing.T) {
	t.Parallel()
	tests := map[string]fetch.Request{
		"stat": {Mode: "stat"}, " FULL ": {Mode: "full"}, "outline": {Mode: "outline"}, "outline /a/0": {Mode: "outline", Pointer: "/a/0"},
		"range": {Mode: "range"}, "range 0 0": {Mode: "range", CountGiven: true}, "range 100 50": {Mode: "range", Start: 100, Count: 50},
		"range 5 10 chars": {Mode: "range", Start: 5, Count: 10, Unit: "chars"},
		"grep a b  c":      {Mode: "grep", Pattern: "a b  c"}, "grep -i  error": {Mode: "grep", Pattern: "error"}, "grep -ing": {Mode: "grep", Pattern: "-ing"}, `grep \-C 2`: {Mode: "grep", Pattern: `\-C 2`}, "grep -v": {Mode: "grep", Pattern: "-v"}, "search who paid?": {Mode: "search", Query: "who paid?"},
		"pointer /rows/3": {Mode: "pointer", Pointer: "/rows/3"}, "pointer /a b 40": {Mode: "pointer", Pointer: "/a b", Start: 40},
	}
	for text, want := range tests {
		got, err := parseRequest(text)
		if err != nil || got != want {
			t.Errorf("%q is %+v, %v", text, got, err)
		}
		if again, err := parseRequest(requestText(want)); err != nil || again != want {
			t.Errorf("%q is written %q, which is %+v, %v", text, requestText(want), again, err)
		}
	}
	for _, text := range []string{"", "x", "stat 1", "range a", "range 1 2 3", "outline a b", "grep -C 2 error", "grep -i -n error", "grep -A3 x", "grep --count x"} {
		if q, err := parseRequest(text); err == nil {
			t.Errorf("%q is %+v", text, q)
		}
	}
}

func TestCopies(t *testing.T) {
	t.Parallel()
	d := asking(onDemo(t, 118, 30), "outline").Press("esc")
	copySeen := func() string {
		d.Run(d.S.copySeen())
		return d.Copied
	}
	if got := copySeen(); got != d.S.verdict.Preview.Text {
		t.Errorf("copied %q", got)
	}
	d.Run(d.S.Update(report.Case{Snapshot: d.State.Snapshot}))
	if !strings.HasPrefix(d.Copied, "## caliper rescue") || !strings.Contains(d.Copied, "outline") {
		t.Errorf("copied %q", d.Copied)
	}
	passWhole(d)
	if got := copySeen(); got != string(demo.Result(demo.ResultFiles[0])) {
		t.Errorf("copied %d bytes", len(got))
	}
	d = open(t, 80, 24, Options{})
	if d.Run(d.S.Update(report.Case{})).Wants("nothing to copy: there is no result"); d.S.noneSeen() == "" {
		t.Error("there is something to copy without a result")
	}
}

// A file that is emptied keeps what it held on screen, for as long as it may be being written.
func TestEmptied(t *testing.T) {
	t.Parallel()
	file := watch.File{Name: "x.txt", Data: []byte("all is well")}
	for _, size := range [][2]int{{118, 30}, {78, 20}, {38, 6}} {
		d := open(t, size[0], size[1], Options{}, file)
		now := func(data string) *driver {
			return d.Run(d.S.take([]watch.File{{Name: file.Name, Data: []byte(data)}}))
		}
		now("").Wants(" STALE ", "it is empty now", "all is well")
		now("all is well").Wants("all is well").Lacks("STALE")
		d.Run(d.S.Update(emptiedMsg{file.Name, d.S.sources[0].revision})).Wants("all is well") // it is no more
		now("").Wants(" STALE ")
		d.Run(d.S.Update(emptiedMsg{file.Name, d.S.sources[0].revision})).Wants("PASSES WHOLE").Lacks("STALE", "all is well", "saved 100")
		if d.S.verdict.err != nil || d.S.verdict.Meta.Chars != 0 {
			t.Errorf("an empty result is %+v, %v", d.S.verdict.Meta, d.S.verdict.err)
		}
	}
}

// A paste is bounded, and needs no key before it.
func TestPaste(t *testing.T) {
	t.Parallel()
	d := open(t, 118, 30, Options{}).Paste(strings.Repeat("a line of a log\n", 2000)).Wants("32,000 of").Press("enter").Wants("2,000 lines")
	d.Press("p").Paste(strings.Repeat("x", longestPaste+5)).Wants("5 were dropped")
}

// Text of a result that would act on the terminal does not.
func TestHostile(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("\x1b]52;c;aGk=\x07 \u202e \x9b2J\r\n", 2000)
	d := open(t, 78, 20, Options{Store: filepath.Join(t.TempDir(), "kept")}, watch.File{Name: "mcp_\x1b[2J.log", Data: []byte(text)})
	d.Press("o")
	asking(d.Run(d.Chosen("web_extract")).Wants("RESCUED"), "grep aGk", "range 3 1", "pointer /\u202e").Press("esc", "K")
	for range viewCount {
		d.Press("v").Lacks("\x1b", "\x07", "\u009b", "\u202e")
	}
}

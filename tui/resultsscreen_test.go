package tui

import (
	"image"
	"path/filepath"
	"strings"
	"testing"

	"caliper/tui/demo"
	"caliper/tui/workbench"
)

// demoResults are the options of the demo with its results.
func demoResults() Options {
	opt := demoQueries()
	var files []workbench.File
	for _, name := range demo.ResultFiles {
		files = append(files, workbench.File{Name: "some/" + name, Data: demo.Result(name)})
	}
	return withResults(opt, files...)
}

// withResults adds files of results to options.
func withResults(opt Options, files ...workbench.File) Options {
	changes := make(chan Change, 1)
	changes <- Change{Files: files}
	close(changes)
	opt.Changes[ResultPart] = changes
	return opt
}

// onResults drives an explorer on the demo to its results, with the first one
// judged.
func onResults(t testing.TB, w, h int) *driver {
	t.Helper()
	return startExplorer(t, demoResults(), w, h).judged("alt+6")
}

// judged presses keys and waits until nothing is loading or being worked out.
func (d *driver) judged(keys ...string) *driver {
	d.t.Helper()
	d.Press(keys...)
	s := &d.app().results
	for d.app().cancel != nil || s.judging.cancel != nil || s.fetching.cancel != nil || s.listing.cancel != nil || s.looking.cancel != nil || s.keeping.cancel != nil {
		d.Send(<-d.late)
	}
	return d
}

// viewing goes to a part of the screen.
func (d *driver) viewing(p resultsPart) *driver {
	d.t.Helper()
	for range resultsPartCount {
		if d.app().results.part != p {
			d.judged("v")
		}
	}
	if got := d.app().results.part; got != p {
		d.t.Fatalf("v never comes to %s, only to %s", p, got)
	}
	return d
}

// asking types requests, one after another.
func (d *driver) asking(requests ...string) *driver {
	d.t.Helper()
	if d.app().results.typing != typingRequest {
		d.judged("e")
	}
	for _, r := range requests {
		d.Type(r).judged("enter")
	}
	return d
}

// What is shown is what the engine makes of the file.
func TestResultsShowWhatTheModelSees(t *testing.T) {
	t.Parallel()
	d := onResults(t, 120, 36).wants("[6 Results]", "1 of 4 results")
	a := d.app()
	for i, name := range demo.ResultFiles {
		if i > 0 {
			d.judged("right")
		}
		data := demo.Result(name)
		tool := strings.TrimSuffix(name, filepath.Ext(name))
		r := workbench.NewRescuer(workbench.RescueInputs{Registry: a.state.Snapshot.Registry, Config: a.state.Config.Rescue, Tokenizer: a.state.Snapshot.Tokenizer})
		result, err := r.Read(t.Context(), tool, name, strings.NewReader(string(data)))
		if err != nil {
			t.Fatal(err)
		}
		want, err := r.Judge(t.Context(), result)
		if err != nil {
			t.Fatal(err)
		}
		if !want.Rescue || len(want.Preview.Left) == 0 {
			t.Fatalf("%s of the demo is not rescued, or nothing is left out of it", name)
		}
		if got := a.results.judged; got.Preview.Text != want.Preview.Text || got.OriginalTokens != want.OriginalTokens || got.Rule != want.Rule {
			t.Errorf("%s is judged in another way", name)
		}
		d.wants(name+"  of "+tool, "RESCUED", want.Rule, string(want.Meta.Kind),
			thousands(want.HandleTokens)+" of "+thousands(want.OriginalTokens)+" tok", "This is a preview and not the whole result", leftOut(want.Preview.Left))
		d.Press("G").wants(`rescuer_fetch(id="` + want.Meta.ID[:16])
		d.Press("g")
	}
	if kinds := len(a.results.sources); kinds != 4 {
		t.Errorf("%d results", kinds)
	}
	d.judged("right").wants("4 of 4 results")
}

func TestResultsMouse(t *testing.T) {
	t.Parallel()
	d := onResults(t, 120, 36).viewing(partRules)
	s := &d.app().results
	box := d.app().layout.Boxes[PaneBody].Inner
	cell := func(area area, line int) image.Point {
		return s.places[area].Min.Add(box.Min).Add(image.Pt(2, line))
	}
	at := cell(areaList, 3)
	if d.Click(at.X, at.Y); s.list().cursor != 3 {
		t.Errorf("a click selects row %d", s.list().cursor)
	}
	at = cell(areaKnobs, 2)
	if d.Click(at.X, at.Y); s.knob != 1 || s.keysIn() != areaKnobs {
		t.Errorf("a click selects knob %d", s.knob)
	}
	d.viewing(partSeen)
	at = cell(areaBelow, 3)
	d.Send(wheelMsg{X: at.X, Y: at.Y, DY: 3})
	if s.below.top == 0 {
		t.Error("the wheel does not scroll")
	}
	d.Click(at.X, at.Y).Press("G", "g", "pgdown", "k")
}

func TestResultsEscCancels(t *testing.T) {
	t.Parallel()
	a := onResults(t, 120, 36).app()
	s := &a.results
	a.Update((&driver{t: t}).key("right")) // its command is not run
	if s.judging.cancel == nil {
		t.Fatal("nothing is being read")
	}
	a.Update((&driver{t: t}).key("esc"))
	if s.judging.cancel != nil || !s.judging.stopped || a.mode.Screen != ScreenResults {
		t.Fatal("esc does not cancel")
	}
	if _, cmd := a.Update((&driver{t: t}).key("enter")); cmd == nil || s.judging.cancel == nil {
		t.Error("enter does not start it again")
	}
	a.Update((&driver{t: t}).key("alt+1"))
	if s.judging.cancel != nil {
		t.Error("the work goes on after the screen is left")
	}
}

func TestResultsRepro(t *testing.T) {
	t.Parallel()
	d := onResults(t, 120, 36)
	var copied string
	d.app().clip.native = func(text string) error { copied = text; return nil }
	d.asking("outline").Press("esc").Press("y", "r").wants("copied repro of Results")
	if want := "## caliper rescue"; !strings.HasPrefix(copied, want) || !strings.Contains(copied, "outline") {
		t.Errorf("copied %q", copied)
	}
	d.Press("y", "m").wants("copied what the model sees")
	if copied != d.app().results.judged.Preview.Text {
		t.Errorf("copied %q", copied)
	}
	d.judged("t").Type("terminal").judged("enter").Press("y", "m").wants("copied what the model sees")
	if copied != string(demo.Result(demo.ResultFiles[0])) {
		t.Errorf("copied %d bytes", len(copied))
	}
	d.judged("alt+1").Press("alt+6")
	d = startExplorer(t, testOptions(demo.Registry(), demo.Config()), 80, 24).judged("alt+6").Press("y", "r")
	d.wants("nothing to copy: there is no result")
}

// Every line of the handle is on some line of the picture, in order, and what
// was left out is marked.
func TestResultsExcerptIsWhole(t *testing.T) {
	t.Parallel()
	for _, w := range []int{120, 80, 43} {
		d := onResults(t, w, 30)
		s := &d.app().results
		var joined strings.Builder
		left := 0
		for _, line := range s.lay(laidOf{seen, s.judged.gen, w, ""}, s.judged.Preview.Text).lines {
			joined.WriteString(strings.ReplaceAll(line.text, " ", ""))
			if line.kind == laidLeftOut && !line.more {
				left++
			}
		}
		if want := strings.NewReplacer(" ", "", "\n", "").Replace(s.judged.Preview.Text); joined.String() != want {
			t.Errorf("at %d cells the picture holds something else than the handle", w)
		}
		if left != len(s.judged.Preview.Left) {
			t.Errorf("%d places are marked of %d", left, len(s.judged.Preview.Left))
		}
	}
}

// m goes from one place to the next where something was left out, and round.
func TestResultsGaps(t *testing.T) {
	t.Parallel()
	d := onResults(t, 80, 24).lacks("left out here: lines")
	d.wants("m next gap").viewing(partRules).lacks("m next gap").Press("m").wants("what the model sees", "left out here: lines 41 to 628")
	d.Press("g").lacks("left out here: lines").Press("m").wants("left out here: lines 41 to 628")
	d.Press("/").Type("ERROR").Press("enter", "m").wants("the filter hides")
	d.Press("esc", "t").Type("terminal").judged("enter").Press("m").wants("nothing is left out")
}

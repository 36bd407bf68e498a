package strategies

import (
	"bytes"
	"testing"

	"caliper/engine/selection"
	"caliper/tui/demo"
	"caliper/tui/desk"
	"caliper/tui/ui"
)

func TestLabelledRowsAreThoseOfTheEngine(t *testing.T) {
	t.Parallel()
	d := onDemo(t, refund).viewing(viewLabelled)
	want, err := d.s.selector.Compare(t.Context(), d.state.Queries, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range want {
		d.wants(whole(r.SchemaTokens), ui.Percent(100*r.Recall))
	}
	d.wants("recall@8", "80 labelled queries", "33,056")
	d.viewing(viewComparison).wants("recall@8")
	// Under other settings it is not known until it is measured again, in the table too.
	d.onKnob("K").press("left").wants("recall@7").lacks("recall@8").press("right").wants("recall@8").lacks("recall@7")
	if got := d.s.cacheText(selection.Eager) + d.s.cacheText(selection.Hybrid); got != "stablechanges" {
		t.Error(got)
	}
	d.configure("tools: {rag_sticky: false}\n").viewing(viewLabelled).viewing(viewComparison)
	if got, r := d.s.cacheText(selection.Hybrid), d.s.labelledRow(selection.Hybrid); got != ui.Percent(100*r.Kept) || r.Kept <= r.Stability {
		t.Errorf("%s, the labelled queries keep %v", got, r.Kept)
	}
}

func TestMeasuringIsCancelled(t *testing.T) {
	t.Parallel()
	d := open(t, Options{}, string(demo.Config()), refund)
	d.s.Show(int(viewBytes)) // the table measures the labelled queries too
	d.visit().settle().hold("v").deliver("stepped").matches(`measuring \d+ of 80`).wants("esc cancels")
	if !d.s.Back() {
		t.Error("esc leaves the screen")
	}
	d.visit().wants("measuring was cancelled", "enter starts it again", "measuring cancelled: enter starts it again")
	d.settle()
	if d.s.measured.rows != nil {
		t.Fatal("what was cancelled has an outcome")
	}
	d.press("enter").wants("recall@8", "80 labelled queries")
	// Leaving abandons, coming back begins anew.
	d.hold("v").leave()
	if d.s.measuring[viewPareto].Running() {
		t.Fatal("it still runs")
	}
	d.settle()
	if d.s.measured.points != nil {
		t.Fatal("it was not abandoned")
	}
	d.visit().settle().wants("recall over tokens")
	// What takes long waits to be asked for, and keeps what was found.
	d.s.measuring[viewPareto].Hold(d.s.sample())
	d.settle().wants("recall over tokens", "enter starts it")
	d.s.measured.points, d.notices = nil, nil
	d.wants("this takes a while with 167 tools").press("enter").wants("recall over tokens").lacks("enter starts it")
}

// The plot has its height for a point without tokens, too.
func TestPlotOfNothing(t *testing.T) {
	t.Parallel()
	d := onDemo(t, refund).viewing(viewPareto)
	d.s.measured.points = []selection.Point{{Strategy: selection.Eager, Frontier: true}}
	if lines := d.s.drawPlot(d.theme, 60, 8); len(lines) != 8 {
		t.Errorf("%d lines for a point of nothing", len(lines))
	}
}

// The tools selected for a message are those it is sent with after the turns before
// it; sticky ones stay.
func TestMessageOfAConversation(t *testing.T) {
	t.Parallel()
	d := open(t, Options{}, "tools: {selection: hybrid}\n", refund).visit().settle()
	first := *d.s.pick(selection.Hybrid)
	// The message that is the last turn is not sent after itself.
	d.press("+")
	if got := d.s.pick(selection.Hybrid); string(got.Bytes) != string(first.Bytes) {
		t.Error("the only turn is not turn 1 (nothing cached)")
	}
	d.say("deploy the release").wants("turn 2")
	threads, err := d.s.selector.Converse(t.Context(), []string{refund, "deploy the release"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, thread := range threads {
		turn, got := thread.Turns[1], d.s.pick(thread.Strategy)
		if thread.Sticky != thread.Strategy.Ranks() {
			continue
		}
		if string(got.Bytes) != string(turn.Selection.Bytes) {
			t.Errorf("%s: %d tools, turn 2 %d", thread.Strategy, len(got.Tools), len(turn.Selection.Tools))
		}
		d.onto(thread.Strategy).wants(d.s.strategyName(thread.Strategy)+"  "+sentText(&turn.Selection), ui.Thousands(turn.Selection.SchemaTokens))
		if !thread.Sticky {
			continue
		}
		want := ui.Percent(100 * (1 - float64(turn.LostTokens)/float64(thread.Turns[0].Selection.SchemaTokens)))
		if got := d.s.cacheText(thread.Strategy); got != want || turn.LostTokens == 0 {
			t.Errorf("%s keeps %s, turn 2 %s", thread.Strategy, got, want)
		}
	}
	now := d.s.pick(selection.Hybrid)
	bridge := bytes.Index(first.Bytes, []byte(`{"type":"function","function":{"name":"tool_search"`))
	if bridge < 0 || !bytes.Contains(now.Bytes, []byte(`"mcp_payments_refund_batch"`)) || !bytes.HasPrefix(now.Bytes, first.Bytes[:bridge]) {
		t.Error("what was sent before is not sent on")
	}
	if g := d.header.Gauge; g.Sent == nil || g.Sent.SchemaTokens != now.SchemaTokens || g.Turn != 2 || g.Message != "deploy the release" {
		t.Errorf("the gauge is %+v", g)
	}
	// All other screens are about the same.
	d.leave().settle()
	if x := d.state.Selection; x == nil || x.Message != "deploy the release" || x.Tools[3].Reason != selection.Sticky || d.header.Gauge.Sent.SchemaTokens != now.SchemaTokens {
		t.Errorf("the other screens are about %+v", x)
	}
	d.about.Query = "deploy the release now"
	d.load()
	if got := d.settle().state.Snapshot.Message(); got != "deploy the release" {
		t.Errorf("the message is %q while another is searched for", got)
	}
	// What a turn before the last selected stays too.
	d.visit().press("+").say("find the wiki page")
	if threads, err = d.s.selector.Converse(t.Context(), []string{refund, "deploy the release", "find the wiki page"}, nil); err != nil {
		t.Fatal(err)
	}
	for _, thread := range threads {
		if thread.Sticky && string(d.s.pick(thread.Strategy).Bytes) != string(thread.Turns[2].Selection.Bytes) {
			t.Errorf("%s is not turn 3", thread.Strategy)
		}
	}
}

// The gauge shows what the assembly of every screen sends with the message.
func TestGauge(t *testing.T) {
	t.Parallel()
	d := open(t, Options{}, "tools: {selection: hybrid}\n", "")
	d.input.Flags.Message = refund
	d.load()
	d.settle()
	x, b := d.state.Selection, d.state.Budget
	if x == nil || x.Message != refund || x.SchemaTokens != b.AfterTokens || x.Deferred != b.DeferredCount {
		t.Fatalf("the selection is %+v, the budget %+v", x, b)
	}
	if g := d.header.Gauge; g.Sent != x || g.Strategy != selection.Hybrid || g.K != 8 || g.Message != refund || g.Live || g.Unranked {
		t.Errorf("the gauge is %+v", g)
	}
	d.visit().settle().say(refund + " and deploy the release").wants("and deploy the release")
	edited := d.s.pick(selection.Hybrid).SchemaTokens
	d.leave().settle()
	if d.state.Snapshot.Message() != refund+" and deploy the release" || d.state.Budget.AfterTokens != edited || edited == x.SchemaTokens {
		t.Errorf("the assembly is for %q, %d tokens, not %d", d.state.Snapshot.Message(), d.state.Budget.AfterTokens, edited)
	}
	if d.configure("tools: {selection: hybrid, rag_weights: {keyword: 0, semantic: 0}}\n"); !d.header.Gauge.Unranked {
		t.Error("nothing tells that both weights are 0")
	}
	if d.configure(string(demo.Config())); d.header.Gauge != (desk.Gauge{}) {
		t.Errorf("eager shows %+v", d.header.Gauge)
	}
}

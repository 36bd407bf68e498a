package strategies

import (
	"bytes"
	"testing"

	"caliper/engine/selection"
	"caliper/model/require"
	"caliper/tui/demo"
	"caliper/tui/desk"
	"caliper/tui/ui"
)

func TestLabelledRowsAreThoseOfTheEngine(t *testing.T) {
	t.Parallel()
	d := onDemo(t, refund).View(viewLabelled.String())
	want, err := d.S.selector.Compare(t.Context(), d.State.Queries, nil)
	require.NoError(t, err)
	for _, r := range want {
		d.Wants(ui.Whole(r.SchemaTokens), ui.Percent(100*r.Recall))
	}
	d.Wants("recall@8", "80 labelled queries", "33,056")
	d.View(viewComparison.String()).Wants("recall@8")
	// Under other settings it is not known until it is measured again, in the table too.
	onKnob(d, "K").Press("left").Wants("recall@7").Lacks("recall@8").Press("right").Wants("recall@8").Lacks("recall@7")
	if got := d.S.cacheText(selection.Eager) + d.S.cacheText(selection.Hybrid); got != "stablechanges" {
		t.Error(got)
	}
	d.Configure("tools: {rag_sticky: false}\n").Settle().View(viewLabelled.String()).View(viewComparison.String())
	if got, r := d.S.cacheText(selection.Hybrid), d.S.labelledRow(selection.Hybrid); got != ui.Percent(100*r.Kept) || r.Kept <= 0 {
		t.Errorf("%s, the labelled queries keep %v", got, r.Kept)
	}
}

func TestMeasuringIsCancelled(t *testing.T) {
	t.Parallel()
	d := open(t, Options{}, string(demo.Config()), refund)
	d.S.Show(int(viewBytes)) // the table measures the labelled queries too
	d.Visit().Settle().Hold("v").Deliver("stepped").Wants("measuring ", " of 80", "esc cancels")
	if !d.S.Back() {
		t.Error("esc leaves the screen")
	}
	d.Visit().Wants("measuring was cancelled", "enter starts it again", "measuring cancelled: enter starts it again")
	d.Settle()
	if d.S.measured.rows != nil {
		t.Fatal("what was cancelled has an outcome")
	}
	d.Press("enter").Wants("recall@8", "80 labelled queries")
	// Leaving abandons, coming back begins anew.
	d.Hold("v").Leave()
	if d.S.measuring[viewPareto].Running {
		t.Fatal("it still runs")
	}
	d.Settle()
	if d.S.measured.points != nil {
		t.Fatal("it was not abandoned")
	}
	d.Visit().Settle().Wants("K 1..32")
	// What takes long waits to be asked for, and keeps what was found.
	d.S.measuring[viewPareto].Hold(d.S.sample())
	d.Settle().Wants("K 1..32", "enter starts it")
	d.S.measured.points, d.Notices = nil, nil
	d.Wants("this takes a while with 167 tools").Press("enter").Wants("K 1..32").Lacks("enter starts it")
}

// The plot has its height for a point without tokens, too.
func TestPlotOfNothing(t *testing.T) {
	t.Parallel()
	d := onDemo(t, refund).View(viewPareto.String())
	d.S.measured.points = []selection.Point{{Strategy: selection.Eager, Frontier: true}}
	if lines := d.S.drawPlot(d.Theme, 60, 8); len(lines) != 8 {
		t.Errorf("%d lines for a point of nothing", len(lines))
	}
}

// The tools selected for a message are those it is sent with after the turns before
// it; sticky ones stay.
func TestMessageOfAConversation(t *testing.T) {
	t.Parallel()
	d := open(t, Options{}, "tools: {selection: hybrid}\n", refund).Visit().Settle()
	first := *d.S.pick(selection.Hybrid)
	// The message that is the last turn is not sent after itself.
	d.Press("+")
	if got := d.S.pick(selection.Hybrid); string(got.Bytes) != string(first.Bytes) {
		t.Error("the only turn is not turn 1 (nothing cached)")
	}
	d.Press("e", "ctrl+u").Type("deploy the release").Press("enter").Wants("turn 2")
	threads, err := d.S.selector.Converse(t.Context(), []string{refund, "deploy the release"}, nil)
	require.NoError(t, err)
	for _, thread := range threads {
		turn, got := thread.Turns[1], d.S.pick(thread.Strategy)
		if thread.Sticky != thread.Strategy.Ranks() {
			continue
		}
		if string(got.Bytes) != string(turn.Selection.Bytes) {
			t.Errorf("%s: %d tools, turn 2 %d", thread.Strategy, len(got.Tools), len(turn.Selection.Tools))
		}
		onto(d, thread.Strategy).Wants(d.S.strategyName(thread.Strategy)+"  "+sentText(&turn.Selection), ui.Thousands(turn.Selection.SchemaTokens))
		if !thread.Sticky {
			continue
		}
		want := ui.Percent(100 * (1 - float64(turn.LostTokens)/float64(thread.Turns[0].Selection.SchemaTokens)))
		if got := d.S.cacheText(thread.Strategy); got != want || turn.LostTokens == 0 {
			t.Errorf("%s keeps %s, turn 2 %s", thread.Strategy, got, want)
		}
	}
	now := d.S.pick(selection.Hybrid)
	bridge := bytes.Index(first.Bytes, []byte(`{"type":"function","function":{"name":"tool_search"`))
	if bridge < 0 || !bytes.Contains(now.Bytes, []byte(`"mcp_payments_refund_batch"`)) || !bytes.HasPrefix(now.Bytes, first.Bytes[:bridge]) {
		t.Error("what was sent before is not sent on")
	}
	if g := d.Header.Gauge; g.Sent == nil || g.Sent.SchemaTokens != now.SchemaTokens || g.Turn != 2 || g.Message != "deploy the release" {
		t.Errorf("the gauge is %+v", g)
	}
	// All other screens are about the same.
	d.Leave().Settle()
	if x := d.State.Selection; x == nil || x.Message != "deploy the release" || x.Tools[3].Reason != selection.Sticky || d.Header.Gauge.Sent.SchemaTokens != now.SchemaTokens {
		t.Errorf("the other screens are about %+v", x)
	}
	d.About.Query = "deploy the release now"
	d.Reload()
	if got := d.Settle().State.Snapshot.Message(); got != "deploy the release" {
		t.Errorf("the message is %q while another is searched for", got)
	}
	// What a turn before the last selected stays too.
	d.Visit().Press("+").Press("e", "ctrl+u").Type("find the wiki page").Press("enter")
	if threads, err = d.S.selector.Converse(t.Context(), []string{refund, "deploy the release", "find the wiki page"}, nil); err != nil {
		t.Fatal(err)
	}
	for _, thread := range threads {
		if thread.Sticky && string(d.S.pick(thread.Strategy).Bytes) != string(thread.Turns[2].Selection.Bytes) {
			t.Errorf("%s is not turn 3", thread.Strategy)
		}
	}
}

// The gauge shows what the assembly of every screen sends with the message.
func TestGauge(t *testing.T) {
	t.Parallel()
	d := open(t, Options{}, "tools: {selection: hybrid}\n", "")
	d.Input.Flags.Message = refund
	d.Reload()
	d.Settle()
	x, b := d.State.Selection, d.State.Budget
	if x == nil || x.Message != refund || x.SchemaTokens != b.AfterTokens || x.Deferred != b.DeferredCount {
		t.Fatalf("the selection is %+v, the budget %+v", x, b)
	}
	if g := d.Header.Gauge; g.Sent != x || g.Strategy != selection.Hybrid || g.K != 8 || g.Message != refund || g.Live || g.Unranked {
		t.Errorf("the gauge is %+v", g)
	}
	d.Visit().Settle().Press("e", "ctrl+u").Type(refund + " and deploy the release").Press("enter").Wants("and deploy the release")
	edited := d.S.pick(selection.Hybrid).SchemaTokens
	d.Leave().Settle()
	if d.State.Snapshot.Message() != refund+" and deploy the release" || d.State.Budget.AfterTokens != edited || edited == x.SchemaTokens {
		t.Errorf("the assembly is for %q, %d tokens, not %d", d.State.Snapshot.Message(), d.State.Budget.AfterTokens, edited)
	}
	if d.Configure("tools: {selection: hybrid, rag_weights: {keyword: 0, semantic: 0}}\n").Settle(); !d.Header.Gauge.Unranked {
		t.Error("nothing tells that both weights are 0")
	}
	if d.Configure(string(demo.Config())).Settle(); d.Header.Gauge != (desk.Gauge{}) {
		t.Errorf("eager shows %+v", d.Header.Gauge)
	}
}

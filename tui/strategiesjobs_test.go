package tui

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"caliper/engine/selection"
	"caliper/tui/demo"
)

func TestStrategiesLabelled(t *testing.T) {
	t.Parallel()
	d := onStrategies(t, 120, 36, refund).view(partLabelled)
	s := &d.app().strategies
	want, err := s.selector.made.Compare(t.Context(), d.app().state.Queries, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range want {
		d.wants(whole(r.SchemaTokens), percent(100*r.Recall))
	}
	d.wants("recall@8", "80 labelled queries", "33,056")
	d.view(partComparison).wants("recall@8")
	// Under other settings it is not known until it is measured again.
	d.Press("tab", "tab", "down").selected("left").lacks("recall@").selected("right").lacks("recall@")
	d.view(partLabelled).view(partComparison).wants("recall@8").Press("tab")
	if got := s.cacheWord(selection.Eager) + s.cacheWord(selection.Hybrid); got != "samegrows" {
		t.Error(got)
	}
	d.reload(ConfigPart, "tools: {rag_sticky: false}\n")
	d.selected().view(partLabelled).view(partComparison)
	if got, r := s.cacheWord(selection.Hybrid), s.labelledRow(selection.Hybrid); got != percent(100*r.Kept) || r.Kept <= r.Stability {
		t.Errorf("%s, the labelled queries keep %v", got, r.Kept)
	}
	d.reload(ConfigPart, string(demo.Config()))
	d.selected()
	// Without queries there is something to say.
	startExplorer(t, testOptions(demo.Registry(), demo.Config()), 80, 24).selected("alt+4").view(partLabelled).wants("no labelled queries").view(partPareto).wants("no labelled queries")
}

func TestStrategiesCancel(t *testing.T) {
	t.Parallel()
	d := onStrategies(t, 120, 36, refund).view(partBytes)
	s := &d.app().strategies
	work := d.heldBack("v")
	d.Send(strategiesStepMsg{work: workLabelled, gen: s.jobs[workLabelled].gen, done: 7, total: 80, more: closedSteps()})
	d.wants("measuring 7 of 80", "esc cancels")
	d.Press("esc").wants("[4 Strategies]", "measuring was cancelled", "enter starts it again")
	d.run(work)
	if s.rows != nil {
		t.Fatal("what was cancelled has an outcome")
	}
	d.selected("enter").wants("recall@8", "80 labelled queries")
	// Leaving abandons, coming back begins anew.
	work = d.heldBack("v")
	d.Press("alt+1")
	if s.jobs[workPareto].cancel != nil {
		t.Fatal("it still runs")
	}
	d.run(work)
	if s.points != nil {
		t.Fatal("it was not abandoned")
	}
	d.selected("alt+4").wants("recall over tokens")
}

func TestStrategiesPareto(t *testing.T) {
	t.Parallel()
	d := onStrategies(t, 80, 24, refund).view(partPareto)
	s := &d.app().strategies
	best := s.frontier()
	if len(best) < 3 || len(s.points) != 3+3*selection.MaxParetoK {
		t.Fatalf("%d of %d points", len(best), len(s.points))
	}
	for i, p := range best {
		if i > 0 && (p.SchemaTokens < best[i-1].SchemaTokens || p.Recall <= best[i-1].Recall) {
			t.Errorf("the frontier falls at %d", i)
		}
	}
	d.wants("K keyword            1", "100% │", "E", "◆", "tok")
	marked := func() int {
		for _, line := range s.drawPlot(plainTheme(), 76, 12) {
			if at := strings.Index(line, "◆"); at >= 0 {
				return at
			}
		}
		return -1
	}
	first := marked()
	d.Press("G")
	if last := marked(); first < 0 || last <= first {
		t.Errorf("the mark goes from %d to %d", first, last)
	}
	s.points = []selection.Point{{Strategy: selection.Eager, Frontier: true}}
	if lines := s.drawPlot(plainTheme(), 60, 8); len(lines) != 8 {
		t.Errorf("%d lines for a point of nothing", len(lines))
	}
}

func TestStrategiesConversation(t *testing.T) {
	t.Parallel()
	d := onStrategies(t, 120, 36, refund).view(partConversation).wants("no turns yet", "a adds the message as one")
	d.Press("d").wants("the conversation has no turns")
	d.selected("a").wants("1 turn in the conversation")
	d.Press("e", "ctrl+u").Type("deploy the release").selected("enter", "a")
	s := &d.app().strategies
	for i := range s.threads {
		x := &s.threads[i]
		d.Press("g").Press(times(i, "down")...)
		d.wants("1 "+refund, "2 deploy the release", thousands(x.SchemaTokens), thousands(x.LostTokens), percent(100*x.Kept))
		if x.Strategy.Ranks() && (x.Kept < 0.1 || x.Kept > 0.99) {
			t.Errorf("%s keeps %v", x.Strategy, x.Kept)
		}
		if x.Strategy.Ranks() && !x.Sticky {
			d.wants("not sticky", "cached tok lost", "-")
		}
		if x.Strategy.Ranks() && x.Sticky && len(x.Turns[1].Selection.Tools) <= len(x.Turns[0].Selection.Tools) {
			t.Errorf("%s does not grow", x.Strategy)
		}
	}
	d.Press("g").Press("home")
	if got := strings.Count(d.Screen(), "so that tools.selection eager sends"); got != 1 {
		t.Errorf("a note that goes on is told %d times", got)
	}
	d.reload(ConfigPart, "tools: {selection: hybrid}\n")
	if d.selected(); strings.Count(d.Screen(), "● hybrid") != 1 {
		t.Error("of sticky and not, one is in force")
	}
	d.reload(ConfigPart, string(demo.Config()))
	d.selected("d").wants("1 turn left").lacks("2 deploy the release").selected("d").wants("no turns yet")
	d.Press("e", "ctrl+u", "enter").wants("> " + refund) // the query, while there is no message
	d.app().query.Set("")
	d.Press("a").wants("no message to add")
	// From elsewhere the palette leads here.
	d.Press("alt+1", "ctrl+k").Type("add the message to the conv").selected("enter").wants("[4 Strategies]")
}

// What the table, the bytes and the gauge show of a message is what it is sent
// with at its place in the conversation: after the turns before it, of which
// what is sticky stays.
func TestStrategiesMessageOfAConversation(t *testing.T) {
	t.Parallel()
	opt := testOptions(demo.Registry(), []byte("tools: {selection: hybrid}\n"))
	opt.Query = refund
	d := startExplorer(t, opt, 120, 36).selected("alt+4").wants("strategies  as a first message", "hybrid K 8").lacks("K 8 turn")
	s := &d.app().strategies
	first := *s.pick(selection.Hybrid)
	// The message that is the last turn is not sent after itself.
	d.selected("a").wants("strategies  as turn 1", "hybrid K 8 turn 1").lacks("sticky     mcp_")
	if got := s.pick(selection.Hybrid); string(got.Bytes) != string(first.Bytes) {
		t.Error("the only turn is not as a first message")
	}
	d.Press("e", "ctrl+u").Type("deploy the release").selected("enter").wants("strategies  as turn 2", "hybrid K 8 turn 2")
	threads, err := s.selector.made.Converse(t.Context(), []string{refund, "deploy the release"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, thread := range threads {
		if thread.Sticky != thread.Strategy.Ranks() {
			continue
		}
		want, got := thread.Turns[1].Selection, s.pick(thread.Strategy)
		if string(got.Bytes) != string(want.Bytes) {
			t.Errorf("%s: %d tools, as turn 2 %d", thread.Strategy, len(got.Tools), len(want.Tools))
		}
		d.ontoStrategy(thread.Strategy).wants(string(thread.Strategy)+"  "+s.sentWords(&want), thousands(want.SchemaTokens))
	}
	d.ontoStrategy(selection.Hybrid).wants("sticky     mcp_payments_refund_batch", "ranked     ")
	for _, thread := range threads {
		if turn := thread.Turns[1]; thread.Sticky {
			want := percent(100 * (1 - float64(turn.LostTokens)/float64(thread.Turns[0].Selection.SchemaTokens)))
			if got := s.cacheWord(thread.Strategy); got != want || turn.LostTokens == 0 {
				t.Errorf("%s keeps %s, as turn 2 %s", thread.Strategy, got, want)
			}
		}
	}
	d.wants(thousands(s.pick(selection.Hybrid).SchemaTokens) + "  ") // the gauge
	d.view(partBytes).wants("bytes  as turn 2")
	if text := string(s.pick(selection.Hybrid).Bytes); !strings.Contains(text, `"mcp_payments_refund_batch"`) || !strings.HasPrefix(text, string(first.Bytes[:bytes.Index(first.Bytes, []byte(`{"type":"function","function":{"name":"tool_search"`))])) {
		t.Error("what was sent before is not sent on")
	}
	// Elsewhere the gauge says the same.
	sent := s.pick(selection.Hybrid).SchemaTokens
	d.selected("alt+1").wants("hybrid K 8 turn 2", thousands(sent))
	if x := d.app().state.Selection; x == nil || x.Message != "deploy the release" || x.Tools[3].Reason != selection.Sticky {
		t.Errorf("the other screens are about %+v", x)
	}
	d.Type(" now").selected()
	if got := d.app().state.Snapshot.Message(); got != "deploy the release" {
		t.Errorf("the message is %q while another is searched for", got)
	}
	d.Press(times(len(" now"), "backspace")...)
	d.selected("alt+4")
	// Without stickiness only the message counts.
	d.reload(ConfigPart, "tools: {selection: hybrid, rag_sticky: false}\n")
	d.selected().wants("as turn 2")
	if slices.ContainsFunc(s.pick(selection.Hybrid).Tools, func(x selection.Selected) bool { return x.Reason == selection.Sticky }) {
		t.Error("a tool is sticky")
	}
	d.selected("d").wants("as a first message").lacks("turn 2")
}

func TestStrategiesRepro(t *testing.T) {
	t.Parallel()
	opt := demoQueries()
	opt.Query = refund
	d, c := startExplorer(t, opt, 120, 36), new(copying)
	d.app().clip = clipper{terminal: c}
	d.selected("alt+4").Press("y", "r").wants("copied repro of Strategies")
	says(t, c.text(t), "## caliper compare", refund, "| `hybrid` |", "### Selected by hybrid", "just missed", "`mcp_payments_refund_batch`", "caliper compare --session default '"+refund+"'")
	for p, wants := range map[strategiesPart][]string{
		partLabelled: {"labelled queries", "recall@8", "--queries queries.jsonl"},
		partPareto:   {"### Frontier", "no other costs no more"},
	} {
		d.view(p).Press("y", "r")
		says(t, c.text(t), wants...)
	}
	d.view(partConversation).Press("y", "r").wants("nothing to copy: no turns yet")
	d.selected("a", "y", "r")
	says(t, c.text(t), "cached tokens lost", refund, "caliper select --session default --turns turns.txt")
	d.view(partComparison).Press("e").Type("s").selected("enter").Press("y", "r")
	says(t, c.text(t), refund+"s\n", "It is turn 2 of a session:\n", refund+"\n"+refund+"s\n", "| sticky |", "caliper select --session default --turns turns.txt")
	d = startExplorer(t, demoQueries(), 120, 36)
	work := d.heldBack("alt+4")
	d.Press("y", "r").wants("nothing to copy yet: selecting is not done")
	d.run(work)
}

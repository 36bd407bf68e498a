package strategies

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"caliper/engine/selection"
	"caliper/model/require"
	"caliper/tui/demo"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/ui"
)

// refund is a message that is no labelled query of the demo.
const refund = "refund the customer for a cancelled booking"

// onDemo drives the screen with a message until everything is selected.
func onDemo(t *testing.T, message string) *driver {
	t.Helper()
	return open(t, Options{}, string(demo.Config()), message).Visit().Settle()
}

// onto moves the cursor to a strategy.
func onto(d *driver, strategy selection.Strategy) *driver {
	d.T.Helper()
	d.Press("g")
	for range selection.Strategies {
		if d.S.chosen() != strategy {
			d.Press("down")
		}
	}
	return d
}

// onKnob gives a knob the keys.
func onKnob(d *driver, label string) *driver {
	d.T.Helper()
	d.S.Focus = ui.AreaKnobs
	d.S.Knob = slices.IndexFunc(selectionKnobs, func(k *desk.Knob) bool { return k.Label == label })
	return d.Press("down", "up")
}

func TestSelectionsAreThoseOfTheEngine(t *testing.T) {
	t.Parallel()
	d := onDemo(t, refund).Wants("> " + refund)
	d.H = 33
	for _, strategy := range selection.Strategies {
		set := selection.SettingsOf(d.State.Config.Config)
		set.Strategy, set.Now = strategy, d.Now
		x, err := selection.New(t.Context(), d.State.Snapshot, set, d.S.similarity, nil)
		require.NoError(t, err)
		want, err := x.Select(t.Context(), refund, nil)
		require.NoError(t, err)
		onto(d, strategy).Wants(d.S.strategyName(strategy)+"  ", ui.Thousands(want.SchemaTokens)+" tok", ui.Percent(want.SavedPct))
		got := d.S.pick(strategy)
		if string(got.Bytes) != string(want.Bytes) || got.SchemaTokens != want.SchemaTokens || len(got.Missed) != len(want.Missed) {
			t.Errorf("%s differs from the engine's", strategy)
		}
		for _, m := range want.Missed {
			d.Wants("below cutoff " + m.Tool.ShownName)
		}
		if strategy.Ranks() {
			d.Wants(" K 8 ", "always sent  terminal", "ranked       mcp_payments_refund_batch", fmt.Sprintf("%.5f", want.Missed[0].Score))
		}
	}
	onto(d, selection.Hybrid).Wants("keyword semantic similar    score", fmt.Sprintf("%.3f", *d.S.pick(selection.Hybrid).Missed[0].Similarity))
	if got, want := d.S.pick(d.S.inForce()).SchemaTokens, d.State.Budget.AfterTokens; got != want {
		t.Errorf("%d tokens are marked as sent, the budget has %d", got, want)
	}
}

func TestNeeds(t *testing.T) {
	t.Parallel()
	d := onDemo(t, refund).Lacks("expected mcp_")
	met := func(strategy selection.Strategy) string {
		text, _ := d.S.met(d.S.pick(strategy), d.S.needs())
		return text
	}
	d.About.Expected = "mcp_payments_refund_charge"
	d.Press("down").Wants("expected mcp_payments_refund_charge", "◆ mcp_payments_refund_charge")
	for strategy, want := range map[selection.Strategy]string{selection.Eager: "sent", selection.Lazy: "via search", selection.ToolSearch: "via search", selection.Hybrid: "sent"} {
		if got := met(strategy); got != want {
			t.Errorf("%s: %s, want %s", strategy, got, want)
		}
	}
	d.About.Expected = "nobody"
	if got := met(selection.Eager) + met(selection.Hybrid); got != "not sentnot sent" {
		t.Errorf("a tool that is not there is %s", got)
	}
	q := d.State.Queries[0]
	d.About.Query = "  " + q.Text
	d.Press("down").Wants("expected " + q.Relevant[0])
	d.S.answer.selections[0].Tools = nil
	if got, _ := d.S.met(d.S.pick(selection.Eager), [][]string{{"a"}, {"terminal"}}); got != "0/2 sent" {
		t.Error(got)
	}
}

func TestBytesAreWhatIsSent(t *testing.T) {
	t.Parallel()
	d := onDemo(t, refund)
	for _, w := range []int{118, 78, 41} {
		d.W = w
		d.View(viewBytes.String())
		d.Press(slices.Repeat([]string{"left"}, len(selection.Strategies))...)
		for i, strategy := range selection.Strategies {
			if i > 0 {
				d.Press("right")
			}
			x := d.S.pick(d.S.chosen())
			if x.Strategy != strategy {
				t.Fatalf("right goes to %s, want %s", x.Strategy, strategy)
			}
			var text strings.Builder
			for _, line := range d.S.layoutBytes(x, w-2) {
				if !line.aside {
					text.WriteString(line.text)
				}
			}
			if text.String() != string(x.Bytes) {
				t.Fatalf("%s at %d cells: %d bytes are shown of %d", strategy, w, text.Len(), len(x.Bytes))
			}
			for i, sent := range x.Tools {
				if !strings.Contains(string(x.Bytes), `"name":"`+sent.Tool.Name+`"`) {
					t.Fatalf("%s: tool %d is not sent", strategy, i)
				}
			}
		}
		d.Press("right", "left", "left", "left", "left", "left", "left", "left").Wants("terminal  188 tok", "33,056 tok")
		if d.S.chosen() != selection.Eager {
			t.Errorf("left ends on %s", d.S.chosen())
		}
		d.Press("G").Wants("}]")
		d.Press("g")
	}
}

func TestBytesOfEachToolFollowItsName(t *testing.T) {
	t.Parallel()
	d := onDemo(t, refund)
	for _, strategy := range []selection.Strategy{selection.Eager, selection.ToolSearch, selection.Hybrid} {
		lines := d.S.layoutBytes(d.S.pick(strategy), 1000)
		for i, line := range lines {
			name, _, _ := strings.Cut(line.text, " ")
			name = name[strings.Index(name, "/")+1:]
			if line.aside && name != "the" && !strings.Contains(lines[i+1].text, `"name":"`+name+`"`) {
				t.Fatalf("%s: under %s stands %s", strategy, line.text, lines[i+1].text)
			}
		}
	}
}

// Nothing is copied before it is selected.
func TestReportWaits(t *testing.T) {
	t.Parallel()
	d := open(t, Options{}, string(demo.Config()), refund).Visit()
	d.Begin(d.S.Update(report.Case{}))
	d.Wants("nothing to copy yet: selecting is not done")
	d.Settle()
	d.Hold("v").Hold("v").Hold("v")
	d.Begin(d.S.Update(report.Case{}))
	d.Wants("nothing to copy yet: measuring every K is not done")
	if d.Copied != "" {
		t.Error("it is copied")
	}
	d.Settle()
}

package replay

import (
	"math"
	"strconv"
	"testing"

	"caliper/engine/selection"
	"caliper/engine/transcript"
)

// TestSumsAlone: where only sums are known, what a session costs beyond its tools and
// messages is learnt from the others: an intercept for each kind, and for each agent and
// model how far the tokenizer is off. A session that is alone of its kind stays unknown.
func TestSumsAlone(t *testing.T) {
	eager := kind{transcript.Hermes, "drift", selection.Eager}
	search := kind{transcript.Hermes, "drift", selection.ToolSearch}
	other := kind{transcript.Hermes, "lumen", selection.Eager}
	r := &run{report: new(Report)}
	add := func(k kind, requests, messages, intercept, slope float64) {
		s := summed{session: len(r.summed), kind: k, requests: requests, messages: messages, carried: messages + 3000*requests}
		total := s.carried + intercept*requests + slope*messages
		s.logged = float64(round(total))
		r.summed = append(r.summed, s)
		r.report.Sessions = append(r.report.Sessions, Session{Logged: &transcript.Usage{Input: round(total)}})
	}
	add(eager, 10, 5_000, 400, 0.2)
	add(eager, 12, 20_000, 400, 0.2)
	add(eager, 30, 50_000, 400, 0.2)
	add(search, 10, 90_000, 250, 0.2)
	add(search, 11, 6_000, 250, 0.2)
	add(other, 10, 10_000, 100, -0.1)
	r.recomputeSummed()
	for i, s := range r.report.Sessions[:5] {
		if s.ErrorPct == nil || *s.ErrorPct > 0.01 || *s.Recomputed < s.Logged.Total()-5 {
			t.Errorf("session %d: error %v", i, s.ErrorPct)
		}
	}
	if s := r.report.Sessions[5]; s.ErrorPct != nil {
		t.Errorf("alone of its kind: error %v, want none", *s.ErrorPct)
	}
}

// TestErrorOfTheLog is in percent of what was logged, without a sign.
func TestErrorOfTheLog(t *testing.T) {
	for _, x := range []struct {
		logged, sum int
		total, want float64
	}{{200, 220, 220.4, 10.2}, {200, 150, 150, 25}, {200, 200, 200, 0}, {0, 7, 7, 0}} {
		s := Session{Logged: &transcript.Usage{Input: x.logged}}
		if s.recomputed(x.total); *s.Recomputed != x.sum || math.Abs(*s.ErrorPct-x.want) > 1e-9 {
			t.Errorf("%v of %d: %d, %v%% off, want %d and %v%%", x.total, x.logged, *s.Recomputed, *s.ErrorPct, x.sum, x.want)
		}
	}
}

// TestManyKinds: the figures learnt for a session do not depend on how many others there are
// of other kinds, and neither does the work for it: 40,000 sessions in kinds of two would
// take minutes if each looked at all.
func TestManyKinds(t *testing.T) {
	r := &run{report: new(Report)}
	for i := range 40_000 {
		n := float64(10 + i%2)
		k := kind{transcript.Hermes, strconv.Itoa(i / 2), selection.Eager}
		r.summed = append(r.summed, summed{session: i, kind: k, requests: n, messages: 500 * n, carried: 600 * n, logged: 700 * n})
		r.report.Sessions = append(r.report.Sessions, Session{Logged: &transcript.Usage{Input: int(700 * n)}})
	}
	r.recomputeSummed()
	for i, s := range r.report.Sessions {
		if s.ErrorPct == nil || !(*s.ErrorPct <= 1e-9) {
			t.Fatalf("session %d: error %v", i, s.ErrorPct)
		}
	}
}

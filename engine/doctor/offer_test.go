package doctor

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/draft"
	"caliper/engine/evaluation"
	"caliper/engine/labels"
)

// An edit is offered when the tool's queries gain enough, and those of others lose
// nothing, not even nearly.
func TestBearable(t *testing.T) {
	own := func(before, after float64) draft.Asked {
		return draft.Asked{Own: true, FoundBefore: before, FoundAfter: after}
	}
	other := func(before, after int) draft.Asked { return draft.Asked{Before: before, After: after} }
	for _, x := range []struct {
		name string
		j    Judgement
		want bool
	}{
		{"two queries gain", Judgement{Outcome: draft.Outcome{Asked: []draft.Asked{own(0, 1), own(0, 1)}}}, true},
		{"one query gains", Judgement{Outcome: draft.Outcome{Asked: []draft.Asked{own(0, 1), own(0, 0)}}}, false},
		{"two gain and one loses", Judgement{Outcome: draft.Outcome{Asked: []draft.Asked{own(0, 1), own(0, 1), own(1, 0)}}}, false},
		{"three halves", Judgement{Outcome: draft.Outcome{Asked: []draft.Asked{own(0, .5), own(0, .5), own(.5, 1)}}}, true},
		{"another query loses its tool", Judgement{NetHarm: 1, Outcome: draft.Outcome{Asked: []draft.Asked{own(0, 1), own(0, 1)}}}, false},
		{"another query comes nearer to the limit", Judgement{Outcome: draft.Outcome{Asked: []draft.Asked{own(0, 1), own(0, 1), other(3, 4)}}}, false},
		{"another query falls far below the limit", Judgement{Outcome: draft.Outcome{Asked: []draft.Asked{own(0, 1), own(0, 1), other(30, 31)}}}, true},
		{"one falls and another rises", Judgement{Outcome: draft.Outcome{Asked: []draft.Asked{own(0, 1), own(0, 1), other(3, 4), other(5, 3)}}}, true},
		{"recall falls", Judgement{Difference: evaluation.Difference{Mean: -0.1}, Outcome: draft.Outcome{Asked: []draft.Asked{own(0, 1), own(0, 1)}}}, false},
		{"no query is the tool's", Judgement{Outcome: draft.Outcome{Asked: []draft.Asked{other(3, 3)}}}, true},
	} {
		x.j.Outcome.Limit = 5
		if got := bearable(x.j); got != x.want {
			t.Errorf("%s: %t", x.name, got)
		}
	}
	for rank, want := range map[int]float64{0: 0, 1: 0.953, 5: 0.583, 6: 0.417, 10: 0.047} {
		if got := closeness(rank, 5); math.Abs(got-want) > 0.001 {
			t.Errorf("rank %d of 5 has the closeness %v, want %v", rank, got, want)
		}
	}
}

// A word that twice as many tasks of other tools have is not proposed, whatever its lift.
func TestContested(t *testing.T) {
	for _, x := range []struct {
		others int
		want   bool // it is proposed
	}{{0, true}, {7, true}, {13, false}} {
		s, queries := shop(t, config.RankerBM25)
		for i := range x.others {
			queries = append(queries, labels.Query{ID: fmt.Sprint("o", i), Text: fmt.Sprintf("payment number %d in the register", i), Relevant: []string{"list_rivers"}})
		}
		for i := range 300 {
			queries = append(queries, labels.Query{ID: fmt.Sprint("r", i), Text: fmt.Sprintf("what do you say about river %d", i), Relevant: []string{"list_rivers"}})
		}
		before, err := draft.Measure(t.Context(), s, queries)
		if err != nil {
			t.Fatal(err)
		}
		e := newPatient(s, s.Registry.Tools[0], queries, before).evidenceOf(func(int) bool { return true })
		if u := e.uses[e.stems.of("payment")]; e.lift(u) < leastLift {
			t.Fatalf("the lift of %d in %d of others is %v", u.own, u.other, e.lift(u))
		}
		if got := strings.Contains(fmt.Sprint(e.fromAll()), "payment"); got != x.want {
			t.Errorf("with %d others payment is chosen: %t", x.others, got)
		}
	}
}

// At most half of the words come from one task alone.
func TestRepeated(t *testing.T) {
	e := &evidence{ownTasks: 3, uses: map[string]*use{"a": {own: 3}, "b": {own: 1}, "c": {own: 1}, "d": {own: 2}, "e": {own: 1}}}
	all := func(stems string) []choice {
		var out []choice
		for _, s := range strings.Fields(stems) {
			out = append(out, choice{stem: s})
		}
		return out
	}
	for chosen, want := range map[string]string{"a b c d e": "a b c d", "b c": "", "b a c": "b a", "": "", "a d": "a d"} {
		var got []string
		for _, c := range e.repeated(all(chosen)) {
			got = append(got, c.stem)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("of %q remain %q, want %q", chosen, got, want)
		}
	}
}

package whatif

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/labels"
	"caliper/model/require"
)

// An edit is offered when the tool's queries find more, and other tools' queries lose nothing
// within the limit and little near it, whatever others of them gain.
func TestBearable(t *testing.T) {
	found := func(rank int) float64 { return map[bool]float64{true: 1}[rank > 0 && rank <= 5] }
	own := func(before, after int) Asked {
		return Asked{Own: true, OwnBefore: before, OwnAfter: after, FoundBefore: found(before), FoundAfter: found(after)}
	}
	other := func(before, after int) Asked {
		return Asked{Before: before, After: after, FoundBefore: found(before), FoundAfter: found(after), NeedsBefore: []int{before}, NeedsAfter: []int{after}}
	}
	second := func(before, after int) Asked { // its best tool stays the first
		return Asked{Before: 1, After: 1, FoundBefore: (1 + found(before)) / 2, FoundAfter: (1 + found(after)) / 2, NeedsBefore: []int{1, before}, NeedsAfter: []int{1, after}}
	}
	for _, x := range []struct {
		name  string
		asked []Asked
		want  bool
	}{
		{"a query finds the tool", []Asked{own(8, 4)}, true},
		{"a query comes nearer to it and finds no more", []Asked{own(8, 6)}, false},
		{"nothing changes", []Asked{own(8, 8), other(3, 3)}, false},
		{"one gains and one loses", []Asked{own(8, 4), own(4, 8)}, false},
		{"many come nearer and one loses", []Asked{own(5, 6), own(9, 6), own(9, 6), own(9, 6)}, false},
		{"another query loses its tool", []Asked{own(8, 1), own(8, 1), other(5, 6)}, false},
		{"one loses its tool and one finds it", []Asked{own(8, 1), other(5, 6), other(6, 5)}, false},
		{"another query comes nearer to the limit", []Asked{own(8, 4), other(3, 4)}, false},
		{"so little that the gain outweighs it", append(slices.Repeat([]Asked{own(8, 1)}, 6), other(1, 2)), true},
		{"more than 1 % of the gain", append(slices.Repeat([]Asked{own(8, 1)}, 5), other(1, 2)), false},
		{"another query falls far below the limit", []Asked{own(8, 4), other(30, 31)}, true},
		{"one falls and another rises", []Asked{own(8, 4), other(3, 4), other(5, 3)}, false},
		{"a second need of another query comes nearer to the limit", []Asked{own(8, 4), second(3, 4)}, false},
		{"half of it so little that the gain outweighs it", []Asked{own(8, 1), own(8, 1), own(8, 1), second(1, 2)}, true},
		{"a second need falls far below the limit", []Asked{own(8, 4), second(30, 31)}, true},
		{"no query is the tool's", []Asked{other(3, 3)}, true},
		{"no query is the tool's and another falls", []Asked{other(3, 4)}, false},
	} {
		if got := bearable(Outcome{Asked: x.asked, Limit: 5}); got != x.want {
			t.Errorf("%s: %t", x.name, got)
		}
	}
	for rank, want := range map[int]float64{0: 0, 1: 0.953, 5: 0.583, 6: 0.417, 10: 0.047} {
		if got := closeness(rank, 5); math.Abs(got-want) > 0.001 {
			t.Errorf("rank %d of 5 has the closeness %v, want %v", rank, got, want)
		}
	}
}

// A word of 6 tasks of the tool is not proposed when 7 of other tools have it, whatever its
// lift.
func TestContested(t *testing.T) {
	for _, x := range []struct {
		others int
		want   bool // it is proposed
	}{{0, true}, {6, true}, {7, false}} {
		s, queries := shop(t, config.RankerBM25)
		for i := range x.others {
			queries = append(queries, labels.Query{ID: fmt.Sprint("o", i), Text: fmt.Sprintf("payment number %d in the register", i), Relevant: []string{"list_rivers"}})
		}
		for i := range 300 {
			queries = append(queries, labels.Query{ID: fmt.Sprint("r", i), Text: fmt.Sprintf("what do you say about river %d", i), Relevant: []string{"list_rivers"}})
		}
		before, err := Measure(t.Context(), s, queries)
		require.NoError(t, err)
		e := newPatient(s, s.Registry.Tools[0], queries, before).evidenceOf(func(int) bool { return true })
		if u := e.uses[e.stems.of("payment")]; e.lift(u) < leastLift {
			t.Fatalf("the lift of %d in %d of others is %v", u.own, u.other, e.lift(u))
		}
		if got := strings.Contains(fmt.Sprint(e.all()), "payment"); got != x.want {
			t.Errorf("with %d others payment is chosen: %t", x.others, got)
		}
	}
}

// A word that one task alone has needs two reasons, and is not among the repeated ones.
func TestRepeated(t *testing.T) {
	s, queries := shop(t, config.RankerBM25)
	for i := range 20 {
		queries = append(queries, labels.Query{ID: fmt.Sprint("r", i), Text: fmt.Sprintf("what do you say about river %d", i), Relevant: []string{"list_rivers"}})
	}
	queries = append(queries,
		labels.Query{ID: "once", Text: "the soup is in the box", Relevant: []string{"send_bill"}},
		labels.Query{ID: "rival", Text: "music for more music", Relevant: []string{"send_bill"}})
	before, err := Measure(t.Context(), s, queries)
	require.NoError(t, err)
	e := newPatient(s, s.Registry.Tools[0], queries, before).evidenceOf(func(int) bool { return true })
	for _, x := range []struct {
		word                   string
		queries, all, repeated bool
	}{{"payment", true, true, true}, {"box", true, false, false}, {"music", true, true, false}} {
		has := func(list []choice) bool {
			return slices.ContainsFunc(list, func(c choice) bool { return c.stem == e.stems.of(x.word) })
		}
		if q, a, r := has(e.fromQueries()), has(e.all()), has(e.repeated()); q != x.queries || a != x.all || r != x.repeated {
			t.Errorf("%s is among those of queries: %t, of all: %t, repeated: %t", x.word, q, a, r)
		}
	}
}

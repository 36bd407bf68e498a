package replay

import (
	"reflect"
	"strings"
	"testing"

	"caliper/engine/transcript"
	"caliper/model/require"
)

// answeredWith is a search with its logged answer.
func answeredWith(query string, hits ...string) transcript.Call {
	c := search(query)
	c.Found(hits)
	return c
}

// TestSearching: what the agent's own search returned stands beside the rank; a need is found by both, by
// one, or by nobody; a tool that was returned and never called is told.
func TestSearching(t *testing.T) {
	const kettle, lathe, anvil = "mcp__shop__polish_kettle0", "mcp__shop__polish_lathe0", "mcp__shop__polish_anvil0"
	w := tell()
	for _, turn := range [][][]transcript.Call{
		{{answeredWith("polish kettle0", lathe, kettle)}, {use(kettle)}},                       // both
		{{answeredWith("zither", lathe)}, {use(lathe)}},                                        // the agent alone
		{{answeredWith("polish lathe0")}, {use(lathe)}},                                        // the ranker alone
		{{answeredWith("zither")}, {answeredWith("zither box")}, {use(lathe)}},                 // nobody
		{{search("polish lathe0")}, {use(lathe)}},                                              // the log does not say
		{{answeredWith("anvil", anvil)}, nil},                                                  // returned and not called
		{{answeredWith("kettle0")}, {answeredWith("polish kettle0", kettle)}, {use(kettle)}},   // reworded
		{{answeredWith("bee hives")}, {answeredWith("polish kettle0", kettle)}, {use(kettle)}}, // asked for something else
		{{answeredWith("polish"), answeredWith("polish lathe0", lathe)}, {use(lathe)}},         // asked at once
		{{answeredWith("kettle0", kettle)}, {use(kettle), use(lathe)}},                         // one of them was found before, and not searched for
	} {
		w.user("go on")
		for _, calls := range turn {
			w.answer(2000, 0, calls...)
		}
	}
	rep, err := Run(t.Context(), Inputs{Sessions: []transcript.Session{w.session("sable")}, Snapshot: workshop(t, 4), Prices: sable(t)})
	require.NoError(t, err)
	s := rep.Searching
	if s.Needs != 10 || s.Searches != 14 || s.ByCount != [3]int{6, 4, 0} || s.Told != 13 || s.Empty != 6 || s.Uncalled != 1 {
		t.Errorf("%+v", s)
	}
	if s.Both != 5 || s.OwnAlone != 1 || s.RankerAlone != 1 || s.Nobody != 1 {
		t.Errorf("both %d, the agent %d, the ranker %d, nobody %d", s.Both, s.OwnAlone, s.RankerAlone, s.Nobody)
	}
	if len(s.Idle) != 1 || s.Idle[0].Tool.Name != anvil || s.Idle[0].Returned != 1 {
		t.Errorf("%+v", s.Idle)
	}
	var own []Own
	for _, c := range rep.Calls {
		own = append(own, c.Own)
	}
	if want := []Own{{2, true, true}, {1, true, true}, {0, true, false}, {0, true, false}, {}, {1, true, true}, {1, true, true}, {1, true, true}, {1, true, true}, {}}; !reflect.DeepEqual(own, want) {
		t.Errorf("%+v, want %+v", own, want)
	}
	var labels []string
	for _, q := range LabelsOf(rep, nil) {
		labels = append(labels, q.Text+": "+strings.Join(q.Relevant, " ")+" "+strings.Join(q.Missed, " "))
	}
	if want := []string{"polish kettle0: " + kettle + " ", "zither: " + lathe + " bm25", "kettle0: " + kettle + " agent", "polish lathe0: " + lathe + " "}; !reflect.DeepEqual(labels, want) {
		t.Errorf("%q", labels)
	}
}

// The requests that led nowhere are burnt, input and output: searches whose tool a later one
// found again or that found another tool, and refused calls, but never the request that the
// call came from. Each request here costs a power of ten and 10 of output.
func TestBurnt(t *testing.T) {
	const lathe, anvil = "mcp__shop__polish_lathe0", "mcp__shop__polish_anvil0"
	s := workshop(t, 12)
	for _, c := range []struct {
		name  string
		calls [][]transcript.Call
		want  int
	}{
		{"the log does not say what was found", [][]transcript.Call{{search("a")}, {search("b")}, {search("c")}, {use(lathe)}}, 1010 + 10010},
		{"each found it", [][]transcript.Call{{answeredWith("a", lathe)}, {answeredWith("b", lathe)}, {answeredWith("c", lathe)}, {use(lathe)}}, 1010 + 10010},
		{"the first found it and the last did not", [][]transcript.Call{{answeredWith("a", lathe)}, {answeredWith("b", anvil)}, {answeredWith("c", anvil)}, {use(lathe)}}, 10010},
		{"no call follows", [][]transcript.Call{{search("a")}, {search("b")}, {search("c")}}, 1010 + 10010 + 100010},
		{"a refused call", [][]transcript.Call{{search("a")}, {refused(lathe)}, {search("b")}, {use(lathe)}}, 1010 + 10010},
		{"found at once, called at once", [][]transcript.Call{{answeredWith("a", lathe), answeredWith("b", anvil)}, {use(lathe), use(anvil)}}, 0},
	} {
		w := tell()
		w.user("do it")
		total := 1000
		for _, calls := range c.calls {
			w.answer(total, 0, calls...)
			total *= 10
		}
		rep := report(t, s, w.session("sable"))
		got := 0
		for _, chain := range rep.Chains {
			got += chain.Burnt
		}
		if got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

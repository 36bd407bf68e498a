package replay

import (
	"testing"

	"caliper/engine/transcript"
)

// The requests that led nowhere are burnt, input and output: searches whose tool a later one
// found again or that found another tool, and refused calls, but never the request that the
// call came from. Each request here costs a power of ten and 10 of output.
func TestBurnt(t *testing.T) {
	const lathe, anvil = "mcp__shop__polish_lathe0", "mcp__shop__polish_anvil0"
	s := workshop(t, 12)
	found := func(query string, hits ...string) transcript.Call {
		c := search(query)
		c.Lookup.Hits = append([]string{}, hits...)
		return c
	}
	for _, c := range []struct {
		name  string
		calls [][]transcript.Call
		want  int
	}{
		{"the log does not say what was found", [][]transcript.Call{{search("a")}, {search("b")}, {search("c")}, {use(lathe)}}, 1010 + 10010},
		{"each found it", [][]transcript.Call{{found("a", lathe)}, {found("b", lathe)}, {found("c", lathe)}, {use(lathe)}}, 1010 + 10010},
		{"the first found it and the last did not", [][]transcript.Call{{found("a", lathe)}, {found("b", anvil)}, {found("c", anvil)}, {use(lathe)}}, 10010},
		{"no call follows", [][]transcript.Call{{search("a")}, {search("b")}, {search("c")}}, 1010 + 10010 + 100010},
		{"a refused call", [][]transcript.Call{{search("a")}, {refused(lathe)}, {search("b")}, {use(lathe)}}, 1010 + 10010},
		{"found at once, called at once", [][]transcript.Call{{found("a", lathe), found("b", anvil)}, {use(lathe), use(anvil)}}, 0},
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

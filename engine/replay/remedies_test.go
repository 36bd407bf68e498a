package replay

import (
	"math"
	"testing"
	"time"

	"caliper/engine/transcript"
	"caliper/model/require"
)

// TestRemedies: three requests of which each loses the prefix of the one before, by hand. The
// first sends a tool of 400 characters, 100 tokens; the second one more of 40 tokens in front; the
// third has the first tool gone.
func TestRemedies(t *testing.T) {
	t.Parallel()
	tool := func(name string, chars int) []byte {
		d := `{"name":"` + name + `","description":"`
		for len(d) < chars-2 {
			d += "x"
		}
		return []byte(d + `"}`)
	}
	old, late := tool("old", 400), tool("late", 160)
	at := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
	session := func(model string) transcript.Session {
		var entries []transcript.Entry
		for i, write := range []int{5000, 5100, 5200} {
			entries = append(entries,
				transcript.Entry{Parent: 2*i - 1, Kind: transcript.User, Time: at.Add(time.Duration(i) * time.Second), Words: "go on"},
				transcript.Entry{Parent: 2 * i, Kind: transcript.Answer, Time: at.Add(time.Duration(i) * time.Second), Request: &transcript.Request{Model: model, Tools: i, Usage: &transcript.Usage{CacheWrite: write}}})
		}
		return transcript.Session{ID: "s", Agent: transcript.Anthropic, Model: model, Contexts: []transcript.Context{{Entries: entries}},
			Arrays: []transcript.ToolArray{{Definitions: [][]byte{old}}, {Definitions: [][]byte{late, old}}, {Definitions: [][]byte{late}}}}
	}
	prices, err := ReadPrices("p.yaml", []byte("models:\n  sable: {input: 4, cache_read: 0.4, cache_write: 5, output: 20, tool_changes: b}\n  plain: {input: 4, cache_read: 0.4, cache_write: 5, output: 20}\n"))
	require.NoError(t, err)
	for _, c := range []struct {
		model  string
		remedy Remedy
		breaks int
		input  int // beyond the logged 15,300
		cached int
	}{
		{"sable", AsLogged, 0, 0, 0},
		{"sable", StableBridge, 0, 0, 0},
		{"sable", FixedOrder, 0, 0, 0},
		{"sable", AppendOnly, 1, 0, 5000},                     // the second request reads the first
		{"sable", ToolChanges, 2, 100, 10100},                 // the third carries the tool that is gone
		{"plain", ToolChanges, 0, 0, 0},                       // its model has no such beta
		{"plain", EagerAtStart, 2, 140, 5000 + 40 + 5100 + 0}, // the first has late, the third has old
	} {
		rep, err := Run(t.Context(), Inputs{Sessions: []transcript.Session{session(c.model)}, Snapshot: workshop(t, 1), Prices: prices})
		require.NoError(t, err)
		for _, m := range rep.Cache.Remedies {
			if m.Remedy != c.remedy {
				continue
			}
			// Definitions weigh as the registry would write them, some characters more.
			near := func(got, want int) bool { return math.Abs(float64(got-want)) <= 30 }
			if m.Breaks != c.breaks || !near(m.Tokens.Input, 15300+c.input) || !near(m.Tokens.Cached, c.cached) || m.Requests != 3 {
				t.Errorf("%s: %s is %+v", c.model, c.remedy, m)
			}
			if want := (float64(m.Tokens.Input-m.Tokens.Cached)*5 + float64(m.Tokens.Cached)*0.4) / 1e6; math.Abs(*m.Cost-want) > 1e-5 {
				t.Errorf("%s: %s costs %v, want %v", c.model, c.remedy, *m.Cost, want)
			}
		}
	}
}

// TestCheapest: the remedy that costs least is named; none where none costs less; and the one
// that reads most where no price is known.
func TestCheapest(t *testing.T) {
	t.Parallel()
	row := func(r Remedy, input, cached int, cost float64) Remedied {
		m := Remedied{Remedy: r, Tokens: Tokens{Input: input, Cached: cached}}
		if cost > 0 {
			m.Cost = &cost
		}
		return m
	}
	for _, c := range []struct {
		name string
		rows []Remedied
		want Remedy
	}{
		{"none costs less", []Remedied{row(AsLogged, 9, 1, 3), row(FixedOrder, 9, 1, 3)}, AsLogged},
		{"the second of three", []Remedied{row(AsLogged, 9, 1, 3), row(AppendOnly, 9, 5, 2), row(EagerAtStart, 9, 6, 2.5)}, AppendOnly},
		{"without prices", []Remedied{row(AsLogged, 9, 1, 0), row(AppendOnly, 9, 5, 0), row(EagerAtStart, 12, 8, 0)}, AppendOnly},
		{"no request", nil, AsLogged},
	} {
		if got, _, _ := (&Cache{Remedies: c.rows}).Cheapest(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

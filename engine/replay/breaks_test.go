package replay

import (
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"caliper/engine/transcript"
	"caliper/engine/transcript/logs"
	"caliper/model/newfile"
	"caliper/model/require"
)

// replayOf returns what replay says of a log of one session.
func replayOf(t testing.TB, path string) *Report {
	t.Helper()
	log, err := logs.Read(t.Context(), []string{path}, "", transcript.Options{}, newfile.CacheFolder{})
	require.NoError(t, err)
	if len(log.Sessions) != 1 {
		t.Fatalf("%s: %d sessions, %v", path, len(log.Sessions), log.Skipped)
	}
	rep, err := Run(t.Context(), Inputs{Sessions: log.Sessions, Snapshot: workshop(t, 4), Prices: sable(t)})
	require.NoError(t, err)
	return rep
}

// found returns the breaks in the form of the truth.
func (c *Cache) found() []truth {
	out := []truth{}
	for _, b := range c.Breaks {
		out = append(out, truth{b.Request, b.Cause, [...]string{"", "ToolsUnlogged", "NothingSeen"}[b.Gap], b.Tool, b.Setting, b.Tokens})
	}
	return out
}

// TestEveryBreakIsFound: in generated logs of each family every break is found, with its cause,
// its tool and its tokens, and no other; and the tokens read by these rules are those of the log
// within 2 %.
func TestEveryBreakIsFound(t *testing.T) {
	t.Parallel()
	causes := map[string]int{}
	for seed := uint64(1); seed <= 6; seed++ {
		for _, family := range breakFamilies {
			h := newTalk(family, seed)
			h.turn(nothing)
			for range 24 {
				all := changesOf(family)
				h.turn(all[h.rng.IntN(len(all))])
			}
			c := replayOf(t, h.write(t, t.TempDir())).Cache
			got := c.found()
			for i, want := range h.truths {
				causes[family+" "+string(want.Cause)]++
				if i >= len(got) || !reflect.DeepEqual(got[i], want) {
					t.Errorf("%s, seed %d: break %d\ngot  %+v\nwant %+v", family, seed, i, got[min(i, len(got)-1):min(i+1, len(got))], want)
					break
				}
			}
			for _, b := range c.Breaks {
				if family != "anthropic" && family != "claude" && family != "bare" || b.Setting == "sable-2" || b.Cost == nil {
					continue
				}
				hours := h.hours[b.Request]
				if want := float64(b.Tokens) * ((1-hours)*5 + hours*8 - 0.4) / 1e6; math.Abs(*b.Cost-want) > 1e-9 {
					t.Errorf("%s, seed %d: request %d cost %v, want %v", family, seed, b.Request, *b.Cost, want)
				}
			}
			if len(got) != len(h.truths) || c.OffPct() > 2 {
				t.Errorf("%s, seed %d: %d breaks, want %d; %.2f%% off", family, seed, len(got), len(h.truths), c.OffPct())
			}
		}
	}
	for _, family := range breakFamilies {
		for _, cause := range []Cause{ModelChanged, TimedOut, SettingChanged, UnknownCause} {
			if family == "copilot" && cause == SettingChanged { // its log has no settings
				continue
			}
			if causes[family+" "+string(cause)] == 0 {
				t.Errorf("no log of %s has a break by %s", family, cause)
			}
		}
	}
}

// TestBreaksSum: the tokens billed again are the sum of the breaks, by cause too; a conversation
// in which nothing changes has none; and no remedy leaves more to pay than is logged.
func TestBreaksSum(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rapid.Check(t, func(p *rapid.T) {
		family := rapid.SampledFrom(breakFamilies).Draw(p, "family")
		h := newTalk(family, rapid.Uint64().Draw(p, "seed"))
		changes := rapid.SliceOfN(rapid.SampledFrom(append(changesOf(family), nothing, nothing)), 1, 12).Draw(p, "changes")
		broken := false
		for _, c := range changes {
			h.turn(c)
			broken = broken || c != nothing && c != found && c != moved
		}
		c := replayOf(t, h.write(t, dir)).Cache
		sum, byCause := 0, 0
		for _, b := range c.Breaks {
			sum += b.Tokens
		}
		for i, s := range c.Causes {
			byCause += s.Tokens
			if i > 0 && slices.Index(causes, Cause(s.Name)) <= slices.Index(causes, Cause(c.Causes[i-1].Name)) {
				p.Fatalf("the causes are not in their order: %+v", c.Causes)
			}
		}
		if sum != c.Again || byCause != c.Again {
			p.Fatalf("%d tokens billed again; breaks %d, causes %d", c.Again, sum, byCause)
		}
		if !broken && len(c.Breaks) > 0 {
			p.Fatalf("nothing changed, and there are breaks: %+v", c.Breaks)
		}
		logged := c.Remedies[0]
		for _, m := range c.Remedies {
			if m.Remedy != ToolChanges && m.Remedy != EagerAtStart && (m.Tokens.Input != logged.Tokens.Input || m.Tokens.Cached < logged.Tokens.Cached) {
				p.Fatalf("%+v beside %+v", m, logged)
			}
		}
	})
}

// TestCacheSums: what the breaks of a cache come to, by their causes.
func TestCacheSums(t *testing.T) {
	cost := func(x float64) *float64 { return &x }
	for _, c := range []struct {
		name    string
		causes  []BreakSum
		changed int
		cost    *float64
		most    Cause
	}{
		{"none", nil, 0, nil, ""},
		{"without a price", []BreakSum{{Name: string(ToolEdited), Breaks: 2, Tokens: 5}}, 2, nil, ToolEdited},
		{"of equal ones the first", []BreakSum{{Name: string(ToolGone), Breaks: 1, Tokens: 5}, {Name: string(ModelChanged), Breaks: 4, Tokens: 5, Cost: cost(2)}}, 5, cost(2), ToolGone},
		{"nothing in the requests", []BreakSum{{Name: string(ToolLoaded), Breaks: 1, Tokens: 1, Cost: cost(1)}, {Name: string(TimedOut), Breaks: 7, Tokens: 8, Cost: cost(2)}, {Name: string(UnknownCause), Breaks: 9, Tokens: 7}}, 1, cost(3), TimedOut},
	} {
		x := Cache{Causes: c.causes}
		if got := x.Cost(); x.Changed() != c.changed || x.Most() != c.most || !reflect.DeepEqual(got, c.cost) {
			t.Errorf("%s: %d changed, most by %s, cost %v", c.name, x.Changed(), x.Most(), got)
		}
	}
	for read, want := range map[int]float64{100: 50, 60: 50.0 / 60 * 100 * 0.2, 40: 25, 0: 5000} {
		x := Cache{Could: 60, Again: 10, Read: read}
		if got := x.OffPct(); math.Abs(got-want) > 1e-9 {
			t.Errorf("%d read: off by %v %%, want %v", read, got, want)
		}
	}
}

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

package replay

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"caliper/engine/transcript"
	"caliper/model/require"
)

func TestPriceOf(t *testing.T) {
	p, ok := BuiltInPrices().Find("claude-opus-5")
	if !ok {
		t.Fatal("the built-in list has no claude-opus-5")
	}
	// The example of the package comment.
	if got := p.Of(PricedTokens{Input: 12_000, Read: 11_000, Write: 900}); math.Abs(got-0.011625) > 1e-12 {
		t.Errorf("cost %v, want 0.011625", got)
	}
}

func TestPriceListsAreCompared(t *testing.T) {
	read := func(asOf, currency, model string) PriceList {
		l, err := ReadPrices("p.yaml", []byte("as_of: "+asOf+"\ncurrency: "+currency+"\nmodels:\n  "+model+": {input: 4, cache_read: 1, cache_write: 5, output: 9}\n"))
		require.NoError(t, err)
		return l
	}
	l := read("2026-01-02", "EUR", "sable-4")
	for name, m := range map[string]PriceList{"date": read("2026-01-03", "EUR", "sable-4"), "currency": read("2026-01-02", "USD", "sable-4"), "model": read("2026-01-02", "EUR", "sable-5"), "none": {}} {
		if l.Equal(m) || m.Equal(l) || m.Empty() != (name == "none") {
			t.Errorf("another %s is the same list", name)
		}
	}
	if !l.Equal(read("2026-01-02", "EUR", "sable-4")) || !(PriceList{}).Equal(PriceList{}) {
		t.Error("the same list is another")
	}
}

func TestPriceFind(t *testing.T) {
	l, err := ReadPrices("p.yaml", []byte("as_of: 2026-01-02\ncurrency: EUR\nmodels:\n"+
		"  sable-4: {input: 4, cache_read: 1, cache_write: 5, output: 9}\n"+
		"  sable-4-1: {input: 8, cache_read: 1, cache_write: 0, output: 9, as_of: 2025-12-31}\n"))
	require.NoError(t, err)
	for _, c := range []struct {
		name, model string
		input       float64 // 0: no price
		asOf        string
	}{
		{"the family", "sable-4", 4, "2026-01-02"},
		{"a date", "sable-4-20260102", 4, "2026-01-02"},
		{"a date with dashes", "sable-4-2026-01-02", 4, "2026-01-02"},
		{"latest", "sable-4-latest", 4, "2026-01-02"},
		{"a window", "sable-4[1m]", 4, "2026-01-02"},
		{"a dot", "house/sable-4.1", 8, "2025-12-31"},
		{"a provider", "house/Sable-4", 4, "2026-01-02"},
		{"the longer family and its own date", "sable-4-1-20251231", 8, "2025-12-31"},
		{"the next release is not guessed", "sable-4-2", 0, ""},
		{"a variant is not guessed", "sable-4-mini", 0, ""},
		{"no model", "", 0, ""},
	} {
		p, ok := l.Find(c.model)
		if ok != (c.input > 0) || p.Input != c.input || p.AsOf != c.asOf {
			t.Errorf("%s: %q has %+v, %v", c.name, c.model, p, ok)
		}
	}
}

func TestPriceListFaults(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"no YAML", "models: [", "p.yaml: "},
		{"nothing", "", "no models"},
		{"an unknown key", "modells: {}\n", "modells"},
		{"a missing price", "models:\n  a: {input: 1, cache_read: 1, output: 1}\n", "p.yaml:2:6: a: want a price for cache_write"},
		{"a negative price", "models:\n  a: {input: -1, cache_read: 1, cache_write: 1, output: 1}\n", "p.yaml:2:6: a: input"},
		{"no number", "models:\n  a: {input: .nan, cache_read: 1, cache_write: 1, output: 1}\n", "p.yaml:2:6: a: input"},
		{"one family twice", "models:\n  a-1: {input: 1, cache_read: 1, cache_write: 1, output: 1}\n  A.1: {input: 2, cache_read: 1, cache_write: 1, output: 1}\n", "twice"},
		{"the first of two", "models:\n  b: {input: 1}\n  a: {input: 1}\n", "p.yaml:2:6: b"},
		{"two of one line", "models: {b: {input: 1}, a: {input: 1}}\n", "p.yaml:1:28: a"},
	} {
		if _, err := ReadPrices("p.yaml", []byte(c.data)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func FuzzReadPrices(f *testing.F) {
	f.Add(builtInPrices)
	f.Add([]byte("models: {a: {input: 1e999}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := ReadPrices("p.yaml", data)
		if err != nil {
			return
		}
		for family := range l.families {
			if p, _ := l.Find(family); p.Input < 0 || math.IsNaN(p.Input) {
				t.Errorf("%q: %+v", family, p)
			}
		}
	})
}

// TestCountsAdd: every count is added, to itself.
func TestCountsAdd(t *testing.T) {
	var s Session
	var all Totals
	var want Counts
	for i := range reflect.TypeFor[Counts]().NumField() {
		reflect.ValueOf(&s.Counts).Elem().Field(i).SetInt(int64(i + 1))
		reflect.ValueOf(&want).Elem().Field(i).SetInt(int64(2*i + 2))
	}
	all.addSession(&s)
	if all.addSession(&s); all.Counts != want {
		t.Errorf("%+v, want %+v", all.Counts, want)
	}
}

// TestHourWrites: what is kept for an hour costs twice the price of input, in a break, under the remedies and under
// the strategies; a model without a price for writing has none for this either.
func TestHourWrites(t *testing.T) {
	w := tell()
	w.user("polish")
	for i, u := range []transcript.Usage{{Input: 10, CacheWrite: 9990, HourWrite: 9990}, {Input: 10, CacheWrite: 10000, HourWrite: 10000}} {
		at := w.answer(1, 0)
		w.entries[at].Request.Usage, w.entries[at].Time = &u, time.Date(2026, 9, 1, 9, 10*i, 0, 0, time.UTC)
	}
	rep, err := Run(t.Context(), Inputs{Sessions: []transcript.Session{w.session("sable")}, Snapshot: workshop(t, 4), Prices: sable(t)})
	require.NoError(t, err)
	c := rep.Cache
	if logged := c.Remedies[0]; math.Abs(*logged.Cost-20010*8/1e6) > 1e-9 {
		t.Errorf("as logged %v, want %v", *logged.Cost, 20010*8/1e6)
	}
	p, _ := sable(t).Find("sable")
	if q := p.Writing(transcript.Usage{CacheWrite: 100, HourWrite: 25}); q.CacheWrite != 0.75*5+0.25*8 {
		t.Errorf("a quarter for an hour: %+v", q)
	}
	d, _ := sable(t).Find("drift")
	if d.Writing(transcript.Usage{CacheWrite: 100, HourWrite: 100}) != d {
		t.Error("a model without a price for writing")
	}
}

// TestCompacted: the first request after a compaction is not compared, and told apart from the first of a context.
func TestCompacted(t *testing.T) {
	w := tell()
	w.user("polish")
	w.answer(9000, 0)
	w.parent = transcript.None
	w.add(transcript.Entry{Kind: transcript.Summary})
	w.answer(5000, 0)
	rep, err := Run(t.Context(), Inputs{Sessions: []transcript.Session{w.session("sable")}, Snapshot: workshop(t, 4), Prices: sable(t)})
	if c := rep.Cache; err != nil || c.First != 1 || c.Compacted != 1 || c.Requests != 0 || len(c.Breaks) > 0 {
		t.Errorf("%+v, %v", c, err)
	}
}

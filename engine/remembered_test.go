package engine

import (
	"errors"
	"runtime"
	"slices"
	"testing"

	"caliper/config"
	"caliper/engine/retrieval"
	"caliper/engine/tokens"
	"caliper/model"
	"caliper/model/require"
)

// A builder gives equal inputs the snapshot that it gave before, as long as that is used, and inputs that differ
// in anything another one.
func TestBuildRemembers(t *testing.T) {
	t.Parallel()
	b, was := NewBuilder(), gateInputs(t, "wide")
	s, err := b.Build(t.Context(), was)
	require.NoError(t, err)
	for name, change := range map[string]func(*Inputs){
		"nothing": func(*Inputs) {}, "registry": func(in *Inputs) { *in = gateInputs(t, "wide") },
		"configuration": func(in *Inputs) { in.Config.ToolSearch.DefaultLimit++ }, "session": func(in *Inputs) { in.Session = "" },
		"tokenizer": func(in *Inputs) { in.Tokenizer = tokens.O200k }, "ranking": func(in *Inputs) { in.Ranking = &retrieval.Params{K1: 2} },
		"lessons": func(in *Inputs) { in.Lessons = &Lessons{} }, "strict": func(in *Inputs) { in.Strict = true }, "on demand": func(in *Inputs) { in.OnDemand = true },
		"gates": func(in *Inputs) { in.WithoutGates = []string{GateScopeCatalog} },
	} {
		in := was
		change(&in)
		if got, err := b.Build(t.Context(), in); err != nil || (got == s) != (name == "nothing") {
			t.Errorf("another %s: the same snapshot is %v, %v", name, got == s, err)
		}
	}
	runtime.KeepAlive(s)
}

// A question is asked once of a snapshot, and again of its variants, of what a message makes of it, and after an error.
func TestRememberAsksOnce(t *testing.T) {
	t.Parallel()
	b, asked := NewBuilder(), []int{}
	s, err := b.Build(t.Context(), gateInputs(t, "wide"))
	require.NoError(t, err)
	answered, err := b.Answer(t.Context(), s, "tow a ship", nil)
	require.NoError(t, err)
	variant := s.Lacking(s.Catalog()[:1])
	for i, of := range []*Snapshot{s, s, answered, variant, variant, s} {
		got, err := Remember(of, "one", func() (int, error) { asked = append(asked, i); return i, nil })
		if want := []int{0, 0, 2, 3, 3, 0}[i]; err != nil || got != want {
			t.Errorf("asker %d gets the answer to %d, %v, want %d", i, got, err, want)
		}
	}
	for i := range 2 {
		_, err := Remember(s, "two", func() (int, error) { asked = append(asked, 10+i); return 0, errors.New("cancelled") })
		if err == nil {
			t.Error("the error is lost")
		}
	}
	if want := []int{0, 2, 3, 10, 11}; !slices.Equal(asked, want) {
		t.Errorf("asked %v, want %v", asked, want)
	}
}

// A builder keeps the newest six indexes. Large catalogs may have half a million tools together, but two
// indexes are always kept.
func TestKeptIndexes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		earlier []int // tools of each, newest first
		want    int
	}{
		"small": {slices.Repeat([]int{1}, 9), 6}, "large": {[]int{600_000, 600_000}, 2},
		"half a million": {[]int{250_000, 249_999, 1}, 3}, "one more": {[]int{250_000, 250_000}, 2},
	} {
		b := NewBuilder()
		for _, n := range c.earlier {
			b.indexes = append(b.indexes, keptIndex{catalog: make([]*model.Tool, n)})
		}
		_, err := b.indexOf(t.Context(), []*model.Tool{{Name: "new"}}, ranking{ranker: config.RankerBM25})
		if err != nil || len(b.indexes) != c.want || b.indexes[0].catalog[0].Name != "new" {
			t.Errorf("%s: %d are kept, want %d; %v", name, len(b.indexes), c.want, err)
		}
	}
}

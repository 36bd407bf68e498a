package engine

import (
	"errors"
	"runtime"
	"slices"
	"testing"

	"caliper/engine/retrieval"
	"caliper/engine/tokens"
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

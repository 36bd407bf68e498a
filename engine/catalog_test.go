package engine

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/internal/fixture"
	"caliper/engine/tokens"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// catalogWith puts a tool into the catalog of a snapshot, which is then wrong.
func catalogWith(s *Snapshot, t *model.Tool) {
	l := s.catalog.list()
	l.tools, l.at = append(slices.Clone(l.tools), t), slices.Clone(l.at)
	l.at[t.Index] = int32(len(l.tools))
	s.catalog = &catalog{list: func() contents { return l }, index: s.catalog.index}
}

// onDemandInputs are inputs of a registry of n tools.
func onDemandInputs(t *testing.T, n int, mode config.Mode, selection string) Inputs {
	t.Helper()
	r, err := shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: fixture.Dump(n, 3)})
	require.NoError(t, err)
	c := config.Default()
	c.ToolSearch.Enabled, c.Selection = mode, selection
	return Inputs{Registry: r, Config: c}
}

// A snapshot that puts its work off gives the answers of one that does not.
func TestOnDemandIsTheSame(t *testing.T) {
	for _, n := range []int{0, 3, 400} {
		for _, mode := range []config.Mode{config.Auto, config.On, config.Off} {
			for _, selection := range []string{config.SelectToolSearch, config.SelectLazy, config.SelectKeyword} {
				in := onDemandInputs(t, n, mode, selection)
				for _, length := range []int{0, 20_000, 2_000_000} {
					in.Config.ContextLength, in.Tokenizer = &length, tokens.Chars4
					want, err := Build(t.Context(), in)
					require.NoError(t, err)
					later := in
					later.OnDemand = true
					got, err := Build(t.Context(), later)
					require.NoError(t, err)
					if got.sizes.Counted() && n > 0 && selection == config.SelectToolSearch && mode == config.On {
						t.Errorf("%d tools, %s: the definitions are counted before that is needed", n, mode)
					}
					if g, w := got.Search("get the status of a branch", 0, n), want.Search("get the status of a branch", 0, n); !reflect.DeepEqual(g, w) {
						t.Errorf("%d tools, %s: %+v, want %+v", n, mode, g, w)
					}
					if got.Active() != want.Active() || got.activation != want.activation || !slices.Equal(got.Catalog(), want.Catalog()) {
						t.Errorf("%d tools, %s, %s: %+v, want %+v", n, mode, selection, got.activation, want.activation)
					}
					if g, w := got.Budget(true), want.Budget(true); !reflect.DeepEqual(g, w) {
						t.Errorf("%d tools, %s, %s: %+v, want %+v", n, mode, selection, g, w)
					}
				}
			}
		}
	}
}

// The decision of tool search counts no more tools than decide it.
func TestActivationCountsUpToTheThreshold(t *testing.T) {
	in := onDemandInputs(t, 2000, config.Auto, config.SelectToolSearch)
	in.OnDemand = true
	b := NewBuilder()
	s, err := b.Build(t.Context(), in)
	if err != nil || !s.Active() {
		t.Fatal(err, s.Active())
	}
	if n := s.sizes.Cache.Len(); n == 0 || n > 1000 {
		t.Errorf("%d of 2000 tools were counted to reach 20,000 tokens", n)
	}
}

func TestPrepareIsInterrupted(t *testing.T) {
	in := onDemandInputs(t, 500, config.Auto, config.SelectToolSearch)
	in.OnDemand = true
	s, err := Build(t.Context(), in)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, w := range []Work{WorkCounting, WorkIndexing} {
		if err := s.Prepare(ctx, w); !errors.Is(err, context.Canceled) {
			t.Errorf("work %d: %v", w, err)
		}
		if err := s.Prepare(t.Context(), w); err != nil {
			t.Errorf("work %d after an interrupted one: %v", w, err)
		}
	}
}

func TestSortedByName(t *testing.T) {
	for _, n := range []int{0, 1, 5000, 9001, 20_000} {
		tools := fixture.Tools(n, 7)
		for i, tool := range tools {
			tool.Index = i
			if i%3 == 0 {
				tool.Name = tools[i/2].Name
			}
		}
		want := slices.Clone(tools)
		slices.SortStableFunc(want, func(a, b *model.Tool) int {
			return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Qualified, b.Qualified))
		})
		for _, processors := range []int{1, 2, 3, 8} {
			was := runtime.GOMAXPROCS(processors)
			got := sortedByName(tools)
			runtime.GOMAXPROCS(was)
			if !slices.Equal(got, want) {
				t.Errorf("%d tools on %d processors are not by name", n, processors)
			}
		}
	}
}

// An index whose making was interrupted is made when it is asked for again.
func TestInterruptedIndex(t *testing.T) {
	s, err := Build(t.Context(), func() Inputs {
		in := onDemandInputs(t, 3000, config.On, config.SelectToolSearch)
		in.OnDemand = true
		return in
	}())
	require.NoError(t, err)
	s.catalog = newCatalog(s.corpora.rank, s)
	ended, end := context.WithCancel(t.Context())
	end()
	if err := s.Prepare(ended, WorkIndexing); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	if n := s.index().Len(); n != len(s.Catalog()) {
		t.Errorf("an index of %d documents for %d tools", n, len(s.Catalog()))
	}
}

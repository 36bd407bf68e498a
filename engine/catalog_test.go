package engine

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/hosts"
	"caliper/engine/internal/fixture"
	"caliper/engine/tokens"
	"caliper/model"
	"caliper/model/require"
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
	r := fixture.Parse(t, fixture.Dump(n, 3))
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
					want := built(t, in)
					later := in
					later.OnDemand = true
					got := built(t, later)
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
	s := built(t, in)
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
	if n := s.index().Len(); n != len(s.Catalog()) {
		t.Errorf("an index of %d documents for %d tools", n, len(s.Catalog()))
	}
}

func TestSortedByName(t *testing.T) {
	for _, n := range []int{0, 1, 900} {
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
		if !slices.Equal(sortedByName(tools), want) {
			t.Errorf("%d tools are not by name", n)
		}
	}
}

func TestIndexOverOtherTools(t *testing.T) {
	r := fixture.Parse(t, fixture.Dump(60, 3))
	for _, ranker := range config.Rankers {
		c := config.Default()
		c.Core, c.ToolSearch.Ranker = []string{}, ranker
		s := built(t, Inputs{Registry: r, Config: c})
		same, err := s.IndexOver(t.Context(), slices.Clone(s.Catalog()))
		if err != nil || same != s.index() {
			t.Errorf("%s: the catalog is indexed anew, %v", ranker, err)
		}
		some := []*model.Tool{s.Catalog()[7], s.Catalog()[3], s.Catalog()[50]}
		index, err := s.IndexOver(t.Context(), some)
		require.NoError(t, err)
		hits := index.Search(some[2].Name, 3).Hits
		if len(hits) == 0 || hits[0].Doc != 2 {
			t.Errorf("%s: %q finds %v among three", ranker, some[2].Name, hits)
		}
	}
}

// Every ranker and host that can be configured can be made, and no other.
func TestRankersAreConfigured(t *testing.T) {
	all := slices.Concat(config.Rankers, hosts.Foreign())
	if got, want := slices.Sorted(maps.Keys(rankers)), slices.Sorted(slices.Values(all)); !slices.Equal(got, want) {
		t.Errorf("the engine has the rankers %v, the configuration %v", got, want)
	}
}

package selection

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/model/require"
)

// TestSettingsThatMatter: the settings searched without being named follow from how tools are
// chosen; what changes nothing is useless, and named so.
func TestSettingsThatMatter(t *testing.T) {
	all := TunedNames()
	for _, c := range []struct {
		strategy string
		mode     config.Mode
		ranker   string
		want     string // without names
		useful   string // all of those that change something
	}{
		{config.SelectLazy, config.On, config.RankerBM25, "ranker limit", "ranker meaning limit k1 b"},
		{config.SelectLazy, config.On, config.RankerHybrid, "ranker meaning limit", "ranker meaning limit k1 b"},
		{config.SelectLazy, config.Auto, config.RankerBM25, "ranker limit threshold", "ranker meaning limit k1 b threshold"},
		{config.SelectKeyword, config.Auto, config.RankerBM25, "ranker K", "ranker meaning k1 b K"},
		{config.SelectHybrid, config.Auto, config.RankerHybrid, "ranker meaning K rrf_k weights", "ranker meaning k1 b K rrf_k weights"},
		{config.SelectSemantic, config.On, config.RankerBM25, "K", "K"},
	} {
		snapshot, _ := small(t, func(in *engine.Inputs) {
			in.Config.Selection, in.Config.ToolSearch.Enabled, in.Config.ToolSearch.Ranker = c.strategy, c.mode, c.ranker
		})
		names := func(over []string) (got string, useless []string) {
			list, useless, err := axes(snapshot, over)
			require.NoError(t, err)
			for _, a := range list {
				got += " " + a.name
				if a.values[a.base] != a.in(snapshot) || !slices.IsSortedFunc(a.values, compareNumbers) || len(a.values) < 3 {
					t.Errorf("%s, %s: %s has %v, in force is value %d", c.strategy, c.mode, a.name, a.values, a.base)
				}
			}
			return strings.TrimSpace(got), useless
		}
		got, _ := names(nil)
		named, useless := names(all)
		if got != c.want || named != c.useful || len(useless)+len(strings.Fields(named)) != len(all) {
			t.Errorf("%s, %s, %s: %s of %s, useless %q; want %s of %s", c.strategy, c.mode, c.ranker, got, named, useless, c.want, c.useful)
		}
	}
}

// What one ranker alone reads is useless while no other ranker is in force or tried.
func TestSettingsOfOneRanker(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ ranker, learnOver, over, searched, useless string }{
		{config.RankerBM25, config.RankerFielded, "meaning", "", "meaning"},
		{config.RankerBM25, config.RankerFielded, "meaning,limit", "limit", "meaning"},
		{config.RankerBM25, config.RankerFielded, "ranker,meaning", "ranker meaning", ""},
		{config.RankerHybrid, config.RankerFielded, "meaning", "meaning", ""},
		{config.RankerLearned, config.RankerHybrid, "meaning", "meaning", ""},
		{config.RankerLearned, config.RankerFielded, "meaning", "", "meaning"},
		{config.RankerFielded, config.RankerFielded, "k1,b", "", "k1 b"},
		{config.RankerBM25, config.RankerFielded, "k1", "k1", ""},
	} {
		snapshot, _ := small(t, func(in *engine.Inputs) {
			in.Config.ToolSearch.Ranker, in.Config.ToolSearch.LearnOver = c.ranker, c.learnOver
		})
		list, useless, err := axes(snapshot, strings.Split(c.over, ","))
		var names []string
		for _, a := range list {
			names = append(names, a.name)
		}
		if got := strings.Join(names, " "); got != c.searched || strings.Join(useless, " ") != c.useless || (err != nil) != (got == "") {
			t.Errorf("%s over %s, %s: searched %s, useless %q, %v", c.ranker, c.learnOver, c.over, got, useless, err)
		}
		var none *UselessSettingError
		if errors.As(err, &none) && !strings.Contains(none.Error(), " under ranker "+c.ranker+"; ") {
			t.Error(none)
		}
	}
}

// Settings go by their names and by what config.KeyOf takes.
func TestNamed(t *testing.T) {
	t.Parallel()
	for _, d := range dimensions {
		for _, name := range []string{d.name, d.key, d.key[strings.LastIndexByte(d.key, '.')+1:]} {
			if got := TunedName(name); got != d.name {
				t.Errorf("%s is %q, want %s", name, got, d.name)
			}
		}
	}
	for name, want := range map[string]string{"RRF k": "rrf_k", "core": "", "colour": "", "": ""} {
		if got := TunedName(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

// TestNearestFirst: candidates come in the order of how many settings differ from those
// in force, and how far.
func TestNearestFirst(t *testing.T) {
	snapshot, _ := small(t)
	list, _, err := axes(snapshot, []string{"limit", "b"})
	require.NoError(t, err)
	var got []string
	for _, c := range combinations(list, config.RankerBM25, config.RankerFielded)[:7] {
		got = append(got, fmt.Sprint(c.changed, c.steps, c.rises, c.values[0]-list[0].base, c.values[1]-list[1].base))
	}
	if want := "0 0 false 0 0; 1 1 false -1 0; 1 1 false 0 -1; 1 1 false 0 1; 1 1 true 1 0; 1 2 false -2 0; 1 2 false 0 -2"; strings.Join(got, "; ") != want {
		t.Errorf("%q, want %s", got, want)
	}
}

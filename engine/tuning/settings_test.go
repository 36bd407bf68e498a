package tuning

import (
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine"
)

// TestSettingsThatMatter: what is searched without being named follows from how tools are
// chosen; what changes nothing is useless, and named so.
func TestSettingsThatMatter(t *testing.T) {
	all := Names()
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
			if err != nil {
				t.Fatal(err)
			}
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

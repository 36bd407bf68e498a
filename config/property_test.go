package config

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/model/require"
)

// TestClampProperty compares the three numbers of the section with the
// shortest statement of their rules, for every spelling of an integer.
func TestClampProperty(t *testing.T) {
	spellings := []string{"%d", "%d.0", "'%d'", `"%d"`, "!!str %d", "&a %d", "' %d '", "%d.0e+0"}
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(rapid.IntRange(-10, 120), rapid.Int())
		limit, top, pct := number.Draw(t, "limit"), number.Draw(t, "max"), number.Draw(t, "pct")
		spell := func(n int) string { return fmt.Sprintf(rapid.SampledFrom(spellings).Draw(t, "spelling"), n) }
		keys := []string{"search_default_limit: " + spell(limit), "max_search_limit: " + strings.ReplaceAll(spell(top), "&a", "&b"), "threshold_pct: " + strings.ReplaceAll(spell(pct), "&a", "&c")}
		keys = rapid.Permutation(keys).Draw(t, "order")
		f, err := Parse("", []byte("tools: {tool_search: {"+strings.Join(keys, ", ")+"}}"))
		require.NoError(t, err)
		wantTop := max(1, min(50, top))
		want := june(Auto, math.Max(0, math.Min(100, float64(pct))), max(1, min(wantTop, limit)), wantTop)
		if f.ToolSearch != want {
			t.Fatalf("%v: %+v, want %+v", keys, f.ToolSearch, want)
		}
		changed := 0
		for _, differs := range []bool{wantTop != top, want.DefaultLimit != limit, want.ThresholdPct != float64(pct)} {
			if differs {
				changed++
			}
		}
		if len(said(f.Warnings)) != changed {
			t.Fatalf("%v: %d values clamped, said %v", keys, changed, f.Warnings)
		}
	})
}

// TestScopeProperty writes scopes as YAML and reads them back.
func TestScopeProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[a-z]{1,3}[ .:é-]?[0-9]{0,2}`)
		names := rapid.OneOf(rapid.Just([]string(nil)), rapid.SliceOfN(name, 0, 4))
		var b strings.Builder
		var want []Session
		for i, key := range rapid.SliceOfNDistinct(name, 1, 5, rapid.ID[string]).Draw(t, "sessions") {
			s := Session{Name: key, Enabled: names.Draw(t, "enabled"), Disabled: names.Draw(t, "disabled"), Line: i + 2}
			want = append(want, s)
			fmt.Fprintf(&b, "  %q: {enabled_toolsets: %s, disabled_toolsets: %s}\n", key, flow(s.Enabled), flow(s.Disabled))
		}
		f, err := Parse("", []byte("sessions:\n"+b.String()))
		if err != nil || len(said(f.Warnings)) > 0 {
			t.Fatalf("%s%v %v", b.String(), err, f.Warnings)
		}
		if got := fmt.Sprintf("%#v", f.Sessions); got != fmt.Sprintf("%#v", want) {
			t.Fatalf("%s got  %s\nwant %#v", b.String(), got, want)
		}
	})
}

func flow(names []string) string {
	if names == nil {
		return "~"
	}
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = fmt.Sprintf("%q", n)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

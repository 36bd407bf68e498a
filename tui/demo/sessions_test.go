package demo

import (
	"slices"
	"strings"
	"testing"

	settings "caliper/config"
)

// The comments of the config promise these sizes, in chars4 tokens, and the
// gauge tells its story by them.
func TestSessionSizes(t *testing.T) {
	d, s := decode(t), decodeConfig(t)
	threshold := int(float64(contextLength(s)) * s.Tools.ToolSearch.Threshold / 100)
	if threshold != 20000 {
		t.Fatalf("threshold %d, want 20,000", threshold)
	}
	sizes := map[string]struct{ least, most int }{
		"default":       {29500, 31000},
		"support-desk":  {threshold, 22000},
		"ops-oncall":    {18500, threshold - 1},
		"forge-dev":     {9000, 10200},
		"kanban-worker": {500, 1500},
	}
	if len(s.Sessions) != len(sizes) {
		t.Errorf("%d sessions, want %d", len(s.Sessions), len(sizes))
	}
	for name, want := range sizes {
		sc, ok := s.Sessions[name]
		if !ok {
			t.Errorf("no session %s", name)
			continue
		}
		got := sum(t, d.catalog(t, sc))
		t.Logf("%-14s %6d tokens chars4", name, got)
		if got < want.least || got > want.most {
			t.Errorf("%s: %d tokens, want %d to %d", name, got, want.least, want.most)
		}
	}

	oncall := s.Sessions["ops-oncall"]
	oncall.Enabled = append(slices.Clone(oncall.Enabled), "bucket")
	if got := sum(t, d.catalog(t, oncall)); got < threshold {
		t.Errorf("ops-oncall with bucket: %d tokens, and the config says that it switches on", got)
	}
	if got := sum(t, d.catalog(t, s.Sessions["default"])); got >= contextLength(s)*16/100 {
		t.Errorf("default: %d tokens, and the config says that 16 %% switches it off", got)
	}
}

func TestSessionScopes(t *testing.T) {
	d, s := decode(t), decodeConfig(t)
	granted := func(session, name string) bool {
		return slices.ContainsFunc(d.catalog(t, s.Sessions[session]), func(tl tool) bool { return tl.Function.Name == name })
	}
	for _, c := range []struct {
		session, tool string
		want          bool
	}{
		{"default", "mcp_forge_merge_change", true},
		{"default", "mcp_maps_render_map", false}, // not available
		{"support-desk", "mcp_payments_refund_charge", true},
		{"support-desk", "mcp_forge_merge_change", false},
		{"ops-oncall", "mcp_rollout_rollback_release", true}, // through the composite
		{"ops-oncall", "mcp_payments_refund_charge", false},
		{"forge-dev", "mcp_forge_delete_branch", true},
		{"kanban-worker", "slipway_book_hire", true},
		{"kanban-worker", "mcp_tracker_create_issue", false},
	} {
		if got := granted(c.session, c.tool); got != c.want {
			t.Errorf("%s in %s: granted %v, want %v", c.tool, c.session, got, c.want)
		}
	}
}

func TestConfig(t *testing.T) {
	s := decodeConfig(t)
	if ts := s.Tools.ToolSearch; ts.Enabled != "auto" || ts.Threshold != 10 || ts.Limit != 5 || ts.Max != 20 || ts.Ranker != "bm25" {
		t.Errorf("not the defaults of tool search: %+v", ts)
	}
	if s.Tools.Selection != "eager" {
		t.Errorf("selection %q", s.Tools.Selection)
	}
	actions := map[string]int{}
	for _, r := range s.Policy {
		actions[r.Action]++
		prefix, ok := strings.CutSuffix(r.Match, "*")
		matches := func(tl tool) bool { return tl.deferrable() && strings.HasPrefix(tl.Function.Name, prefix) }
		if !ok || !slices.ContainsFunc(decode(t).Tools, matches) {
			t.Errorf("rule %s matches no tool", r.Match)
		}
	}
	if actions["deny"] != 1 || actions["approve"] != 1 {
		t.Errorf("rules of policy: %v", actions)
	}
}

// contextLength returns the context length of the demo's model.
func contextLength(c configFile) int {
	length, _ := settings.ContextOf(c.Model.Default)
	return length
}

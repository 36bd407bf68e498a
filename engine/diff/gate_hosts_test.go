package diff_test

import (
	"slices"
	"testing"

	"caliper/engine"
	"caliper/engine/diff"
	"caliper/engine/hosts"
	"caliper/engine/labels"
	"caliper/engine/reach"
)

var zebra = []labels.Query{{ID: "z", Text: "zebra crossing", Relevant: []string{"mcp_mail_search"}}}

// zebras returns the demo with one tool that the query finds, and with many alike.
func zebras(t *testing.T) (one, tied *dump) {
	one, tied = demoDump(t), demoDump(t)
	names := []string{"mcp_mail_search"}
	reword(one, "Zebra crossing.", names...)
	for _, tool := range tied.Tools[20:40] {
		names = append(names, function(tool)["name"].(string))
	}
	reword(tied, "Zebra crossing.", names...)
	return one, tied
}

// reword describes tools, and takes their parameters, whose names count too.
func reword(d *dump, text string, names ...string) {
	for _, name := range names {
		function(d.named(name))["description"] = text
		function(d.named(name))["parameters"] = map[string]any{"type": "object", "properties": map[string]any{}}
	}
}

// A need that a named agent met and does not meet fails the gate; what falls by chance there
// does not.
func TestGateHosts(t *testing.T) {
	before, tied := zebras(t)
	worded := demoDump(t)
	reword(worded, "Nothing of it.", "mcp_mail_search")
	for name, c := range map[string]struct {
		after *dump
		host  string
		cut   reach.Cut // empty: it passes
	}{
		"the words are gone":         {worded, "ai-sdk", reach.CutWords},
		"below others":               {tied, "claude-code", reach.CutLimit},
		"nothing changes":            {before, "ai-sdk", ""},
		"by chance among many equal": {tied, "codex", ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := engine.NewBuilder()
			old, new := snapshotOf(t, b, before.bytes(t), nil, ""), snapshotOf(t, b, c.after.bytes(t), nil, "")
			got := judged(t, old, new, zebra, diff.GateOptions{Hosts: []*hosts.Host{hosts.Named(c.host)}})
			failed := slices.ContainsFunc(got.Reasons, func(r diff.Reason) bool { return r.Kind == diff.KindHost })
			if failed != (c.cut != "") || got.Hosts[0].Found.Old != 1 {
				t.Fatalf("fails %t: %+v", failed, got.Hosts)
			}
			if failed && got.Hosts[0].Lost[0].CutBy != c.cut {
				t.Errorf("cut by %s, want %s", got.Hosts[0].Lost[0].CutBy, c.cut)
			}
		})
	}
}

// Under an agent that leaves an order to chance, plain recall neither falls nor rises by what
// chance decides.
func TestGateUnderAnAgentOfChance(t *testing.T) {
	before, tied := zebras(t)
	const codex = "agent:\n  host: codex\n"
	b := engine.NewBuilder()
	for _, sides := range [][2]*dump{{before, tied}, {tied, before}} {
		got := judged(t, snapshotOf(t, b, sides[0].bytes(t), []byte(codex), ""), snapshotOf(t, b, sides[1].bytes(t), []byte(codex), ""), zebra, diff.GateOptions{})
		if got.Recall.Difference != 0 || len(got.Queries) > 0 || got.Won > 0 {
			t.Errorf("recall %+v, lost %+v, won %d", got.Recall, got.Queries, got.Won)
		}
	}
}

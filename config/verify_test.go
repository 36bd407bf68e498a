package config

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"caliper/model/require"
	"caliper/model/yamltext"
)

// The comparison finds every change beside the one that was asked for,
// wherever it is.
func TestComparisonFindsOtherChanges(t *testing.T) {
	const before = "model: {context_length: 1}\ntools:\n  core: [a, b]\n  tool_search: {enabled: auto, threshold_pct: 10}\nother: [x, {y: 1}]\n"
	tests := []struct {
		name, path, from, to string
		where                string
	}{
		{"nothing else", "tools.tool_search.threshold_pct", "10", "12", ""},
		{"nothing at all", "tools.tool_search.threshold_pct", "10", "10", ""},
		{"a neighbour", "tools.tool_search.threshold_pct", "enabled: auto", "enabled: off", "tools.tool_search.enabled"},
		{"a neighbour is gone", "tools.tool_search.threshold_pct", "enabled: auto, ", "", "tools.tool_search.enabled"},
		{"a new neighbour", "tools.tool_search.threshold_pct", "{enabled", "{ranker: bm25, enabled", "tools.tool_search.ranker"},
		{"one level up", "tools.tool_search.threshold_pct", "[a, b]", "[a]", "tools.core"},
		{"another section", "tools.tool_search.threshold_pct", "context_length: 1", "context_length: 2", "model"},
		{"another section is gone", "tools.tool_search.threshold_pct", "model: {context_length: 1}\n", "", "model"},
		{"deep in another key", "tools.tool_search.threshold_pct", "y: 1", "y: 2", "other"},
		{"another style", "tools.tool_search.threshold_pct", "enabled: auto", "enabled: 'auto'", "tools.tool_search.enabled"},
		{"a new section", "tools.tool_search.threshold_pct", "other", "new: 1\nother", "new"},
		{"a whole section", "tools.core", "[a, b]", "[c]", ""},
		{"beside a short path", "tools.core", "threshold_pct: 10", "threshold_pct: 11", "tools.tool_search"},
	}
	for _, test := range tests {
		if !strings.Contains(before, test.from) {
			t.Fatalf("%s: %q is not in the document", test.name, test.from)
		}
		old, err := yamltext.Load("c.yaml", []byte(before))
		require.NoError(t, err)
		changed, err := yamltext.Load("c.yaml", []byte(strings.Replace(before, test.from, test.to, 1)))
		require.NoError(t, err)
		c := comparison{path: strings.Split(test.path, "."), seen: map[[2]*yaml.Node]bool{}}
		if got := c.along(old.Root, changed.Root, 0, ""); got != test.where {
			t.Errorf("%s: %q differs, want %q", test.name, got, test.where)
		}
	}
}

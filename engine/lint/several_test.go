package lint_test

import (
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/lint"
	"caliper/model/require"
)

// Of several faults of one kind a finding names the first and counts the rest,
// and its remedy is about all of them.
func TestSeveralFaultsAreCounted(t *testing.T) {
	const same = "Lists what is on the quay."
	dump := `{"toolsets":{},"tools":[` + strings.Join([]string{
		tool("mcp-a", "bell", "Rings the bell of the first pier.", `{"type":"object"}`),
		tool("mcp-b", "bell", "Hangs another one in the tower.", `{"type":"object"}`),
		tool("mcp-c", "bell", "Melts a third one down for coins.", `{"type":"object"}`),
		tool("mcp-a", "north", same, `{"type":"object"}`),
		tool("mcp-a", "east", same, `{"type":"object"}`),
		tool("mcp-a", "south", same, `{"type":"object"}`),
		tool("mcp-a", "lost", "Looks for what the tide took.", `{"type":"object","properties":{"x":{"$ref":"#/$defs/p"},"y":{"$ref":"#/$defs/q"},"z":{"$ref":"#/$defs/r"}}}`),
		tool("mcp-a", "wants", "Sends for the pilot at night.", `{"type":"object","properties":{"k":{"type":"string"}},"required":["u","k","v","w"]}`),
		tool("mcp-a", "mixed", "Paints a hull in one colour.", `{"type":"object","properties":{"k":{"type":["string","colour"]},"l":{"enum":["a"]}}}`),
	}, ",") + `]}`
	s := snapshot(t, []byte(dump), config.Default())
	report, err := lint.Run(t.Context(), s, lint.Options{})
	require.NoError(t, err)
	said := map[string][]string{}
	for _, f := range report.Findings {
		if f.Tool == nil {
			continue
		}
		key := string(f.Code) + " " + f.Tool.Qualified
		said[key] = append(said[key], f.Message)
		if f.Remedy != nil {
			said[key] = append(said[key], f.Remedy.Change)
		}
	}
	for key, want := range map[string]string{
		"name_clash mcp-a/bell":        "mcp-b/bell and 1 more has the name too",
		"name_clash mcp-c/bell":        "mcp-a/bell and 1 more has the name too",
		"shared_description north":     "the same text as east and 1 more",
		"shared_description south":     "the same text as north and 1 more",
		"dangling_reference lost":      "#/$defs/p leads to nothing, and 2 more",
		"undefined_required wants":     `"u" is required and not defined, and 2 more`,
		"undefined_required wants fix": `do not require "u", and 2 more`,
		"broken_schema mixed fix":      "drop the unknown type colour",
	} {
		key, _ := strings.CutSuffix(key, " fix")
		if !slices.ContainsFunc(said[key], func(s string) bool { return strings.HasPrefix(s, want) }) {
			t.Errorf("%s: %q, want %q", key, said[key], want)
		}
	}
}

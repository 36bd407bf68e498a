package connect

import (
	"strings"
	"testing"

	"caliper/model"
)

// TestInstructionsThatAreCut: an import warns of what a client cuts of a server's
// instructions, as lint and serve do.
func TestInstructionsThatAreCut(t *testing.T) {
	t.Parallel()
	r := &model.Registry{Toolsets: []*model.Toolset{
		{ShownName: "mcp-a", Instructions: strings.Repeat("é", 2048)},
		{ShownName: "mcp-b", Instructions: strings.Repeat("é", 2049)}}}
	warnOfRefusals(r)
	want := "mcp-b: instructions of 2049 characters: Claude Code takes 2048"
	if len(r.Warnings) != 1 || r.Warnings[0].Error() != want {
		t.Errorf("got %v, want %q", r.Warnings, want)
	}
}

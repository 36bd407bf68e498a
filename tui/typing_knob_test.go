package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"caliper/tui/desk"
)

// TestLongValueIsWholeInItsBox: a value that the field has no room for is below it.
func TestLongValueIsWholeInItsBox(t *testing.T) {
	t.Parallel()
	a := explorer(t, 80, 24).app()
	k := desk.KnobOf("tools.rag_embed_model")
	long := "ollama:" + strings.Repeat("embedding-", 9) + "end"
	a.knobs.Put(k, long)
	a.typeKnob(k)
	var text strings.Builder
	for _, line := range a.top().Draw(a.theme, 80, 24) {
		text.WriteString(strings.Trim(ansi.Strip(line), " │╭╮╰╯"))
	}
	if got := text.String(); !strings.Contains(got, long) {
		t.Errorf("the box does not show %s: %s", long, got)
	}
}

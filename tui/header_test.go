package tui

import (
	"strings"
	"testing"

	"caliper/engine/selection"
	"caliper/tui/desk"
	"caliper/tui/ui"
)

// The gauge says in whatever room there is that keywords decide, and not the
// strategy.
func TestGaugeSaysThatKeywordsDecide(t *testing.T) {
	t.Parallel()
	p := explorer(t, 120, 36).app().header
	plain := ui.NewTheme(ui.Look{Plain: true})
	p.Gauge = desk.Gauge{Strategy: selection.Semantic, K: 8, Sent: &selection.Selection{SchemaTokens: 814, SavedPct: 97.5}}
	for w, want := range map[int]string{80: "saved 97.5%  semantic K 8 → keywords", 40: "semantic → keywords"} {
		if got := strings.Join(p.Draw(plain, w, 1), ""); strings.Contains(got, "→ keywords") {
			t.Errorf("nothing is wrong, and %d cells are %q", w, got)
		}
		p.Gauge.Sent.Notes = []selection.Note{{Code: selection.NoteEmbedderSlow}}
		if got := strings.Join(p.Draw(plain, w, 1), ""); !strings.Contains(got, want) {
			t.Errorf("%d cells are %q", w, got)
		}
		p.Gauge.Sent.Notes = nil
	}
}

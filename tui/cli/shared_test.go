package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caliper/engine"
	"caliper/model/require"
	"caliper/model/words"
)

// realRegistry returns the path of the registry of real servers, which is not
// part of the project.
func realRegistry(tb testing.TB) string {
	tb.Helper()
	path := filepath.Join("..", "..", "..", "shared", "registries", "registry.json")
	if _, err := os.Stat(path); err != nil {
		tb.Skip("the shared registry is not here")
	}
	return path
}

// The figures of README's table of generations are those that budget prints.
func TestGenerationsInReadme(t *testing.T) {
	t.Parallel()
	registry := realRegistry(t)
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	require.NoError(t, err)
	of := func(label string) (cells []string) { // the two cells of a row
		for line := range strings.Lines(string(readme)) {
			if strings.HasPrefix(line, "    "+label) {
				cells = strings.Fields(line)
			}
		}
		return cells[max(0, len(cells)-2):]
	}
	for column, generation := range []string{"june-2026", "september-2026"} {
		b := answer[engine.Budget](t, "budget", "--registry", registry, "--context", "200000", "--generation", generation)
		want := map[string]string{
			"deferrable tools": words.Thousands(b.DeferredCount), "always sent": words.Thousands(b.VisibleTokens),
			"the bridge": words.Thousands(b.BridgeTokens), "sent a turn": words.Thousands(b.AfterTokens),
			"saved": fmt.Sprintf("%.1f%%", b.SavedPct),
		}
		if b.Listing != nil {
			want["of it the listing"] = words.Thousands(b.Listing.Tokens)
		}
		for label, figure := range want {
			if got := of(label); len(got) < 2 || got[column] != figure {
				t.Errorf("%s in %s: README has %q, budget says %s", label, generation, got, figure)
			}
		}
	}
}

package cli

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caliper/engine"
	"caliper/model"
	"caliper/model/shapes"
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

func TestRealRegistry(t *testing.T) {
	t.Parallel()
	registry := realRegistry(t)
	c := answer[checkResult](t, "check", "--registry", registry)
	if !c.OK || c.Registry.Tools != 812 || c.Registry.Toolsets != 50 || c.Registry.Shape != "hermes" || len(c.Errors) > 0 {
		t.Errorf("check: %+v", c)
	}
	b := answer[engine.Budget](t, "budget", "--registry", registry, "--context", "1000000")
	if b.EagerTokens != 280724 || b.Tokenizer != "chars4" || b.ThresholdTokens != 100000 || !b.Active {
		t.Errorf("budget: %+v", b)
	}
	if _, out, _ := command(t, "search", "create a pull request", "--registry", registry, "--session", "default"); !strings.Contains(out, "mcp_github") {
		t.Errorf("search: %s", out)
	}
}

// The figures of README's table of generations are those that budget prints.
func TestGenerationsInReadme(t *testing.T) {
	t.Parallel()
	registry := realRegistry(t)
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
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

// explained is what search prints with explanations.
type explained struct {
	Scored int
	Hits   []struct {
		Name    string
		Score   float64
		Explain struct {
			Value    float64
			Children []struct{ Contribution float64 }
		}
	}
}

// Every score is the sum of the explanation printed with it.
func TestExplanationsAddUp(t *testing.T) {
	t.Parallel()
	sources := map[string][]string{
		"the demo":      {"open a change", "refund a charge twice twice", "wiki"},
		realOrNothing(): {"create a pull request", "a", "list issues in a repository"},
	}
	for registry, queries := range sources {
		if registry == "" {
			continue
		}
		args := []string{"--all", "--explain"}
		if registry != "the demo" {
			args = append(args, "--registry", registry)
		}
		for _, query := range queries {
			found := answer[explained](t, append([]string{"search", query}, args...)...)
			if len(found.Hits) == 0 || len(found.Hits) != found.Scored {
				t.Errorf("%s: %d hits of %d scored", query, len(found.Hits), found.Scored)
			}
			for _, h := range found.Hits {
				sum := 0.0
				for _, leaf := range h.Explain.Children {
					sum += leaf.Contribution
				}
				if math.Abs(sum-h.Score) > 1e-9 || h.Explain.Value != h.Score {
					t.Errorf("%s: %s has score %v, its explanation %v and %v", query, h.Name, h.Score, h.Explain.Value, sum)
				}
			}
		}
	}
}

// realOrNothing returns the path of the real registry, empty when it is not
// here.
func realOrNothing() string {
	path := filepath.Join("..", "..", "..", "shared", "registries", "registry.json")
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return path
}

// audited is what scope prints with names.
type audited struct {
	Sessions []struct {
		Name, Granted, Direct, Searchable, Describable, Callable any
		Violations                                               []engine.Violation
	}
}

// No session reaches what it is not granted: one session for every toolset,
// in every mode.
func TestScopeOfEveryToolset(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("short, as under the race detector: one goroutine, and twenty seconds of it there")
	}
	registry := realRegistry(t)
	data, err := os.ReadFile(registry)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := shapes.Parse(t.Context(), model.Source{Name: registry, Data: data})
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{"on", "auto", "off"} {
		var config strings.Builder
		fmt.Fprintf(&config, "tools: {tool_search: {enabled: %q}}\nsessions:\n  default: {}\n", mode)
		for _, set := range parsed.Toolsets {
			fmt.Fprintf(&config, "  only-%s: {enabled_toolsets: [%q]}\n", set.Name, set.Name)
		}
		a := answer[audited](t, "scope", "--registry", registry, "--config", write(t, "config.yaml", config.String()))
		if len(a.Sessions) != len(parsed.Toolsets)+1 {
			t.Errorf("%s: %d sessions of %d toolsets", mode, len(a.Sessions), len(parsed.Toolsets))
		}
		searchable := 0.0
		for _, s := range a.Sessions {
			if len(s.Violations) > 0 {
				t.Errorf("%s, session %s: %v", mode, s.Name, s.Violations)
			}
			searchable += s.Searchable.(float64)
		}
		if (searchable > 0) != (mode != "off") {
			t.Errorf("%s: %v tools are searchable", mode, searchable)
		}
	}
}

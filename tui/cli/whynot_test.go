package cli

import (
	"strconv"
	"testing"

	"caliper/engine/whatif"
)

// whyNot runs a search with --why-not and returns its answer.
func whyNot(t *testing.T, args ...string) whatif.Answer {
	t.Helper()
	found := answer[struct {
		WhyNot whatif.Answer `json:"why_not"`
	}](t, append([]string{"search"}, args...)...)
	return found.WhyNot
}

// On the registry of real servers, a tool that is ranked far below has a rank,
// a gap and remedies, and the command that follows a remedy finds it.
func TestWhyNotOnRealTools(t *testing.T) {
	t.Parallel()
	const query, tool = "list pull requests", "mcp_github_list_commits"
	registry := realRegistry(t)
	w := whyNot(t, query, "--why-not", tool, "--registry", registry)
	if w.Name != tool || w.Stage != whatif.StageBelowLimit || w.Rank == nil || *w.Rank <= 5 || w.Gap == nil || *w.Gap <= 0 || len(w.Remedies) == 0 {
		t.Fatalf("%+v", w)
	}
	for _, r := range w.Remedies {
		asked, limit := query, 5
		switch r.Kind {
		case whatif.RemedyQueryWord:
			asked += " " + r.Change
		case whatif.RemedyName:
			asked = r.Change
		case whatif.RemedyLimit:
			limit, _ = strconv.Atoi(r.Change)
		default:
			continue
		}
		again := whyNot(t, asked, "--why-not", tool, "--registry", registry, "--limit", strconv.Itoa(limit))
		if again.Stage != whatif.StageFound || *again.Rank != r.NewRank {
			t.Errorf("%+v leads to %+v", r, again)
		}
	}
}

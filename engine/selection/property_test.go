package selection

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"caliper/config"
	"caliper/engine"

	"pgregory.net/rapid"
)

var vocabulary = []string{"send", "read", "file", "mail", "lawn", "issue", "list", "open"}

// drawn draws a registry of two toolsets, one of them granted, its
// settings, and a similarity.
func drawn(t *rapid.T) (entries []string, set Settings, sim *scripted) {
	word := rapid.SampledFrom(vocabulary)
	sim = &scripted{scores: map[string]float64{}, floor: 0.2}
	seen := map[string]bool{}
	for range rapid.IntRange(0, 24).Draw(t, "tools") {
		name := word.Draw(t, "verb") + "_" + word.Draw(t, "noun")
		if seen[name] {
			continue
		}
		seen[name] = true
		sim.scores[name] = float64(rapid.IntRange(0, 4).Draw(t, "score")) / 4
		entries = append(entries, tool(name, word.Draw(t, "word"), rapid.SampledFrom([]string{"in", "in", "out"}).Draw(t, "toolset")))
	}
	anyNames := func(label string) []string {
		var out []string
		for range rapid.IntRange(0, 3).Draw(t, label) {
			out = append(out, word.Draw(t, label)+"_"+word.Draw(t, label))
		}
		return out
	}
	set = knobs(rapid.SampledFrom(Strategies).Draw(t, "strategy"))
	set.K = rapid.IntRange(1, 6).Draw(t, "k")
	set.Core, set.Exclude = anyNames("core"), anyNames("exclude")
	set.Sticky = rapid.Bool().Draw(t, "sticky")
	return entries, set, sim
}

func message(t *rapid.T) string {
	text := ""
	for range rapid.IntRange(0, 4).Draw(t, "words") {
		text += rapid.SampledFrom(vocabulary).Draw(t, "word") + rapid.SampledFrom([]string{" ", ", ", "_"}).Draw(t, "separator")
	}
	return text
}

func onlyIn(c *config.Config) {
	c.Sessions = []config.Session{{Name: "s", Enabled: []string{"in"}}}
}

// TestSelectionProperties checks what holds of every selection.
func TestSelectionProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries, set, sim := drawn(t)
		s := session(t, entries, onlyIn)
		x := selector(t, s, set, sim)
		var history []string
		for range rapid.IntRange(1, 4).Draw(t, "turns") {
			text := message(t)
			got := selecting(t, x, text, history...)
			again := selecting(t, selector(t, session(t, entries, onlyIn), set, sim), text, history...)
			if !bytes.Equal(got.Bytes, again.Bytes) || fmt.Sprint(got.Notes, got.SchemaTokens) != fmt.Sprint(again.Notes, again.SchemaTokens) {
				t.Fatalf("two runs: %s, %s", shown(got), shown(again))
			}
			outline, err := x.Outline(context.Background(), text, history)
			outline.Took, outline.Bytes = got.Took, got.Bytes
			if err != nil || !reflect.DeepEqual(outline, got) {
				t.Fatalf("without bytes it is another selection: %+v, %v; %+v", outline, err, got)
			}
			sent := names(sentBy(got))
			for _, selected := range got.Tools {
				if selected.Tool.Toolset != "in" || set.Strategy.Ranks() && slices.Contains(set.Exclude, selected.Tool.Name) {
					t.Fatalf("%s is selected", selected.Tool.Name)
				}
			}
			if unique := slices.Compact(sorted(sent)); len(unique) != len(sent) {
				t.Fatalf("twice in %v", sent)
			}
			if set.Strategy.Ranks() {
				checkRanked(t, s, x, got, history)
			}
			history = got.History()
		}
	})
}

// checkRanked checks what holds of a selection that ranks.
func checkRanked(t *rapid.T, s *engine.Snapshot, x *Selector, got Selection, history []string) {
	count := map[Reason]int{}
	for _, selected := range got.Tools {
		count[selected.Reason]++
		if selected.Reason == Ranked && !(selected.Score > 0) {
			t.Fatalf("ranked without a score: %+v", selected)
		}
	}
	if n := count[All]; n > got.K || n > 0 && n != got.Candidates {
		t.Fatalf("%d of %d candidates for %d places: %v", n, got.Candidates, got.K, count)
	}
	if count[Mentioned]+count[Ranked] > max(got.K, count[Mentioned]) {
		t.Fatalf("more than %d places: %v", got.K, count)
	}
	if x.Settings().Sticky {
		for _, name := range history {
			if !slices.Contains(names(sentBy(got)), name) {
				t.Fatalf("%s was selected before, and is not in %s", name, shown(got))
			}
		}
	} else if count[Sticky] > 0 {
		t.Fatalf("sticky: %s", shown(got))
	}
	// Every tool of the session is sent, deferred or unreachable.
	if n := len(got.Tools) + got.Deferred + got.Assembly.Unreachable; n != len(x.scope.Sendable) {
		t.Fatalf("%d tools sent, deferred or unreachable, of %d", n, len(x.scope.Sendable))
	}
	if units := s.Tokenizer.Units(got.Bytes); got.SchemaTokens > s.Tokenizer.Tokens(units) {
		t.Fatalf("%d tokens of %d units", got.SchemaTokens, units)
	}
	for _, missed := range got.Missed {
		if slices.Contains(sentBy(got), missed.Tool) {
			t.Fatalf("%s missed and is selected", missed.Tool.Name)
		}
		for _, selected := range got.Tools {
			if selected.Reason == Ranked && selected.Score < missed.Score {
				t.Fatalf("%+v missed against %+v", missed, selected)
			}
		}
	}
}

// TestRegistryOrderDoesNotChoose checks that a registry in another order
// selects the same tools, with the same ranks, at the same cost.
func TestRegistryOrderDoesNotChoose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries, set, sim := drawn(t)
		text := message(t)
		describe := func(entries []string) string {
			got := selecting(t, selector(t, session(t, entries, onlyIn), set, sim), text)
			var words []string
			for _, s := range append(slices.Clone(got.Tools), got.Missed...) {
				words = append(words, fmt.Sprint(s.Tool.Name, s.Reason, s.KeywordRank, s.SemanticRank, s.Score))
			}
			return fmt.Sprint(sorted(words), got.SchemaTokens, got.Deferred, got.Notes)
		}
		if a, b := describe(entries), describe(rapid.Permutation(entries).Draw(t, "order")); a != b {
			t.Fatalf("%s\n%s", a, b)
		}
	})
}

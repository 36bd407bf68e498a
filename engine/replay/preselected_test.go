package replay

import (
	"context"
	"errors"
	"testing"

	"caliper/engine/embed"
	"caliper/engine/selection"
	"caliper/model"
	"caliper/model/require"
)

// TestTurnsAreRemembered: the same words after the same history give the turn that was
// given before, under each strategy its own; an embedder that failed is asked again.
func TestTurnsAreRemembered(t *testing.T) {
	t.Parallel()
	snapshot := workshop(t, 12)
	r := &run{snapshot: snapshot, definitions: map[*model.Tool]definition{}, bridges: map[int]definition{}, turns: map[string]*turn{}, tokenizer: TokenizerOf("")}
	fails := &mute{}
	all, err := selection.New(t.Context(), snapshot, selection.SettingsOf(snapshot.Config), fails, nil)
	require.NoError(t, err)
	ask := func(s selection.Strategy, words string, history ...string) *turn {
		t.Helper()
		set := all.Settings()
		set.Strategy = s
		x, err := r.turn(all.With(set), words, &turn{history: history}, func() (selection.Message, error) {
			return all.Rank(t.Context(), words, s)
		})
		require.NoError(t, err)
		return x
	}
	seen := map[*turn]bool{}
	for range 2 {
		for _, words := range []string{"", "polish the kettle0", "polish the lathe0"} {
			for _, history := range [][]string{nil, {"mcp__shop__polish_anvil0"}, {"mcp__shop__", "polish_anvil0"}} {
				seen[ask(selection.Keyword, words, history...)] = true
			}
		}
	}
	if len(seen) != 9 {
		t.Errorf("%d turns, want 9", len(seen))
	}
	first, second := ask(selection.Semantic, "polish it"), ask(selection.Semantic, "polish it")
	if first == second || fails.asked != 2 {
		t.Errorf("an embedder that failed was asked %d times, want 2", fails.asked)
	}
}

// mute is an embedder that never answers well.
type mute struct{ asked int }

func (m *mute) Scores(context.Context, string, []*model.Tool) ([]float64, error) {
	m.asked++
	return nil, errors.New("no")
}
func (*mute) Identity() embed.Identity { return embed.Identity{} }

func (*mute) Floor([]float64, float64) float64 { return 0 }

package engine

import (
	"testing"

	"caliper/config"
	"caliper/engine/internal/fixture"
	"caliper/engine/tokens"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// TestRenderedBudget: what a provider puts around the definitions is in both sums once,
// and in no share of a toolset; the bridge is counted in the provider's form, too.
func TestRenderedBudget(t *testing.T) {
	for _, m := range []tokens.Method{tokens.RenderedOpenAI, tokens.RenderedAnthropic} {
		for _, mode := range []config.Mode{config.On, config.Off} {
			s := renderedSnapshot(t, m, mode)
			b := s.Budget(false)
			sets := 0
			for _, ts := range b.Toolsets {
				sets += ts.Tokens
			}
			around := m.Tokens(m.Around())
			if around == 0 || b.AroundTokens != around {
				t.Fatalf("%s: %d tokens around, want %d", m, b.AroundTokens, around)
			}
			if off := b.EagerTokens - around - sets; off < -len(b.Toolsets) || off > len(b.Toolsets) {
				t.Errorf("%s: everything is %d, the toolsets %d, around them %d", m, b.EagerTokens, sets, around)
			}
			want := b.VisibleTokens + b.DeferredTokens
			if mode == config.On {
				want = b.VisibleTokens + b.BridgeTokens
			}
			if off := b.AfterTokens - around - want; off < -2 || off > 2 {
				t.Errorf("%s, %s: %d are sent, want %d and %d around them", m, mode, b.AfterTokens, want, around)
			}
			if mode == config.On && b.BridgeTokens == 0 {
				t.Errorf("%s: the bridge costs nothing", m)
			}
		}
	}
}

func renderedSnapshot(t *testing.T, m tokens.Method, mode config.Mode) *Snapshot {
	t.Helper()
	c := config.Default()
	c.ToolSearch.Enabled = mode
	registry, err := shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: fixture.Dump(40, 3)})
	require.NoError(t, err)
	s, err := Build(t.Context(), Inputs{Registry: registry, Config: c, Tokenizer: m})
	require.NoError(t, err)
	return s
}

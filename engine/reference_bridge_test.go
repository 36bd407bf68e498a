package engine

import (
	"encoding/json"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/internal/fixture"
	"caliper/engine/tokens"
	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/require"
	"caliper/model/shapes"
)

// The agent's saving is counted with its own bridge, by chars4 alone.
func TestReferenceSaved(t *testing.T) {
	r, err := shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: fixture.Dump(40, 1)})
	require.NoError(t, err)
	for _, c := range []struct {
		method tokens.Method
		mode   config.Mode
		known  bool
		json   string
	}{{tokens.Chars4, config.On, true, "378"}, {"", config.On, true, "378"}, {tokens.Chars4, config.Off, true, "378"}, {tokens.O200k, config.On, false, "null"}} {
		set := config.Default()
		set.ToolSearch.Enabled = c.mode
		s, err := NewBuilder().Build(t.Context(), Inputs{Registry: r, Config: set, Tokenizer: c.method})
		require.NoError(t, err)
		b := s.Budget(false)
		saved, pct, known := b.ReferenceSaved()
		if known != c.known {
			t.Errorf("%s %s: known %v", c.method, c.mode, known)
		}
		want := b.EagerTokens - (b.AfterTokens - b.BridgeTokens + 378)
		if !b.Active {
			want = 0
		}
		if known && (saved != want || b.Active && saved >= b.SavedTokens || pct != 100*float64(want)/float64(b.EagerTokens)) {
			t.Errorf("%s %s: %d, %v%%, want %d", c.method, c.mode, saved, pct, want)
		}
		var members map[string]json.RawMessage
		if err := json.Unmarshal(jsontree.Encode(b), &members); err != nil || string(members["reference_bridge_tokens"]) != c.json {
			t.Errorf("%s %s: %s, %v", c.method, c.mode, members["reference_bridge_tokens"], err)
		}
	}
}

// Names that lazy lists have to be sent whoever's bridge they are sent with.
func TestReferenceSavedWithNamesListed(t *testing.T) {
	r, err := shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: fixture.Dump(40, 1)})
	require.NoError(t, err)
	set := config.Default()
	set.Selection = config.SelectLazy
	s, err := NewBuilder().Build(t.Context(), Inputs{Registry: r, Config: set})
	require.NoError(t, err)
	b := s.Budget(false)
	plain := 0
	for _, def := range BridgeTools(b.DeferredCount) {
		plain += tokens.Chars4.Units(def)
	}
	saved, _, known := b.ReferenceSaved()
	if want := b.SavedTokens + tokens.Chars4.Tokens(plain) - 378; !known || saved != want || saved >= b.SavedTokens {
		t.Errorf("%d, want %d: the bridge with its list is %d", saved, want, b.BridgeTokens)
	}
	for _, names := range [][]string{nil, {"dig"}, {"dig", "dive"}} {
		if got, want := string(BridgeTools(7, names...)[0]), " Their names: "+strings.Join(names, ", ")+`"`; strings.Contains(got, want) != (names != nil) {
			t.Errorf("with the names %q: %s", names, got)
		}
	}
}

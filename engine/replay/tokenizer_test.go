package replay

import (
	"testing"

	"caliper/engine/tokens"
	"caliper/engine/transcript"
	"caliper/model/require"
)

// TestTokenizerOf: a definition costs what its method counts, and a tokenizer has the name
// of the method that was asked for.
func TestTokenizerOf(t *testing.T) {
	s := workshop(t, 3)
	for _, m := range append(tokens.Methods(), "") {
		of := TokenizerOf(m)
		if want := string(m); of.Name != want && (m != "" || of.Name != string(tokens.Chars4)) {
			t.Errorf("%q is called %s", m, of.Name)
		}
		def := tokens.Compact(nil, tokens.Definition(s.Registry.Tools[0]))
		if got, want := of.of(of.definition(def)), float64(m.Units(def)); got != want && got != want/4 {
			t.Errorf("%s: a definition of %v tokens, want %v or a quarter", of.Name, got, want)
		}
		const text = "namespace and the type of text"
		if got, want := of.of(of.measure([]byte(text), transcript.Prose)), TokenizerOf(m.Base()); got != want.of(want.measure([]byte(text), transcript.Prose)) {
			t.Errorf("%s: a text of %v tokens", of.Name, got)
		}
	}
}

// TestRendered: a replay by the form of a provider has definitions in this form, which are
// fewer tokens than their JSON, and what was logged under eager to the token.
func TestRendered(t *testing.T) {
	const lathe = "mcp__shop__polish_lathe0"
	s := workshop(t, 12)
	schema := func(m tokens.Method) float64 {
		w := tell()
		w.user("polish the lathe0")
		w.answer(9000, 0, use(lathe))
		rep, err := Run(t.Context(), Inputs{Sessions: []transcript.Session{w.session("sable")}, Snapshot: s, Prices: sable(t), Tokenizer: TokenizerOf(m)})
		require.NoError(t, err)
		if eager := rep.Totals.Strategies[0]; rep.Tokenizer != string(m) || rep.Sessions[0].Tokenizer != string(m) || eager.Tokens.Input != 9000 {
			t.Errorf("%s: counted by %s, %v under eager", m, rep.Tokenizer, eager.Tokens.Input)
		}
		return rep.Eager.Tools[0].SchemaTokens
	}
	for _, m := range []tokens.Method{tokens.RenderedOpenAI, tokens.RenderedAnthropic} {
		if got, json := schema(m), schema(m.Base()); got <= 0 || got >= json {
			t.Errorf("%s: a definition of %v tokens, %v as JSON", m, got, json)
		}
	}
}

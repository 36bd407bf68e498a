package engine

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/config"
	"caliper/engine/internal/fixture"
	"caliper/engine/tokens"
	"caliper/model/jsontree"
	"caliper/model/require"
)

// TestBudgetCounts: the budget of a session counts each tool once, where it is sent or
// deferred, and toolsets without tools not at all.
func TestBudgetCounts(t *testing.T) {
	for _, c := range []struct{ session, message, want string }{
		{"wide", "", `7 5, of them 1 that asks for it; 10 of instructions; [files 1 0] [mcp-harbor 4 3] [mcp-tide 2 2]`},
		{"idle", "book a berth", `0 0, of them 0 that asks for it; 0 of instructions;`},
	} {
		in := gateInputs(t, c.session)
		in.Message = c.message
		in.Config.Core = []string{"mcp_harbor_book", "read_file"}
		harbor, _ := in.Registry.Toolset("mcp-harbor")
		harbor.Instructions = strings.Repeat("x", 38) // with two quotes ten tokens
		in.Registry.Lookup("mcp_harbor_tow")[0].Deferred = true
		s := built(t, in)
		b := s.Budget(true)
		got := fmt.Sprintf("%d %d, of them %d that asks for it; %d of instructions;", b.Tools, b.DeferredCount, b.DeferLoading, b.InstructionTokens)
		sent, deferred, tools := 0, 0, 0
		for i, set := range b.Toolsets {
			got += fmt.Sprintf(" [%s %d %d]", set.Name, set.Tools, set.Deferred)
			for _, one := range set.ToolTokens {
				tools++
				if one.Deferred {
					deferred += one.Tokens
				} else {
					sent += one.Tokens
				}
			}
			if s.Budget(false).Toolsets[i].ToolTokens != nil {
				t.Errorf("%s: tools that nobody asked for", set.Name)
			}
		}
		if got != c.want || tools != b.Tools || sent-b.VisibleTokens > 2 || sent < b.VisibleTokens || deferred-b.DeferredTokens > 4 || deferred < b.DeferredTokens {
			t.Errorf("%s: %s, want %s; %d tools of %d and %d tokens in %+v", c.session, got, c.want, tools, sent, deferred, b)
		}
		if (b.Message != nil) != (c.message != "") || b.SavedTokens != b.EagerTokens-b.AfterTokens || b.EagerTokens > 0 && b.SavedPct != 100*float64(b.SavedTokens)/float64(b.EagerTokens) {
			t.Errorf("%s: %+v", c.session, b)
		}
	}
}

// TestRenderedBudget: what a provider puts around the definitions is in both sums once,
// and in no share of a toolset; the bridge is counted in the provider's form, too.
func TestRenderedBudget(t *testing.T) {
	registry := fixture.Parse(t, fixture.Dump(40, 3))
	for _, m := range []tokens.Method{tokens.RenderedOpenAI, tokens.RenderedAnthropic} {
		for _, mode := range []config.Mode{config.On, config.Off} {
			c := config.Default()
			c.ToolSearch.Enabled = mode
			s := built(t, Inputs{Registry: registry, Config: c, Tokenizer: m})
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

// The agent's saving is counted with its own bridge, by chars4 alone.
func TestReferenceSaved(t *testing.T) {
	r := fixture.Parse(t, fixture.Dump(40, 1))
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
	r := fixture.Parse(t, fixture.Dump(40, 1))
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

func TestPartsAddUp(t *testing.T) {
	s := snapshotOf(t, "wide")
	for _, tool := range s.Registry.Tools {
		p := s.Parts(tool)
		if sum := p.Name + p.Description + p.Descriptions + p.Structure; sum != s.ToolTokens(tool) {
			t.Errorf("%s: parts %+v add up to %d of %d", tool.Name, p, sum, s.ToolTokens(tool))
		}
	}
}

// drawSchema draws a value that a schema may hold, with white space.
func drawSchema(t *rapid.T, depth int) string {
	space := rapid.SampledFrom([]string{"", "", " ", "\n\t"}).Draw(t, "space")
	kinds := 5
	if depth == 0 {
		kinds = 1
	}
	switch rapid.IntRange(0, kinds).Draw(t, "kind") {
	case 0:
		return rapid.SampledFrom([]string{`null`, `-1.5e3`, `true`, `[]`, `{}`}).Draw(t, "scalar")
	case 1:
		return `"` + rapid.SampledFrom([]string{"", "a text", "description", "é€", "\u2028", `\u0041\/`, `\"<&>\\`, `]}`, `{\"description\":1`, "\x7f", `\ud83d\ude00`}).Draw(t, "text") + `"`
	case 2:
		var elements []string
		for range rapid.IntRange(0, 3).Draw(t, "elements") {
			elements = append(elements, space+drawSchema(t, depth-1))
		}
		return "[" + strings.Join(elements, ",") + space + "]"
	}
	names := rapid.Permutation([]string{"description", "type", `d\u0065scription2`, "properties", ""}).Draw(t, "names")
	if rapid.Bool().Draw(t, "escaped") {
		names = []string{`d\u0065scription`, "type"}
	}
	var members []string
	for _, name := range names[:rapid.IntRange(0, len(names)).Draw(t, "members")] {
		members = append(members, fmt.Sprintf(`%s"%s"%s:%s%s`, space, name, space, space, drawSchema(t, depth-1)))
	}
	return "{" + strings.Join(members, ",") + space + "}"
}

// Descriptions are the texts that a reader of the whole schema finds, each encoded anew.
func TestDescriptionsOfParameters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := drawSchema(t, 4)
		root, fault := jsontree.Parse([]byte(schema), jsontree.Strict)
		if fault != nil {
			t.Fatal(fault, schema)
		}
		for _, m := range []tokens.Method{tokens.Chars4, tokens.O200k} {
			units := 0
			var walk func(*jsontree.Node)
			walk = func(n *jsontree.Node) {
				for _, c := range n.Children {
					if c.Name == "description" && c.Kind == jsontree.String {
						if units += m.Units(jsontree.Encode(c.Text)); m == tokens.Chars4 {
							units -= 2
						}
						continue
					}
					walk(c.Node)
				}
			}
			walk(root)
			s, got := Snapshot{Tokenizer: m}, 0
			eachDescription([]byte(schema), func(written []byte) { got += s.writtenUnits(written) })
			if got != units {
				t.Fatalf("%s counts %d, want %d: %s", m, got, units, schema)
			}
		}
	})
}

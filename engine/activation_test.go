package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/internal/fixture"
	"caliper/engine/tokens"
	"caliper/model/jsontree"
	"caliper/model/require"

	"pgregory.net/rapid"
)

// A percentage of a context is a number of tokens, whatever the percentage is.
func TestClampInt(t *testing.T) {
	for f, want := range map[float64]int{28.9: 28, -28.9: -28, 0: 0, math.Inf(1): math.MaxInt, math.Inf(-1): math.MinInt, 1e30: math.MaxInt, math.MaxInt: math.MaxInt} {
		if got := clampInt(f); got != want {
			t.Errorf("%v is %d, want %d", f, got, want)
		}
	}
	if got := clampInt(math.NaN()); got != 0 {
		t.Errorf("what is no number is %d, want 0", got)
	}
}

// TestActivationsAreThoseOfBuild compares every session's decision with that
// of a snapshot built for it.
func TestActivationsAreThoseOfBuild(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := randomInputs(t)
		in.Message = "" // what other sessions select is not asked for
		in.Tokenizer = rapid.SampledFrom([]tokens.Method{tokens.Chars4, tokens.O200k}).Draw(t, "tokenizer")
		in.Config.ToolSearch.Enabled = rapid.SampledFrom([]config.Mode{config.On, config.Off, config.Auto}).Draw(t, "mode")
		context := rapid.IntRange(0, 3000).Draw(t, "context")
		in.Config.ContextLength = &context
		in.Config.Core = []string{"t0", "t3"}
		s := built(t, in)
		got, err := s.Activations(t.Context())
		if err != nil || len(got) != len(in.Config.Sessions) {
			t.Fatalf("%d decisions for %d sessions, %v", len(got), len(in.Config.Sessions), err)
		}
		for i, session := range in.Config.Sessions {
			in.Session = session.Name
			one := built(t, in)
			want := SessionActivation{Session: session.Name, Deferrable: one.Budget(false).DeferredTokens, Activation: one.Activation()}
			if got[i] != want {
				t.Errorf("%s: %+v, want %+v", session.Name, got[i], want)
			}
		}
	})
}

// Sessions of one scope are decided alike, but for one that is sent all and one that lacks a tool.
func TestActivationsInFull(t *testing.T) {
	in := gateInputs(t, "")
	in.Config.ToolSearch.Enabled = config.On
	in.Config.Sessions = []config.Session{{Name: "a"}, {Name: "in full", InFull: true}, {Name: "less", Withheld: []config.Withheld{{Tool: "mcp_harbor_book"}}}, {Name: "b"}}
	s := built(t, in)
	got, err := s.Activations(t.Context())
	require.NoError(t, err)
	for i, want := range []struct{ active, less bool }{{true, false}, {false, false}, {true, true}, {true, false}} {
		if a := got[i]; a.Session != in.Config.Sessions[i].Name || a.Active != want.active || (a.Deferrable < got[0].Deferrable) != want.less {
			t.Errorf("%s: %+v", in.Config.Sessions[i].Name, a)
		}
	}
}

func TestFlips(t *testing.T) {
	at := func(change func(*config.Config)) *Snapshot {
		in := gateInputs(t, "")
		in.Config.ToolSearch.Enabled = config.Auto
		change(&in.Config)
		return built(t, in)
	}
	context := func(n int) func(*config.Config) {
		return func(c *config.Config) { c.ContextLength = &n }
	}
	wide := snapshotOf(t, "wide").Curve().Deferrable
	harbor := snapshotOf(t, "harbor").Curve().Deferrable
	if harbor >= wide || harbor == 0 {
		t.Fatalf("%d deferrable tokens in harbor, %d in wide", harbor, wide)
	}
	tests := []struct {
		name     string
		old, new *Snapshot
		want     []string
	}{
		{"nothing changes", at(context(10)), at(context(10)), nil},
		{"all switch off", at(context(10)), at(context(10 * (wide + 1))), []string{"wide OFF", "harbor OFF"}},
		{"the small one switches off", at(context(10)), at(context(10 * wide)), []string{"harbor OFF"}},
		{"the large one switches on", at(context(10 * (wide + 1))), at(context(10 * wide)), []string{"wide ON"}},
		{"a session that came", at(func(c *config.Config) { context(10 * (wide + 1))(c); c.Sessions = c.Sessions[1:] }), at(context(10)), []string{"harbor ON"}},
		{"a session that went", at(context(10)), at(func(c *config.Config) { context(10 * wide)(c); c.Sessions = c.Sessions[:1] }), nil},
		{"its scope", at(context(10 * wide)), at(func(c *config.Config) { context(10 * wide)(c); c.Sessions[1].Enabled = nil }), []string{"harbor ON"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			flips, err := Flips(t.Context(), tt.old, tt.new)
			require.NoError(t, err)
			var got []string
			for _, f := range flips {
				if f.Old.Active == f.New.Active || f.Old.Session != f.New.Session {
					t.Errorf("no flip: %+v", f)
				}
				got = append(got, f.New.Session+map[bool]string{true: " ON", false: " OFF"}[f.New.Active])
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("flips %q, want %q", got, tt.want)
			}
		})
	}
}

func TestFlipsEndWithTheContext(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	end()
	s, without := snapshotOf(t, ""), snapshotOf(t, "")
	without.Config.Sessions = nil // no decision is made for it
	for _, old := range []*Snapshot{s, without} {
		if _, err := Flips(ctx, old, s); !errors.Is(err, context.Canceled) {
			t.Errorf("the error is %v", err)
		}
	}
}

// What the source says is always sent is no hit of a search, whatever the mode; a list of
// deferred tools comes before it, and a bridge name before both.
func TestAlwaysSent(t *testing.T) {
	r := fixture.Parse(t, []byte(`{"tools":[
		{"type":"function","function":{"name":"open_gate"},"toolset":"mcp-yard","always_load":true},
		{"type":"function","function":{"name":"close_gate"},"toolset":"mcp-yard","_meta":{"anthropic/alwaysLoad":true}},
		{"type":"function","function":{"name":"paint_gate"},"toolset":"mcp-yard","_meta":{"anthropic/alwaysLoad":false},"always_load":false},
		{"type":"function","function":{"name":"tool_call"},"toolset":"mcp-yard","always_load":true}]}`))
	for _, c := range []struct {
		name, config string
		want         []Class
	}{
		{"as they say", "tools: {tool_search: {enabled: on}}", []Class{Visible, Visible, Deferrable, Dropped}},
		{"one deferred by name", "tools: {tool_search: {enabled: on, defer: [open_gate]}}", []Class{Deferrable, Visible, Deferrable, Dropped}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := config.Parse("c.yaml", []byte(c.config+"\nsessions: {default: {}}\n"))
			require.NoError(t, err)
			s := built(t, Inputs{Registry: r, Config: f.Config})
			var got []Class
			visible := 0
			for _, tool := range r.Tools {
				if got = append(got, s.Class(tool)); s.Class(tool) == Visible {
					visible++
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
			if n := len(s.Search("gate", 5, 5).Hits); n != 3-visible {
				t.Errorf("%d hits", n)
			}
			if b := s.Budget(false); b.AlwaysLoad != visible {
				t.Errorf("budget counts %d", b.AlwaysLoad)
			}
		})
	}
}

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

package engine

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"caliper/config"
	"caliper/engine/internal/fixture"
	"caliper/engine/tokens"
	"caliper/model/require"
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
		s := built(t, in)
		return s
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

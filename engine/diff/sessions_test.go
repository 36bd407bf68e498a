package diff

import (
	"reflect"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/internal/fixture"
	"caliper/engine/labels"
	"caliper/engine/tokens"
	"caliper/model/require"
)

func TestSessionChanges(t *testing.T) {
	june := SessionSide{Active: false, SentTokens: 900, Deferred: 0}
	september := SessionSide{Active: true, SentTokens: 700, Listing: tokens.ListNames, Deferred: 12}
	for _, tt := range []struct {
		name     string
		old, new *SessionSide
		want     []SessionFact
	}{
		{"nothing differs", &june, &june, nil},
		{"all but the unreachable", &june, &september, []SessionFact{
			{"active", false, true}, {"sent_tokens", 900, 700}, {"listing", nil, "names"}, {"deferred_tools", 0, 12}}},
		{"a session that is new", nil, &june, []SessionFact{
			{"active", nil, false}, {"sent_tokens", nil, 900}, {"deferred_tools", nil, 0}, {"unreachable_tools", nil, 0}}},
		{"a session that is gone", &june, nil, []SessionFact{
			{"active", false, nil}, {"sent_tokens", 900, nil}, {"deferred_tools", 0, nil}, {"unreachable_tools", 0, nil}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := (SessionChange{Name: "ops", Old: tt.old, New: tt.new}).Changes(); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got  %v\nwant %v", got, tt.want)
			}
		})
	}
}

// TestSideOf: what a session sends is what its budget says.
func TestSideOf(t *testing.T) {
	for _, generation := range config.Generations {
		for _, mode := range []config.Mode{config.On, config.Off} {
			s := built(t, fixture.Registry(t, doors(4)...), func(c *config.Config) {
				c.ToolSearch.Generation, c.ToolSearch.Enabled = config.Generation(generation), mode
			})
			b, side := s.Budget(false), SideOf(s)
			if side.Active != b.Active || side.Active != (mode == config.On) || side.SentTokens != b.AfterTokens || side.Unreachable != b.Unreachable || (side.Deferred > 0) != side.Active || side.Deferred > 4 {
				t.Errorf("%s, %s: %+v, budget %+v", generation, mode, side, b)
			}
			if (side.Listing != "") != (b.Listing != nil) || b.Listing != nil && side.Listing != b.Listing.Form {
				t.Errorf("%s, %s: lists %q", generation, mode, side.Listing)
			}
		}
	}
}

// TestGatedReason: the gates say why one ranker finds a tool that the other misses, with the
// words that the tool has in another form only.
func TestGatedReason(t *testing.T) {
	r := fixture.Registry(t, fixture.Entry("open_door", "Opening of a door.", "x"), fixture.Entry("shut", "Shuts windows.", "x"), fixture.Entry("bell", "Rings for a door.", "y"))
	with := func(ranker string) *engine.Snapshot {
		return built(t, r, func(c *config.Config) { c.ToolSearch.Ranker = ranker })
	}
	bm25, gated, fielded := with(config.RankerBM25), with(config.RankerGated), with(config.RankerFielded)
	for _, c := range []struct{ query, tool, verdict, word, stems string }{
		{"opens doors opens", "open_door", "admitted", "opens", "opens doors"},
		{"opens doors opens", "bell", "rarest_token", "opens", "doors"},
		{"opens the windows", "open_door", "oov_token", "the", "opens"},
		{"ring bell", "bell", "admitted", "ring", "ring"},
		{"ring bell", "open_door", "rarest_token", "ring", ""},
		{"ring bell", "none", "", "", ""},
	} {
		for _, pair := range [][2]*engine.Snapshot{{bm25, gated}, {gated, bm25}, {fielded, gated}} {
			got, want := gatedReason(pair[0], pair[1], c.query, c.tool), c.stems
			if pair[0] == fielded {
				want = "" // it takes forms of a word as one
			}
			if (got == nil) != (c.verdict == "") || got != nil && (string(got.Verdict) != c.verdict || got.Word != c.word || strings.Join(got.Stems, " ") != want) {
				t.Errorf("%s, %s: %+v", c.query, c.tool, got)
			}
		}
		for _, pair := range [][2]*engine.Snapshot{{bm25, fielded}, {gated, gated}} {
			if got := gatedReason(pair[0], pair[1], c.query, c.tool); got != nil {
				t.Errorf("%s, %s: %+v although one alone has gates", c.query, c.tool, got)
			}
		}
	}
}

// TestLabelledSession: the session of most labelled queries, its own before others, the first
// of those that are granted as many.
func TestLabelledSession(t *testing.T) {
	r := fixture.Parse(t, []byte(`{"toolsets":{"a":{},"b":{}},"tools":[`+fixture.Entry("one", "1", "a")+","+fixture.Entry("two", "2", "b")+`]}`))
	only := func(name string, toolsets ...string) config.Session {
		return config.Session{Name: name, Enabled: toolsets}
	}
	query := func(tool string) labels.Query { return labels.Query{Text: tool, Relevant: []string{tool}} }
	for _, c := range []struct {
		name     string
		sessions []config.Session
		queries  []labels.Query
		want     string
	}{
		{"no query", []config.Session{only("x", "a"), only("y", "a", "b")}, nil, "x"},
		{"its own", []config.Session{only("x", "a"), only("y", "a")}, []labels.Query{query("one"), query("two")}, "x"},
		{"another is granted more", []config.Session{only("x", "a"), only("y", "b"), only("z", "b")}, []labels.Query{query("one"), query("two"), query("two")}, "y"},
		{"the most of all", []config.Session{only("x", "none"), only("y", "a"), only("z", "b", "a")}, []labels.Query{query("one"), query("two")}, "z"},
	} {
		s, err := engine.Build(t.Context(), engine.Inputs{Registry: r, Session: "x", Config: fixture.Config(func(f *config.Config) { f.Sessions = c.sessions })})
		require.NoError(t, err)
		if got := LabelledSession(s, c.queries); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestToolsets(t *testing.T) {
	set := func(name string, tools, tokens int) engine.ToolsetBudget {
		return engine.ToolsetBudget{Name: name, Tools: tools, Tokens: tokens}
	}
	old := engine.Budget{Toolsets: []engine.ToolsetBudget{set("same", 1, 10), set("less", 3, 100), set("gone", 2, 40)}}
	now := engine.Budget{Toolsets: []engine.ToolsetBudget{set("new", 1, 40), set("same", 1, 10), set("less", 2, 30)}}
	want := []ToolsetChange{{"less", 3, 2, 100, 30}, {"gone", 2, 0, 40, 0}, {"new", 0, 1, 0, 40}, {"same", 1, 1, 10, 10}}
	if got := Toolsets(old, now); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	back := Toolsets(now, old)
	for i, c := range back {
		if c.Delta() != -want[i].Delta() {
			t.Errorf("in the other direction %s changes by %d", c.Name, c.Delta())
		}
	}
}

func TestReaches(t *testing.T) {
	old := engine.SessionAudit{
		Granted: []string{"a", "b", "c", "same"}, Direct: []string{"c", "same"}, Searchable: []string{"a", "b"}, Callable: []string{"a", "b"},
		Denied: []engine.Denial{{Tool: "d", Gate: engine.GateScopeCatalog, Code: engine.CodeOutOfScope}},
	}
	now := engine.SessionAudit{
		Granted: []string{"b", "c", "d", "new", "same"}, Direct: []string{"b", "same"}, Searchable: []string{"c", "d", "new"}, Callable: []string{"c", "d", "new"},
		Denied: []engine.Denial{{Tool: "a", Gate: engine.GateScopeExecutor, Code: engine.CodeOutOfScope}},
	}
	got := Reaches(old, now)
	var names []string
	for _, c := range got {
		names = append(names, c.Tool)
	}
	if want := []string{"a", "d", "new", "b", "c"}; !reflect.DeepEqual(names, want) {
		t.Fatalf("got %q, want %q", names, want)
	}
	for i, want := range []struct{ lost, gained bool }{{true, false}, {false, true}, {false, true}, {false, false}, {false, false}} {
		if got[i].Lost() != want.lost || got[i].Gained() != want.gained {
			t.Errorf("%s: lost %t, gained %t", got[i].Tool, got[i].Lost(), got[i].Gained())
		}
	}
	if gate := got[0].New.Gate; gate != engine.GateScopeExecutor {
		t.Errorf("a is denied by %q", gate)
	}
	if got[2].Old.Known {
		t.Error("the audit before does not know the new tool")
	}
	if Reaches(old, old) != nil {
		t.Error("an audit differs from itself")
	}
}

package diff

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/internal/fixture"
	"caliper/engine/labels"
	"caliper/engine/tokens"
	"caliper/engine/whatif"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// built builds a snapshot of the default session with search on.
func built(t fixture.T, r *model.Registry, change ...func(*config.Config)) *engine.Snapshot {
	t.Helper()
	s, err := engine.Build(context.Background(), engine.Inputs{Registry: r, Config: fixture.Config(change...)})
	require.NoError(t, err)
	return s
}

// compared compares two snapshots.
func compared(t fixture.T, old, new *engine.Snapshot, queries ...labels.Query) Diff {
	t.Helper()
	d, err := Compare(context.Background(), old, new, queries)
	require.NoError(t, err)
	return d
}

// named is the text of an entry around a function object.
func named(function string) string {
	return `{"type":"function","function":` + function + `,"toolset":"mcp-a"}`
}

func TestChangedParts(t *testing.T) {
	const before = `{"name":"t","description":"One ü.","parameters":{"type":"object","properties":{"a":{"maximum":10},"b":{}}}}`
	tests := []struct {
		name string
		now  string
		want []ChangedPart
	}{
		{"nothing", named(before), nil},
		{"white space", named("{ \"name\" :\"t\",\n\"description\":\"One ü.\",\"parameters\":{\"type\": \"object\",\"properties\":{\"a\":{\"maximum\":10},\"b\":{ }}}}"), nil},
		{"escapes", named(strings.Replace(before, "ü", `\u00fc`, 1)), nil},
		{"description", named(strings.Replace(before, "One", "Two", 1)), []ChangedPart{ChangedDescription}},
		{"space in a description", named(strings.Replace(before, "One ", "One  ", 1)), []ChangedPart{ChangedDescription}},
		{"value in the parameters", named(strings.Replace(before, "10", "11", 1)), []ChangedPart{ChangedParameters}},
		{"order in the parameters", named(strings.Replace(before, `"a":{"maximum":10},"b":{}`, `"b":{},"a":{"maximum":10}`, 1)), []ChangedPart{ChangedParameters}},
		{"no parameters", named(`{"name":"t","description":"One ü."}`), []ChangedPart{ChangedParameters}},
		{"both", named(`{"name":"t"}`), []ChangedPart{ChangedDescription, ChangedParameters}},
		{"toolset", strings.Replace(named(before), "mcp-a", "mcp-b", 1), []ChangedPart{ChangedToolset}},
		{"toolset and description", strings.Replace(named(`{"name":"t","description":"Two.","parameters":{"type":"object","properties":{"a":{"maximum":10},"b":{}}}}`), "mcp-a", "mcp-b", 1),
			[]ChangedPart{ChangedDescription, ChangedToolset}},
		{"another member", named(strings.Replace(before, `"name"`, `"strict":true,"name"`, 1)), []ChangedPart{ChangedDefinition}},
		{"order of members", named(`{"description":"One ü.","name":"t","parameters":{"type":"object","properties":{"a":{"maximum":10},"b":{}}}}`), []ChangedPart{ChangedDefinition}},
		{"availability", strings.Replace(named(before), `"toolset"`, `"available":false,"toolset"`, 1), []ChangedPart{ChangedAvailability}},
		{"beside the definition", strings.Replace(named(before), `"toolset"`, `"annotations":{},"toolset"`, 1), nil},
	}
	old := fixture.Registry(t, named(before))
	for _, tt := range tests {
		added, removed, changed := Changes(old, fixture.Registry(t, tt.now))
		var got []ChangedPart
		for _, c := range changed {
			got = append(got, c.Parts...)
		}
		if len(added)+len(removed) > 0 || !slices.Equal(got, tt.want) {
			t.Errorf("%s: added %v, removed %v, changed %v; want %v", tt.name, added, removed, changed, tt.want)
		}
	}
}

func TestChangesByQualifiedName(t *testing.T) {
	old := fixture.Registry(t, fixture.Entry("z", "", "mcp-a"), fixture.Entry("read", "Reads.", "mcp-a"), fixture.Entry("b", "", "mcp-a"), fixture.Entry("a", "", "mcp-a"))
	now := fixture.Registry(t, fixture.Entry("z", "New.", "mcp-a"), fixture.Entry("read", "Reads.", "mcp-b"), fixture.Entry("read", "Reads.", "mcp-a"), fixture.Entry("d", "", "mcp-c"), fixture.Entry("c", "", "mcp-c"))
	added, removed, changed := Changes(old, now)
	want := [][]ToolChange{
		{{Name: "c", Toolset: "mcp-c"}, {Name: "d", Toolset: "mcp-c"}, {Name: "mcp-a/read", Toolset: "mcp-a"}, {Name: "mcp-b/read", Toolset: "mcp-b"}},
		{{Name: "a", Toolset: "mcp-a"}, {Name: "b", Toolset: "mcp-a"}, {Name: "read", Toolset: "mcp-a"}},
		{{Name: "z", Toolset: "mcp-a", Parts: []ChangedPart{ChangedDescription}}},
	}
	if got := [][]ToolChange{added, removed, changed}; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if a, r, c := Changes(old, old); a != nil || r != nil || c != nil {
		t.Error("a registry differs from itself")
	}
}

func TestCompareFigures(t *testing.T) {
	long := strings.Repeat("words ", 20_000) // 30,000 tokens
	small := fixture.Registry(t, fixture.Entry("a", "Short.", "mcp-a"), fixture.Entry("terminal", "Core.", "core"))
	large := fixture.Registry(t, fixture.Entry("a", long, "mcp-a"), fixture.Entry("terminal", "Core.", "core"))
	auto := func(c *config.Config) { c.ToolSearch.Enabled = config.Auto }
	old, new := built(t, small, auto), built(t, large, auto)
	d := compared(t, old, new)
	if !d.Flipped() || d.Old.Active || !d.New.Active || !d.ModelBytesChanged {
		t.Errorf("active %t, %t, model bytes changed %t", d.Old.Active, d.New.Active, d.ModelBytesChanged)
	}
	// Both sums are rounded up, so that their difference may be one off.
	if grown, want := d.New.EagerTokens-d.Old.EagerTokens, (len(long)-len("Short."))/4; grown != want && grown != want+1 {
		t.Errorf("%d and %d tokens", d.Old.EagerTokens, d.New.EagerTokens)
	}
	for i, side := range []engine.Budget{d.Old, d.New} {
		want := []*engine.Snapshot{old, new}[i].Budget(false)
		want.Toolsets = nil
		if !reflect.DeepEqual(side, want) {
			t.Errorf("side %d is %+v, want %+v", i, side, want)
		}
	}
	if same := compared(t, new, built(t, large, auto)); same.ModelBytesChanged || same.Flipped() || len(same.Changed) > 0 {
		t.Errorf("equal snapshots differ: %+v", same)
	}
}

func TestModelBytes(t *testing.T) {
	a, b := fixture.Entry("a", "A.", "mcp-a"), fixture.Entry("b", "B.", "mcp-a")
	core, other := fixture.Entry("terminal", "Core.", "core"), fixture.Entry("terminal", "Another.", "core")
	off := func(c *config.Config) { c.ToolSearch.Enabled = config.Off }
	tests := []struct {
		name     string
		old, new *engine.Snapshot
		changed  bool
	}{
		{"a deferred tool's description", built(t, fixture.Registry(t, a, b)), built(t, fixture.Registry(t, fixture.Entry("a", "New.", "mcp-a"), b)), false},
		{"the same, but sent", built(t, fixture.Registry(t, a, b), off), built(t, fixture.Registry(t, fixture.Entry("a", "New.", "mcp-a"), b), off), true},
		{"a deferred tool more", built(t, fixture.Registry(t, a)), built(t, fixture.Registry(t, a, b)), true}, // the bridge tells how many
		{"one deferred tool for another", built(t, fixture.Registry(t, a)), built(t, fixture.Registry(t, b)), false},
		{"order of deferred tools", built(t, fixture.Registry(t, a, b)), built(t, fixture.Registry(t, b, a)), false},
		{"order of sent tools", built(t, fixture.Registry(t, a, b), off), built(t, fixture.Registry(t, b, a), off), true},
		{"a core tool", built(t, fixture.Registry(t, a, core)), built(t, fixture.Registry(t, a, other)), true},
		{"toolset", built(t, fixture.Registry(t, a), off), built(t, fixture.Registry(t, fixture.Entry("a", "A.", "mcp-z")), off), false},
		{"activation", built(t, fixture.Registry(t, a)), built(t, fixture.Registry(t, a), off), true},
		{"a sent tool less", built(t, fixture.Registry(t, a, b), off), built(t, fixture.Registry(t, a), off), true},
	}
	for _, tt := range tests {
		if got := compared(t, tt.old, tt.new).ModelBytesChanged; got != tt.changed {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}

func TestCompareEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s := built(t, fixture.Registry(t, fixture.Entry("a", "A.", "mcp-a")))
	if d, err := Compare(ctx, s, s, nil); !errors.Is(err, context.Canceled) || !reflect.DeepEqual(d, Diff{}) {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestCompareTellsTheSizeOfTheRegistry(t *testing.T) {
	sessions := func(c *config.Config) {
		c.Sessions = []config.Session{{Name: "a", Enabled: []string{"mcp-a"}}, {Name: "all"}}
		c.ToolSearch.Enabled = config.Off
	}
	first := fixture.Entry("one", "door", "mcp-a")
	old := built(t, fixture.Registry(t, first, fixture.Entry(engine.ToolSearch, "taken", "mcp-b")), sessions)
	new := built(t, fixture.Registry(t, first, fixture.Entry("two", "a longer description than the other", "mcp-b")), sessions)
	d := compared(t, old, new)
	if d.Old.EagerTokens != d.New.EagerTokens {
		t.Fatalf("the session is granted %d, then %d tokens", d.Old.EagerTokens, d.New.EagerTokens)
	}
	all, err := engine.Build(t.Context(), engine.Inputs{Registry: new.Registry, Config: new.Config, Session: "all"})
	require.NoError(t, err)
	// A tool with a bridge name is one, and is never sent.
	if want := (RegistrySize{2, d.Old.EagerTokens}); d.OldRegistry != want {
		t.Errorf("before %+v, want %+v", d.OldRegistry, want)
	}
	if want := (RegistrySize{2, all.Budget(false).EagerTokens}); d.NewRegistry != want {
		t.Errorf("after %+v, want %+v", d.NewRegistry, want)
	}
}

// What a captured request has beside a function is in the assembly, in the
// budget, in an edit of the tool and in the differences between two captures.
func TestBesideFunctionIsSent(t *testing.T) {
	build := func(beside string) *engine.Snapshot {
		r, err := shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: []byte(`[{"type":"function","function":{"name":"t","description":"Old."}` + beside + `}]`)})
		require.NoError(t, err)
		s, err := engine.NewBuilder().Build(t.Context(), engine.Inputs{Registry: r, Config: config.Default()})
		require.NoError(t, err)
		return s
	}
	s := build(`,"strict": true,"note":"a"`)
	const want = `{"type":"function","function":{"name":"t","description":"Old."},"strict":true,"note":"a"}`
	if got := string(s.Assembly().Definitions()[0]); got != want {
		t.Errorf("sent is %s, want %s", got, want)
	}
	if got, want := s.ToolTokens(s.Registry.Tools[0]), (len(want)+3)/4; got != want {
		t.Errorf("%d tokens, want %d", got, want)
	}
	text := "New."
	edit := whatif.Edit{Tool: s.Registry.Tools[0], Description: &text}
	edited, err := whatif.Apply(t.Context(), engine.NewBuilder(), s, edit)
	require.NoError(t, err)
	if got, want := string(edited.Assembly().Definitions()[0]), strings.Replace(want, "Old.", "New.", 1); got != want {
		t.Errorf("sent is %s, want %s", got, want)
	}
	tried, err := whatif.Try(t.Context(), s, edit)
	require.NoError(t, err)
	if before, after := tried.Tokens(); before != after || before != (len(want)+3)/4 {
		t.Errorf("%d and %d tokens of texts of one length", before, after)
	}
	for beside, same := range map[string]bool{
		`,"strict":true,"note":"a"`:               true,
		`,"strict":true,"note":"\u0061"`:          true, // another way to write it
		`,"strict":true,"note":"a","toolset":"x"`: true,
		`,"strict":false,"note":"a"`:              false,
		`,"strict":true`:                          false,
		``:                                        false,
	} {
		other := build(beside).Registry.Tools[0]
		if got := sameDefinition(s.Registry.Tools[0], other); got != same {
			t.Errorf("beside %s: the same %v, want %v", beside, got, same)
		}
	}
}

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

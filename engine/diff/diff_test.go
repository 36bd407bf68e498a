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

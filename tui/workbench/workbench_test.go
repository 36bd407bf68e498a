package workbench

import (
	"context"
	"errors"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/diff"
	"caliper/engine/labels"
	"caliper/engine/tokens"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
	"caliper/tui/demo"
	"caliper/watch"
)

const (
	good    = `{"toolsets":{"mcp-a":{}},"tools":[{"type":"function","function":{"name":"one","description":"First."},"toolset":"mcp-a"}]}`
	better  = `{"toolsets":{"mcp-a":{}},"tools":[{"type":"function","function":{"name":"one"},"toolset":"mcp-a"},{"type":"function","function":{"name":"two"},"toolset":"mcp-a"}]}`
	broken  = `{"toolsets":{"mcp-a":{}},"tools":[{"type":"function"`
	conf    = "tools: {tool_search: {enabled: on}}\nsessions: {default: {}, narrow: {enabled_toolsets: [mcp-b]}}\n"
	badConf = "tools: {tool_search\n"
)

// input makes an input of a registry and a configuration; an empty
// configuration is none.
func input(registry, config string) Input {
	in := Input{Registry: []watch.File{{Name: "r.json", Data: []byte(registry)}}}
	if config != "" {
		in.Config = &watch.File{Name: "c.yaml", Data: []byte(config)}
	}
	return in
}

func TestLoadKeepsTheLastGoodState(t *testing.T) {
	steps := []struct {
		name     string
		in       Input
		tools    int
		active   bool
		errorsIn []string // file:line of each error
	}{
		{"broken from the start", input(broken, badConf), 0, false, []string{"r.json:1", "c.yaml:"}},
		{"good registry", input(good, badConf), 1, false, []string{"c.yaml:"}},
		{"good config", input(good, conf), 1, true, nil},
		{"registry breaks", input(broken, conf), 1, true, []string{"r.json:1"}},
		{"config changes meanwhile", input(broken, "tools: {tool_search: off}\n"), 1, false, []string{"r.json:1"}},
		{"config breaks too", input(broken, badConf), 1, false, []string{"r.json:1", "c.yaml:"}},
		{"registry recovers", input(better, badConf), 2, false, []string{"c.yaml:"}},
		{"all well", input(better, conf), 2, true, nil},
		{"config taken away", input(better, ""), 2, false, nil},
	}
	w := New()
	for _, step := range steps {
		st, err := w.Load(t.Context(), step.in)
		if err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if n := len(st.Snapshot.Registry.Tools); n != step.tools || st.Budget.Active != step.active {
			t.Errorf("%s: %d tools, active %t; want %d, %t", step.name, n, st.Budget.Active, step.tools, step.active)
		}
		if len(st.Errors) != len(step.errorsIn) {
			t.Fatalf("%s: errors %v, want %v", step.name, st.Errors, step.errorsIn)
		}
		for i, want := range step.errorsIn {
			if !strings.HasPrefix(st.Errors[i].Error(), want) {
				t.Errorf("%s: error %q, want it at %s", step.name, st.Errors[i].Error(), want)
			}
		}
	}
}

func TestLoadParsesWhatChanged(t *testing.T) {
	w := New()
	in := input(good, conf)
	first, err := w.Load(t.Context(), in)
	require.NoError(t, err)
	in.Flags.Session = "narrow"
	second, err := w.Load(t.Context(), in)
	require.NoError(t, err)
	if first.Snapshot.Registry != second.Snapshot.Registry {
		t.Error("the same bytes were parsed twice")
	}
	if second.Budget.Tools != 0 {
		t.Errorf("the narrow session is granted %d tools", second.Budget.Tools)
	}
}

func TestLoadFlags(t *testing.T) {
	in := input(good, conf)
	in.Flags.Session = "nobody"
	var unknown *engine.UnknownSessionError
	if _, err := New().Load(t.Context(), in); !errors.As(err, &unknown) || len(unknown.Known) != 2 {
		t.Errorf("error %v, want an unknown session", err)
	}
	context := 4096
	in.Flags = Flags{Context: &context}
	st, err := New().Load(t.Context(), in)
	require.NoError(t, err)
	if got := st.Budget.ContextLength; got == nil || *got != context {
		t.Errorf("context %v, want %d", got, context)
	}
}

func TestLoadKnobsKeepTheBaseline(t *testing.T) {
	in := input(good, conf)
	in.Flags.Knobs = []Knob{{KnobTokenizer, string(tokens.Cl100k)}, {KnobK1, 2.5}}
	st, err := New().Load(t.Context(), in)
	require.NoError(t, err)
	if got, was := st.Snapshot.Tokenizer, st.Baseline.Snapshot.Tokenizer; got != tokens.Cl100k || was != tokens.Chars4 {
		t.Errorf("counted by %s, before by %s", got, was)
	}
	in.Flags.Tokenizer = tokens.O200k
	if st, err = New().Load(t.Context(), in); err != nil || st.Baseline.Budget.Tokenizer != tokens.O200k || st.Budget.Tokenizer != tokens.Cl100k {
		t.Errorf("%v: counted by %s, before by %s", err, st.Budget.Tokenizer, st.Baseline.Budget.Tokenizer)
	}
	if k1 := st.Baseline.Snapshot.Ranking.K1; k1 == 2.5 || st.Snapshot.Ranking.K1 != 2.5 {
		t.Errorf("k1 %g, before %g", st.Snapshot.Ranking.K1, k1)
	}
	for _, k := range in.Flags.Knobs {
		if k.Written() {
			t.Errorf("%s can be written", k.Key)
		}
	}
	for _, bad := range []any{"chars5", 4.0} {
		in.Flags.Knobs = []Knob{{KnobTokenizer, bad}}
		if _, err := New().Load(t.Context(), in); err == nil {
			t.Errorf("the tokenizer %v is taken", bad)
		}
	}
}

func TestLoadUnreadable(t *testing.T) {
	in := input(good, "")
	in.Registry[0].Err = &fs.PathError{Op: "open", Path: "r.json", Err: fs.ErrNotExist}
	st, err := New().Load(t.Context(), in)
	require.NoError(t, err)
	if len(st.Errors) != 1 || st.Errors[0].Error() != "r.json: file does not exist" {
		t.Errorf("errors %v", st.Errors)
	}
}

func TestLoadWarnsAboutUnknownToolsets(t *testing.T) {
	st, err := New().Load(t.Context(), input(good, conf))
	require.NoError(t, err)
	for _, w := range st.Warnings {
		if w.Code == "unknown_toolset" && w.Line == 2 && w.File == "c.yaml" {
			return
		}
	}
	t.Errorf("no warning that mcp-b is no toolset: %v", st.Warnings)
}

// Every snapshot of a state has the one without the message, which stays while only the
// message changes; rivals send the same tools.
func TestUnasked(t *testing.T) {
	t.Parallel()
	in := input(better, "tools: {core: [], selection: keyword, rag_top_k: 1, rag_core: []}\n")
	in.Rivals, in.Flags.Message = []string{"fielded"}, "two"
	in.Flags.Knobs = []Knob{{Key: KnobB, Value: 0.5}}
	in.Flags.Ranker = "bm25"
	w := New()
	first, err := w.Load(t.Context(), in)
	require.NoError(t, err)
	for name, s := range map[string]*engine.Snapshot{"tried": first.Snapshot, "on disk": first.Baseline.Snapshot, "rival": first.Rivals[0]} {
		if s.Message() != "two" || s.Unasked().Message() != "" || s.Unasked() == s || s.Unasked().Unasked() != s.Unasked() {
			t.Errorf("%s: message %q, without it %q", name, s.Message(), s.Unasked().Message())
		}
		if got := s.Assembly().Tools; len(got) != 1 || got[0].Name != "two" {
			t.Errorf("%s sends %v", name, got)
		}
		if n := len(s.Unasked().Catalog()); n != 2 {
			t.Errorf("%s: %d tools can be searched for without a message", name, n)
		}
	}
	in.Flags.Message = "one"
	if second, err := w.Load(t.Context(), in); err != nil || second.Snapshot.Unasked() != first.Snapshot.Unasked() || second.Snapshot == first.Snapshot {
		t.Errorf("another message: %v, another snapshot without one", err)
	}
}

func TestLoadTellsItsPhases(t *testing.T) {
	w := New()
	var phases []Phase
	load := func(in Input) []Phase {
		phases = nil
		in.Progress = func(p Phase) { phases = append(phases, p) }
		if _, err := w.Load(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		return phases
	}
	in := input(good, conf)
	asked := in
	asked.Flags.Message = "the first"
	for _, step := range []struct {
		name string
		in   Input
		want []Phase
	}{
		{"all is new", in, []Phase{PhaseParsing, PhaseCounting, PhaseIndexing}},
		{"nothing is new", in, nil},
		{"a message", asked, []Phase{PhaseSelecting}},
		{"another comment", input(good, conf+"# other\n"), nil},
		{"another configuration", input(good, conf+"toolsets: {}\nagent: {disabled_toolsets: [mcp-b]}\n"), []Phase{PhaseCounting, PhaseIndexing}},
		{"a broken registry", input(broken, conf), []Phase{PhaseParsing}},
	} {
		if got := load(step.in); !slices.Equal(got, step.want) {
			t.Errorf("%s: %v, want %v", step.name, got, step.want)
		}
	}
	st, err := w.Load(t.Context(), in)
	if err != nil || st.Snapshot.Inputs().Began != nil {
		t.Errorf("a snapshot holds who was told of its build: %v", err)
	}
}

// A save that moves lines brings no warning, whatever place the warnings name.
func TestWarningsThatOnlyMoveAreNotNew(t *testing.T) {
	t.Parallel()
	load := func(before, name string) []model.Diagnostic {
		tools := before + `[{"name":"gull","description":"Counts gulls."},` + before + `{"name":"` + name + `","description":"Feeds gulls."},` +
			before + `{"name":"g\u0443ll","description":"Counts gulls."}, {"name":"gy\u006cl"},{"name":"\uff47ull"}]`
		r, err := shapes.Parse(context.Background(), model.Source{Name: "a.json", Data: []byte(tools)})
		require.NoError(t, err)
		_, faults := labels.Parse("q.jsonl", []byte(before+`{"id":"q","query":"a","relevant":["gull"]}`+"\n"+before+`{"id":"q","query":"b","relevant":["gull"]}`))
		c, err := config.Parse("c.yaml", []byte(before+"tools:\n  defer: []\n"+before+"  defer: []\n"))
		require.NoError(t, err)
		return slices.Concat(r.Warnings, faults, c.Warnings)
	}
	was := load("", "gull")
	if added, gone := warningChanges(was, load("\n\n", "gull")); len(was) < 3 || len(added)+gone > 0 {
		t.Errorf("of %d, %d gone, new are %v", len(was), gone, added)
	}
	if added, gone := warningChanges(was, load("\n\n", "tern")); len(added) > 0 || gone != 1 {
		t.Errorf("without the name that two tools have: %d gone, new are %v", gone, added)
	}
}

func TestReloadsListOnlyQueriesThatMoved(t *testing.T) {
	t.Parallel()
	query := func(text string, rank diff.RankChange) diff.QueryChange {
		return diff.QueryChange{Text: text, Ranks: []diff.RankChange{rank}}
	}
	r := Reload{Diff: diff.Diff{Queries: []diff.QueryChange{
		query("stays", diff.RankChange{Old: 2, New: 2}),
		query("moves", diff.RankChange{Old: 2, New: 1}),
		query("found", diff.RankChange{Old: 9, New: 2, Regained: true}),
		query("lost", diff.RankChange{Old: 2, New: 2, Regressed: true}),
	}}}
	r.rankQueries()
	var got []string
	for _, q := range r.Diff.Queries {
		got = append(got, q.Text)
	}
	if !slices.Equal(got, []string{"lost", "found", "moves"}) || r.Lost != 1 || r.Found != 1 {
		t.Errorf("%q, %d lost, %d found", got, r.Lost, r.Found)
	}
}

// A file of a folder that breaks is as it was when it was last good, and one that was never
// good is left out; the other files are as they are now. The result is the same at each load.
func TestLoadOfAFolder(t *testing.T) {
	t.Parallel()
	tool := func(name string) string {
		return `[{"type":"function","function":{"name":"` + name + `","description":"A tool."}}]`
	}
	folder := func(texts ...string) Input {
		var in Input
		for i, text := range texts {
			f := watch.File{Name: "d/" + string(rune('a'+i)) + ".json", Data: []byte(text), InFolder: true}
			if text == "" {
				f.Data, f.Err = nil, fs.ErrPermission
			}
			in.Registry = append(in.Registry, f)
		}
		return in
	}
	w := New()
	for _, step := range []struct {
		name, tools, errors, broken string
		in                          Input
	}{
		{"all broken", "", "d/a.json d/b.json", "d/a.json", folder("", "")},
		{"one broken", "one", "d/b.json", "", folder(tool("one"), broken)},
		{"both good", "one two", "", "", folder(tool("one"), tool("two"))},
		{"the first breaks", "one two", "d/a.json", "", folder(broken, tool("two"))},
		{"the second changes meanwhile", "one three", "d/a.json", "", folder(broken, tool("three"))},
		{"the first cannot be read", "one four", "d/a.json", "", folder("", tool("four"))},
		{"all break", "one four", "d/a.json d/b.json", "", folder(broken, "")},
		{"the first recovers", "five four", "d/b.json", "", folder(tool("five"), broken)},
		{"the second is gone", "five", "", "", folder(tool("five"))},
		{"a named file breaks", "five", "r.json", "r.json", Input{Registry: []watch.File{{Name: "r.json", Data: []byte(broken)}}}},
	} {
		for range 2 {
			st, err := w.Load(t.Context(), step.in)
			require.NoError(t, err)
			list := func(of []model.Diagnostic) string {
				var names []string
				for _, d := range of {
					names = append(names, d.File)
				}
				return strings.Join(names, " ")
			}
			var tools []string
			for _, tool := range st.Snapshot.Registry.Tools {
				tools = append(tools, tool.Name)
			}
			if got := strings.Join(tools, " "); got != step.tools || list(st.Errors) != step.errors || list(st.Broken()) != step.broken {
				t.Errorf("%s: tools %q, errors %q, of which are about more than a file %q", step.name, got, list(st.Errors), list(st.Broken()))
			}
		}
	}
}

// A load on demand gives what another load gives.
func TestLoadOnDemand(t *testing.T) {
	dump := demo.Registry()
	want := load(t, New(), dump)
	got, err := New().Load(t.Context(), Input{Registry: []watch.File{{Name: "r.json", Data: dump}}, OnDemand: true})
	if err != nil || !slices.Equal(got.Warnings, want.Warnings) || got.Snapshot.Active() != want.Snapshot.Active() || !reflect.DeepEqual(got.Snapshot.Budget(true), want.Budget) {
		t.Errorf("%v, or the states differ", err)
	}
}

// load loads one registry file.
func load(tb testing.TB, w *Workbench, dump []byte) State {
	st, err := w.Load(tb.Context(), Input{Registry: []watch.File{{Name: "r.json", Data: dump}}})
	if err != nil || len(st.Errors) > 0 {
		tb.Fatal(err, st.Errors)
	}
	return st
}

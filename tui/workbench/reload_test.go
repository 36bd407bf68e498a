package workbench

import (
	"context"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/diff"
	"caliper/engine/labels"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
	"caliper/watch"
)

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

package workbench

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caliper/model/require"
	"caliper/watch"
)

func TestFilesOfAFolderAreToolsets(t *testing.T) {
	files := []watch.File{
		{Name: "d/boats.json", Data: []byte(`[{"type":"function","function":{"name":"hire"}}]`), InFolder: true},
		{Name: "d/mail.json", Data: []byte(`[{"type":"function","function":{"name":"send"},"toolset":"post"}]`), InFolder: true},
	}
	st, err := New().Load(t.Context(), Input{Registry: files})
	if err != nil || len(st.Errors) > 0 {
		t.Fatal(err, st.Errors)
	}
	for name, want := range map[string]string{"hire": "boats", "send": "post"} {
		found := st.Snapshot.Registry.Lookup(name)
		if len(found) != 1 || found[0].Toolset != want {
			t.Errorf("%s is of %v, want %s", name, found, want)
		}
	}
}

// A captured request names no toolsets. The servers that the configuration
// has tell them, so that a scope of theirs grants their tools, and does so anew
// when the configuration changes.
func TestCapturedRequestIsInScope(t *testing.T) {
	const request = `{"model":"m","messages":[],"tools":[{"type":"function","function":{"name":"mcp_git_hub_open"}},{"type":"function","function":{"name":"mcp_git_tag"}},{"type":"function","function":{"name":"terminal"}}]}`
	w := New()
	for _, c := range []struct{ config, want string }{
		{"mcp_servers: {git: {}, git-hub: {}}\nsessions: {default: {enabled_toolsets: [mcp-git-hub]}}\n", "mcp_git_hub_open"},
		{"mcp_servers: {git: {}, git-hub: {}}\nsessions: {default: {enabled_toolsets: [git]}}\n", "mcp_git_tag"},
		{"sessions: {default: {enabled_toolsets: [mcp-git]}}\n", "mcp_git_hub_open mcp_git_tag"},
		{"mcp_servers: {git-hub: {}}\n", "mcp_git_hub_open mcp_git_tag terminal"},
	} {
		st, err := w.Load(t.Context(), input(request, c.config))
		if err != nil || len(st.Errors) > 0 {
			t.Fatal(err, st.Errors)
		}
		var granted []string
		for _, tool := range st.Snapshot.Registry.Tools {
			if st.Snapshot.Granted(tool) {
				granted = append(granted, tool.Name)
			}
		}
		if got := strings.Join(granted, " "); got != c.want {
			t.Errorf("%s grants %q, want %q", c.config, got, c.want)
		}
	}
}

// A watched folder is read as it is at a start: YAML about something else is left out, and
// a folder of nothing else has no dump.
func TestOfFolders(t *testing.T) {
	file := func(path, data string) watch.File {
		return watch.File{Name: path, Data: []byte(data), InFolder: strings.HasPrefix(path, "d/")}
	}
	api, ci := file("d/api.yaml", "openapi: 3.0.0\npaths: {}\n"), file("d/ci.yaml", "name: ci\n")
	named := ci
	named.InFolder = false
	for _, c := range []struct {
		files []watch.File
		want  []string
	}{
		{[]watch.File{api, ci}, []string{"d/api.yaml"}},
		{[]watch.File{named}, []string{"d/ci.yaml"}},
		{[]watch.File{ci, file("d/x.yml", "a: 1\n"), file("e.json", "[]")}, []string{"e.json", "d: " + ErrNoDump.Error()}},
		{[]watch.File{{Name: "d", Err: watch.ErrNoFiles}}, []string{"d: " + ErrNoDump.Error()}},
	} {
		var got []string
		for _, f := range OfFolders(c.files) {
			if f.Err != nil {
				f.Name += ": " + f.Err.Error()
			}
			got = append(got, f.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// skillFile is the file of a skill of a folder s.
func skillFile(name, text string) watch.File {
	return watch.File{Name: "s/" + name + "/SKILL.md", Data: []byte(text), InFolder: true}
}

const ovenSkill = "---\nname: oven\ndescription: Bakes bread.\n---\n"

// A skill that breaks is as it was; beside the tools it changes none of their answers.
func TestSkillsKeepTheirLastGoodState(t *testing.T) {
	w := New()
	dump := watch.File{Name: "r.json", Data: []byte(`[{"type":"function","function":{"name":"bake","description":"Bakes bread."}}]`)}
	without, err := New().Load(t.Context(), Input{Registry: []watch.File{dump}})
	require.NoError(t, err)
	oven := skillFile("oven", ovenSkill)
	for _, c := range []struct {
		name   string
		files  []watch.File
		skills string
		faults int
	}{
		{"one", []watch.File{dump, oven}, "oven", 0},
		{"the same file is not parsed again", []watch.File{dump, oven}, "oven", 0},
		{"broken", []watch.File{dump, skillFile("oven", "---\nname: oven\n---\n")}, "oven", 1},
		{"unreadable", []watch.File{dump, {Name: oven.Name, InFolder: true, Err: os.ErrPermission}}, "oven", 1},
		{"whole again, and another", []watch.File{dump, skillFile("bowl", "---\nname: bowl\ndescription: Holds.\n---\n"), oven}, "bowl oven", 0},
		{"gone", []watch.File{dump}, "", 0},
		{"broken from the start", []watch.File{dump, skillFile("oven", "---\n")}, "", 1},
	} {
		before := w.skills[oven.Name]
		st, err := w.Load(t.Context(), Input{Registry: c.files})
		require.NoError(t, err)
		var names []string
		for _, s := range st.Skills {
			names = append(names, s.Name)
		}
		if got := strings.Join(names, " "); got != c.skills || len(st.LeftOut) != c.faults || len(st.Errors) != c.faults {
			t.Errorf("%s: skills %q, errors %v", c.name, got, st.Errors)
		}
		if strings.HasPrefix(c.name, "the same") && w.skills[oven.Name] != before {
			t.Errorf("%s: it was", c.name)
		}
		if hits := st.SearchSkills("bake bread", 5); (len(hits) == 1) != strings.Contains(c.skills, "oven") || len(hits) > 0 && (hits[0].Name != "oven" || hits[0].Rank != 1) {
			t.Errorf("%s: found %v", c.name, hits)
		}
		got, _ := st.Snapshot.Bridge("tool_search", []byte(`{"query":"bread"}`))
		want, _ := without.Snapshot.Bridge("tool_search", []byte(`{"query":"bread"}`))
		if string(got) != string(want) {
			t.Errorf("%s: the bridge answers %s, want %s", c.name, got, want)
		}
	}
}

// A folder is read one folder deep, without hidden folders and what is no file.
func TestReadRegistryReadsSkills(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"oven", ".git", "group/inner", "empty"} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.FromSlash(name)), 0o755))
		if name != "empty" {
			require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(name), "SKILL.md"), []byte(ovenSkill), 0o644))
		}
	}
	if err := os.Symlink(filepath.Join(dir, "group", "inner"), filepath.Join(dir, "linked")); err != nil {
		t.Skip(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "odd"), 0o755); err == nil {
		err = os.Mkdir(filepath.Join(dir, "odd", "SKILL.md"), 0o755)
		require.NoError(t, err)
	}
	files, err := ReadRegistry(dir)
	var names []string
	for _, f := range files {
		name, _ := filepath.Rel(dir, f.Name)
		names = append(names, filepath.ToSlash(name))
	}
	if got := strings.Join(names, " "); err != nil || got != "linked/SKILL.md oven/SKILL.md" {
		t.Errorf("%q, %v", got, err)
	}
	if watched := OfFolders(files); len(watched) != len(files) {
		t.Errorf("%d of %d are kept", len(watched), len(files))
	}
}

// TestShortName: a message about one of many skills says which.
func TestShortName(t *testing.T) {
	for path, want := range map[string]string{
		"/home/u/registry.json":                 "registry.json",
		"/home/u/.claude/skills/tidy/SKILL.md":  filepath.Join("tidy", "SKILL.md"),
		"/home/u/.claude/skills/tidy/SKILL.txt": "SKILL.txt",
	} {
		if got := ShortName(filepath.FromSlash(path)); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

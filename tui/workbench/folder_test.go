package workbench

import (
	"slices"
	"strings"
	"testing"

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

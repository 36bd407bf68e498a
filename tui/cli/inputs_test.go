package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caliper/tui"
	"caliper/tui/workbench"
	"caliper/watch"
)

func TestRegistryFile(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"a.json": true, "a.JSON": true, "a.jsonl": true, "a.txt": true, "a.json.bak": false, "a.yaml": true, "a.YML": true, "a.ndjson": true, "a.csv": false,
		".a.json": false, ".a.yaml": false, "json": false, ".json": false, "..data": false,
	} {
		if got := workbench.RegistryFile(name); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// Most YAML is about something else than tools, and lies beside them.
func TestOtherYAML(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, data string
		want       bool
	}{
		{"api.yaml", "openapi: 3.0.0\npaths: {}\n", false},
		{"list.yaml", "- name: dock\n  description: Docks.\n  inputSchema: {type: object}\n", false},
		{"tools.yml", "tools:\n- name: dock\n  parameters: {type: object}\n", false},
		{"tools.YAML", "{\"tools\": []}", false},
		{"broken.yaml", "tools:\n- name: [dock\n", false},
		{"tools.json", "name: ci\n", false},
		{"config.yaml", "platform_toolsets:\n  cli: [a]\ntools:\n  tool_search:\n    enabled: auto\n", true},
		{"servers.yaml", "tools: {}\nmcp_servers:\n  a: {command: x}\n", true},
		{"ci.yaml", "name: ci\non: push\n", true},
		{"hosts.yaml", "- hosts: all\n  tasks: []\n", true},
	} {
		if got := workbench.OtherYAML(watch.File{Name: c.name, Data: []byte(c.data)}); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
	if workbench.OtherYAML(watch.File{Name: "tools.yaml", Err: os.ErrPermission}) {
		t.Error("a file that cannot be read is passed over, and nobody is told")
	}
}

// A folder of a registry has the tools that import reads of it.
func TestFolderWithYAML(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write := func(name, data string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("config.yaml", "platform_toolsets:\n  cli: [a]\ntools: {}\n")
	if _, err := workbench.ReadRegistry(folder); err == nil || !strings.Contains(err.Error(), workbench.ErrNoDump.Error()) {
		t.Errorf("a folder without tools: %v", err)
	}
	if err := os.Mkdir(filepath.Join(folder, "inner"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(folder, "config.yaml")); err != nil {
		t.Fatal(err)
	}
	if _, err := workbench.ReadRegistry(folder); err == nil || !strings.Contains(err.Error(), "import --recursive") {
		t.Errorf("a folder of folders: %v", err)
	}
	write("config.yaml", "platform_toolsets:\n  cli: [a]\ntools: {}\n")
	write("api.yaml", "openapi: 3.0.0\npaths: {}\n")
	write("more.ndjson", `{"name":"dock","inputSchema":{}}`)
	files, err := workbench.ReadRegistry(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, filepath.Base(f.Name))
	}
	if want := []string{"api.yaml", "more.ndjson"}; !slices.Equal(names, want) {
		t.Errorf("read %q, want %q", names, want)
	}
	imported, wrong := (&importing{}).filesOf(folder)
	if wrong != nil || len(imported) != len(files) {
		t.Errorf("import reads %d files, %v", len(imported), wrong)
	}
}

// Files that the explorer makes stand beside the registry, and not in it.
func TestBeside(t *testing.T) {
	for _, tt := range []struct {
		registry []string
		config   string
		want     string
	}{
		{[]string{"a/r.json", "b/s.json"}, "c/config.yaml", "a/x"},
		{[]string{"a/dumps/"}, "", "a/x"},
		{nil, "c/config.yaml", "c/x"},
		{nil, "", ""},
	} {
		if got := beside(tui.Options{Registry: tt.registry, Config: tt.config}, "x"); got != filepath.FromSlash(tt.want) {
			t.Errorf("%v, %q: %q, want %q", tt.registry, tt.config, got, tt.want)
		}
	}
}

package cli

import (
	"os"
	"path/filepath"
	"testing"

	"caliper/model/require"
	"caliper/model/safetext"
	"caliper/tui"
	"caliper/tui/cli/runner"
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

// JSON shows a terminal nothing that text would mask, and is the same value as
// elsewhere, where harmless text stays as it is.
func TestJSONOnATerminal(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	registry := filepath.Join(folder, "r.json")
	const hostile = "A\ue000 private\u0378 zalgo" + "\u0301\u0301\u0301\u0301\u0301\u0301 text"
	dump := `[{"type":"function","function":{"name":"hostile","description":"` + hostile + `","parameters":{"type":"object","properties":{"` + hostile + `":{"type":"string"}}}}}]`
	require.NoError(t, os.WriteFile(registry, []byte(dump), 0o600))
	for _, args := range [][]string{
		{"assembly", "--json"}, {"describe", "hostile", "--json"}, {"search", "zalgo", "--json"},
		{"select", "zalgo", "--bytes"}, {"export", "--shape", "openai"}, {"lint", "--json"},
	} {
		args = append(args, "--registry", registry)
		_, plain, _ := commandIn(t, runner.Env{}, "", args...)
		_, out, complaints := commandIn(t, runner.Env{StdoutTerminal: true, Width: 80}, "", args...)
		if clean := safetext.Lines(out); out == "" || clean != out {
			t.Errorf("%q: %s%s", args, out, complaints)
		}
		if string(safetext.EscapeMasked([]byte(plain))) != out {
			t.Errorf("%q differs: %s, and elsewhere %s", args, out, plain)
		}
	}
	_, out, complaints := commandIn(t, runner.Env{StdoutTerminal: true, Width: 80}, "", "import", registry)
	if clean := safetext.Lines(out); out == "" || clean != out {
		t.Errorf("import: %s%s", out, complaints)
	}
}

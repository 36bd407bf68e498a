package connect

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caliper/model"
	"caliper/model/require"
	"caliper/tui/desk"
	"caliper/tui/workbench"
)

// A folder of a registry has the tools that import reads of it.
func TestFolderWithYAML(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write := func(name, data string) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(data), 0o600))
	}
	write("config.yaml", "platform_toolsets:\n  cli: [a]\ntools: {}\n")
	if _, err := workbench.ReadRegistry(folder); err == nil || !strings.Contains(err.Error(), workbench.ErrNoDump.Error()) {
		t.Errorf("a folder without tools: %v", err)
	}
	require.NoError(t, os.Mkdir(filepath.Join(folder, "inner"), 0o700))
	require.NoError(t, os.Remove(filepath.Join(folder, "config.yaml")))
	if _, err := workbench.ReadRegistry(folder); err == nil || !strings.Contains(err.Error(), "import --recursive") {
		t.Errorf("a folder of folders: %v", err)
	}
	write("config.yaml", "platform_toolsets:\n  cli: [a]\ntools: {}\n")
	write("api.yaml", "openapi: 3.0.0\npaths: {}\n")
	write("more.ndjson", `{"name":"dock","inputSchema":{}}`)
	files, err := workbench.ReadRegistry(folder)
	require.NoError(t, err)
	var names []string
	for _, f := range files {
		names = append(names, filepath.Base(f.Name))
	}
	if want := []string{"api.yaml", "more.ndjson"}; !slices.Equal(names, want) {
		t.Errorf("read %q, want %q", names, want)
	}
	imported, wrong := (&Importing{}).filesOf(folder)
	if wrong != nil || len(imported) != len(files) {
		t.Errorf("import reads %d files, %v", len(imported), wrong)
	}
}

// A registry is named after the files that it comes of, is the same for the same
// choice, and stays in its folder whatever these are called.
func TestRegistryName(t *testing.T) {
	t.Parallel()
	server := func(file, name string) desk.OfferServer {
		s := desk.OfferServer{File: file}
		s.Name = name
		return s
	}
	claude, codex := server("/home/me/.claude.json", "a"), server("/home/me/.codex/config.toml", "b")
	for _, tt := range []struct {
		servers []desk.OfferServer
		begins  string
	}{
		{[]desk.OfferServer{claude}, "claude-"},
		{[]desk.OfferServer{claude, codex}, "claude+codex-"},
		{[]desk.OfferServer{server("/x/../..\x1b/mcp.json", "a")}, "__-"},
		{[]desk.OfferServer{server("/"+strings.Repeat("l", 300)+".json", "a")}, strings.Repeat("l", 60) + "-"},
	} {
		name := registryName(tt.servers)
		rest, ok := strings.CutPrefix(name, tt.begins)
		if !ok || len(rest) != len("12345678.json") || filepath.Base(name) != name || name != registryName(tt.servers) {
			t.Errorf("%q, want %s and a hash", name, tt.begins)
		}
	}
	if registryName([]desk.OfferServer{claude}) == registryName([]desk.OfferServer{server("/home/me/.claude.json", "other")}) {
		t.Error("two choices have one registry")
	}
}

// TestInstructionsThatAreCut: an import warns of what a client cuts of a server's
// instructions, as lint and serve do.
func TestInstructionsThatAreCut(t *testing.T) {
	t.Parallel()
	r := &model.Registry{Toolsets: []*model.Toolset{
		{ShownName: "mcp-a", Instructions: strings.Repeat("é", 2048)},
		{ShownName: "mcp-b", Instructions: strings.Repeat("é", 2049)}}}
	warnOfRefusals(r)
	want := "mcp-b: instructions of 2049 characters: Claude Code takes 2048"
	if len(r.Warnings) != 1 || r.Warnings[0].Error() != want {
		t.Errorf("got %v, want %q", r.Warnings, want)
	}
}

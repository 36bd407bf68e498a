package connect

import (
	"caliper/model/require"
	"caliper/tui/workbench"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
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

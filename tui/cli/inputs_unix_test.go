//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"caliper/tui/workbench"
)

// A FIFO in a folder of dumps is no dump: a read of it would never end.
func TestFolderWithoutItsFIFOs(t *testing.T) {
	folder := t.TempDir()
	dump := filepath.Join(folder, "b.json")
	if err := os.WriteFile(dump, []byte(`[]`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(folder, "a.json"), 0o600); err != nil {
		t.Skip(err)
	}
	if got, _, err := workbench.NamesIn(folder, workbench.RegistryFile); err != nil || !slices.Equal(got, []string{dump}) {
		t.Errorf("files are %q, %v", got, err)
	}
}

// A FIFO has no content to change: config set says so and does not wait for a writer.
func TestSetOnAFIFO(t *testing.T) {
	name := filepath.Join(t.TempDir(), "config.yaml")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	for _, more := range [][]string{nil, {"--dry-run"}} {
		code, out, complaints := command(t, append([]string{"config", "set", "tools.tool_search.threshold_pct", "12", "--config", name}, more...)...)
		if code != 2 || out != "" || !strings.HasSuffix(complaints, "config.yaml: not a regular file\n") {
			t.Errorf("%q: exit code %d, %q, %q", more, code, out, complaints)
		}
	}
}

package cli

import (
	"os"
	"path/filepath"
	"testing"

	"caliper/model/require"
	"caliper/model/safetext"
	"caliper/tui/cli/runner"
)

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

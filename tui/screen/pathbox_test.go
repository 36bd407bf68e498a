package screen

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/require"
	"caliper/tui/ui"
)

// stub is a host without an app.
type stub struct{ Host }

func (stub) Context() context.Context        { return context.Background() }
func (stub) Notify(ui.Level, string) tea.Cmd { return nil }

// A path is meant without quotes around it, and with the home folder for ~.
func TestTyped(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "'": "'", " a.json ": "a.json", "'/a b/c.json'": "/a b/c.json", `"x"`: "x", "~/r.json": "/home/ada/r.json", "~": "~", "~bob/x": "~bob/x",
		"~/": "/home/ada/",
	} {
		if got := TypedPath("/home/ada", text); got != want {
			t.Errorf("Typed(%q) is %q, want %q", text, got, want)
		}
	}
}

// Tab types what all names share, and the whole name where only one is left.
func TestComplete(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for _, name := range []string{"result-one.json", "result-two.json", ".hidden"} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), nil, 0o600))
	}
	b := NewPathBox(stub{}, "", "", "", false, nil)
	b.field.Set(filepath.Join(folder, "re"))
	b.found = []string{"result-one.json", "result-two.json", ".hidden"}
	b.complete()
	if got, want := b.field.Value(), filepath.Join(folder, "result-"); got != want {
		t.Fatalf("completed to %q, want %q", got, want)
	}
	b.field.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'t'}})
	b.found = []string{"result-one.json", "result-two.json", ".hidden"}
	b.complete()
	if got, want := b.path(), filepath.Join(folder, "result-two.json"); got != want {
		t.Errorf("completed to %q, want %q", got, want)
	}
}

// Enter takes the typed text, the only name that begins like it, or the name under the
// cursor, and enters a folder. Where a folder may be taken, its whole path takes it.
func TestTake(t *testing.T) {
	t.Parallel()
	names := []string{"big.txt", "logs/", "report-1.json", "report-2.json", "report-2.json.bak"}
	for _, x := range []struct {
		name, typed string
		down        int
		took, left  string // left is in the field where nothing was taken
		folders     bool
	}{
		{"a whole name", "big.txt", 0, "big.txt", "", false},
		{"a name that others begin with", "report-2.json", 0, "report-2.json", "", false},
		{"the beginning of one name", "bi", 0, "big.txt", "", false},
		{"the beginning of several", "rep", 0, "", "rep", false},
		{"one of several is chosen", "rep", 2, "report-2.json", "", false},
		{"the beginning of a folder", "lo", 0, "", "logs/", false},
		{"the whole name of a folder", "logs", 0, "", "logs/", false},
		{"a folder that was entered", "logs/", 0, "", "logs/", false},
		{"a folder is chosen", "", 2, "", "logs/", false},
		{"no name", "else.txt", 0, "else.txt", "", false},
		{"nothing", "", 0, "", "", false},
		{"a folder may be taken", "logs", 0, "logs", "", true},
		{"and with its separator", "logs/", 0, "logs/", "", true},
		{"its beginning enters it", "lo", 0, "", "logs/", true},
		{"the cursor, too", "", 2, "", "logs/", true},
		{"or a file", "big.txt", 0, "big.txt", "", true},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			took := ""
			b := NewPathBox(stub{}, "", "", "", x.folders, nil)
			b.field.Set(x.typed)
			b.found = names
			b.Move(x.down)
			b.take(func(path string) tea.Cmd { took = path; return nil })
			if took != x.took || took == "" && b.field.Value() != x.left {
				t.Errorf("took %q, and %q is left", took, b.field.Value())
			}
		})
	}
}

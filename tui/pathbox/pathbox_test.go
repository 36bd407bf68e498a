package pathbox

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/screen"
)

// home is a host whose home folder is known.
type home struct {
	screen.Host
	folder string
}

func (h home) Getenv(string) string     { return h.folder }
func (h home) Context() context.Context { return context.Background() }

// A path is meant without quotes around it, and with the home folder for ~.
func TestTyped(t *testing.T) {
	t.Parallel()
	h := home{folder: "/home/ada"}
	for text, want := range map[string]string{
		"": "", "'": "'", " a.json ": "a.json", "'/a b/c.json'": "/a b/c.json", `"x"`: "x", "~/r.json": "/home/ada/r.json", "~": "~", "~bob/x": "~bob/x",
		"~/": "/home/ada/",
	} {
		if got := Typed(h, text); got != want {
			t.Errorf("Typed(%q) is %q, want %q", text, got, want)
		}
	}
}

// Tab types what all names share, and the whole name where only one is left.
func TestComplete(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for _, name := range []string{"result-one.json", "result-two.json", ".hidden"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := New(home{}, "", "", nil)
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

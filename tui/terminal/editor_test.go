package terminal

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// environment returns a getenv of the given variables.
func environment(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestCommandLine(t *testing.T) {
	tests := []struct {
		name   string
		getenv func(string) string
		line   int
		want   []string
	}{
		{"none named", environment(), 3, []string{"vi", "+3", "f"}},
		{"VISUAL before EDITOR", environment("VISUAL", "nano", "EDITOR", "vi"), 3, []string{"nano", "+3", "f"}},
		{"blank VISUAL", environment("VISUAL", " ", "EDITOR", "nano"), 3, []string{"nano", "+3", "f"}},
		{"words and quotes", environment("EDITOR", `'/opt/my editor/vim' -u "a b" c\ d`), 3, []string{"/opt/my editor/vim", "-u", "a b", "c d", "+3", "f"}},
		{"a window of its own", environment("EDITOR", "code"), 3, []string{"code", "--wait", "-g", "f:3"}},
		{"file and line in one", environment("EDITOR", "hx"), 3, []string{"hx", "f:3"}},
		{"on Windows", environment("EDITOR", "code.exe"), 3, []string{"code.exe", "--wait", "-g", "f:3"}},
		{"unknown editors get no line", environment("EDITOR", "mine"), 3, []string{"mine", "f"}},
		{"no line", environment("EDITOR", "vi"), 0, []string{"vi", "f"}},
	}
	for _, tt := range tests {
		got, err := editorCommand(tt.getenv, "f", tt.line)
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, %v, want %q", tt.name, got, err, tt.want)
		}
	}
	for _, words := range []string{`vi "a`, `vi \`, `""`, `''`} {
		if got, err := editorCommand(environment("EDITOR", words), "f", 1); err == nil {
			t.Errorf("%s: %q", words, got)
		}
	}
}

// A text whose editor cannot begin goes back to whoever asked, and no file stays.
func TestTextWithoutEditor(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	got, ok := NewEditedTexts(environment("EDITOR", `"`)).Edit("caliper-*.txt", "a", func(text string, err error) tea.Msg { return text })().(EditorClosedMsg)
	if !ok || got.Err == nil || got.Then != "a" {
		t.Errorf("%+v", got)
	}
	if left, _ := filepath.Glob(filepath.Join(folder, "*")); len(left) > 0 {
		t.Errorf("left: %s", strings.Join(left, " "))
	}
	if got := OpenInEditor(environment("EDITOR", `"`), "f", 1)().(EditorClosedMsg); got.Err == nil || got.Then != nil {
		t.Errorf("%+v", got)
	}
}

// A text whose editor has not closed goes with the program, and none begins after that.
func TestRemove(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	texts := NewEditedTexts(environment("EDITOR", "mine"))
	edit := texts.Edit("caliper-*.txt", "a", func(text string, err error) tea.Msg { return text })
	if _, ok := edit().(EditorReadyMsg); !ok {
		t.Fatal("no editor")
	}
	left := func() []string {
		names, _ := filepath.Glob(filepath.Join(folder, "*"))
		return names
	}
	if len(left()) != 1 {
		t.Fatalf("%q", left())
	}
	if texts.Remove(); len(left()) > 0 {
		t.Errorf("left: %q", left())
	}
	if got, ok := edit().(EditorClosedMsg); !ok || got.Err == nil || got.Then != "a" || len(left()) > 0 {
		t.Errorf("%+v, left: %q", got, left())
	}
}

package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"caliper/model"
	"caliper/model/require"
	"caliper/tui/demo"
	"caliper/tui/desk"
	"caliper/tui/screen"
	"caliper/tui/terminal"
)

// viewCount returns how many views a screen has now.
func viewCount(s screen.Screen) int {
	names, _ := s.Views()
	return max(1, len(names))
}

// TestScreensFitAnySize goes through the views of every screen at random sizes: the driver checks
// after each key that the screen has its size and holds no control characters.
func TestScreensFitAnySize(t *testing.T) {
	t.Parallel()
	d := withEverything(t, 120, 36)
	a := d.app()
	keys := []string{"v", "tab", "down", "up", "G", "g", "pgdown", "left", "right", "+", "d", "e", "esc", "n", ">"}
	rapid.Check(t, func(rt *rapid.T) {
		d.Press("esc", "esc", "esc")
		a.goTo(rapid.IntRange(0, len(a.screens)-1).Draw(rt, "screen"))
		d.Screen() // some screens know their views when they are drawn
		a.screen().ShowView(rapid.IntRange(0, viewCount(a.screen())-1).Draw(rt, "view"))
		for range rapid.IntRange(1, 8).Draw(rt, "presses") {
			d.Resize(rapid.IntRange(1, 200).Draw(rt, "w"), rapid.IntRange(1, 60).Draw(rt, "h"))
			d.Press(rapid.SampledFrom(keys).Draw(rt, "key")).settle()
		}
	})
}

// TestLongValueIsWholeInItsBox: a value that the field has no room for is below it.
func TestLongValueIsWholeInItsBox(t *testing.T) {
	t.Parallel()
	a := explorer(t, 80, 24).app()
	k := desk.KnobOf("tools.rag_embed_model")
	long := "ollama:" + strings.Repeat("embedding-", 9) + "end"
	a.knobs.Put(k, long)
	a.typeKnob(k)
	var text strings.Builder
	for _, line := range a.top().Draw(a.theme, 80, 24) {
		text.WriteString(strings.Trim(ansi.Strip(line), " │╭╮╰╯"))
	}
	if got := text.String(); !strings.Contains(got, long) {
		t.Errorf("the box does not show %s: %s", long, got)
	}
}

// A description that cannot be edited in Explore is edited in the editor, and then tried; one
// that can goes on there.
func TestTrialInTheEditor(t *testing.T) {
	t.Parallel()
	bin := filepath.Join(t.TempDir(), "ed")
	require.NoError(t, os.WriteFile(bin, nil, 0o700))
	opt := testOptions(demo.Registry(), demo.Config())
	opt.Lookup = func(name string) (string, bool) { return bin, name == "EDITOR" }
	d := startExplorer(t, opt, 120, 36)
	edit := func(tool, left string, failed error) *driver {
		ready, ok := d.app().explore.Draft(&model.Tool{Qualified: tool}, "a\n\tb")().(terminal.EditorReadyMsg)
		if !ok {
			t.Fatal("no editor")
		}
		path := ready.Args[len(ready.Args)-1]
		if data, err := os.ReadFile(path); err != nil || string(data) != "a\n\tb\n" {
			t.Errorf("%v, the file has %q", err, data)
		}
		require.NoError(t, os.WriteFile(path, []byte(left+"\n"), 0o600))
		closed := ready.Closed(failed)
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			t.Error("the file stays")
		}
		d.Send(closed)
		return d
	}
	edit("mcp_wiki_touch", "Confirm that the handbook article is still correct.", nil).settle().wants("WHAT IF")
	edit("nobody", "x", nil).wants("the registry has no nobody any more")

	d.Press("esc", "esc").Press("t")
	d.app().explore.Draft(d.app().state.Snapshot.Registry.Named("mcp_wiki_touch"), "Touch.")
	edit("mcp_wiki_touch", "one\n two", nil).settle().wants("┃ one", "┃  two", "keep as trial")
	edit("mcp_wiki_touch", "three", os.ErrNotExist).settle().wants("┃  two")
}

// What the editor was to edit goes with the explorer, although the editor has not run.
func TestNoTextStaysBehind(t *testing.T) {
	t.Parallel()
	opt := testOptions(demo.Registry(), demo.Config())
	opt.Lookup = func(name string) (string, bool) { return "mine", name == "EDITOR" }
	d := startExplorer(t, opt, 120, 36)
	ready, ok := d.app().texts.Edit("caliper-stays-*.txt", "a", func(string, error) tea.Msg { return nil })().(terminal.EditorReadyMsg)
	if !ok {
		t.Fatal("no editor")
	}
	d.Press("ctrl+c")
	if _, err := os.Stat(ready.Args[len(ready.Args)-1]); !os.IsNotExist(err) {
		t.Errorf("it stays: %v", err)
	}
}

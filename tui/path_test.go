package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/require"
	"caliper/tui/screen"
)

// A path is meant without quotes around it, and with the home folder for ~.
func TestTypedPath(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "'": "'", " a.json ": "a.json", "'/a b/c.json'": "/a b/c.json", `"x"`: "x", "~/r.json": "/home/ada/r.json", "~": "~", "~bob/x": "~bob/x",
		"~/": "/home/ada/",
	} {
		if got := screen.TypedPath("/home/ada", text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// Enter takes the typed path, the only name that begins like it, or the name under the
// cursor, and enters a folder. Where a folder may be taken, its whole path takes it. Tab
// types what all names share, and the whole name where only one is left.
func TestPathIsTaken(t *testing.T) {
	t.Parallel()
	folder := require.ShortFolder(t) + "/"
	require.NoError(t, os.Mkdir(folder+"logs", 0o700))
	for _, name := range []string{"big.txt", "report-1.json", "report-2.json", "report-2.json.bak", ".hidden", "logs/inside.txt"} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), nil, 0o600))
	}
	d := explorer(t, 120, 36).Press("esc")
	for _, x := range []struct {
		name, typed, keys string
		took, left        string // left is in the field where nothing was taken
		folders           bool
	}{
		{"a whole name", "big.txt", "enter", "big.txt", "", false},
		{"a name that others begin with", "report-2.json", "enter", "report-2.json", "", false},
		{"the beginning of one name", "bi", "enter", "big.txt", "", false},
		{"the beginning of several", "rep", "enter", "", "rep", false},
		{"one of several is chosen", "rep", "down down enter", "report-2.json", "", false},
		{"the beginning of a folder", "lo", "enter", "", "logs/", false},
		{"the whole name of a folder", "logs", "enter", "", "logs/", false},
		{"a folder that was entered", "logs/", "enter", "", "logs/", false},
		{"a folder is chosen", "", "down down enter", "", "logs/", false},
		{"no name", "else.txt", "enter", "else.txt", "", false},
		{"nothing", "", "enter", "", "", false},
		{"a folder may be taken", "logs", "enter", "logs", "", true},
		{"and with its separator", "logs/", "enter", "logs/", "", true},
		{"its beginning enters it", "lo", "enter", "", "logs/", true},
		{"the cursor, too", "", "down down enter", "", "logs/", true},
		{"or a file", "big.txt", "enter", "big.txt", "", true},
		{"tab types what all share", "re", "tab", "", "report-", false},
		{"and a whole name", "report-1", "tab enter", "report-1.json", "", false},
	} {
		took := ""
		d.run(d.app().AskPath("a file", "take", x.folders, func(path string) tea.Cmd { took = path; return nil }))
		d.Paste(folder + x.typed).Press(strings.Fields(x.keys)...)
		if got := strings.TrimPrefix(took, folder); got != x.took {
			t.Errorf("%s: took %q", x.name, got)
		}
		if took == "" {
			d.wants(folder + x.left + " ").Press("esc")
		}
	}
}

//go:build unix

package e2e

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"caliper/model/require"
)

// editorSwitch is the environment variable that turns the test binary into an
// editor.
const editorSwitch = "CALIPER_E2E_EDITOR"

// edit is that editor. It shows how it was called and the content of the file,
// and takes lines until an empty one, which replace the file. Without any it
// leaves the file alone. With the switch set to fail it ends with an error.
func edit(args []string) int {
	file := args[len(args)-1]
	data, err := os.ReadFile(file)
	if err != nil {
		fmt.Println("EDITOR CANNOT READ", err)
		return 1
	}
	fmt.Printf("EDITING %q\n", args[:len(args)-1])
	fmt.Printf("NAME %s\nTEXT %.60s\n", filepath.Base(file), data)
	var lines []string
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() && in.Text() != "" {
		lines = append(lines, in.Text())
	}
	if len(lines) > 0 {
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			return 1
		}
	}
	if os.Getenv(editorSwitch) == "fail" {
		return 3
	}
	return 0
}

// withEditor lets the program find the editor under a name, with words behind
// it that only a shell's rules keep apart.
func withEditor(t *testing.T, set setup, name, words, mode string) setup {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	folder := filepath.Join(t.TempDir(), "an editor")
	mkdir(t, folder)
	require.NoError(t, os.Symlink(self, filepath.Join(folder, name)))
	set.env = append(set.env, editorSwitch+"="+mode, fmt.Sprintf("EDITOR='%s' %s", filepath.Join(folder, name), words))
	return set
}

func TestEditArguments(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		mode  string
		lines []string
		shows []string
	}{
		{"one line", "on", []string{`{"crate": 7}`}, []string{"ALLOWED", "warn", `{"crate": 7}`}},
		{"editor fails", "fail", nil, []string{"editor", "exit status 3", `{"crate":""}`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tmp := t.TempDir()
			set := withEditor(t, newSite(t, 30).setup(), "pen", `--mode 'two words'`, tt.mode)
			set.env = append(set.env, "TMPDIR="+tmp)
			x := start(t, set)
			x.Until("30 tools")
			x.search("weigh")
			x.Key("tab", "e", "ctrl+o")
			s := x.Until(`EDITING ["--mode" "two words"]`, `TEXT {"crate":""}`)
			if s.alt {
				t.Error("the editor runs on the alternate screen")
			}
			if x.Raw() {
				t.Error("the editor gets the terminal in raw mode")
			}
			modes := modesOf(x.Output())
			for _, mode := range []int{1002, 1006, 2004} {
				if on := modes[mode]; len(on) == 0 || on[len(on)-1] {
					t.Errorf("the editor gets mode %d", mode)
				}
			}
			for _, line := range append(tt.lines, "") {
				x.send(line + "\r")
			}
			s = x.UntilFunc(strings.Join(tt.shows, " and "), func(s screen) bool { return s.alt && s.Has(tt.shows...) })
			if err := intact(s); err != nil {
				t.Errorf("%v:\n%s", err, s)
			}
			x.Key("down") // the keyboard and the mouse work again
			x.Paste("no")
			x.Click(5, 4)
			x.Key("ctrl+u")
			x.search("shelf 7")
			x.Key("ctrl+c")
			if code := x.Exit(); code != 130 {
				t.Errorf("exit code %d", code)
			}
			x.restored()
			if left, _ := os.ReadDir(tmp); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// TestInterruptEditor presses ctrl-c in the editor, which the terminal sends to
// the explorer too.
func TestInterruptEditor(t *testing.T) {
	t.Parallel()
	x := start(t, withEditor(t, newSite(t, 30).setup(), "pen", "", "on"))
	x.Until("30 tools")
	x.search("weigh")
	x.Key("tab", "e", "ctrl+o")
	x.Until("TEXT")
	x.send("\x03")
	x.UntilFunc("the explorer", func(s screen) bool { return s.alt && s.Has("30 tools", "mcp_depot_weigh_crate") })
	x.Key("q")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestOpenFileAtLine(t *testing.T) {
	t.Parallel()
	s := newSite(t, 30)
	data := string(dump(depot(30)))
	at := 1 + strings.Count(data[:strings.Index(data, `"mcp_depot_move_crate_007"`)], "\n")
	x := start(t, withEditor(t, s.setup(), "vim", "-n", "on"))
	x.Until("30 tools")
	x.Type("shelf 7")
	x.untilSelected("move_crate_007")
	x.Key("tab", "ctrl+o")
	s2 := x.Until("EDITING", "NAME depot.json")
	var line int
	if _, err := fmt.Sscanf(s2.Line("EDITING"), `EDITING ["-n" "+%d"]`, &line); err != nil {
		t.Fatalf("%v: %s", err, s2.Line("EDITING"))
	}
	if line < at-20 || line > at {
		t.Errorf("opened at line %d, the tool's name is in %d", line, at)
	}
	// The file that is written there is loaded on return.
	write(t, s.registry, dump(depot(31)))
	x.send("\r")
	x.UntilFunc("31 tools", func(s screen) bool { return s.alt && s.Has("31 tools ") })
	// With an error, at the error.
	write(t, s.registry, []byte("{\n\"tools\": [\n{]\n"))
	x.Until("STALE")
	x.Key("ctrl+o")
	x.Until(`EDITING ["-n" "+`+strconv.Itoa(3)+`"]`, "NAME depot.json")
	x.send("\r")
	x.UntilFunc("the explorer", func(s screen) bool { return s.alt && s.Has("STALE") })
	x.Key("q")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

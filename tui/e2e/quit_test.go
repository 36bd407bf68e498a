//go:build unix

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"caliper/model/require"
)

func TestQuit(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		keys []string
		code int
	}{
		{"q outside text", []string{"esc", "q"}, 0},
		{"q in the schema", []string{"enter", "q"}, 0},
		{"ctrl-c in the query", []string{"w", "ctrl+c"}, 130},
		{"ctrl-c outside text", []string{"esc", "ctrl+c"}, 130},
		{"ctrl-c in a list", []string{"ctrl+p", "ctrl+c"}, 130},
		{"ctrl-c in the help", []string{"f1", "ctrl+c"}, 130},
		{"ctrl-c in the copy menu", []string{"esc", "y", "ctrl+c"}, 130},
		{"ctrl-c in the arguments", []string{"shift+tab", "enter", "ctrl+c"}, 130},
		{"ctrl-c in a search", []string{"enter", "/", "ctrl+c"}, 130},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			x := start(t, newSite(t, 30).setup())
			x.Until("30 tools")
			x.Key(tt.keys...)
			if code := x.Exit(); code != tt.code {
				t.Errorf("exit code %d, want %d", code, tt.code)
			}
			x.restored()
		})
	}
}

func TestSignals(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		signal syscall.Signal
		code   int // -1: any
	}{
		{"interrupt", syscall.SIGINT, 130},
		{"terminate", syscall.SIGTERM, -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for range 5 { // who hears of a signal first is left to chance
				x := start(t, newSite(t, 30).setup())
				x.Until("30 tools")
				require.NoError(t, x.cmd.Process.Signal(tt.signal))
				if code := x.Exit(); tt.code >= 0 && code != tt.code {
					t.Errorf("exit code %d, want %d", code, tt.code)
				}
				x.restored()
			}
		})
	}
}

// restored reports errors unless an ended program left the terminal as it was.
func (x *terminal) restored() {
	x.t.Helper()
	if x.Raw() {
		x.t.Error("the terminal is left in other modes")
	}
	if x.Screen().alt {
		x.t.Error("the alternate screen is left on")
	}
	x.mu.Lock()
	shown := x.cursor
	x.mu.Unlock()
	if !shown {
		x.t.Error("the cursor is left hidden")
	}
	for mode, set := range modesOf(x.Output()) {
		if last := set[len(set)-1]; last != (mode == 25) {
			x.t.Errorf("mode %d is left %v", mode, last)
		}
	}
}

func TestState(t *testing.T) {
	t.Parallel()
	s := newSite(t, 30)
	x := start(t, s.setup())
	x.Until("30 tools")
	x.search("weigh crate")
	x.untilSelected("weigh_crate")
	x.Key("tab", "q")
	if code := x.Exit(); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	if got := x.rememberedQuery(); got != "weigh crate" {
		t.Errorf("remembered the query %q", got)
	}
	info, err := os.Stat(x.statePath())
	require.NoError(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("others may read what was searched for: %v", info.Mode())
	}

	x = start(t, s.setup())
	x.untilQuery("weigh crate")
	x.untilSelected("weigh_crate")
	x.Key("i", "ctrl+u") // from the hits, which have the keys after a restart
	x.search("shelf")
	x.untilSelected("move_crate")
	x.Key("ctrl+c") // is remembered too
	x.Exit()
	x = start(t, s.setup())
	x.untilQuery("shelf")
	x.Key("ctrl+r")
	x.UntilFunc("the history", func(s screen) bool { return s.Has("weigh crate") })
	x.Key("esc")

	// Nothing is read and nothing written.
	before := x.rememberedQuery()
	quiet := start(t, s.setup("--no-state"))
	quiet.Until("30 tools")
	quiet.untilQuery(" what should the tool do?")
	quiet.Type("paint")
	quiet.untilQuery("paint")
	quiet.Key("ctrl+c")
	quiet.Exit()
	if got := quiet.rememberedQuery(); got != before {
		t.Errorf("--no-state wrote the query %q", got)
	}
}

func TestNoState(t *testing.T) {
	t.Parallel()
	s := newSite(t, 30)
	x := start(t, s.setup("--no-state"))
	x.Until("30 tools")
	x.search("weigh")
	x.untilSelected("weigh_crate")
	x.Key("ctrl+c")
	x.Exit()
	var found []string
	err := filepath.WalkDir(s.home, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && path != s.registry && path != s.config {
			found = append(found, path)
		}
		return err
	})
	if err != nil || len(found) > 0 {
		t.Errorf("wrote %v, error %v", found, err)
	}
}

func TestStateIsNeverFatal(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		make func(t *testing.T, home string)
	}{
		{"broken", func(t *testing.T, home string) {
			mkdir(t, filepath.Join(stateHome(home), "caliper"))
			write(t, filepath.Join(stateHome(home), "caliper", "state.json"), []byte(`{"query":`))
		}},
		{"hostile", func(t *testing.T, home string) {
			mkdir(t, filepath.Join(stateHome(home), "caliper"))
			write(t, filepath.Join(stateHome(home), "caliper", "state.json"), []byte(`{"version":1,"query":"\u001b[5mx\u009b5m","screen":"\u001b[5m","focus":"?","history":["\u001b]52;c;eA==\u0007"]}`))
		}},
		{"a folder", func(t *testing.T, home string) {
			mkdir(t, filepath.Join(stateHome(home), "caliper", "state.json"))
		}},
		{"no folder can be made", func(t *testing.T, home string) { write(t, stateHome(home), []byte("a file")) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, 30)
			tt.make(t, s.home)
			x := start(t, s.setup())
			x.Until("30 tools")
			if tt.name == "hostile" { // the others have no history to show
				x.Key("ctrl+r")
				x.Key("esc")
			}
			x.Key("ctrl+u")
			x.search("weigh")
			x.untilSelected("weigh_crate")
			x.Key("ctrl+c")
			if code := x.Exit(); code != 130 {
				t.Errorf("exit code %d", code)
			}
			if err := harmless(x.Output(), nil); err != nil {
				t.Error(err)
			}
		})
	}
}

func mkdir(t testing.TB, path string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(path, 0o755))
}

// statePath is where the program remembers things.
func (x *terminal) statePath() string {
	return filepath.Join(stateHome(x.home), "caliper", "state.json")
}

// state returns what the program remembers; nil if there is no such file.
func (x *terminal) state() map[string]any {
	x.t.Helper()
	data, err := os.ReadFile(x.statePath())
	if err != nil {
		return nil
	}
	var v map[string]any
	if err := json.Unmarshal(data, &v); err != nil {
		x.t.Fatalf("the state file: %v\n%s", err, data)
	}
	return v
}

// rememberedQuery returns the query that is remembered for the files used last; empty
// for none.
func (x *terminal) rememberedQuery() string {
	x.t.Helper()
	inputs, _ := x.state()["inputs"].([]any)
	if len(inputs) == 0 {
		return ""
	}
	query, _ := inputs[len(inputs)-1].(map[string]any)["query"].(string)
	return query
}

func TestDemoFolder(t *testing.T) {
	t.Parallel()
	for _, edited := range []bool{false, true} {
		t.Run(map[bool]string{false: "left as it was", true: "edited"}[edited], func(t *testing.T) {
			t.Parallel()
			tmp := t.TempDir()
			x := start(t, setup{env: []string{"TMPDIR=" + tmp}})
			x.Until("192 tools")
			found, _ := filepath.Glob(filepath.Join(tmp, "*", "registry.json"))
			if len(found) != 1 {
				t.Fatalf("the demo is in %v", found)
			}
			if edited {
				write(t, found[0], dump(depot(12)))
				x.Until("12 tools")
			}
			x.Key("ctrl+c")
			x.Exit()
			left, _ := os.ReadDir(tmp)
			if edited != (len(left) > 0) {
				t.Errorf("left behind: %v", left)
			}
			if edited && !strings.Contains(strings.Join(strings.Fields(x.Screen().String()), ""), filepath.Base(filepath.Dir(found[0]))) {
				t.Errorf("nothing says where the edited demo is:\n%s", x.Screen())
			}
		})
	}
}

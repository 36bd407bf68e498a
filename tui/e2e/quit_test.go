//go:build unix

package e2e

import (
	"os"
	"path/filepath"
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
		{"ctrl-c in the query", []string{"w", "ctrl+c"}, 130},
		{"ctrl-c in a list", []string{"ctrl+p", "ctrl+c"}, 130},
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

func mkdir(t testing.TB, path string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(path, 0o755))
}

// TestStateIsNeverFatal: where nothing can be remembered, all else works.
func TestStateIsNeverFatal(t *testing.T) {
	t.Parallel()
	for name, wreck := range map[string]func(home string){
		"a folder":              func(home string) { mkdir(t, filepath.Join(stateHome(home), "caliper", "state.json")) },
		"no folder can be made": func(home string) { write(t, stateHome(home), []byte("a file")) },
	} {
		s := newSite(t, 30)
		wreck(s.home)
		x := start(t, s.setup())
		x.Until("30 tools")
		x.search("weigh")
		x.Key("ctrl+c")
		if code := x.Exit(); code != 130 {
			t.Errorf("%s: exit code %d", name, code)
		}
	}
}

//go:build unix

package e2e

import (
	"os"
	signals "os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"caliper/model/require"
)

// An edited demo is opened again: by --demo, and by the line that was printed, with
// its configuration and its labelled queries. The tour begins afresh.
func TestEditedDemoIsOpenedAgain(t *testing.T) {
	t.Parallel()
	home, tmp := t.TempDir(), require.ShortFolder(t)
	open := func(args ...string) *terminal {
		return start(t, setup{home: home, args: args, env: []string{"TMPDIR=" + tmp}})
	}
	x := open("--demo")
	x.Until("192 tools")
	found, _ := filepath.Glob(filepath.Join(tmp, "*", "registry.json"))
	if len(found) != 1 {
		t.Fatalf("the demo is in %v", found)
	}
	write(t, found[0], dump(depot(12)))
	x.Until("12 tools")
	x.Key("ctrl+c")
	x.Exit()
	folder := filepath.Dir(found[0])
	said := strings.Join(strings.Fields(x.Screen().String()), "") // lines are wrapped anywhere
	if !strings.Contains(said, "caliper--demo,orby") || !strings.Contains(said, "caliper--registry"+folder) {
		t.Errorf("it does not say how the edited demo is opened:\n%s", x.Screen())
	}

	for _, args := range [][]string{{"--demo"}, {"--registry", folder}} {
		x = open(args...)
		x.Until("12 tools")
		if s := x.Screen(); !s.Has("DEMO", "threshold 20,000 (10%)") {
			t.Errorf("%v opens something else:\n%s", args, s)
		}
		x.Key("alt+5") // Queries, wherever it opened
		x.UntilFunc("the labelled queries", func(s screen) bool { return s.Has("80 labelled") || s.Has("of 80") })
		x.Key("ctrl+c")
		x.Exit()
	}

	x = open("tour")
	x.Until("192 tools")
	x.Key("ctrl+c")
	x.Exit()
	if left, _ := os.ReadDir(tmp); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}

	// What others may open is not taken: it need not be what was left there.
	require.NoError(t, os.Chmod(folder, 0o755))
	x = open("--demo")
	x.Until("192 tools")
	x.Key("ctrl+c")
	x.Exit()
}

// Labelled queries beside the registry are found without a word about them.
func TestQueriesBesideTheRegistry(t *testing.T) {
	t.Parallel()
	s := newSite(t, 30)
	write(t, filepath.Join(s.home, "queries.jsonl"), []byte(`{"query": "weigh a crate", "relevant": ["weigh_crate"]}`+"\n"))
	x := start(t, s.setup())
	x.Until("found beside the registry")
	x.Key("alt+5") // Queries, wherever it opened
	x.Until("weigh a crate")
	x.Key("ctrl+c")
	x.Exit()

	// A file that only has the name is none of ours.
	write(t, filepath.Join(s.home, "queries.jsonl"), []byte("select 1;\n"))
	x = start(t, s.setup("--no-state"))
	x.Until("30 tools")
	if x.Screen().Has("STALE") {
		t.Errorf("a foreign file is read:\n%s", x.Screen())
	}
	x.Key("ctrl+c")
	x.Exit()
}

// Trials outlive a program that is ended by a signal, and one whose terminal
// is closed.
func TestTrialsOutliveSignals(t *testing.T) {
	t.Parallel()
	for name, signal := range map[string]syscall.Signal{"terminated": syscall.SIGTERM, "hung up": syscall.SIGHUP, "killed": syscall.SIGKILL} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if signals.Ignored(signal) {
				t.Skip("the signal is ignored here, as under nohup, and so it is in what is started")
			}
			s := newSite(t, 30)
			x := start(t, s.setup())
			x.Until("30 tools")
			x.Key("esc", "2", "v", "right")
			x.Until("WHAT IF")
			deadline := time.Now().Add(patience)
			for data := ""; !strings.Contains(data, "threshold_pct"); time.Sleep(10 * time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatalf("the trial is not written: %q", data)
				}
				read, _ := os.ReadFile(filepath.Join(stateHome(x.home), "caliper", "state.json"))
				data = string(read)
			}
			require.NoError(t, x.cmd.Process.Signal(signal))
			<-x.exited
			x = start(t, s.setup())
			x.Until("1 trial of the last run")
			x.Key("ctrl+c")
			x.Exit()
		})
	}
}

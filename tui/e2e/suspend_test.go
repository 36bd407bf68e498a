//go:build unix

package e2e

import (
	"os/exec"
	"strings"
	"testing"
)

// TestSuspendWithoutShell presses ctrl-z where nobody could bring the program
// back: it leads its session.
func TestSuspendWithoutShell(t *testing.T) {
	t.Parallel()
	x := start(t, newSite(t, 30).setup())
	x.Until("30 tools")
	x.Key("ctrl+z")
	s := x.search("weigh")
	if !s.alt || !strings.Contains(selected(s), "weigh_crate") {
		t.Errorf("the explorer is gone:\n%s", s)
	}
}

func TestSuspend(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	s := newSite(t, 30)
	set := setup{home: s.home, program: shell, args: []string{"--norc", "--noprofile", "-i"}, env: []string{"PS1=READY> ", "HISTFILE="}}
	x := start(t, set)
	x.Until("READY>")
	x.send("'" + binary + "' --registry depot.json --config settings.yaml\r")
	x.UntilFunc("the explorer", func(s screen) bool { return s.alt && s.Has("30 tools", "move_crate_001") })
	x.search("weigh")
	x.Key("ctrl+z")
	x.UntilFunc("the shell", func(s screen) bool {
		return !s.alt && s.Has("Stopped") && strings.HasSuffix(strings.TrimSpace(s.String()), "READY>")
	})
	x.send("fg\r")
	now := x.UntilFunc("the explorer again", func(s screen) bool { return s.alt && s.Has("30 tools") })
	if !strings.Contains(selected(now), "weigh_crate") {
		t.Errorf("something is lost:\n%s", now)
	}
	x.untilIntact()
	write(t, s.registry, dump(depot(31)))
	x.Until("31 tools ")
	x.Key("ctrl+u")
	x.search("shelf 7")
	x.Key("ctrl+c")
	// Until the prompt is there, keys may still be read by the explorer.
	x.UntilFunc("the shell", func(s screen) bool { return !s.alt && strings.HasSuffix(strings.TrimSpace(s.String()), "READY>") })
	x.send("echo ENDED $?\r")
	x.Until("ENDED 130")
	x.send("exit\r")
	x.Exit()
}

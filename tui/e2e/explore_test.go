//go:build unix

package e2e

import (
	"strings"
	"testing"
)

func TestQueryInOtherScripts(t *testing.T) {
	t.Parallel()
	x := start(t, newSite(t, 30).setup())
	x.Until("30 tools")
	for _, text := range []string{"wäge Kiste", "課題を作成", "étage", "👍🏽 crate"} {
		x.Type(text)
		s := x.UntilFunc(text, func(s screen) bool { return strings.Contains(queryLine(s), text) })
		if err := intact(s); err != nil {
			t.Errorf("%s: %v\n%s", text, err, s)
		}
		x.Key("ctrl+u")
		x.UntilGone(text)
	}
	// The emulator drops marks on ASCII letters, so what was written counts.
	x.Type("e\u0301tage")
	s := x.untilQuery("etage")
	if !strings.Contains(x.Output(), "e\u0301tage") {
		t.Error("a combining mark is lost")
	}
	if err := intact(s); err != nil {
		t.Errorf("a combining mark: %v\n%s", err, s)
	}
}

// TestKeysAtOnce sends keys in one read, as a slow line or a key that repeats
// does.
func TestKeysAtOnce(t *testing.T) {
	t.Parallel()
	x := start(t, newSite(t, 30).setup())
	x.Until("30 tools")
	x.Key("esc")
	x.send("jjj")
	x.untilSelected("move_crate_004")
	x.send("kj\x1b[Bj")
	x.untilSelected("move_crate_006")
	x.send("gG")
	x.untilSelected("weigh_crate")
	x.send("yn")
	x.Until("copied")
	x.send("q")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// typeArguments replaces the arguments of the dry run, from the query box.
func (x *terminal) typeArguments(text string) {
	x.t.Helper()
	x.Key("shift+tab", "enter", "ctrl+e", "ctrl+u")
	x.Type(text)
}

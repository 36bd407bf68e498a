//go:build unix

package e2e

import (
	"strings"
	"testing"
)

func TestPaste(t *testing.T) {
	t.Parallel()
	x := start(t, newSite(t, 30).setup("--strict"))
	x.Until("30 tools")
	x.Paste("q\nquit")
	x.untilQuery("q quit")
	x.Key("ctrl+u")
	x.untilQuery(" what should the tool do?")
	x.Paste("weigh\r\n\ta\x1bcrate\x07\u009b31m\u202e\x7f\b")
	s := x.untilSelected("weigh_crate")
	if got := queryLine(s); got != " > weigh acrate31m" {
		t.Errorf("pasted as %q", got)
	}
	x.Key("ctrl+u")

	// Outside text a paste does nothing.
	x.Key("esc")
	x.Paste("q")
	x.Paste("s\nq\n")
	x.Paste("\x03")
	x.Key("down")
	s = x.untilSelected("move_crate_002")
	if s.Has("clerk") {
		t.Errorf("pasted text was taken for keys:\n%s", s)
	}

	// Nor in a list that narrows: there it narrows.
	x.Key("s")
	x.Until("clerk")
	x.Paste("cle\n")
	x.Until("> cle", "1 found")
	x.Key("esc")
	x.UntilGone("> cle")

	// Arguments take a paste as one line.
	x.Key("shift+tab", "shift+tab") // over the query, which is empty, to the overview
	x.typeArguments("")
	x.Paste("{\n  \"crate\": 7\n}")
	x.Until(`"crate": 7 }`, "invalid_arguments")
}

func TestHugePaste(t *testing.T) {
	t.Parallel()
	size := 1 << 20
	if raceEnabled && !*slow {
		size = 1 << 18 // bubbletea looks for the end of a paste from its beginning at every read
	}
	x := start(t, newSite(t, 30).setup())
	x.Until("30 tools")
	x.Paste(strings.Repeat("crate ", size/6))
	x.UntilFunc("the paste", func(s screen) bool { return strings.Contains(queryLine(s), "crate crate crate") })
	x.Key("ctrl+u")
	x.Type("weigh")
	x.untilQuery("weigh")
	x.untilSelected("weigh_crate")
	x.typeArguments("")
	x.Paste(`{"crate":"` + strings.Repeat("x", size/8) + `"}`)
	x.Until("ALLOWED", `xxx"}`)
	x.Key("ctrl+c")
	if code := x.Exit(); code != 130 {
		t.Errorf("exit code %d", code)
	}
}

//go:build unix

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// keyBytes is the bytes that a terminal sends for keys that are not characters: xterm's
// control sequences, "PC-Style Function Keys".
var keyBytes = map[string]string{
	"enter": "\r", "esc": "\x1b", "tab": "\t", "shift+tab": "\x1b[Z", "space": " ", "backspace": "\x7f", "delete": "\x1b[3~",
	"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "home": "\x1b[H", "end": "\x1b[F",
	"pgup": "\x1b[5~", "pgdown": "\x1b[6~", "f1": "\x1bOP",
}

// Key presses keys by name: one of keyBytes, ctrl+letter, alt+character, or a
// character.
func (x *terminal) Key(names ...string) {
	x.t.Helper()
	for _, name := range names {
		x.send(x.bytesOf(name))
	}
}

// bytesOf returns what the terminal sends for a key.
func (x *terminal) bytesOf(name string) string {
	x.t.Helper()
	if b, ok := keyBytes[name]; ok {
		return b
	}
	if letter, ok := strings.CutPrefix(name, "ctrl+"); ok && len(letter) == 1 {
		return string(rune(letter[0] & 0x1f))
	}
	prefix := ""
	if rest, ok := strings.CutPrefix(name, "alt+"); ok {
		name, prefix = rest, "\x1b"
	}
	if len([]rune(name)) != 1 {
		x.t.Fatalf("no key is called %q", name)
	}
	return prefix + name
}

// Type types text, character by character.
func (x *terminal) Type(text string) {
	x.t.Helper()
	for _, r := range text {
		x.send(string(r))
	}
}

// Paste pastes text with bracketed paste.
func (x *terminal) Paste(text string) {
	x.t.Helper()
	x.send("\x1b[200~" + text + "\x1b[201~")
}

// buttonLeft is the left button of a mouse as SGR mode has it.
const buttonLeft = 0

// Click presses and releases the left button over a cell.
func (x *terminal) Click(col, row int) {
	x.t.Helper()
	x.send(fmt.Sprintf("\x1b[<%d;%d;%dM", buttonLeft, col+1, row+1))
	x.send(fmt.Sprintf("\x1b[<%d;%d;%dm", buttonLeft, col+1, row+1))
}

// send writes to the program and waits until it was read. Bytes sent next
// thus come in a read of their own, which is how a program tells the escape key
// from the beginning of a sequence, and one key from two.
func (x *terminal) send(text string) {
	x.t.Helper()
	if _, err := x.master.WriteString(text); err != nil {
		x.t.Fatalf("write to the terminal: %v\n%s", err, x.Screen())
	}
	deadline := time.Now().Add(patience)
	for x.pending() {
		if time.Now().After(deadline) {
			x.t.Fatalf("%.40q is not read:\n%s", text, x.Screen())
		}
		select {
		case <-x.exited:
			return
		case <-time.After(100 * time.Microsecond):
		}
	}
}

func TestMouseModes(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"--no-mouse"}} {
		x := start(t, newSite(t, 30).setup(args...))
		x.Until("30 tools")
		x.Key("esc", "q")
		x.Exit()
		for mode, on := range modesOf(x.Output()) {
			if mode >= 1000 && mode <= 1006 && on[0] && args != nil {
				t.Errorf("mode %d was turned on", mode)
			}
		}
		if on := modesOf(x.Output())[1002]; args == nil && (len(on) == 0 || !on[0]) {
			t.Error("mode 1002 was not turned on")
		}
	}
}

// TestClickAndPaste: a paste is text in one line, and a click falls on the row under the pointer.
func TestClickAndPaste(t *testing.T) {
	t.Parallel()
	x := start(t, newSite(t, 60).setup())
	x.Until("60 tools")
	x.Paste("weigh\r\n\ta\x1bcrate\x07\u009b31m\u202e\x7f\b")
	if s := x.untilSelected("weigh_crate"); queryLine(s) != " > weigh acrate31m" {
		t.Errorf("pasted as %q", queryLine(s))
	}
	x.Key("ctrl+u")
	col, row, ok := x.search("crate").Find("move_crate_005")
	if !ok {
		t.Fatalf("no such row:\n%s", x.Screen())
	}
	x.Click(col, row)
	x.untilSelected("move_crate_005")
}

package terminal

import (
	"reflect"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// Synchronized updates: what a terminal with mode 2026 reads between two
// sequences it shows at once. Whether it has the mode is asked with DECRQM right
// before the first frame, which covers the letter that some terminals print for
// a question they do not know. Nothing waits for the answer; until it comes, and without one, frames are written
// without the sequences.
const (
	beginUpdate = "\x1b[?2026h"
	endUpdate   = "\x1b[?2026l"
	askUpdates  = "\x1b[?2026$p"
)

// updatesMsg reports whether the terminal has synchronized updates.
type updatesMsg bool

// updatesReply returns whether a terminal that answers so has synchronized
// updates. The answer is ESC [ ? 2026 ; n $ y, here without ESC; n is 1 or 2 for
// a mode that is set or reset, and 0, 3 or 4 for one that cannot be changed. ok
// is false for any other text.
func updatesReply(reply string) (synchronized, ok bool) {
	n, ok := strings.CutPrefix(reply, updatesHead)
	if !ok {
		return false, false
	}
	n, ok = strings.CutSuffix(n, "$y")
	return n == "1" || n == "2", ok
}

// updatesPrefix returns how much of an answer about updates s is.
func updatesPrefix(s string) replyState {
	if strings.HasPrefix(updatesHead, s) {
		return partial
	}
	n, ok := strings.CutPrefix(s, updatesHead)
	if !ok {
		return broken
	}
	switch digits := strings.TrimLeft(n, "0123456789"); {
	case len(n)-len(digits) > 1:
		return broken
	case digits == "$y" && len(n) == 3:
		return complete
	case digits == "", digits == "$" && len(n) == 2:
		return partial
	}
	return broken
}

// updatesAnswer returns the answer about updates in a message of bubbletea,
// which reports a control sequence that it does not know as a slice of bytes of
// a type that it does not export.
func updatesAnswer(msg tea.Msg) (reply string, ok bool) {
	v := reflect.ValueOf(msg)
	if v.Kind() != reflect.Slice || v.Type().Elem().Kind() != reflect.Uint8 {
		return "", false
	}
	reply, ok = strings.CutPrefix(string(v.Bytes()), "\x1b")
	return reply, ok && updatesPrefix(reply) == complete
}

// Answers reports whether a terminal of this TERM may be asked. A dumb terminal
// and the console of Linux would print parts of a question.
func Answers(term string) bool { return term != "dumb" && term != "linux" }

package terminal

import (
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	// replyPatience is the longest time between two pieces of the terminal's answer.
	replyPatience = time.Second

	// replyFresh is the time after the start during which a key that may be the first byte
	// of the answer holds back the keys after it. Later, only an answer that arrives in one
	// piece is recognised.
	replyFresh = 10 * time.Second
)

// BackgroundMsg reports the terminal's answer about its background: whether it is dark.
type BackgroundMsg bool

// AskBackground returns a command that asks the terminal for its background
// colour (OSC 11, xterm's control sequences, "Operating System Commands"), in
// one write. The answer arrives among the keys; see replyScanner. A terminal
// that does not answer does no harm.
func AskBackground(terminal io.Writer) tea.Cmd {
	return func() tea.Msg {
		_, _ = io.WriteString(terminal, "\x1b]11;?\x1b\\")
		return nil
	}
}

// replyScanner finds the answer to AskBackground among the keys.
//
// The answer is ESC ] 11 ; rgb:RRRR/GGGG/BBBB, ended by BEL or ESC \, with one
// to four digits a colour, or rgba: with four colours. bubbletea v1 does not
// know it and reports it as keys: alt+], the runes up to the end, and ctrl+g or
// alt+\. A read that ends inside the answer splits it at any byte, which may
// turn alt+] into esc and a rune, and alt+\ in the same way.
//
// Keys that can only be the answer are removed. Keys that the user could have
// typed are passed on: the first key at once, the others as soon as they are
// known not to be an answer, and after replyPatience at the latest. alt+]
// itself is always passed on; it has no binding, and text fields ignore it.
type replyScanner struct {
	done   bool      // the answer was read, or was not asked for
	drain  bool      // skip the rest of an unreadable answer
	since  time.Time // when the question was asked
	active bool      // the last keys may be the beginning of an answer
	at     time.Time // time of the last piece of the answer
	seen   string    // the answer so far, without the leading ESC
	held   []tea.Msg // keys that may be the answer or typed
}

// key handles a key and returns the messages to deliver instead.
func (r *replyScanner) key(k tea.KeyMsg, now time.Time) []tea.Msg {
	if r.done {
		if r.drain {
			r.drain = false
			if text, _ := bytesOf(k); text == "\a" || text == "\x1b\\" {
				return nil
			}
		}
		return []tea.Msg{k}
	}
	out := r.expire(now)
	if !r.active {
		r.begin(k, now)
		return append(out, k)
	}
	return append(out, r.more(k, now)...)
}

// expire ends the wait for the rest of an answer after replyPatience.
func (r *replyScanner) expire(now time.Time) []tea.Msg {
	if r.active && now.Sub(r.at) >= replyPatience {
		return r.release()
	}
	return nil
}

// begin checks whether k can be the first piece of an answer.
func (r *replyScanner) begin(k tea.KeyMsg, now time.Time) {
	switch text, ok := bytesOf(k); {
	case !ok:
	case text == "\x1b]":
		r.active, r.at, r.seen = true, now, "]"
	case text == "\x1b", text == "\x1b\x1b":
		r.active, r.at, r.seen = true, now, ""
	}
}

// more handles a key after a possible beginning of an answer.
func (r *replyScanner) more(k tea.KeyMsg, now time.Time) []tea.Msg {
	text, ok := bytesOf(k)
	n, state := 0, broken // n bytes of text go on with the answer
	if ok {
		for state = partial; n <= len(text) && state == partial; n++ {
			state = replyPrefix(r.seen + text[:n])
		}
		if n--; state == broken {
			n = max(n-1, 0)
		}
	}
	sure := len(r.seen)+n >= len(replyHead)
	switch {
	case state == complete:
		reply := r.seen + text[:n]
		*r = replyScanner{done: true}
		out := []tea.Msg{}
		if dark, ok := darkReply(reply); ok {
			out = append(out, BackgroundMsg(dark))
		}
		if n < len(text) { // runes were typed after the end of the answer
			k.Type, k.Alt, k.Runes = tea.KeyRunes, false, []rune(text[n:])
			out = append(out, k)
		}
		return out
	case state == partial && sure:
		r.at, r.seen, r.held = now, r.seen+text, nil
		return nil
	case state == partial && (r.seen != "" || now.Sub(r.since) < replyFresh):
		r.at, r.seen = now, r.seen+text
		r.held = append(r.held, k)
		return nil
	case sure && n > 0 && !k.Alt && k.Type == tea.KeyRunes: // an answer in another format
		*r = replyScanner{done: true, drain: true}
		return nil
	case sure: // the answer is incomplete, and this key was typed
		esc := strings.HasSuffix(r.seen, "\x1b")
		*r = replyScanner{done: true}
		if esc {
			return []tea.Msg{tea.KeyMsg{Type: tea.KeyEsc}, k}
		}
		return []tea.Msg{k}
	}
	out := r.release()
	r.begin(k, now)
	return append(out, k)
}

// release returns the keys that were held back, because they were typed.
func (r *replyScanner) release() []tea.Msg {
	held := r.held
	r.active, r.seen, r.held = false, "", nil
	return held
}

// bytesOf returns the bytes that the terminal sent for a key; ok is false when
// they cannot belong to an answer.
func bytesOf(k tea.KeyMsg) (string, bool) {
	prefix := ""
	if k.Alt {
		prefix = "\x1b"
	}
	switch {
	case k.Paste:
		return "", false
	case k.Type == tea.KeyRunes:
		return prefix + string(k.Runes), true
	case k.Type == tea.KeyEsc:
		return prefix + "\x1b", true
	case k.Type == tea.KeyCtrlG:
		return prefix + "\a", true
	}
	return "", false
}

// replyHead is the beginning of an answer, which nobody types by chance.
const replyHead = "]11;"

type replyState int

const (
	broken   replyState = iota // not an answer
	partial                    // the beginning of one
	complete                   // a whole answer
)

// replyPrefix returns how much of an answer s is.
func replyPrefix(s string) replyState {
	const head = replyHead + "rgb"
	if len(s) <= len(head) {
		if strings.HasPrefix(head, s) {
			return partial
		}
		return broken
	}
	if !strings.HasPrefix(s, head) {
		return broken
	}
	body, end := s[len(head):], ""
	if i := strings.IndexAny(body, "\a\x1b"); i >= 0 {
		body, end = body[:i], body[i:]
	}
	colours := 3
	if strings.HasPrefix(body, "a") {
		body, colours = body[1:], 4
	}
	if body == "" && end == "" {
		return partial
	}
	if !strings.HasPrefix(body, ":") {
		return broken
	}
	parts := strings.Split(body[1:], "/")
	for i, part := range parts {
		last := i == len(parts)-1
		if len(part) > 4 || strings.Trim(part, "0123456789abcdefABCDEF") != "" || part == "" && (!last || end != "") {
			return broken
		}
	}
	switch {
	case len(parts) > colours, end != "" && len(parts) < colours:
		return broken
	case end == "\a", end == "\x1b\\":
		return complete
	case end == "", end == "\x1b":
		return partial
	}
	return broken
}

// darkReply returns whether the background colour in a complete answer is dark.
// It is dark when its contrast with white is greater than with black, by the
// relative luminance of WCAG 2.1.
func darkReply(reply string) (dark, ok bool) {
	_, body, _ := strings.Cut(strings.TrimRight(reply, "\a\x1b\\"), ":")
	parts := strings.Split(body, "/")
	if len(parts) < 3 {
		return false, false
	}
	luminance := 0.0
	for i, weight := range [...]float64{0.2126, 0.7152, 0.0722} {
		v, err := strconv.ParseUint(parts[i], 16, 16)
		if err != nil {
			return false, false
		}
		linear := float64(v) / (math.Pow(16, float64(len(parts[i]))) - 1) // of sRGB, still
		if linear <= 0.04045 {
			linear /= 12.92
		} else {
			linear = math.Pow((linear+0.055)/1.055, 2.4)
		}
		luminance += weight * linear
	}
	return 1.05/(luminance+0.05) >= (luminance+0.05)/0.05, true
}

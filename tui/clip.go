package tui

import (
	"encoding/base64"
	"fmt"
	"io"
	"time"

	"github.com/atotto/clipboard"
	tea "github.com/charmbracelet/bubbletea"
)

// maxOSC52 is the longest text in bytes that is copied by OSC 52: more does
// not fit the 100,000 bytes that terminals are commonly said to take.
const maxOSC52 = 74_994

// copiedMsg tells what became of a copy.
type copiedMsg struct {
	what  string // in words
	bytes int
	err   error
}

// clipper copies text to the clipboards there are.
type clipper struct {
	terminal io.Writer               // for OSC 52; nil: none
	native   func(text string) error // nil: none
}

// newClipper returns a clipper of the terminal and the desktop.
func newClipper(terminal io.Writer) clipper {
	c := clipper{terminal: terminal}
	if !clipboard.Unsupported {
		c.native = clipboard.WriteAll
	}
	return c
}

// copy returns a command that copies text and reports a copiedMsg. One way
// that works is enough; without any, the message says why.
//
// SECURITY: the text reaches the terminal only as base64, so that nothing in
// it can end the sequence.
func (c clipper) copy(what, text string) tea.Cmd {
	return func() tea.Msg {
		msg := copiedMsg{what: what, bytes: len(text)}
		switch {
		case text == "":
			msg.err = fmt.Errorf("nothing to copy")
			return msg
		case c.terminal == nil:
			msg.err = fmt.Errorf("no terminal to copy through")
		case len(text) > maxOSC52:
			msg.err = fmt.Errorf("%s is too long for the terminal's clipboard (OSC 52 takes %s)", size(len(text)), size(maxOSC52))
		default:
			sequence := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) + "\a"
			_, msg.err = io.WriteString(c.terminal, sequence)
		}
		if c.native == nil {
			return msg
		}
		done := make(chan error, 1)
		go func() { done <- c.native(text) }()
		select {
		case err := <-done:
			if err == nil {
				msg.err = nil
			}
		case <-time.After(clipPatience):
		}
		return msg
	}
}

// words says in a notice what was copied, or why not.
func (m copiedMsg) words() (level, string) {
	if m.err != nil {
		return levelBad, "copy " + m.what + ": " + m.err.Error()
	}
	return levelOk, fmt.Sprintf("copied %s (%s)", m.what, size(m.bytes))
}

// size returns a number of bytes in words.
func size(n int) string {
	if n < 1000 {
		return plural(n, "byte")
	}
	if n >= 1_000_000 {
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f kB", float64(n)/1000)
}

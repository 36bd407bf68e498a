package tui

import (
	"encoding/base64"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/atotto/clipboard"
	tea "github.com/charmbracelet/bubbletea"

	"caliper/model"
)

// maxOSC52 is the longest text in bytes that is copied by OSC 52: more does
// not fit the 100,000 bytes that terminals are commonly said to take.
const maxOSC52 = 74_994

// copiedMsg tells what became of a copy.
type copiedMsg struct {
	what    string // in words
	bytes   int
	removed bool // the text held characters that were not copied
	err     error
}

// form is what a text is that is copied, which decides how it is made safe.
type form int

const (
	formLine form = iota // a name or a query: one line
	formText             // text of several lines
	formJSON             // a JSON value, on one line or on several
)

// safeCopy returns text as it may stand in a clipboard, and whether characters
// had to be replaced for that. A line break of a line, an escape and every
// character that draws nothing are replaced by the marks of model.Sanitize. In
// JSON they are written as escapes, so that the value stays the same. The text
// has line breaks only if its form allows them. Line breaks written as CR LF
// become LF, which is not reported.
//
// SECURITY: what is copied is pasted into a shell or an editor. A line break
// runs what stands before it, ESC [201~ ends a bracketed paste, so that what
// follows counts as typed, and text that is turned around or hidden is pasted
// unseen. Everything that reaches a clipboard passes through here.
func safeCopy(as form, text string) (safe string, removed bool) {
	switch as {
	case formLine:
		safe = model.Sanitize(text)
	case formJSON:
		text = string(model.EscapeUnseen([]byte(text)))
		if model.SanitizeText(text) != text {
			text = escapedASCII(text)
		}
		safe = model.SanitizeText(text)
	default:
		text = strings.ReplaceAll(text, "\r\n", "\n")
		safe = model.SanitizeText(text)
	}
	return safe, safe != text
}

// escapedASCII returns JSON text with an escape for every character beyond
// ASCII. Those are in strings only, so that the value stays the same.
func escapedASCII(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
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

// copy returns a command that copies text of a form and reports a copiedMsg.
// One way that works is enough; without any, the message says why.
//
// SECURITY: what is copied is what safeCopy returns, and it reaches the
// terminal only as base64, so that nothing in it can end the sequence.
func (c clipper) copy(what string, as form, text string) tea.Cmd {
	return func() tea.Msg {
		text, removed := safeCopy(as, text)
		msg := copiedMsg{what: what, bytes: len(text), removed: removed}
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
	said := fmt.Sprintf("copied %s (%s)", m.what, size(m.bytes))
	if m.removed {
		return levelWarn, said + ", unsafe characters removed"
	}
	return levelOk, said
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

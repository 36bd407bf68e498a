package tui

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/atotto/clipboard"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/renameio/v2"

	"caliper/model"
	"caliper/tui/repro"
)

// maxOSC52 is the longest text in bytes that is copied by OSC 52: more does
// not fit the 100,000 bytes that terminals are commonly said to take.
const maxOSC52 = 74_994

// copiedMsg tells what became of a copy.
type copiedMsg struct {
	what    string // in words
	bytes   int
	removed bool   // the text held characters that were not copied
	file    string // that the text was written to, because no clipboard took it; empty: none
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
	file     string                  // that a text is written to when neither takes it; empty: none
}

// copyPath returns the file for what no clipboard takes, beside the state file;
// empty where no state is kept.
func copyPath(statePath string) string {
	if statePath == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(statePath), "copied.txt")
}

// newClipper returns a clipper of the terminal and the desktop, and of a file
// beside the state file.
func newClipper(terminal io.Writer, statePath string) clipper {
	c := clipper{terminal: terminal, file: copyPath(statePath)}
	if !clipboard.Unsupported {
		c.native = clipboard.WriteAll
	}
	return c
}

// copy returns a command that copies text of a form and reports a copiedMsg.
// One clipboard that works is enough; without any, the text goes to the file,
// and where there is none either, the message says why.
//
// SECURITY: what is copied or written is what safeCopy returns, and it reaches
// the terminal only as base64, so that nothing in it can end the sequence.
func (c clipper) copy(what string, as form, text string) tea.Cmd {
	return func() tea.Msg {
		text, removed := safeCopy(as, text)
		msg := copiedMsg{what: what, bytes: len(text), removed: removed}
		if text == "" {
			msg.err = errors.New("nothing to copy")
			return msg
		}
		msg.err = c.toTerminal(text)
		if c.native != nil && c.toDesktop(text) == nil {
			msg.err = nil
		}
		if msg.err == nil || c.file == "" {
			return msg
		}
		if err := c.toFile(text); err != nil {
			msg.err = fmt.Errorf("%w, and no file: %w", msg.err, err)
			return msg
		}
		msg.err, msg.file = nil, c.file
		return msg
	}
}

// toTerminal copies text by OSC 52.
func (c clipper) toTerminal(text string) error {
	switch {
	case c.terminal == nil:
		return errors.New("no terminal to copy through")
	case len(text) > maxOSC52:
		return fmt.Errorf("%s is too long for the terminal's clipboard (OSC 52 takes %s)", size(len(text)), size(maxOSC52))
	}
	_, err := io.WriteString(c.terminal, "\x1b]52;c;"+base64.StdEncoding.EncodeToString([]byte(text))+"\a")
	return err
}

// toDesktop copies text with a program of the desktop.
func (c clipper) toDesktop(text string) error {
	done := make(chan error, 1)
	go func() { done <- c.native(text) }()
	select {
	case err := <-done:
		return err
	case <-time.After(clipPatience):
		return errors.New("the desktop's clipboard does not answer")
	}
}

// toFile writes text to the file, in place of what was copied there before.
//
// SECURITY: what is copied may be nobody else's business: only the user may
// read it. The file is replaced and never written through, so that a link in
// its place leads nowhere.
func (c clipper) toFile(text string) error {
	if err := os.MkdirAll(filepath.Dir(c.file), 0o700); err != nil {
		return err
	}
	return renameio.WriteFile(c.file, []byte(text), 0o600, renameio.IgnoreUmask())
}

// copyRepro returns a command that copies a repro of a case and reports a
// copiedMsg. The repro has been made safe already, and the case says whether
// anything had to be replaced for that.
func (c clipper) copyRepro(what string, of repro.Case, text string) tea.Cmd {
	removed, cmd := *of.Removed, c.copy(what, formText, text)
	return func() tea.Msg {
		msg := cmd().(copiedMsg)
		msg.removed = msg.removed || removed
		return msg
	}
}

// words says in a notice what was copied, or why not.
func (m copiedMsg) words() (level, string) {
	if m.err != nil {
		return levelBad, "copy " + m.what + ": " + model.Sanitize(m.err.Error())
	}
	said := fmt.Sprintf("copied %s (%s)", m.what, size(m.bytes))
	if m.file != "" {
		said = fmt.Sprintf("no clipboard: %s (%s) is in %s", m.what, size(m.bytes), model.Sanitize(m.file))
		if !m.removed {
			return levelWarn, said
		}
	}
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

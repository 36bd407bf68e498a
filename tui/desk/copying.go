package desk

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/atotto/clipboard"
	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/newfile"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/report"
)

// patience is how long to wait for the desktop's clipboard before reporting without it.
const patience = 2 * time.Second

// maxOSC52 is the longest text in bytes that is copied by OSC 52. Its base64
// form fits into 100,000 bytes, which is commonly given as the limit of
// terminals.
const maxOSC52 = 74_994

// CopiedMsg reports the outcome of a copy.
type CopiedMsg struct {
	what    string
	bytes   int
	removed bool   // the text held characters that were not copied
	file    string // file with the text, when no clipboard accepted it; empty for none
	saved   string // file with a picture; empty for none
	copied  bool   // the picture is in a clipboard too
	Err     error  // why nothing was copied
}

// CopyForm is the kind of a copied text. It decides how Safe treats the text.
type CopyForm int

const (
	CopyLine CopyForm = iota // a name or a query: one line
	CopyText                 // text of several lines
	CopyJSON                 // a JSON value, on one line or on several
)

// SafeToCopy returns text in a form that can be pasted without harm, and whether
// characters had to be replaced. Line breaks in a CopyLine, escapes and invisible
// characters are replaced by the marks of safetext.Line; in a CopyJSON they are
// written as JSON escapes, which keep the value. Only the forms CopyText and CopyJSON
// have line breaks. CR LF becomes LF, which is not reported.
//
// SECURITY: the user pastes the text into a shell or an editor. A line break
// runs the text before it, ESC [201~ ends a bracketed paste, so that the text
// after it counts as typed, and reversed or hidden text is pasted unseen.
// Everything that reaches a clipboard passes through SafeToCopy.
func SafeToCopy(as CopyForm, text string) (safe string, removed bool) {
	switch as {
	case CopyLine:
		safe = safetext.Line(text)
	case CopyJSON:
		text = string(safetext.EscapeUnseen([]byte(text)))
		if safetext.Lines(text) != text {
			// Characters beyond ASCII occur only in strings, so the value stays the same.
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
			text = b.String()
		}
		safe = safetext.Lines(text)
	default:
		text = strings.ReplaceAll(text, "\r\n", "\n")
		safe = safetext.Lines(text)
	}
	return safe, safe != text
}

// Clipper copies text to the available clipboards.
type Clipper struct {
	Terminal io.Writer               // for OSC 52; nil for none
	Desktop  func(text string) error // nil for none
	file     string                  // receives text that neither clipboard accepted; empty for none
}

// copyPath returns the file for text that no clipboard took; empty without a state file.
func copyPath(statePath string) string {
	if statePath == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(statePath), "copied.txt")
}

// NewClipper returns a Clipper of the terminal and the desktop, and of a file
// beside the state file. Getenv returns an environment variable.
func NewClipper(terminal io.Writer, statePath string, getenv func(string) string) *Clipper {
	c := &Clipper{Terminal: terminal, file: copyPath(statePath)}
	if term := getenv("TERM"); term == "dumb" || term == "linux" || getenv("TERM_PROGRAM") == "Apple_Terminal" { // known to ignore OSC 52: a text would be lost, and no terminal answers
		c.Terminal = nil
	}
	if !clipboard.Unsupported {
		c.Desktop = clipboard.WriteAll
	}
	if getenv("TMUX") != "" {
		c.Terminal, c.Desktop = nil, throughTmux(c.Desktop)
	}
	return c
}

// Copy returns a command that copies text and reports a CopiedMsg. One working
// clipboard is enough. Without any, the text is written to the file; without a
// file, the message has the error.
//
// SECURITY: it copies and writes only what SafeToCopy returns, and sends it to the
// terminal only as base64, so that no text can end the escape sequence.
func (c Clipper) Copy(what string, as CopyForm, text string) tea.Cmd {
	return func() tea.Msg {
		text, removed := SafeToCopy(as, text)
		msg := CopiedMsg{what: what, bytes: len(text), removed: removed}
		if text == "" {
			msg.Err = errors.New("nothing to copy")
			return msg
		}
		msg.Err = c.toClipboards(text)
		if msg.Err == nil || c.file == "" {
			return msg
		}
		if err := toFile(c.file, text); err != nil {
			msg.Err = fmt.Errorf("%w, and no file: %w", msg.Err, err)
			return msg
		}
		msg.Err, msg.file = nil, c.file
		return msg
	}
}

// Save returns a command that writes a picture to a file of that name beside the state
// file, in place of the one before, copies it as far as a clipboard takes it, and
// reports a CopiedMsg. Without a state file a clipboard must take it. Make returns the
// picture and runs in the command.
//
// SECURITY: as Copy, it writes and copies only what SafeToCopy returns.
func (c Clipper) Save(what, name string, make func() []byte) tea.Cmd {
	return func() tea.Msg {
		text, removed := SafeToCopy(CopyText, string(make()))
		msg := CopiedMsg{what: what, bytes: len(text), removed: removed}
		err := c.toClipboards(text)
		if msg.copied = err == nil; c.file == "" {
			msg.Err = err
			return msg
		}
		path := filepath.Join(filepath.Dir(c.file), name)
		if fault := toFile(path, text); fault != nil {
			if msg.Err = fault; err == nil {
				msg.Err = fmt.Errorf("it is in the clipboard, and in no file: %w", fault)
			}
			return msg
		}
		msg.saved = path
		return msg
	}
}

// toClipboards copies text to every clipboard; the error is nil when one takes it.
func (c Clipper) toClipboards(text string) error {
	var err error
	switch {
	case c.Terminal == nil:
		err = errors.New("no terminal to copy through")
	case len(text) > maxOSC52:
		err = fmt.Errorf("%s is too long for the terminal's clipboard (OSC 52 takes %s)", words.Size(len(text)), words.Size(maxOSC52))
	default:
		_, err = io.WriteString(c.Terminal, "\x1b]52;c;"+base64.StdEncoding.EncodeToString([]byte(text))+"\a")
	}
	if c.Desktop == nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- c.Desktop(text) }()
	select {
	case failed := <-done:
		if failed == nil {
			return nil
		}
	case <-time.After(patience): // the desktop does not answer
	}
	return err
}

// toFile writes text to a file and replaces what it held.
//
// SECURITY: the text may be private, so only the user may read the file. The
// file is replaced, never written through, so that a symbolic link in its
// position has no effect.
func toFile(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return newfile.Write(path, []byte(text), 0o600)
}

// CopyReport returns a command that copies a report as Markdown and reports a
// CopiedMsg. The report is safe already, and knows whether characters were replaced.
func (c Clipper) CopyReport(what string, of *report.Report) tea.Cmd {
	text, removed := of.Markdown()
	cmd := c.Copy(what, CopyText, text)
	return func() tea.Msg {
		msg := cmd().(CopiedMsg)
		msg.removed = msg.removed || removed
		return msg
	}
}

// Words returns the text of the notice about the copy.
func (m CopiedMsg) Words() string {
	if m.Err != nil {
		return "copy " + m.what + ": " + safetext.Line(m.Err.Error())
	}
	text := fmt.Sprintf("copied %s (%s) to the clipboard", m.what, words.Size(m.bytes))
	switch {
	case m.saved != "" && m.copied:
		text = fmt.Sprintf("%s (%s) is in %s, and copied", m.what, words.Size(m.bytes), safetext.Line(m.saved))
	case m.saved != "":
		text = fmt.Sprintf("%s (%s) is in %s", m.what, words.Size(m.bytes), safetext.Line(m.saved))
	case m.file != "":
		text = fmt.Sprintf("no clipboard: %s (%s) is in %s", m.what, words.Size(m.bytes), safetext.Line(m.file))
	}
	if m.removed {
		text += ", unsafe characters removed"
	}
	return text
}

// Warns reports whether the copy is incomplete or only in a file.
func (m CopiedMsg) Warns() bool { return m.file != "" || m.removed }

// CopyFailed returns the message for a copy that failed.
func CopyFailed(what string, err error) CopiedMsg { return CopiedMsg{what: what, Err: err} }

// tmuxTimeout is how long tmux may take to take a text.
const tmuxTimeout = 2 * time.Second

// throughTmux returns what copies a text within tmux, which by its default drops what a
// program sends by OSC 52 and says nothing (set-clipboard external). The text goes into a
// buffer of tmux, which hands it to its own terminal, and to the desktop where there is
// one, which may be nil. One that takes it is enough.
func throughTmux(desktop func(string) error) func(string) error {
	return func(text string) error {
		ctx, cancel := context.WithTimeout(context.Background(), tmuxTimeout)
		defer cancel()
		load := exec.CommandContext(ctx, "tmux", "load-buffer", "-w", "-")
		load.Stdin = strings.NewReader(text)
		err := load.Run()
		if desktop != nil && desktop(text) == nil {
			return nil
		}
		return err
	}
}

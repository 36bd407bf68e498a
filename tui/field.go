package tui

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"caliper/tui/cells"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// field is a line of text that is edited. It wraps the text input of bubbles,
// which edits, and draws itself: exactly as wide as asked, scrolled so that
// the cursor is seen, and reading no more of a long text than is drawn.
//
// The keys are those of fieldKeys; any other key is left alone, so that moving
// through hits, history and panes work from the query box. The cursor does not
// blink: nothing wakes the program while it waits.
type field struct {
	input       textinput.Model
	text        string // of input, which makes a new string every time
	placeholder string // drawn faint while the field is empty
	left        int    // first byte that is drawn
}

// The longest texts in characters. What is pasted beyond is dropped.
const (
	longestQuery     = 4 << 10
	longestArguments = 1 << 20
)

// newField returns an empty field for at most limit characters.
func newField(limit int, placeholder string) *field {
	in := textinput.New()
	in.Prompt = ""
	in.CharLimit = limit
	in.Cursor.SetMode(cursor.CursorStatic)
	k := fieldKeys(unicodeGlyphs())
	in.KeyMap = textinput.KeyMap{
		CharacterForward:        k.Right.Binding,
		CharacterBackward:       k.Left.Binding,
		WordForward:             k.WordRight.Binding,
		WordBackward:            k.WordLeft.Binding,
		DeleteWordBackward:      k.DeleteWordLeft.Binding,
		DeleteWordForward:       k.DeleteWordRight.Binding,
		DeleteBeforeCursor:      k.DeleteLeft.Binding,
		DeleteCharacterBackward: k.Backspace.Binding,
		DeleteCharacterForward:  k.Delete.Binding,
		LineStart:               k.Start.Binding,
		LineEnd:                 k.End.Binding,
	}
	in.Focus()
	return &field{input: in, placeholder: placeholder}
}

// Value returns the text: one line, without controls.
func (f *field) Value() string { return f.text }

// Set replaces the text and puts the cursor at its end.
func (f *field) Set(text string) {
	f.input.SetValue(typeable(text))
	f.input.CursorEnd()
	f.text, f.left = f.input.Value(), 0
}

// Key edits by one key, or pastes. It reports whether the key was for a text
// field; changed is true when the text is another now.
func (f *field) Key(k tea.KeyMsg) (used, changed bool) {
	switch bound := key.Matches(k, f.bindings()...); {
	case k.Type == tea.KeyRunes && !k.Alt, k.Type == tea.KeySpace && !k.Alt:
		k.Runes = []rune(typeable(string(k.Runes)))
	case !bound:
		return false, false
	}
	if at := f.at(); key.Matches(k, f.input.KeyMap.DeleteWordForward) && at < len(f.text) && firstCluster(f.text[at:]) == f.text[at:] {
		// The text input of bubbles 1.0 panics on a word of one character at
		// the end.
		k = tea.KeyMsg{Type: tea.KeyDelete}
	}
	for range f.steps(k) {
		f.input, _ = f.input.Update(k)
	}
	before := f.text
	f.text = f.input.Value()
	return true, f.text != before
}

// bindings are the keys that the field is for.
func (f *field) bindings() []key.Binding {
	m := &f.input.KeyMap
	return []key.Binding{
		m.CharacterForward, m.CharacterBackward, m.WordForward, m.WordBackward, m.DeleteWordBackward, m.DeleteWordForward,
		m.DeleteBeforeCursor, m.DeleteCharacterBackward, m.DeleteCharacterForward, m.LineStart, m.LineEnd,
	}
}

// steps returns how often the text input must be given k, which moves by code
// points: once for each that the character under the cursor is made of.
func (f *field) steps(k tea.KeyMsg) int {
	m := &f.input.KeyMap
	at := f.at()
	switch {
	case key.Matches(k, m.CharacterForward, m.DeleteCharacterForward) && at < len(f.text):
		return utf8.RuneCountInString(firstCluster(f.text[at:]))
	case key.Matches(k, m.CharacterBackward, m.DeleteCharacterBackward) && at > 0:
		return utf8.RuneCountInString(lastCluster(f.text[:at]))
	}
	return 1
}

// cursor returns the byte of the text that the cursor is on.
func (f *field) at() int {
	at, n := 0, f.input.Position()
	if n >= len(f.text) { // all ASCII, and at the end
		return len(f.text)
	}
	for ; n > 0 && at < len(f.text); n-- {
		_, size := utf8.DecodeRuneInString(f.text[at:])
		at += size
	}
	return at
}

// firstCluster returns the first character of s as one sees it.
func firstCluster(s string) string {
	if s[0] < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		return s[:1]
	}
	cluster, _ := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return cluster
}

// lastCluster returns the last character of s as one sees it. It looks back no
// further than the longest emoji, and from a place where text may be cut.
func lastCluster(s string) string {
	if n := len(s); s[n-1] < utf8.RuneSelf {
		return s[n-1:]
	}
	from := max(len(s)-64, 0)
	for from > 0 && from < len(s) && s[from] >= utf8.RuneSelf {
		from++ // as likely as not the middle of a character
	}
	if from == len(s) {
		from = max(len(s)-64, 0)
		for !utf8.RuneStart(s[from]) {
			from++
		}
	}
	last := s[from:]
	for rest := last; rest != ""; {
		last = firstCluster(rest)
		rest = rest[len(last):]
	}
	return last
}

// typeable returns text as one line of what can be typed: each run of line
// ends and tabs becomes one space, controls and marks that nobody sees vanish.
func typeable(text string) string {
	plain := true
	for i := range len(text) {
		if c := text[i]; c < 0x20 || c >= 0x7f {
			plain = false
			break
		}
	}
	if plain {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	gap := false
	for _, r := range text {
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == '\u2028' || r == '\u2029':
			gap = true
			continue
		case r == utf8.RuneError || unicode.IsControl(r):
			continue
		case unicode.Is(unicode.Cf, r) && r != '\u200d' && r != '\u200c' && !tag(r):
			continue
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteRune(r)
	}
	if gap {
		b.WriteByte(' ')
	}
	return b.String()
}

// tag reports whether r is one of the letters that flags of regions end in.
func tag(r rune) bool { return r >= 0xe0020 && r <= 0xe007f }

// draw appends the field to l in exactly w cells. The cursor is drawn while
// the field has the focus: as a cell shown reversed, or, in a plain theme, as
// a caret before the character it is on.
func (f *field) draw(l *cells.Line, t *Theme, w int, focused bool) {
	if w <= 0 {
		return
	}
	end := l.At() + w
	switch {
	case f.text == "" && focused:
		f.drawCursor(l, t, " ")
		l.Cell(t.Placeholder, f.placeholder, end-l.At())
	case f.text == "":
		l.Cell(t.Placeholder, f.placeholder, w)
	case !focused:
		l.Cell(t.Text, f.text[:min(len(f.text), 4*w+64)], w)
	default:
		f.drawText(l, t, w)
	}
	l.To(end)
}

// drawText draws the part of the text around the cursor.
func (f *field) drawText(l *cells.Line, t *Theme, w int) {
	at := f.at()
	f.scroll(at, w)
	end := l.At() + w
	l.Text(t.Text, f.text[f.left:at])
	under := " "
	if at < len(f.text) {
		under = firstCluster(f.text[at:])
	}
	f.drawCursor(l, t, under)
	if at += len(under); at < len(f.text) {
		rest := f.text[at:]
		rest = rest[:min(len(rest), 4*w+64)]
		l.Cell(t.Text, strings.ToValidUTF8(rest, ""), end-l.At())
	}
}

// drawCursor draws the cursor on a character.
func (f *field) drawCursor(l *cells.Line, t *Theme, under string) {
	if !t.Plain {
		l.Text(t.Cursor, under)
		return
	}
	l.Text(t.Text, t.Caret)
	if under != " " {
		l.Text(t.Text, under)
	}
}

// scroll moves the part that is drawn as little as needed for the cursor,
// which is on byte at, to be in it, with the character under it and a cell to
// spare for the caret of a plain theme or the sign that there is more. The end
// of a text is drawn as far right as it goes.
func (f *field) scroll(at, w int) {
	keep := min(f.left, at)
	if at == len(f.text) {
		keep = 0
	}
	left, used := at, 0
	for left > keep {
		c := lastCluster(f.text[:left])
		if used += cells.Width(c); used > w-4 {
			break
		}
		left -= len(c)
	}
	f.left = left
}

package ui

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// Field is a text field of one line. It edits with the text input of bubbles
// and draws itself: exactly as wide as requested, scrolled so that the cursor
// is visible, and without reading more of a long text than it draws.
//
// FieldKeys lists its keys. It ignores all other keys, so that the keys of
// hits, history and panes also work from the query box. The cursor does not
// blink, so no timer wakes the program while it waits.
type Field struct {
	input       textinput.Model
	text        string // text of input, whose Value allocates a new string on every call
	placeholder string // drawn faint while the field is empty
	left        int    // offset of the first byte that is drawn
	all         bool   // the whole text is selected; see Prefill
	breaks      string // characters that end a word, besides blanks
}

// NewField returns an empty field for at most limit characters.
func NewField(limit int, placeholder string) *Field {
	in := textinput.New()
	in.Prompt = ""
	in.CharLimit = limit
	in.Cursor.SetMode(cursor.CursorStatic)
	in.KeyMap = FieldKeys(UnicodeGlyphs())
	in.Focus()
	return &Field{input: in, placeholder: placeholder}
}

// FieldKeys returns the keys of text fields with their help texts, which are those
// of readline. ctrl-n, ctrl-p, ctrl-r, up, down and tab are not among them because
// they have other meanings.
func FieldKeys(g Glyphs) textinput.KeyMap {
	bind := func(shown, help string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, help))
	}
	return textinput.KeyMap{
		CharacterBackward:       bind(g.Left, "left", "left", "ctrl+b"),
		CharacterForward:        bind(g.Right, "right", "right", "ctrl+f"),
		WordBackward:            bind("alt-b", "word left", "alt+b", "alt+left", "ctrl+left"),
		WordForward:             bind("alt-f", "word right", "alt+f", "alt+right", "ctrl+right"),
		LineStart:               bind("home ctrl-a", "start", "home", "ctrl+a"),
		LineEnd:                 bind("end ctrl-e", "end", "end", "ctrl+e"),
		DeleteCharacterBackward: bind("backspace", "delete left", "backspace", "ctrl+h"),
		DeleteCharacterForward:  bind("del ctrl-d", "delete right", "delete", "ctrl+d"),
		DeleteWordBackward:      bind("ctrl-w", "delete the previous word", "ctrl+w", "alt+backspace"),
		DeleteWordForward:       bind("alt-d", "delete the next word", "alt+d", "alt+delete"),
		DeleteBeforeCursor:      bind("ctrl-u", "delete to the beginning", "ctrl+u"),
		DeleteAfterCursor:       bind("ctrl-k", "delete to the end", "ctrl+k"),
	}
}

// Value returns the text: one line without control characters.
func (f *Field) Value() string { return f.text }

// Set replaces the text and puts the cursor at its end.
func (f *Field) Set(text string) {
	f.input.SetValue(Typeable(text))
	f.input.CursorEnd()
	f.text, f.left, f.all = f.input.Value(), 0, false
}

// Key handles a key or a paste. used reports whether the field handles the key,
// and changed whether the text differs now.
func (f *Field) Key(k tea.KeyMsg) (used, changed bool) {
	before := f.text
	switch bound := key.Matches(k, editing...); {
	case k.Type == tea.KeyRunes && !k.Alt, k.Type == tea.KeySpace && !k.Alt:
		k.Runes = []rune(Typeable(string(k.Runes)))
	case !bound:
		return false, false
	}
	if f.all && f.replace(k) {
		return true, true
	}
	if f.wordKey(k) {
		f.text = f.input.Value()
		return true, f.text != before
	}
	if at := f.at(); key.Matches(k, f.input.KeyMap.DeleteWordForward) && at < len(f.text) && firstCluster(f.text[at:]) == f.text[at:] {
		// The text input of bubbles 1.0 panics on a word of one character at
		// the end.
		k = tea.KeyMsg{Type: tea.KeyDelete}
	}
	// The text input moves by code points, and the field by characters, which may have several.
	var steps int
	m := &f.input.KeyMap
	at := f.at()
	switch {
	case key.Matches(k, m.CharacterForward, m.DeleteCharacterForward) && at < len(f.text):
		steps = utf8.RuneCountInString(firstCluster(f.text[at:]))
	case key.Matches(k, m.CharacterBackward, m.DeleteCharacterBackward) && at > 0:
		steps = utf8.RuneCountInString(lastCluster(f.text[:at]))
	default:
		steps = 1
	}
	for range steps {
		f.input, _ = f.input.Update(k)
	}
	f.text = f.input.Value()
	return true, f.text != before
}

// Full reports whether the field takes no more characters.
func (f *Field) Full() bool { return utf8.RuneCountInString(f.text) >= f.input.CharLimit }

// Edits reports whether text fields handle a key or a paste: as text, or as one of
// FieldKeys.
func Edits(k tea.KeyMsg) bool {
	return k.Paste || (k.Type == tea.KeyRunes || k.Type == tea.KeySpace) && !k.Alt || key.Matches(k, editing...)
}

// editing are the keys that edit text.
var editing = bindingsOf(FieldKeys(UnicodeGlyphs()))

// bindingsOf returns the bindings of a key map of the text input.
func bindingsOf(m textinput.KeyMap) []key.Binding {
	return []key.Binding{
		m.CharacterForward, m.CharacterBackward, m.WordForward, m.WordBackward, m.DeleteWordBackward, m.DeleteWordForward,
		m.DeleteBeforeCursor, m.DeleteAfterCursor, m.DeleteCharacterBackward, m.DeleteCharacterForward, m.LineStart, m.LineEnd,
	}
}

// at returns the byte offset of the cursor.
func (f *Field) at() int {
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

// firstCluster returns the first grapheme cluster of s.
func firstCluster(s string) string {
	if s[0] < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		return s[:1]
	}
	cluster, _ := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return cluster
}

// lastCluster returns the last grapheme cluster of s. It starts at a cluster
// boundary and looks back no further than the length of the longest emoji.
func lastCluster(s string) string {
	if n := len(s); s[n-1] < utf8.RuneSelf {
		return s[n-1:]
	}
	from := max(len(s)-64, 0)
	for from > 0 && from < len(s) && s[from] >= utf8.RuneSelf {
		from++ // the offset may be in the middle of a character
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

// Typeable returns text as one line of typeable characters: each run of line
// ends and tabs becomes one space, and control and invisible characters are
// removed.
func Typeable(text string) string {
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
		case unicode.Is(unicode.Cf, r) && r != '\u200d' && r != '\u200c' && (r < 0xe0020 || r > 0xe007f): // tag characters, which emoji of regional flags end in, stay
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

// Draw appends the field to l in exactly w cells. With focused the cursor is
// drawn: as a reversed cell, or in a plain theme as a caret before its
// character.
func (f *Field) Draw(l *Line, t *Theme, w int, focused bool) {
	if w <= 0 {
		return
	}
	end := l.At() + w
	switch {
	case f.text == "" && focused:
		f.drawCursor(l, t, " ")
		l.Cell(t.Faint, f.placeholder, end-l.At())
	case f.text == "":
		l.Cell(t.Faint, f.placeholder, w)
	case !focused:
		l.Cell(t.Text, f.text[:min(len(f.text), 4*w+64)], w)
	case f.all: // reversed, or in a plain theme between carets
		text := Truncate(f.text[:min(len(f.text), 4*w+64)], max(0, w-2))
		if t.Plain {
			l.Text(t.Text, t.Caret+text+t.Caret)
		} else {
			l.Text(t.Cursor, text)
		}
	default:
		// A sign in place of its first character tells that there is text before it.
		at := f.at()
		// The end of the text is drawn as far right as possible.
		keep := min(f.left, at)
		if at == len(f.text) {
			keep = 0
		}
		left, used := at, 0
		for left > keep {
			c := lastCluster(f.text[:left])
			if used += Width(c); used > w-4 {
				break
			}
			left -= len(c)
		}
		f.left = left
		before := f.text[f.left:at]
		if f.left > 0 && before != "" {
			if first := firstCluster(before); Width(first) > 0 {
				l.Text(t.Faint, t.Ellipsis)
				l.Gap(Width(first) - 1)
				before = before[len(first):]
			}
		}
		l.Text(t.Text, before)
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
	l.To(end)
}

// drawCursor draws the cursor on a character.
func (f *Field) drawCursor(l *Line, t *Theme, under string) {
	if !t.Plain {
		l.Text(t.Cursor, under)
		return
	}
	l.Text(t.Text, t.Caret)
	if under != " " {
		l.Text(t.Text, under)
	}
}

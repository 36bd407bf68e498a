package ui

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"

	tea "github.com/charmbracelet/bubbletea"
)

// Prefill replaces the text by one that the user may want to keep or to replace: it is
// selected as a whole. The first character that is typed, a paste or a key that deletes
// replaces it; a key that moves the cursor keeps it.
func (f *Field) Prefill(text string) {
	f.Set(text)
	f.all = f.text != ""
}

// Whole reports whether the text is selected as a whole.
func (f *Field) Whole() bool { return f.all && f.text != "" }

// replace ends the selection of the whole text. It deletes the text when k types or
// deletes, and reports whether that was all that k does.
func (f *Field) replace(k tea.KeyMsg) (done bool) {
	f.all = false
	m := &f.input.KeyMap
	deletes := key.Matches(k, m.DeleteWordBackward, m.DeleteWordForward, m.DeleteBeforeCursor, m.DeleteAfterCursor, m.DeleteCharacterBackward, m.DeleteCharacterForward)
	typed := (k.Type == tea.KeyRunes || k.Type == tea.KeySpace) && !deletes && !key.Matches(k, editing...)
	if typed || deletes {
		f.Set("")
	}
	return deletes
}

// BreakWords makes characters end a word for the keys that move or delete by words, as
// blanks always do.
func (f *Field) BreakWords(characters string) { f.breaks = characters }

// PutCursor puts the cursor before the character at a byte offset of the text.
func (f *Field) PutCursor(offset int) {
	f.all = false
	f.input.SetCursor(utf8.RuneCountInString(f.text[:min(max(offset, 0), len(f.text))]))
}

// wordKey handles a key that moves or deletes by words in a field whose words end at
// other characters than blanks, and reports whether it did.
func (f *Field) wordKey(k tea.KeyMsg) bool {
	if f.breaks == "" {
		return false
	}
	m, text := &f.input.KeyMap, []rune(f.text)
	at := f.input.Position()
	to, deletes := at, false
	switch {
	case key.Matches(k, m.WordBackward):
		to = f.wordBefore(text, at)
	case key.Matches(k, m.WordForward):
		to = f.wordBehind(text, at)
	case key.Matches(k, m.DeleteWordBackward):
		to, deletes = f.wordBefore(text, at), true
	case key.Matches(k, m.DeleteWordForward):
		to, deletes = f.wordBehind(text, at), true
	default:
		return false
	}
	if deletes {
		from, end := min(at, to), max(at, to)
		f.input.SetValue(string(slices.Delete(text, from, end)))
		to = from
	}
	f.input.SetCursor(to)
	return true
}

// wordBefore returns where the word before a position begins.
func (f *Field) wordBefore(text []rune, at int) int {
	for at > 0 && f.breaksWord(text[at-1]) {
		at--
	}
	for at > 0 && !f.breaksWord(text[at-1]) {
		at--
	}
	return at
}

// wordBehind returns where the word behind a position ends.
func (f *Field) wordBehind(text []rune, at int) int {
	for at < len(text) && f.breaksWord(text[at]) {
		at++
	}
	for at < len(text) && !f.breaksWord(text[at]) {
		at++
	}
	return at
}

// breaksWord reports whether a character belongs to no word.
func (f *Field) breaksWord(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune(f.breaks, r)
}

package ui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// lineEnd represents a line end in the text of an TextArea's field, which has one line.
const lineEnd = "⏎"

// TextArea is a text field of several lines with the keys of Field. It wraps long lines
// between words and scrolls so that the cursor is visible.
type TextArea struct {
	field *Field
	rows  []textRow
	width int // of the last picture
	top   int // first visible row
	shown int // lines of the last picture
}

// textRow is a row of a wrapped text: the bytes of it, with the blank or line end that
// it is broken at.
type textRow struct{ from, to int }

// NewTextArea returns an empty area for at most limit characters.
func NewTextArea(limit int, placeholder string) *TextArea {
	return &TextArea{field: NewField(limit, placeholder)}
}

// Holds reports whether an area can show and return a text unchanged.
func Holds(text string) bool {
	typed := strings.ReplaceAll(text, "\n", lineEnd)
	return !strings.Contains(text, lineEnd) && Typeable(typed) == typed
}

// Set replaces the text and puts the cursor at its end.
func (a *TextArea) Set(text string) {
	a.field.Set(strings.ReplaceAll(text, "\n", lineEnd))
	a.top = 0
}

// Text returns the text with its line ends.
func (a *TextArea) Text() string { return strings.ReplaceAll(a.field.Value(), lineEnd, "\n") }

// Key handles a key or a paste, which keeps its line ends. changed reports whether the
// text differs now.
func (a *TextArea) Key(k tea.KeyMsg) (changed bool) {
	if k.Type == tea.KeyRunes {
		text := strings.ReplaceAll(strings.ReplaceAll(string(k.Runes), "\r\n", "\n"), "\r", "\n")
		k.Runes = []rune(strings.ReplaceAll(text, "\n", lineEnd))
	}
	_, changed = a.field.Key(k)
	return changed
}

// Break begins a new line at the cursor.
func (a *TextArea) Break() { a.field.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(lineEnd)}) }

// Move moves the cursor by rows, as wide as in the last picture, and keeps its column
// as far as the row reaches.
func (a *TextArea) Move(by int) {
	if a.width == 0 {
		return
	}
	a.wrap()
	at := a.field.at()
	row := a.rowAt(at)
	column := Width(a.field.text[a.rows[row].from:at])
	r := a.rows[max(0, min(row+by, len(a.rows)-1))]
	a.field.PutCursor(r.from + fits(a.field.text[r.from:a.endOf(r)], column))
}

// Click moves the cursor to a cell of the last picture, or to the end of a row that is
// shorter. It returns false for a line without text.
func (a *TextArea) Click(column, line int) bool {
	if a.wrap(); column < 0 || line < 0 || line >= a.shown || a.top+line >= len(a.rows) {
		return false
	}
	r := a.rows[a.top+line]
	a.field.PutCursor(r.from + fits(a.field.text[r.from:a.endOf(r)], column))
	return true
}

// endOf returns the last place of the cursor in a row: before what the row is broken
// at, so that it is drawn in the row.
func (a *TextArea) endOf(r textRow) int {
	if r.to == len(a.field.text) || r.to == r.from {
		return r.to
	}
	return r.to - len(lastCluster(a.field.text[r.from:r.to]))
}

// rowAt returns the row that has the cursor at a byte.
func (a *TextArea) rowAt(at int) int {
	for i, r := range a.rows {
		if at < r.to {
			return i
		}
	}
	return len(a.rows) - 1
}

// fits returns how many bytes of a text fit in w cells, in whole characters.
func fits(text string, w int) int {
	at, used := 0, 0
	for at < len(text) {
		c := firstCluster(text[at:])
		if used += Width(c); used > w {
			break
		}
		at += len(c)
	}
	return at
}

// wrap returns the rows of a text in w cells. A row ends behind a line end, or behind
// the last blank that fits, where there is none anywhere. The last row never ends with a
// line end.
func wrap(text string, w int) []textRow {
	var rows []textRow
	from, used, blank := 0, 0, 0 // blank is the end of the last one in the row
	for at := 0; at < len(text); {
		c := firstCluster(text[at:])
		if c == lineEnd {
			at += len(c)
			rows = append(rows, textRow{from, at})
			from, used, blank = at, 0, 0
			continue
		}
		width := Width(c)
		if used+width > w && c != " " && at > from {
			to := at
			if blank > from {
				to = blank
			}
			rows = append(rows, textRow{from, to})
			from, used, blank = to, Width(text[to:at]), 0
			continue
		}
		at += len(c)
		used += width
		if c == " " {
			blank = at
		}
	}
	return append(rows, textRow{from, len(text)})
}

// wrap wraps the text for the last width; a cell is left for the cursor behind a row.
func (a *TextArea) wrap() { a.rows = wrap(a.field.text, max(1, a.width-1)) }

// Rows returns the number of rows of the text in w cells.
func (a *TextArea) Rows(w int) int { return len(wrap(a.field.text, max(1, w-1))) }

// Draw returns h lines of w cells. With focused the cursor is drawn.
func (a *TextArea) Draw(t *Theme, w, h int, focused bool) []string {
	if h <= 0 {
		return nil
	}
	if w != a.width {
		a.width, a.top = w, 0
	}
	a.shown = h
	a.wrap()
	at := a.field.at()
	row := a.rowAt(at)
	a.top = max(0, min(max(min(a.top, row), row-h+1), len(a.rows)-h))
	var l Line
	lines := make([]string, 0, h)
	for i := a.top; len(lines) < h; i++ {
		l.Start(w)
		switch {
		case i >= len(a.rows):
		case a.field.text == "":
			a.field.Draw(&l, t, w, focused)
		default:
			r := a.rows[i]
			cursor := focused && i == row
			text := a.field.text
			if !cursor {
				l.Text(t.Text, Truncate(strings.TrimSuffix(strings.TrimSuffix(text[r.from:r.to], lineEnd), " "), l.Room()))
			} else {
				l.Text(t.Text, text[r.from:at])
				under, rest := " ", ""
				if at < r.to {
					if under = firstCluster(text[at:]); under == lineEnd {
						under = " "
					} else {
						rest = strings.TrimSuffix(text[at+len(under):r.to], lineEnd)
					}
				}
				a.field.drawCursor(&l, t, under)
				l.Text(t.Text, Truncate(strings.TrimRight(rest, " "), l.Room()))
			}
		}
		lines = append(lines, l.End())
	}
	return lines
}

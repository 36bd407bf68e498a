package tui

import (
	"cmp"
	"slices"
	"strconv"

	"caliper/tui/cells"

	tea "github.com/charmbracelet/bubbletea"
)

// choice is one row of a chooser.
type choice struct {
	id      string // what choosing it means
	label   string // safe for a terminal
	note    string // on the right: a key, a count
	current bool   // what is in force now
}

// chooser is a list over the screen that narrows while one types: the command
// palette, the session picker and the menus are choosers.
type chooser struct {
	purpose string // what the choice is for, see App.chosen
	title   string
	all     []choice
	shown   []ranked
	typed   string
	cursor  int
	list    window
}

// ranked is a choice that matches what was typed.
type ranked struct {
	choice
	score int
	spans [][2]int
}

// newChooser returns a chooser with the current choice selected.
func newChooser(purpose, title string, choices []choice) *chooser {
	c := &chooser{purpose: purpose, title: title, all: choices}
	c.narrow()
	for i, r := range c.shown {
		if r.current {
			c.cursor = i
		}
	}
	return c
}

// narrow ranks the choices by what was typed; equal scores keep their order.
func (c *chooser) narrow() {
	c.shown = c.shown[:0]
	for _, choice := range c.all {
		if score, spans, ok := fuzzyMatch(c.typed, choice.label); ok {
			c.shown = append(c.shown, ranked{choice, score, spans})
		}
	}
	if c.typed != "" {
		slices.SortStableFunc(c.shown, func(a, b ranked) int { return cmp.Compare(b.score, a.score) })
	}
	c.cursor, c.list.top = 0, 0
}

// key handles a key that is not bound: it edits what was typed, or goes to an
// end of the list.
func (c *chooser) key(k tea.KeyMsg) {
	switch k.String() {
	case "home":
		c.cursor = 0
	case "end":
		c.move(len(c.shown))
	case "ctrl+u":
		c.typed = ""
		c.narrow()
	case "backspace":
		if runes := []rune(c.typed); len(runes) > 0 {
			c.typed = string(runes[:len(runes)-1])
			c.narrow()
		}
	default:
		if k.Type == tea.KeyRunes && !k.Alt || k.Type == tea.KeySpace {
			c.typed += cells.Clean(folded(string(k.Runes)))
			if k.Type == tea.KeySpace {
				c.typed += " "
			}
			c.narrow()
		}
	}
}

// move moves the selection.
func (c *chooser) move(by int) {
	c.cursor = max(0, min(c.cursor+by, len(c.shown)-1))
}

// selected returns the selected choice; ok is false when nothing matches.
func (c *chooser) selected() (choice, bool) {
	if c.cursor >= len(c.shown) {
		return choice{}, false
	}
	return c.shown[c.cursor].choice, true
}

// chooserRows is how many rows a chooser shows at most.
const chooserRows = 14

// size returns the width and the number of rows on a screen of w×h cells.
func (c *chooser) size(w, h int) (width, rows int) {
	width = cells.Width(c.title) + 8
	for _, choice := range c.all {
		width = max(width, cells.Width(choice.label)+cells.Width(choice.note)+9)
	}
	return min(width, 72, max(w-2, 8)), min(len(c.all), chooserRows, max(h-5, 1))
}

// draw returns the box of a chooser for a screen of w×h cells.
func (c *chooser) draw(t *Theme, w, h int) []string {
	width, rows := c.size(w, h)
	inner := width - 4
	var l cells.Line
	l.Start(inner)
	l.Text(t.Accent, t.Prompt+" ")
	l.Text(t.Text, c.typed)
	l.Text(t.Cursor, t.caret())
	if len(c.shown) != len(c.all) {
		l.Right(t.Faint, " "+strconv.Itoa(len(c.shown))+" of "+strconv.Itoa(len(c.all)))
	}
	content := []string{l.End()}
	c.list.follow(c.cursor, rows, len(c.shown))
	for i := c.list.top; i < c.list.top+rows; i++ {
		l.Start(inner)
		if i < len(c.shown) {
			c.drawRow(&l, t, i)
		} else if i == 0 {
			l.Text(t.Faint, " nothing matches")
		}
		content = append(content, l.End())
	}
	return dialog(t, c.title, content, width)
}

// drawRow draws one choice.
func (c *chooser) drawRow(l *cells.Line, t *Theme, i int) {
	r := c.shown[i]
	drawGutter(l, t, i == c.cursor, true)
	mark := " "
	if r.current {
		mark = t.Tick
	}
	l.Text(t.Ok, mark+" ")
	l.Spans(t.Text, t.Match, r.label, r.spans)
	if r.note != "" && l.Room() > cells.Width(r.note) {
		l.Right(t.Key, r.note)
	}
}

// rowAt returns the choice on a line of the box; ok is false beside the rows.
func (c *chooser) rowAt(line int) (int, bool) {
	i := c.list.top + line - 2
	return i, line >= 2 && i >= 0 && i < len(c.shown)
}

// caret is the cursor of a text line: a cell shown reversed, or a glyph where
// nothing can be.
func (t *Theme) caret() string {
	if t.Plain {
		return t.Caret
	}
	return " "
}

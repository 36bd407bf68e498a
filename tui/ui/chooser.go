package ui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// Choice is one row of a chooser.
type Choice struct {
	ID      string // identifies the choice for the caller
	Label   string // safe for a terminal
	About   string // what it is, shown where there is room, and searched after the labels; safe for a terminal
	Note    string // text on the right, such as a key or a count
	Current bool   // the choice is active now
	Why     string // why it cannot be chosen now; empty when it can
}

// Chooser is a list over the screen that is filtered by typed text. The command
// palette, the session picker and the menus are choosers.
type Chooser struct {
	title  string
	All    []Choice
	More   func(typed string) []Choice // choices that depend on the typed text, shown after the others; nil for none
	None   []string                    // what can be done where nothing matches, a paragraph each
	Shown  []ranked
	Cursor int
	field  *Field // the text that filters
	list   Window
}

// longestFilter is the longest text that filters a chooser, in characters.
const longestFilter = 200

// Typed returns the text that filters.
func (c *Chooser) Typed() string { return c.field.Value() }

// Type replaces the text that filters.
func (c *Chooser) Type(text string) {
	c.field.Set(text)
	c.Narrow()
}

// ranked is a choice that matches the typed text.
type ranked struct {
	Choice
	score int
	spans [][2]int
}

// NewChooser returns a chooser with the current choice selected, or, where none is
// current, the first one that can be chosen.
func NewChooser(title string, choices []Choice) *Chooser {
	c := &Chooser{title: title, All: choices, field: NewField(longestFilter, "")}
	c.Narrow()
	c.Cursor = max(0, slices.IndexFunc(c.Shown, func(r ranked) bool { return r.Why == "" }))
	for i, r := range c.Shown {
		if r.Current {
			c.Cursor = i
		}
	}
	return c
}

// aboutScore is less than the score of any label that matches.
const aboutScore = -100

// Narrow filters and ranks the choices by the typed text; choices with equal scores keep their
// order, and those that have all its words in what they are about come last.
func (c *Chooser) Narrow() {
	c.Shown = c.Shown[:0]
	words := strings.Fields(strings.ToLower(c.Typed()))
	for _, choice := range c.All {
		if score, spans, ok := fuzzyMatch(c.Typed(), choice.Label); ok {
			c.Shown = append(c.Shown, ranked{choice, score, spans})
		} else if about := strings.ToLower(choice.About); about != "" && !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(about, word) }) {
			c.Shown = append(c.Shown, ranked{Choice: choice, score: aboutScore})
		}
	}
	if c.Typed() != "" {
		slices.SortStableFunc(c.Shown, func(a, b ranked) int { return cmp.Compare(b.score, a.score) })
	}
	if c.More != nil {
		for _, choice := range c.More(c.Typed()) {
			c.Shown = append(c.Shown, ranked{Choice: choice})
		}
	}
	c.Cursor, c.list.Top = 0, 0
}

// Key handles a key without a binding: it edits the typed text, or moves to an
// end of the list.
func (c *Chooser) Key(k tea.KeyMsg) {
	switch k.String() {
	case "home":
		c.Cursor = 0
	case "end":
		c.Move(len(c.Shown))
	default:
		if _, changed := c.field.Key(k); changed {
			c.Narrow()
		}
	}
}

// Move moves the selection.
func (c *Chooser) Move(by int) {
	c.Cursor = max(0, min(c.Cursor+by, len(c.Shown)-1))
}

// Selected returns the selected choice; ok is false when nothing matches.
func (c *Chooser) Selected() (Choice, bool) {
	if c.Cursor >= len(c.Shown) {
		return Choice{}, false
	}
	return c.Shown[c.Cursor].Choice, true
}

// chooserRows is the largest number of rows that a chooser shows.
const chooserRows = 14

// mostAbout is the most cells that what a choice is about makes the box wider by, leastAbout the
// fewest that it is shown in, and mostLabel the widest column of labels before it.
const mostAbout, leastAbout, mostLabel = 40, 12, 40

// Size returns the width and the number of rows on a screen of w×h cells.
func (c *Chooser) Size(w, h int) (width, rows int) {
	width = Width(c.title) + 8
	for _, choice := range c.All {
		need := Width(choice.Label) + Width(choice.Note) + 9
		if choice.About != "" {
			need += mostAbout
		}
		if choice.Why != "" {
			need += Width(choice.Why) + 2
		}
		width = max(width, need)
	}
	return min(width, 100, max(w-2, 8)), min(len(c.All), chooserRows, max(h-5, 1))
}

// Draw returns the box of a chooser for a screen of w×h cells.
func (c *Chooser) Draw(t *Theme, w, h int) []string {
	width, rows := c.Size(w, h)
	inner := width - 4
	l := StartLine(inner, 0)
	l.Text(t.Accent, t.Prompt+" ")
	count := ""
	if c.Typed() != "" {
		count = " " + strconv.Itoa(len(c.Shown)) + " found"
	}
	c.field.Draw(&l, t, l.Room()-Width(count), true)
	l.Text(t.Faint, count)
	content := []string{l.End()}
	c.list.Follow(c.Cursor, rows, len(c.Shown))
	last, label := min(c.list.Top+rows, len(c.Shown)), 0
	for _, r := range c.Shown[c.list.Top:last] {
		label = max(label, min(Width(r.Label), mostLabel))
	}
	for i := c.list.Top; i < last; i++ {
		l.Start(inner)
		r := c.Shown[i]
		DrawGutter(&l, t, i == c.Cursor, true)
		mark := " "
		if r.Current {
			mark = t.Tick
		}
		l.Text(t.Ok, mark+" ")
		style := t.Text
		if r.Why != "" {
			style = t.Faint
		}
		about := l.At() + label + 2
		l.Spans(style, t.Match, r.Label, r.spans)
		if r.Why != "" && l.Room() > Width(r.Note)+8 {
			l.Gap(2)
			l.Cell(t.Faint, r.Why, l.Room()-Width(r.Note)-2)
		}
		about = max(about, l.At()+2)
		if room := l.At() + l.Room() - about - Width(r.Note) - 2; r.About != "" && room >= leastAbout {
			l.To(about)
			l.Text(t.Faint, FirstWords(r.About, room))
		}
		if r.Note != "" && l.Room() > Width(r.Note) {
			l.Right(t.Key, r.Note)
		}
		content = append(content, l.End())
	}
	if len(c.Shown) == 0 {
		var lines []string
		for _, text := range append([]string{"nothing matches; esc closes"}, c.None...) {
			for _, line := range Wrap(text, inner-1) {
				lines = append(lines, TextLine(inner, 1, t.Faint, line))
			}
		}
		content = append(content, lines[:min(len(lines), rows)]...)
	}
	for len(content) < 1+rows {
		content = append(content, Spaces(inner))
	}
	return Dialog(t, c.title, content, width)
}

// RowAt returns the index of the choice on a line of the box; ok is false for
// other lines.
func (c *Chooser) RowAt(line int) (int, bool) {
	i := c.list.Top + line - 2
	return i, line >= 2 && i >= 0 && i < len(c.Shown)
}

// Mark sets whether the choice with an ID is active. The rows keep their
// order.
func (c *Chooser) Mark(id string, current bool) {
	for i := range c.All {
		if c.All[i].ID == id {
			c.All[i].Current = current
		}
	}
	for i := range c.Shown {
		if c.Shown[i].ID == id {
			c.Shown[i].Current = current
		}
	}
}

package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/safetext"
	"caliper/tui/screen"
	"caliper/tui/ui"
)

// manual is the box of the help: rows under headings, with a cursor and a filter.
//
// Invariants:
//   - the cursor is on a row of shown, or 0 when nothing is shown;
//   - lines hold what the last picture held, a row of shown from span.from to
//     span.to.
type manual struct {
	app    *App
	rows   []helpRow
	shown  []int // of rows, those that the filter finds
	cursor int   // in shown
	field  *ui.Field
	typing bool // the filter is being typed
	browse *ui.Layer
	filter *ui.Layer

	list    ui.Window
	follows bool // the next picture scrolls to the cursor
	spans   []span
	total   int // lines; h of w cells each were in the last picture
	w, h    int
}

// span is where a row is among the lines: heading lines from head on, its own from
// from on, up to to, exclusive.
type span struct{ head, from, to int }

// manual returns the help, which is the topmost box when its keys work.
func (a *App) manual() *manual { return a.top().(*manual) }

// Layer returns the keys of the help, or of its filter while that is typed.
func (m *manual) Layer() *ui.Layer {
	if m.typing {
		return m.filter
	}
	return m.browse
}

// back clears the filter. Without a filter it closes the help.
func (m *manual) back() {
	if !m.typing && m.field.Value() == "" {
		m.app.closeTop()
		return
	}
	m.typing = false
	m.field.Set("")
	m.narrow()
}

// narrow shows the rows that hold every word of the filter, in whatever case, in
// their key, name, text or heading.
func (m *manual) narrow() {
	m.shown, m.cursor, m.list.Top, m.follows = nil, 0, 0, true
	words := strings.Fields(strings.ToLower(m.field.Value()))
	for i, r := range m.rows {
		text := strings.ToLower(strings.Join([]string{r.key, r.word, r.text, r.also, r.group}, "\n"))
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			m.shown = append(m.shown, i)
		}
	}
}

// run closes the help and does what the selected row says, on its screen. A row
// that cannot run tells why.
func (m *manual) run() tea.Cmd {
	a := m.app
	if len(m.shown) == 0 {
		return a.Notify(ui.LevelInfo, "nothing in the help has these words")
	}
	r := &m.rows[m.shown[m.cursor]]
	if why := r.why(); why != "" {
		return a.Notify(ui.LevelInfo, why)
	}
	if r.binding == nil {
		return a.Notify(ui.LevelInfo, cmp.Or(r.word, r.key)+" is explained here; there is nothing to run")
	}
	a.closeTop()
	return a.doThere(r.binding, r.screen)
}

// Move moves the cursor by one row, or scrolls by as many lines. A row higher than
// the box is scrolled through first.
func (m *manual) Move(by int) {
	if len(m.spans) == 0 || len(m.spans) != len(m.shown) {
		return
	}
	at, last := m.spans[m.cursor], len(m.shown)-1
	hidden := func(lines int) bool { // and shows them
		if lines <= 0 {
			return false
		}
		m.list.Top += max(-1, min(1, by)) * min(lines, max(1, m.h-1))
		return true
	}
	switch {
	case by == 1 && hidden(at.to-m.list.Top-m.h), by == -1 && hidden(m.list.Top-at.head):
		return
	case by == 1 || by == -1:
		m.cursor = max(0, min(m.cursor+by, last))
	case by >= screen.End || by <= -screen.End:
		m.cursor = max(0, min(by, last))
	default: // the cursor goes to the nearest row in the box, or to the end where it does not scroll
		top := m.list.Top
		m.list.Scroll(by, m.h, m.total)
		switch from := m.spans[m.cursor].from; {
		case m.list.Top == top && by < 0:
			m.cursor = 0
		case m.list.Top == top:
			m.cursor = last
		case from < m.list.Top:
			m.cursor = max(m.cursor, slices.IndexFunc(m.spans, func(s span) bool { return s.from >= m.list.Top }))
		default:
			for m.cursor > 0 && m.spans[m.cursor].from >= m.list.Top+m.h {
				m.cursor--
			}
		}
		return
	}
	m.follows = true
}

// Page returns the lines of a page. It is a little less than the box has, because
// the row of the cursor may be a line or two higher than it is without.
func (m *manual) Page() int { return max(2, m.h-3) }

// Click runs the row on a line; on a word it goes there. A click outside the box
// closes it.
func (m *manual) Click(line int) tea.Cmd {
	if line < 0 {
		m.app.closeTop()
		return nil
	}
	line += m.list.Top - 1
	i := slices.IndexFunc(m.spans, func(s span) bool { return line >= s.from && line < s.to })
	if i < 0 || line >= m.list.Top+m.h || line < m.list.Top {
		return nil
	}
	m.cursor = i
	if m.rows[m.shown[i]].binding == nil {
		return nil
	}
	return m.run()
}

const (
	helpWidth = 108 // the widest box
	helpKey   = 16  // cells of the key
	helpTight = 10  // cells of the key in a box of less than helpSmall
	helpSmall = 50
	helpWord  = 26 // cells of a word, where its meaning is beside it
	helpWide  = 76 // the cells inside from which on it is
)

// Draw returns the box for a screen of w×h cells.
func (m *manual) Draw(t *ui.Theme, w, h int) []string {
	width := max(min(w-2, helpWidth), 12)
	inner, rows := width-4, max(h-4, 1)
	if inner != m.w || rows != m.h {
		m.w, m.h, m.follows = inner, rows, true
	}
	lines := m.lines(t, inner)
	if len(m.shown) > 0 && m.follows {
		at := m.spans[m.cursor]
		m.list.Follow(at.to-1, rows, len(lines))
		m.list.Top = min(m.list.Top, at.head)
	}
	m.follows, m.total = false, len(lines)
	m.list.Clamp(rows, len(lines))
	title := "help  / filters, enter runs"
	if text := m.field.Value(); m.typing || text != "" {
		title = "help  /" + safetext.Line(text)
		if m.typing {
			title += "_"
		}
		title += fmt.Sprintf("  %d of %d", len(m.shown), len(m.rows))
	}
	return ui.Dialog(t, title, ui.FitLines(slices.Clone(lines[m.list.Top:]), inner, rows), width)
}

// lines returns the lines of all shown rows under their headings, and keeps where
// each row is.
func (m *manual) lines(t *ui.Theme, w int) []string {
	m.spans = m.spans[:0]
	var lines []string
	var l ui.Line
	group, away := "", map[string]bool{}
	for _, at := range m.shown {
		away[m.rows[at].group] = away[m.rows[at].group] || m.rows[at].away
	}
	for i, at := range m.shown {
		r := &m.rows[at]
		head := len(lines)
		if r.group != group {
			if group != "" {
				lines = append(lines, ui.Spaces(w))
			}
			group = r.group
			l.Start(w)
			l.Text(t.TitleFocus, group)
			if away[group] {
				l.Text(t.Faint, ui.Longest(max(0, l.Room()), "  these keys work there; enter runs one from here", "  work there; enter runs one", "  elsewhere"))
			}
			lines = append(lines, l.End())
		}
		from := len(lines)
		lines = append(lines, drawRow(t, r, i == m.cursor, w)...)
		m.spans = append(m.spans, span{head, from, len(lines)})
	}
	if len(lines) == 0 {
		l.Start(w)
		l.Text(t.Faint, " nothing in the help has these words")
		lines = append(lines, l.End())
	}
	return lines
}

// notNow marks a row that cannot be run, where the reason has no room.
const notNow = "not now"

// drawRow returns the lines of a row. What cannot be run is faint, with the reason
// beside it; where that has no room it is below the row of the cursor.
func drawRow(t *ui.Theme, r *helpRow, selected bool, w int) []string {
	if r.word != "" {
		return drawWord(t, r, selected, w)
	}
	why := r.why()
	text := t.Text
	if why != "" {
		text = t.Faint
	}
	l := ui.StartLine(w, 0)
	ui.DrawGutter(&l, t, selected, true)
	key := helpKey
	if w < helpSmall {
		key = max(helpTight, ui.Width(r.key))
	}
	l.Cell(t.Key, r.key, key)
	l.Gap(1)
	at := l.At()
	said := ui.Wrap(r.text, w-at)
	if why != "" && w >= helpSmall && ui.Width(said[0])+ui.Width(why)+2 > w-at { // it is told at least that there is a reason
		said = ui.Wrap(r.text, max(8, w-at-len(notNow)-2))
	}
	l.Text(text, said[0])
	fits := len(said) == 1 && l.Room() >= ui.Width(why)+2
	switch {
	case why != "" && fits:
		l.Right(t.Faint, why)
	case why != "" && l.Room() >= len(notNow)+2:
		l.Right(t.Faint, notNow)
	}
	lines := []string{l.End()}
	for _, rest := range said[1:] {
		l.Start(w)
		ui.DrawGutter(&l, t, selected, true)
		l.To(at)
		l.Text(text, rest)
		lines = append(lines, l.End())
	}
	if why != "" && !fits && selected {
		for _, rest := range ui.Wrap(why, w-2) {
			l.Start(w)
			ui.DrawGutter(&l, t, selected, true)
			l.To(2)
			l.Text(t.Faint, rest)
			lines = append(lines, l.End())
		}
	}
	return lines
}

// drawWord returns a word with its meaning beside it, or below it where there is
// no room.
func drawWord(t *ui.Theme, r *helpRow, selected bool, w int) []string {
	at := 2
	if w >= helpWide {
		at = helpWord + 1
	}
	var lines []string
	var l ui.Line
	begin := func() {
		l.Start(w)
		ui.DrawGutter(&l, t, selected, true)
	}
	begin()
	if at > helpWord {
		l.Cell(t.Strong, r.word, helpWord-1)
	} else {
		l.Text(t.Strong, r.word)
		lines = append(lines, l.End())
		begin()
	}
	for i, text := range ui.Wrap(r.text, w-at) {
		if i > 0 {
			begin()
		}
		l.To(at)
		l.Text(t.Text, text)
		lines = append(lines, l.End())
	}
	return lines
}

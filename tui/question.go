package tui

import (
	"cmp"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/model/safetext"
	"caliper/tui/screen"
	"caliper/tui/ui"
)

// Yes is the action that answers a question with yes.
const Yes ui.Action = "yes"

// question is the box that shows how a file will change and asks whether to write
// it. Nothing is written before the answer, which is a key.
type question struct {
	screen.Box
	title  string
	before []string          // what to know about the file, above its change
	lines  []config.DiffLine // how the file changes
	after  []string          // what the change leaves out
	does   string            // what yes does, after its key
	not    string            // what no does, after its key; empty: it does not
	yes    func() tea.Cmd
	about  *writeback // nil for a file of labelled queries or of descriptions

	top         int // first line that is drawn
	room, total int // visible lines and all lines in the last picture
}

// answerYes does what the topmost question asks about, and closes it.
func (a *App) answerYes() tea.Cmd {
	q, ok := a.top().(*question)
	if !ok {
		return nil
	}
	var next tea.Cmd
	if q.about != nil {
		a.confirm, next = nil, a.askDrafts(q.about, true)
	}
	a.closeTop()
	return tea.Batch(q.yes(), next)
}

// answerNo closes the topmost question, and drops the one that waits for its answer: whoever
// leaves the first of two saves nothing.
func (a *App) answerNo() tea.Cmd {
	q, ok := a.top().(*question)
	a.closeTop()
	if !ok || q.about == nil {
		return nil
	}
	a.confirm = nil
	if len(q.about.drafts) > 0 {
		return a.Notify(ui.LevelInfo, "nothing was saved, and the descriptions are not asked about")
	}
	return nil
}

// ask opens the question about a change of the config file and closes the previous
// one; nil only closes it.
func (a *App) ask(w *writeback) {
	a.confirm = w
	a.over = slices.DeleteFunc(a.over, func(o screen.Overlay) bool {
		q, is := o.(*question)
		return is && q.about != nil
	})
	if w != nil {
		a.Open(w.question(a))
	}
}

// Move scrolls.
func (q *question) Move(rows int) { q.top = max(0, min(q.top+rows, q.total-q.room)) }

// Page returns the lines of a page.
func (q *question) Page() int { return max(q.room-1, 1) }

// leastQuestion is the cells of a box that is not wider for its change, mostQuestion the cells of the
// widest.
const leastQuestion, mostQuestion = 90, 150

// leastContext is the height from which the lines around a change are shown.
const leastContext = 14

// Draw returns the box for a screen of w×h cells.
func (q *question) Draw(t *ui.Theme, w, h int) []string {
	inner := leastQuestion
	for _, line := range q.lines {
		if line.Op == config.Added || line.Op == config.Removed {
			inner = max(inner, 2+ui.Width(safetext.Line(line.Text)))
		}
	}
	inner = max(20, min(w-8, inner, mostQuestion))
	var content []string
	var l ui.Line
	text := func(style ui.Style, s string) {
		l.Start(inner)
		l.Text(style, s)
		content = append(content, l.End())
	}
	wrapped := func(style ui.Style, s string) {
		for i, line := range ui.Wrap(s, inner-1) {
			text(style, ui.Spaces(min(i, 1))+line)
		}
	}
	for _, s := range q.before {
		wrapped(t.Warn, s)
	}
	for _, line := range q.lines {
		s := safetext.Line(line.Text)
		switch {
		case line.Op == config.Added:
			wrapped(t.Added, "+"+s)
		case line.Op == config.Removed:
			wrapped(t.Removed, "-"+s)
		case h < leastContext: // only lines that do not change are cut
		case line.Op == config.Hunk:
			text(t.Faint, s)
		default:
			text(t.Faint, " "+s)
		}
	}
	for _, s := range q.after {
		wrapped(t.Text, s)
	}
	q.total, q.room = len(content), max(1, min(len(content), h-4)) // the footer has the keys
	q.Move(0)
	rest := q.total - q.top - q.room
	content = content[q.top : q.top+q.room]
	if len(content)+5 <= h {
		content = append(content, ui.Spaces(inner))
	}
	l.Start(inner)
	l.Text(t.Key, "y")
	l.Text(t.Faint, " "+q.does+"  ")
	l.Text(t.Key, "n")
	l.Text(t.Faint, " "+cmp.Or(q.not, "does not"))
	if more := ui.Thousands(rest) + " more"; rest > 0 && l.Room() > ui.Width(more)+1 {
		l.Right(t.Faint, more)
	}
	return ui.Dialog(t, ui.FitName(q.title, inner), append(content, l.End()), inner+4)
}

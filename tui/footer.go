package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/safetext"
	"caliper/tui/cells"
	"caliper/tui/keymap"
	"caliper/tui/ui"
)

// drawFooter draws the current notice, or else the key hints.
func (a *App) drawFooter(w int) string {
	a.hints = nil
	if line, ok := a.notices.Line(a.theme, w, a.keys.browse.Binding(keymap.Notice).Help().Key); ok {
		return line
	}
	var l cells.Line
	l.Start(w)
	for i, s := range a.layer().Footer() {
		gap := min(i+1, 2)
		if gap+cells.Width(s.Key)+1+cells.Width(s.Words) > l.Room() {
			break
		}
		l.Gap(gap)
		from := l.At()
		l.Text(a.theme.Key, s.Key)
		l.Gap(1)
		l.Text(a.theme.KeyLabel, s.Words)
		a.hints = append(a.hints, hint{from, l.At(), s.Binding})
	}
	return l.End()
}

// hint is the position of a binding in the footer, for clicks.
type hint struct {
	from, to int // cells, to exclusive
	binding  *keymap.Binding
}

// clickHint runs the binding of the hint in cell x of the footer.
func (a *App) clickHint(x int) tea.Cmd {
	for _, h := range a.hints {
		if x >= h.from && x < h.to {
			return a.do(h.binding)
		}
	}
	return nil
}

// noticeText returns the full text of the last notice, and every error and
// warning.
func (a *App) noticeText() string {
	text, _ := a.notices.Full()
	if a.state == nil {
		return text
	}
	if len(a.state.Errors) > 0 {
		text = "" // the list of errors says it with full positions
	}
	for _, d := range a.state.Errors {
		text += "\nerror: " + d.Error()
	}
	for _, d := range a.state.Warnings {
		text += "\nwarning: " + d.Error()
	}
	return strings.TrimSpace(text)
}

// noticeWidth is the widest that notices are wrapped.
const noticeWidth = 100

// readNotices opens a box with the last notice, the errors and the warnings.
func (a *App) readNotices() tea.Cmd {
	if a.noticeText() == "" {
		return a.notify(ui.LevelInfo, "no notices, and nothing is wrong")
	}
	a.read(&ui.Reader{Title: "notices", Text: func(_ *ui.Theme, w int) ([]string, int) {
		inner := min(w, noticeWidth)
		return cells.Wrap(safetext.Lines(a.noticeText()), inner), inner
	}})
	a.notices.PutAway() // read, and so dismissed
	return nil
}

package tui

import (
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"caliper/model/safetext"
	"caliper/tui/ui"
)

// drawFooter draws the search line while it is open, and the key hints.
func (a *App) drawFooter(w int) string {
	a.hints = nil
	search := ""
	if a.find != nil {
		var l ui.Line
		l.StartAt(min(w/2, findWidth), 1)
		l.Text(a.theme.Accent, "/")
		a.find.Draw(&l, a.theme, l.Room()-1, true)
		search = l.End()
	}
	used := ui.Width(ansi.Strip(search))
	layer := a.layer()
	hints := layer.Footer()
	if len(a.over) == 0 && layer.Type == nil { // the keys that undo and save trials stand after two hints, after some more the one that undoes the last save
		shown := func(of ...ui.Hinted) []ui.Shown {
			return (&ui.Layer{Groups: layer.Groups, Hints: ui.Hints(of...)}).Footer()
		}
		hints = slices.Insert(hints, min(5, len(hints)), shown(ui.Unwrite.As("undo save"))...)
		hints = slices.Insert(hints, min(2, len(hints)), shown(ui.Undo.As("undo"), ui.Save.As("save"))...)
	}
	if a.tour != nil && a.tour.fresh && len(a.over) == 0 && a.find == nil { // enter goes on with the tour
		hints = slices.DeleteFunc(hints, func(s ui.Shown) bool { return slices.Contains(s.Binding.Keys(), "enter") })
	}
	if last := strconv.Itoa(len(a.screens)); layer.Type != nil && layer.Bound("alt+"+last) { // outside text the digits are known
		at := slices.IndexFunc(hints, func(s ui.Shown) bool {
			return s.Binding.Action == ui.Palette || s.Binding.Action == ui.Help
		})
		if at < 0 {
			at = len(hints)
		}
		hints = slices.Insert(hints, min(at, screensAfter), ui.Shown{Key: "alt-1.." + last, Words: "screens", Binding: a.keys.walk.Binding(ui.NextScreen)})
	}
	l := ui.StartLine(w-used, 0)
	for i, s := range fitting(hints, w-used) {
		l.Gap(min(i+1, hintGap))
		at := l.At()
		l.Text(a.theme.Key, s.Key)
		l.Gap(1)
		l.Text(a.theme.Faint, s.Words)
		s.From, s.To = used+at, used+l.At()
		a.hints = append(a.hints, s)
	}
	return search + l.End()
}

// mostNotice is the most lines of a notice above the footer; on small terminals a third of
// the screen is, and over a box, which may ask something there, one line.
const mostNotice = 4

// drawNotice returns the current notice in lines to be drawn over the end of the screen, so
// that the keys below stay; nil for none.
func (a *App) drawNotice() []string {
	most := max(1, min(mostNotice, (a.layout.Body.Dy()+1)/3))
	if len(a.over) > 0 && !a.fills(a.top()) {
		most = 1
	}
	l, key := a.layer(), a.keys.browse.Binding(ui.Notice).Help().Key // shows them in full
	if l.Type != nil && !l.Bound(key) {
		key = "" // it is typed as text
	}
	return a.notices.Draw(a.theme, a.layout.Whole.Dx(), most, key)
}

// screensAfter is how many hints of a text field are worth more than the way to the screens.
const screensAfter = 4

// findWidth is the widest that the search line is drawn.
const findWidth = 40

// hintGap is the number of cells between two hints. Before the first is one.
const hintGap = 2

// hintWidth returns the cells of a hint with the gap before it.
func hintWidth(s ui.Shown) int { return hintGap + ui.Width(s.Key) + 1 + ui.Width(s.Words) }

// leastHints is the width from which the footer has room for many hints.
const leastHints = 60

// fitting returns the hints, in order, that fit a footer of w cells. The key of
// the help has its place in every footer that has room for any. On a small terminal a hint
// that does not fit makes room for shorter ones behind it.
func fitting(hints []ui.Shown, w int) []ui.Shown {
	room := w + hintGap - 1
	help := slices.IndexFunc(hints, func(s ui.Shown) bool { return s.Binding.Action == ui.Help })
	if help >= 0 {
		if room -= hintWidth(hints[help]); room < 0 {
			return nil
		}
	}
	var list []ui.Shown
	for i, s := range hints {
		switch {
		case i == help:
			list = append(list, s)
		case hintWidth(s) <= room:
			room -= hintWidth(s)
			list = append(list, s)
		case w < leastHints: // the next one may be shorter
		case i < help:
			return append(list, hints[help])
		default:
			return list
		}
	}
	return list
}

// noticeText returns every error of the files, the last notices in full, newest first, and
// every warning of the files.
func (a *App) noticeText() string {
	var text []string
	add := func(line string) { text = append(text, line) }
	past := a.notices.Past()
	if a.state != nil && len(a.state.Errors) > 0 {
		for _, d := range a.state.Errors {
			add("error: " + d.Error())
		}
		if len(past) > 0 && past[0].Level == ui.LevelBad {
			past = past[1:] // the list of errors says it with full positions
		}
	}
	for _, said := range past {
		add(said.String())
	}
	if a.state != nil {
		for _, d := range a.state.Warnings {
			add("warning: " + d.Error())
		}
		if len(a.state.Warnings) > 0 {
			add("Warnings are about the files as they were read; what lint finds in the tools is in Queries, view findings.")
		}
	}
	return strings.Join(text, "\n")
}

// noticeWidth is the widest that notices are wrapped.
const noticeWidth = 100

// readNotices opens a box with the last notices, the errors and the warnings.
func (a *App) readNotices() tea.Cmd {
	if a.noticeText() == "" {
		return a.Notify(ui.LevelInfo, "no notices, and nothing is wrong")
	}
	a.openAlone(&text{app: a, Reader: &ui.Reader{Title: "notices", Text: func(_ *ui.Theme, w int) ([]string, int) {
		inner := min(w, noticeWidth)
		return ui.Wrap(safetext.Lines(a.noticeText()), inner), inner
	}}})
	a.notices.PutAway() // read, and so dismissed
	return nil
}

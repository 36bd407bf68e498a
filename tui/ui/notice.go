package ui

import (
	"strings"
	"time"

	"caliper/tui/cells"

	tea "github.com/charmbracelet/bubbletea"
)

// Level is the severity of a notice. The footer shows it as a word too, where
// it matters.
type Level int

const (
	LevelInfo Level = iota
	LevelOk
	LevelWarn
	LevelBad
	LevelFlip // a warning that stays until it is read, dismissed or replaced
)

// Notices holds the notice in the footer: one line that disappears after a
// time. The last notice can be read in full afterwards.
type Notices struct {
	Gen     int // number of the newest notice
	Level   Level
	Text    string
	Showing bool
	Quiet   bool // no timers: notices stay until the next one
}

const (
	// noticeTime is how long a notice stays in the footer, and noticeBad how
	// long an error stays.
	noticeTime = 5 * time.Second
	noticeBad  = 10 * time.Second
)

// NoticeExpiredMsg ends the notice with the number Gen.
type NoticeExpiredMsg struct{ Gen int }

// Show replaces the notice. The footer shows the first line of a text; the others
// are its details. The command removes the notice after its time and must be run.
func (n *Notices) Show(l Level, text string) tea.Cmd {
	n.Gen++
	n.Level, n.Text, n.Showing = l, text, true
	if n.Quiet || l == LevelFlip {
		return nil
	}
	gen, d := n.Gen, noticeTime
	if l == LevelBad {
		d = noticeBad
	}
	return tea.Tick(d, func(time.Time) tea.Msg { return NoticeExpiredMsg{gen} })
}

// Expire ends the notice of a message, unless a newer one shows.
func (n *Notices) Expire(msg NoticeExpiredMsg) {
	if msg.Gen == n.Gen {
		n.Showing = false
	}
}

// PutAway dismisses a notice that would stay; ok is false when none shows.
func (n *Notices) PutAway() (ok bool) {
	ok = n.Showing && n.Level == LevelFlip
	n.Showing = n.Showing && !ok
	return ok
}

// Full returns the whole text of the last notice, also after it has left the
// footer; ok is false if there was none.
func (n *Notices) Full() (text string, ok bool) { return n.Text, n.Text != "" }

// Line draws the notice in exactly w cells; ok is false if none shows. A notice
// that does not fit is followed by the key that shows all of it, and a notice
// that stays by the key that dismisses it, which is never left out.
func (n *Notices) Line(t *Theme, w int, more string) (line string, ok bool) {
	if !n.Showing {
		return "", false
	}
	text, details := n.said()
	style := t.Text
	switch n.Level {
	case LevelOk:
		style = t.Ok
	case LevelWarn, LevelFlip:
		style = t.Warn
	case LevelBad:
		style = t.Bad
	}
	var hints []noticeHint
	if n.Level == LevelFlip {
		hints = []noticeHint{{" esc", " hide"}}
	}
	whole := cells.Width(text)+hintsWidth(hints) <= w && details == ""
	if !whole {
		hints = append([]noticeHint{{" " + more, " all"}}, hints...)
	}
	if n.Level == LevelFlip && hintsWidth(hints) > w/2 { // no room for both keys
		hints = hints[len(hints)-1:]
		if hintsWidth(hints) > w {
			hints[0].label = ""
		}
	}
	var l cells.Line
	l.Start(w)
	l.Cell(style, text, min(cells.Width(text), w-hintsWidth(hints)))
	for _, h := range hints {
		l.Text(t.Key, h.key)
		l.Text(t.KeyLabel, h.label)
	}
	return l.End(), true
}

// said returns the first line of the notice with the word for its level, and the lines
// after it.
func (n *Notices) said() (first, details string) {
	first, details, _ = strings.Cut(strings.TrimSpace(n.Text), "\n")
	word := ""
	switch n.Level {
	case LevelWarn, LevelFlip:
		word = "warning: "
	case LevelBad:
		word = "error: "
	}
	return word + OneLine(first), details
}

// Urgent returns the cells that the first line of an error takes; 0 for another notice
// and for none. Whatever else the footer shows makes room for it.
func (n *Notices) Urgent() int {
	if !n.Showing || n.Level != LevelBad {
		return 0
	}
	first, _ := n.said()
	return cells.Width(first)
}

// noticeHint is a key after a notice, with a leading blank, and its label.
type noticeHint struct{ key, label string }

// hintsWidth returns the cells that hints take.
func hintsWidth(hints []noticeHint) int {
	n := 0
	for _, h := range hints {
		n += cells.Width(h.key + h.label)
	}
	return n
}

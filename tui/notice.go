package tui

import (
	"strings"
	"time"

	"caliper/tui/cells"

	tea "github.com/charmbracelet/bubbletea"
)

// level says how a notice is meant. Its word is drawn too, where it matters.
type level int

const (
	levelInfo level = iota
	levelOk
	levelWarn
	levelBad
	levelFlip // a warning that stays until it is read or put away, or the next notice
)

// notices is what the program tells in the footer: one line, which goes away
// by itself. The last one can still be read in full afterwards.
type notices struct {
	gen     int // of the newest notice
	level   level
	text    string
	showing bool
	quiet   bool // notices stay until the next: no timer runs
}

// noticeExpiredMsg ends the notice of one generation.
type noticeExpiredMsg struct{ gen int }

// show replaces the notice. The text may have several lines; the footer folds
// them. The command ends the notice in its time and must be run.
func (n *notices) show(l level, text string) tea.Cmd {
	n.gen++
	n.level, n.text, n.showing = l, text, true
	if n.quiet || l == levelFlip {
		return nil
	}
	gen, d := n.gen, noticeTime
	if l == levelBad {
		d = noticeBad
	}
	return tea.Tick(d, func(time.Time) tea.Msg { return noticeExpiredMsg{gen} })
}

// expire ends the notice that a message is about, unless a newer one shows.
func (n *notices) expire(msg noticeExpiredMsg) {
	if msg.gen == n.gen {
		n.showing = false
	}
}

// putAway ends a notice that would stay; ok is false when none shows.
func (n *notices) putAway() (ok bool) {
	ok = n.showing && n.level == levelFlip
	n.showing = n.showing && !ok
	return ok
}

// full returns the whole text of the last notice, also when it has gone from
// the footer; ok is false if there was none.
func (n *notices) full() (text string, ok bool) { return n.text, n.text != "" }

// line draws the notice in exactly w cells; ok is false if none shows. What
// the line cannot hold is announced by the key that shows all of it, and a
// notice that stays by the key that hides it, which gives way to nothing.
func (n *notices) line(t *Theme, w int, more string) (line string, ok bool) {
	if !n.showing {
		return "", false
	}
	text := strings.Join(strings.Fields(n.text), " ")
	style, word := t.Text, ""
	switch n.level {
	case levelOk:
		style = t.Ok
	case levelWarn, levelFlip:
		style, word = t.Warn, "warning: "
	case levelBad:
		style, word = t.Bad, "error: "
	}
	var hints []noticeHint
	if n.level == levelFlip {
		hints = []noticeHint{{" esc", " hide"}}
	}
	whole := cells.Width(word+text)+hintsWidth(hints) <= w && !strings.Contains(strings.TrimSpace(n.text), "\n")
	if !whole {
		hints = append([]noticeHint{{" " + more, " all"}}, hints...)
	}
	if n.level == levelFlip && hintsWidth(hints) > w/2 { // too narrow for both keys
		hints = hints[len(hints)-1:]
		if hintsWidth(hints) > w {
			hints[0].label = ""
		}
	}
	var l cells.Line
	l.Start(w)
	l.Cell(style, word+text, min(cells.Width(word+text), w-hintsWidth(hints)))
	for _, h := range hints {
		l.Text(t.Key, h.key)
		l.Text(t.KeyLabel, h.label)
	}
	return l.End(), true
}

// noticeHint is a key that a notice shows, with a blank before it, and what
// the key does.
type noticeHint struct{ key, label string }

// hintsWidth returns the cells that hints take.
func hintsWidth(hints []noticeHint) int {
	n := 0
	for _, h := range hints {
		n += cells.Width(h.key + h.label)
	}
	return n
}

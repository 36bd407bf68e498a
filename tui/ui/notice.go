package ui

import (
	"slices"
	"strings"
	"time"

	"caliper/model/safetext"

	tea "github.com/charmbracelet/bubbletea"
)

// Level is the severity of a notice. It is shown as a word too, where it
// matters.
type Level int

const (
	LevelInfo Level = iota
	LevelOk
	LevelWarn
	LevelBad
	LevelFlip // a warning that stays until it is read, dismissed or replaced
)

// Notices holds the notice above the footer, which disappears after a time. The last ones
// can be read in full afterwards.
type Notices struct {
	Gen     int // number of the newest notice
	Level   Level
	Text    string
	Showing bool
	Quiet   bool // no timers: notices stay until the next one

	Now  func() time.Time // the clock of Past; nil: it has no times
	past []Said           // oldest first
}

// Said is a notice that was shown.
type Said struct {
	Level Level
	Text  string
	At    time.Time // when it was last shown; zero where no clock is known
}

// keptNotices is how many notices are kept, the shown one among them.
const keptNotices = 10

const (
	// noticeTime is how long a notice stays, and noticeBad how
	// long an error stays.
	noticeTime = 5 * time.Second
	noticeBad  = 10 * time.Second
)

// NoticeExpiredMsg ends the notice with this number.
type NoticeExpiredMsg int

// Show replaces the notice. The first line of a text is the notice, the others are its
// details. The command removes the notice after its time and must be run.
func (n *Notices) Show(l Level, text string) tea.Cmd {
	n.Gen++
	n.Level, n.Text, n.Showing = l, text, true
	now := Said{Level: l, Text: text}
	if n.Now != nil {
		now.At = n.Now()
	}
	if last := len(n.past) - 1; last >= 0 && n.past[last].Text == text { // so that a key that is held down pushes nothing out
		n.past = n.past[:last]
	}
	n.past = append(n.past, now)
	n.past = n.past[max(0, len(n.past)-keptNotices):]
	if n.Quiet || l == LevelFlip {
		return nil
	}
	gen, d := n.Gen, noticeTime
	if l == LevelBad {
		d = noticeBad
	}
	return tea.Tick(d, func(time.Time) tea.Msg { return NoticeExpiredMsg(gen) })
}

// Expire ends the notice of a message, unless a newer one shows.
func (n *Notices) Expire(msg NoticeExpiredMsg) {
	if int(msg) == n.Gen {
		n.Showing = false
	}
}

// PutAway dismisses a notice that would stay; ok is false when none shows.
func (n *Notices) PutAway() (ok bool) {
	ok = n.Showing && n.Level == LevelFlip
	n.Showing = n.Showing && !ok
	return ok
}

// Past returns the last notices, also those that are gone, newest first.
func (n *Notices) Past() []Said {
	newest := slices.Clone(n.past)
	slices.Reverse(newest)
	return newest
}

// String returns the whole text of the notice, with its time and its level as a word.
func (s Said) String() string {
	text := s.Level.word() + strings.TrimSpace(s.Text)
	if s.At.IsZero() {
		return text
	}
	return s.At.Format("15:04:05") + "  " + text
}

// word returns what stands before a notice of the level; empty for most.
func (l Level) word() string {
	switch l {
	case LevelWarn, LevelFlip:
		return "warning: "
	case LevelBad:
		return "error: "
	}
	return ""
}

// Draw draws the notice in as many lines of w cells as it needs, most at the most; nil if
// none shows. If that many lines do not hold it, the key more follows that shows all of it,
// unless that is empty. The key that dismisses a notice that stays is never left out.
func (n *Notices) Draw(t *Theme, w, most int, more string) []string {
	if !n.Showing {
		return nil
	}
	style := map[Level]Style{LevelInfo: t.Text, LevelOk: t.Ok, LevelWarn: t.Warn, LevelFlip: t.Warn, LevelBad: t.Bad}[n.Level]
	text, details, _ := strings.Cut(strings.TrimSpace(n.Text), "\n")
	text = n.Level.word() + OneLine(text)
	var hints []Phrase // keys and their labels
	hinted := func() (n int) {
		for _, h := range hints {
			n += Width(h.Text)
		}
		return n
	}
	if n.Level == LevelFlip {
		hints = []Phrase{{t.Key, " esc"}, {t.Faint, " hide"}}
	}
	room := max(w-2, 1) // a blank on each side
	lines := Wrap(text, room)
	if details != "" {
		lines = append(lines, Wrap(safetext.Lines(details), room)...)
	}
	if last := len(lines) - 1; last >= 0 && Width(lines[last])+hinted() > room {
		lines = append(lines, "")
	}
	if len(lines) > most {
		lines = lines[:most]
		lines[most-1] += t.Ellipsis
		if more != "" {
			hints = append([]Phrase{{t.Key, " " + more}, {t.Faint, " all"}}, hints...)
		}
	}
	drawn := make([]string, len(lines))
	for i, line := range lines {
		l := StartLine(w, 0)
		l.Under(t.SelectionBlur)
		l.Gap(1)
		if i < len(lines)-1 {
			l.Text(style, line)
		} else {
			l.Cell(style, line, min(Width(line), room-hinted()))
			for _, h := range hints {
				l.Text(h.Style, h.Text)
			}
		}
		drawn[i] = l.End()
	}
	return drawn
}

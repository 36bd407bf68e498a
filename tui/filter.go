package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// burstMsg is several messages at once, to be handled in order. The filter
// makes it where one message stands for more than one: Update calls itself
// for each.
type burstMsg []tea.Msg

// wheelMsg is one or more turns of the wheel over one place. Down and right
// are positive.
type wheelMsg struct {
	X, Y   int // cell under the pointer, from 0
	DX, DY int // turns
}

// flushMouseMsg and flushKeysMsg deliver what a Filter has kept back.
type (
	flushMouseMsg struct{}
	flushKeysMsg  struct{}
)

// Filter stands between bubbletea and the App: it takes the answer about the
// background out of the keys, and gathers wheel and motion events to one a
// frame, so that a flood of them cannot queue ahead of a key. Nothing is
// lost, and nothing overtakes.
type Filter struct {
	// Send delivers a message to the program from another goroutine. It must
	// be set before the program runs.
	Send func(tea.Msg)

	now   func() time.Time
	later func(time.Duration, func()) // calls back from another goroutine

	reply  replyScanner
	last   time.Time // when a wheel or motion event was let through
	wheel  *wheelMsg // kept back
	motion *tea.MouseMsg

	mouseDue, keysDue bool // a flush is under way
}

// NewFilter returns a filter. With asked it looks for the answer to the
// question about the background, else every key passes untouched. Use it so:
//
//	f := tui.NewFilter(ask)
//	p := tea.NewProgram(app, tea.WithFilter(f.Filter))
//	f.Send = p.Send
func NewFilter(asked bool) *Filter {
	return &Filter{
		now:   time.Now,
		later: func(d time.Duration, f func()) { time.AfterFunc(d, f) },
		reply: replyScanner{done: !asked, since: time.Now()},
	}
}

// Filter is for tea.WithFilter. It is called from the program's event loop
// only.
func (f *Filter) Filter(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg := msg.(type) {
	case tea.MouseMsg:
		return f.mouse(msg)
	case tea.KeyMsg:
		out := f.reply.key(msg, f.now())
		if f.reply.waiting() {
			f.schedule(&f.keysDue, replyPatience, flushKeysMsg{})
		}
		return burst(append(f.pending(), out...))
	case flushMouseMsg:
		f.mouseDue, f.last = false, f.now()
		return burst(f.pending())
	case flushKeysMsg:
		f.keysDue = false
		out := f.reply.expire(f.now())
		if f.reply.waiting() {
			f.schedule(&f.keysDue, replyPatience, flushKeysMsg{})
		}
		return burst(out)
	}
	return msg
}

// mouse gathers wheel and motion events and lets the others through.
func (f *Filter) mouse(m tea.MouseMsg) tea.Msg {
	wheel := tea.MouseEvent(m).IsWheel()
	if !wheel && m.Action != tea.MouseActionMotion {
		return burst(append(f.pending(), m))
	}
	now := f.now()
	switch {
	case wheel:
		f.turn(m)
	default:
		f.motion = &m
	}
	if now.Sub(f.last) < coalesce {
		f.schedule(&f.mouseDue, coalesce, flushMouseMsg{})
		return nil
	}
	f.last = now
	return burst(f.pending())
}

// turn adds a turn of the wheel to those kept back.
func (f *Filter) turn(m tea.MouseMsg) {
	if f.wheel == nil {
		f.wheel = &wheelMsg{}
	}
	w := f.wheel
	w.X, w.Y = m.X, m.Y
	step := 1
	if m.Button == tea.MouseButtonWheelUp || m.Button == tea.MouseButtonWheelLeft {
		step = -1
	}
	// Shift turns a wheel sideways where it has no other axis.
	if m.Button == tea.MouseButtonWheelLeft || m.Button == tea.MouseButtonWheelRight || m.Shift {
		w.DX += step
	} else {
		w.DY += step
	}
}

// pending takes the mouse events that were kept back.
func (f *Filter) pending() []tea.Msg {
	var out []tea.Msg
	if f.motion != nil {
		out = append(out, *f.motion)
	}
	if f.wheel != nil && (f.wheel.DX != 0 || f.wheel.DY != 0) {
		out = append(out, *f.wheel)
	}
	f.motion, f.wheel = nil, nil
	return out
}

// schedule sends a message after d, unless that is due already.
func (f *Filter) schedule(due *bool, d time.Duration, msg tea.Msg) {
	if *due || f.Send == nil {
		return
	}
	*due = true
	f.later(d, func() { f.Send(msg) })
}

// burst returns nil for no message, and a message alone as it is.
func burst(msgs []tea.Msg) tea.Msg {
	switch len(msgs) {
	case 0:
		return nil
	case 1:
		return msgs[0]
	}
	return burstMsg(msgs)
}

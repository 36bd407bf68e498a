package terminal

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	// frameTime is the least time between two frames: sixty a second.
	frameTime = 16 * time.Millisecond

	// coalesce is the time during which wheel and motion events are merged.
	coalesce = frameTime
)

// BurstMsg is several messages to be handled in order. The filter returns it
// when it delivers more than one message for one; Update calls itself for each.
type BurstMsg []tea.Msg

// WheelMsg is one or more turns of the wheel over one cell. Down and right are
// positive.
type WheelMsg struct {
	X, Y   int // cell under the pointer, from 0
	DX, DY int // turns
}

// flushMsg delivers the messages that a Filter has held back.
type flushMsg string

const (
	flushMouse flushMsg = "mouse"
	flushKeys  flushMsg = "keys"
)

// Filter processes messages between bubbletea and its model. It removes the
// answer about the background from the keys, and merges wheel and motion events
// into one per frame, so that many of them cannot delay a key. It loses no
// message and keeps their order.
type Filter struct {
	// Send delivers a message to the program from another goroutine. The caller
	// sets it before the program runs.
	Send func(tea.Msg)

	now   func() time.Time
	later func(time.Duration, func()) // calls the function after the duration, in another goroutine

	reply  replyScanner
	last   time.Time // time when a wheel or motion event was last delivered
	wheel  *WheelMsg // held back
	motion *tea.MouseMsg

	mouseDue, keysDue bool // a flush message is scheduled
}

// NewFilter returns a filter. With asked it looks for the answer to
// AskBackground; otherwise all keys pass unchanged. Usage:
//
//	f := terminal.NewFilter(ask)
//	p := tea.NewProgram(app, tea.WithFilter(f.Filter))
//	f.Send = p.Send
func NewFilter(asked bool) *Filter {
	return &Filter{
		now:   time.Now,
		later: func(d time.Duration, f func()) { time.AfterFunc(d, f) },
		reply: replyScanner{done: !asked, since: time.Now()},
	}
}

// Filter returns the message to deliver to the model instead of msg, nil for
// none. It is an argument of tea.WithFilter, and is called only from the event
// loop.
func (f *Filter) Filter(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg := msg.(type) {
	case tea.MouseMsg:
		// Wheel and motion events are merged.
		wheel := tea.MouseEvent(msg).IsWheel()
		if !wheel && msg.Action != tea.MouseActionMotion {
			return burst(append(f.pending(), msg))
		}
		now := f.now()
		if wheel {
			if f.wheel == nil {
				f.wheel = &WheelMsg{}
			}
			f.wheel.X, f.wheel.Y = msg.X, msg.Y
			step := 1
			if msg.Button == tea.MouseButtonWheelUp || msg.Button == tea.MouseButtonWheelLeft {
				step = -1
			}
			// Shift makes a vertical wheel scroll sideways.
			if msg.Button == tea.MouseButtonWheelLeft || msg.Button == tea.MouseButtonWheelRight || msg.Shift {
				f.wheel.DX += step
			} else {
				f.wheel.DY += step
			}
		} else {
			f.motion = &msg
		}
		if now.Sub(f.last) < coalesce {
			f.schedule(&f.mouseDue, coalesce, flushMouse)
			return nil
		}
		f.last = now
		return burst(f.pending())
	case tea.KeyMsg:
		out := f.reply.key(msg, f.now())
		if len(f.reply.held) > 0 {
			f.schedule(&f.keysDue, replyPatience, flushKeys)
		}
		return burst(append(f.pending(), out...))
	case flushMsg:
		if msg == flushMouse {
			f.mouseDue, f.last = false, f.now()
			return burst(f.pending())
		}
		f.keysDue = false
		out := f.reply.expire(f.now())
		if len(f.reply.held) > 0 {
			f.schedule(&f.keysDue, replyPatience, flushKeys)
		}
		return burst(out)
	}
	return msg
}

// pending returns the mouse events that were held back, and clears them.
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

// schedule sends a message after d, unless one is scheduled already.
func (f *Filter) schedule(due *bool, d time.Duration, msg tea.Msg) {
	if *due || f.Send == nil {
		return
	}
	*due = true
	f.later(d, func() { f.Send(msg) })
}

// burst joins messages into one: nil for none, the message itself for one, else
// a BurstMsg.
func burst(msgs []tea.Msg) tea.Msg {
	switch len(msgs) {
	case 0:
		return nil
	case 1:
		return msgs[0]
	}
	return BurstMsg(msgs)
}

package terminal

import (
	"reflect"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"
)

// clockedFilter is a filter whose time the test moves. due holds what was
// scheduled.
type clockedFilter struct {
	*Filter
	at  time.Time
	due []func()
	got []tea.Msg
}

func newClockedFilter() *clockedFilter {
	c := &clockedFilter{at: time.Unix(0, 0)}
	c.Filter = NewFilter(true)
	c.now = func() time.Time { return c.at }
	c.reply.since = c.at
	c.later = func(d time.Duration, f func()) { c.due = append(c.due, f) }
	c.Send = c.send
	return c
}

// send filters a message and keeps what comes of it, bursts in their parts.
func (c *clockedFilter) send(msg tea.Msg) {
	switch out := c.Filter.Filter(nil, msg).(type) {
	case nil:
	case BurstMsg:
		c.got = append(c.got, out...)
	default:
		c.got = append(c.got, out)
	}
}

// pass moves the time and fires the due timers.
func (c *clockedFilter) pass(d time.Duration) {
	c.at = c.at.Add(d)
	due := c.due
	c.due = nil
	for _, f := range due {
		f()
	}
}

func wheel(x, y int, b tea.MouseButton) tea.MouseMsg { return tea.MouseMsg{X: x, Y: y, Button: b} }

func TestWheelIsGathered(t *testing.T) {
	t.Parallel()
	c := newClockedFilter()
	for i := range 10 {
		c.send(wheel(i, 5, tea.MouseButtonWheelDown))
	}
	want := []tea.Msg{WheelMsg{X: 0, Y: 5, DY: 1}}
	if !reflect.DeepEqual(c.got, want) {
		t.Fatalf("within one frame: %v, want %v", c.got, want)
	}
	if len(c.due) != 1 {
		t.Fatalf("%d flushes are under way, want 1", len(c.due))
	}
	c.pass(coalesce)
	want = append(want, WheelMsg{X: 9, Y: 5, DY: 9})
	if !reflect.DeepEqual(c.got, want) {
		t.Fatalf("after the frame: %v, want %v", c.got, want)
	}
	c.pass(time.Second)
	if len(c.got) != len(want) || len(c.due) != 0 {
		t.Errorf("idle: %v, %d flushes", c.got, len(c.due))
	}
}

// TestMotionKeepsTheNewest: of the places that the mouse passes in a frame the last one counts.
func TestMotionKeepsTheNewest(t *testing.T) {
	t.Parallel()
	c := newClockedFilter()
	var moves []tea.Msg
	for x := range 5 {
		moves = append(moves, tea.MouseMsg{X: x, Button: tea.MouseButtonLeft, Action: tea.MouseActionMotion})
		c.send(moves[x])
	}
	c.pass(coalesce)
	if want := []tea.Msg{moves[0], moves[4]}; !reflect.DeepEqual(c.got, want) {
		t.Errorf("got %v, want %v", c.got, want)
	}
}

func TestKeysAndClicksComeBehindTheWheel(t *testing.T) {
	t.Parallel()
	click := tea.MouseMsg{X: 3, Y: 3, Button: tea.MouseButtonLeft}
	c := newClockedFilter()
	c.send(wheel(0, 0, tea.MouseButtonWheelDown))
	c.send(wheel(0, 0, tea.MouseButtonWheelDown))
	c.send(click)
	c.send(wheel(0, 0, tea.MouseButtonWheelUp))
	c.send(runes("q"))
	want := []tea.Msg{WheelMsg{DY: 1}, WheelMsg{DY: 1}, click, WheelMsg{DY: -1}, runes("q")}
	if !reflect.DeepEqual(c.got, want) {
		t.Errorf("got %v, want %v", c.got, want)
	}
}

func TestHeldKeysAreDeliveredInTime(t *testing.T) {
	t.Parallel()
	c := newClockedFilter()
	bracket := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{']'}, Alt: true}
	c.send(bracket)
	c.send(runes("1"))
	c.send(wheel(0, 0, tea.MouseButtonWheelDown)) // another flush does not replace it
	c.send(wheel(0, 0, tea.MouseButtonWheelDown))
	c.pass(replyPatience)
	want := []tea.Msg{bracket, WheelMsg{DY: 1}, runes("1"), WheelMsg{DY: 1}}
	if !reflect.DeepEqual(c.got, want) {
		t.Errorf("got %v, want %v", c.got, want)
	}
}

// TestNoTurnIsLost turns the wheel any way in any rhythm.
func TestNoTurnIsLost(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := newClockedFilter()
		x, y, frames := 0, 0, 0
		for range rapid.IntRange(0, 60).Draw(t, "events") {
			d := time.Duration(rapid.IntRange(0, 40).Draw(t, "ms")) * time.Millisecond
			if d >= coalesce {
				frames++
				c.pass(d)
			} else {
				c.at = c.at.Add(d)
			}
			b := rapid.SampledFrom([]tea.MouseButton{tea.MouseButtonWheelUp, tea.MouseButtonWheelDown, tea.MouseButtonWheelLeft, tea.MouseButtonWheelRight}).Draw(t, "button")
			shifted := rapid.Bool().Draw(t, "shift")
			switch {
			case shifted && b == tea.MouseButtonWheelDown, b == tea.MouseButtonWheelRight:
				x++
			case shifted && b == tea.MouseButtonWheelUp, b == tea.MouseButtonWheelLeft:
				x--
			case b == tea.MouseButtonWheelUp:
				y--
			default:
				y++
			}
			turn := wheel(0, 0, b)
			turn.Shift = shifted // which makes a vertical wheel scroll sideways
			c.send(turn)
		}
		c.pass(coalesce)
		for _, m := range c.got {
			w := m.(WheelMsg)
			x, y = x-w.DX, y-w.DY
		}
		if x != 0 || y != 0 {
			t.Fatalf("%d and %d turns were lost", x, y)
		}
	})
}

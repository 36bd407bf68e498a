package watch

import "time"

// giveUp bounds the patience with a doubtful file that goes on changing, in multiples of it.
const giveUp = 4

// pace decides when to look and how long to doubt. It holds no clock: every method is a function
// of its state and the time given, so that tables can test it.
type pace struct {
	quiet, ceiling, patience time.Duration

	first, last time.Time // the pokes that no look has answered; zero: none

	since  time.Time // when the doubt began; zero: none
	moved  time.Time // when what is doubted last changed
	looked time.Time // when it was last looked at
}

// poke records a sign of change.
func (p *pace) poke(now time.Time) {
	if p.first.IsZero() {
		p.first = now
	}
	p.last = now
}

// answer forgets the pokes: whatever they told of is being looked at.
func (p *pace) answer() { p.first, p.last = time.Time{}, time.Time{} }

// mayWait reports whether a poke is unanswered and another still postpones the look.
func (p *pace) mayWait(now time.Time) bool {
	return !p.first.IsZero() && now.Before(p.first.Add(p.ceiling))
}

// next returns the time of the next look; false when there is none to wait for. Pokes go before
// doubt: while somebody writes, a look between two writes would see what is not meant to be seen.
func (p *pace) next() (time.Time, bool) {
	switch {
	case !p.first.IsZero():
		return earlier(p.last.Add(p.quiet), p.first.Add(p.ceiling)), true
	case !p.since.IsZero():
		return earlier(p.looked.Add(p.quiet), p.deadline()), true
	}
	return time.Time{}, false
}

// doubt records that a look found a doubtful state, which is fresh when it differs from what the
// look before found. It reports whether to go on waiting; false ends the doubt.
func (p *pace) doubt(now time.Time, fresh bool) bool {
	if p.since.IsZero() {
		p.since, p.moved = now, now
	} else if fresh {
		p.moved = now
	}
	p.looked = now
	if now.Before(p.deadline()) {
		return true
	}
	p.settle()
	return false
}

// settle ends the doubt.
func (p *pace) settle() { p.since, p.moved, p.looked = time.Time{}, time.Time{}, time.Time{} }

// deadline returns when patience ends.
func (p *pace) deadline() time.Time {
	return earlier(p.moved.Add(p.patience), p.since.Add(giveUp*p.patience))
}

// earlier returns the earlier of two times.
func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

package watch

import "time"

// maxPatience bounds how long a changing file is doubtful, in multiples of Options.Patience.
const maxPatience = 4

// pace decides when to look and how long a state is doubtful. It has no clock, so that tables can
// test it.
type pace struct {
	opt Options

	first, last time.Time // signs of change since the last look; zero for none

	since  time.Time // when the doubt began; zero for none
	moved  time.Time // when the doubtful state last changed
	looked time.Time // when the last look was
}

// poke records a sign of change.
func (p *pace) poke(now time.Time) {
	if p.first.IsZero() {
		p.first = now
	}
	p.last = now
}

// answer forgets the signs of change, because the watcher looks now.
func (p *pace) answer() { p.first, p.last = time.Time{}, time.Time{} }

// mayWait reports whether there was a sign of change and another one would postpone the look.
func (p *pace) mayWait(now time.Time) bool {
	return !p.first.IsZero() && now.Before(p.first.Add(p.opt.Ceiling))
}

// next returns the time of the next look; false for none. A sign of change goes before a doubt, as
// a look between two writes would see an unfinished state.
func (p *pace) next() (time.Time, bool) {
	switch {
	case !p.first.IsZero():
		return earlier(p.last.Add(p.opt.Quiet), p.first.Add(p.opt.Ceiling)), true
	case !p.since.IsZero():
		return earlier(p.looked.Add(p.opt.Quiet), p.deadline()), true
	}
	return time.Time{}, false
}

// doubt records a doubtful state, fresh if it differs from the one before, and reports whether to
// wait on.
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

// deadline returns the time at which the doubtful state is published.
func (p *pace) deadline() time.Time {
	return earlier(p.moved.Add(p.opt.Patience), p.since.Add(maxPatience*p.opt.Patience))
}

// earlier returns the earlier of two times.
func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

package runner

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"caliper/model/words"
	"caliper/tui/ui"
)

// A progress line is written once a command has taken progressAfter, and then
// no more often than every ProgressEvery.
const (
	progressAfter = time.Second
	ProgressEvery = 100 * time.Millisecond
)

// stopHint ends every line about long work.
const stopHint = "; ctrl-c stops it"

// progress is one line on standard error that shows how far a long command is.
// It is written over itself, and goes before anything else is written. Nothing is
// written where standard error is no terminal.
type progress struct {
	lock  *sync.Mutex
	out   io.Writer // nil: nothing is written
	What  string    // the counted things, in the plural
	since time.Time
	last  time.Time // when the line was written last
	width int       // of what stands there, in cells

	doing string      // what a command does that waits
	tick  *time.Timer // by which it tells
}

// Counts returns what says how many of some things are done.
func (r *Run) Counts(what string) func(done, total int) { return r.Progress(what).Report }

// Progress returns a line that counts finished things.
func (r *Run) Progress(what string) *progress {
	r.EndWaiting()
	p := &progress{lock: &r.complaining, What: what}
	if r.Env.StderrTerminal {
		p.out = r.ErrOut
	}
	p.since = time.Now()
	r.counting = p
	return p
}

// Report shows how many are done.
func (p *progress) Report(done, total int) {
	p.lock.Lock()
	defer p.lock.Unlock()
	if now := time.Now(); p.out != nil && now.Sub(p.since) >= progressAfter && now.Sub(p.last) >= ProgressEvery {
		p.last = now
		p.write(fmt.Sprintf("%s of %s %s, %d%%", words.Thousands(done), words.Thousands(total), p.What, 100*done/max(total, 1)) + stopHint)
	}
}

// clear takes the line away, so that what comes next is written there. The lock is held.
func (p *progress) clear() {
	if p.width > 0 {
		p.write("")
		_, _ = io.WriteString(p.out, "\r")
	}
}

// write writes a text over the one before.
func (p *progress) write(text string) {
	text = ui.Clean(text)
	w := ui.Width(text)
	// Spaces take the rest away on every terminal, a dumb one too.
	_, _ = io.WriteString(p.out, "\r"+text+strings.Repeat(" ", max(0, p.width-w)))
	p.width = w
}

// Wait begins a line on a terminal's standard error that says what a command is doing while it
// has nothing to print and cannot count how far it is. It appears once the command has taken
// progressAfter, and goes with the first output, complaint or progress line, and when somebody
// is to type. It does nothing where standard error is no terminal.
func (r *Run) Wait(every time.Duration) {
	if !r.Env.StderrTerminal {
		return
	}
	w := r.Progress("")
	r.complaining.Lock()
	defer r.complaining.Unlock()
	w.doing, r.waiting = "working", w
	w.tick = time.AfterFunc(every, func() {
		r.complaining.Lock()
		defer r.complaining.Unlock()
		if r.waiting != w { // it has ended meanwhile
			return
		}
		if took := time.Since(w.since); took >= progressAfter {
			w.write(w.doing + ", " + words.Thousands(int(took.Seconds())) + " s" + stopHint)
		}
		w.tick.Reset(every)
	})
}

// Doing tells what the command does from now on.
func (r *Run) Doing(what string) {
	r.complaining.Lock()
	defer r.complaining.Unlock()
	if r.waiting != nil {
		r.waiting.doing = what
	}
}

// Tally returns what says how many of some things are done: "counting tokens: 500 of
// 2,000 tools". What it returns may be called by several goroutines.
func (r *Run) Tally(doing, noun string) func(done, total int) {
	return func(done, total int) {
		if done < total {
			r.Doing(doing + ": " + words.Thousands(done) + " of " + words.CountThousands(total, noun))
			return
		}
		r.Doing("working on " + words.CountThousands(total, noun))
	}
}

// Tallied returns a reader that tells how much was read of so many bytes, 0 where their number
// is not known.
func (r *Run) Tallied(from io.Reader, total int) io.Reader {
	done := 0
	return reader(func(p []byte) (int, error) {
		n, err := from.Read(p)
		done += n
		doing := "reading: " + words.Size(done)
		if total > 0 {
			doing += " of " + words.Size(total)
		}
		r.Doing(doing)
		return n, err
	})
}

// EndWaiting takes the line away for good, and the line of the count.
func (r *Run) EndWaiting() {
	r.complaining.Lock()
	defer r.complaining.Unlock()
	if r.counting != nil {
		r.counting.clear()
	}
	if r.waiting != nil {
		r.waiting.tick.Stop()
		r.waiting = nil
	}
}

// Writer is a function that writes.
type Writer func(p []byte) (int, error)

// Write writes p.
func (w Writer) Write(p []byte) (int, error) { return w(p) }

// reader is a function that reads.
type reader func(p []byte) (int, error)

// Read reads into p.
func (r reader) Read(p []byte) (int, error) { return r(p) }

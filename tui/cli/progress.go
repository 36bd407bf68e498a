package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"caliper/model/words"
	"caliper/tui/cells"
)

// A progress line is written once a command has taken progressAfter, and then
// no more often than every progressEvery.
const (
	progressAfter = time.Second
	progressEvery = 100 * time.Millisecond
)

// progress is one line on standard error that shows how far a long command is.
// It is written over itself and taken away at the end. Nothing is written where
// standard error is no terminal. It is for one goroutine at a time.
type progress struct {
	out   io.Writer // nil: nothing is written
	now   func() time.Time
	what  string // what is counted, in the plural
	since time.Time
	last  time.Time // when the line was written last
	width int       // of what stands there, in cells
}

// progress returns a line that counts what is done.
func (r *run) progress(what string) *progress {
	r.endWaiting()
	p := &progress{now: time.Now, what: what}
	if r.env.StderrTerminal {
		p.out = r.errOut
	}
	p.since = p.now()
	return p
}

// report shows how many are done.
func (p *progress) report(done, total int) {
	if p.due() {
		p.write(fmt.Sprintf("%s of %s %s, %d%%", words.Thousands(done), words.Thousands(total), p.what, 100*done/max(total, 1)) + stopHint)
	}
}

// due reports whether the line is to be written now.
func (p *progress) due() bool {
	if p.out == nil {
		return false
	}
	now := p.now()
	if now.Sub(p.since) < progressAfter || now.Sub(p.last) < progressEvery {
		return false
	}
	p.last = now
	return true
}

// clear takes the line away, so that what comes next is written there.
func (p *progress) clear() {
	if p.width > 0 {
		p.write("")
		_, _ = io.WriteString(p.out, "\r")
	}
}

// write writes a text over the one before.
func (p *progress) write(text string) {
	text = cells.Clean(text)
	w := cells.Width(text)
	// Spaces take the rest away on every terminal, a dumb one too.
	_, _ = io.WriteString(p.out, "\r"+text+strings.Repeat(" ", max(0, p.width-w)))
	p.width = w
}

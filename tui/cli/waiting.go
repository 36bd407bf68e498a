package cli

import (
	"io"
	"time"

	"caliper/model/words"
)

// stopHint ends every line about long work.
const stopHint = "; ctrl-c stops it"

// waiting is a line on a terminal's standard error that says what a command is doing
// while it has nothing to print and cannot count how far it is. It appears once the
// command has taken progressAfter, and goes with the first output, complaint or
// progress line, and when somebody is to type.
type waiting struct {
	line  *progress
	doing string // guarded by run.complaining
	stop  chan struct{}
	done  chan struct{}
}

// wait begins to wait. It does nothing where standard error is no terminal.
func (r *run) wait(every time.Duration) {
	if !r.env.StderrTerminal {
		return
	}
	w := &waiting{line: r.progress(""), doing: "working", stop: make(chan struct{}), done: make(chan struct{})}
	r.waiting = w
	go func() {
		defer close(w.done)
		ticks := time.NewTicker(every)
		defer ticks.Stop()
		for {
			select {
			case <-w.stop:
				return
			case <-ticks.C:
				r.complaining.Lock()
				took := w.line.now().Sub(w.line.since)
				if took >= progressAfter {
					w.line.write(w.doing + ", " + words.Thousands(int(took.Seconds())) + " s" + stopHint)
				}
				r.complaining.Unlock()
			}
		}
	}()
}

// doing says what the command does from now on.
func (r *run) doing(what string) {
	r.complaining.Lock()
	defer r.complaining.Unlock()
	if r.waiting != nil {
		r.waiting.doing = what
	}
}

// tally returns what says how many of some things are done: "counting tokens: 500 of
// 2,000 tools". What it returns may be called by several goroutines.
func (r *run) tally(doing, noun string) func(done, total int) {
	return func(done, total int) {
		if done < total {
			r.doing(doing + ": " + words.Thousands(done) + " of " + words.CountThousands(total, noun))
			return
		}
		r.doing("working on " + words.CountThousands(total, noun))
	}
}

// tallied is a reader that says how much of a file was read.
type tallied struct {
	run         *run
	from        io.Reader
	done, total int // bytes; total is 0 where it is not known
}

// Read reads from the file.
func (t *tallied) Read(p []byte) (int, error) {
	n, err := t.from.Read(p)
	t.done += n
	doing := "reading: " + words.Size(t.done)
	if t.total > 0 {
		doing += " of " + words.Size(t.total)
	}
	t.run.doing(doing)
	return n, err
}

// endWaiting takes the line away for good.
func (r *run) endWaiting() {
	r.complaining.Lock()
	w := r.waiting
	r.waiting = nil
	r.complaining.Unlock()
	if w != nil {
		close(w.stop)
		<-w.done
		w.line.clear()
	}
}

// output is standard output, before whose first bytes the line goes.
type output struct {
	run *run
	to  io.Writer
}

// Write writes to standard output.
func (o output) Write(p []byte) (int, error) {
	o.run.endWaiting()
	return o.to.Write(p)
}

// input is standard input. Who types it on a terminal must see what they type.
type input struct {
	run  *run
	from io.Reader
}

// Read reads from standard input.
func (i input) Read(p []byte) (int, error) {
	if i.run.env.StdinTerminal {
		i.run.endWaiting()
	}
	return i.from.Read(p)
}

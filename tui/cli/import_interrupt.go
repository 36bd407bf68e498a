package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// untilEnded returns a context that ends with every signal that would end the
// process, and when nobody reads standard error any more, so that started
// servers are ended first. None of these signals ends the process before stop
// is called, a second one no more than the first: ending the servers takes a
// bounded time.
//
// SIGPIPE says nothing of who has gone: it comes with a write to the input of a
// server that has ended, too. It is taken so that it does not end the process
// in the middle of a line of progress, and is not looked at; the write itself
// fails, and what that means is known where it was made.
func (i *importing) untilEnded(ctx context.Context) (_ context.Context, stop func()) {
	ctx, cancel := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	pipes := make(chan os.Signal, 1)
	signal.Notify(pipes, syscall.SIGPIPE)
	before := i.run.errOut
	i.run.errOut = readBySomebody{before, cancel}
	return ctx, func() {
		i.run.errOut = before
		signal.Stop(pipes)
		cancel()
	}
}

// readBySomebody is a writer that tells when nobody reads what is written.
type readBySomebody struct {
	io.Writer
	gone func()
}

// Write writes p.
func (w readBySomebody) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if errors.Is(err, syscall.EPIPE) {
		w.gone()
	}
	return n, err
}

package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// untilEnded returns a context that ends with every signal that would end the
// process, so that started servers are ended first. None of these signals ends
// the process before stop is called, a second one no more than the first:
// ending the servers takes a bounded time.
//
// SIGPIPE is among them because a closed standard error would otherwise end the
// process in the middle of a line of progress.
func untilEnded(ctx context.Context) (_ context.Context, stop func()) {
	return signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGPIPE)
}

package cli

import (
	"context"
	"io"
)

// interruptible is a reader that gives up when its context ends. The read
// under way is then abandoned to the end of the process, because reading a
// terminal or a pipe cannot be called back.
type interruptible struct {
	ctx context.Context
	in  io.Reader
}

// Read reads into p, or returns the context's error.
func (r interruptible) Read(p []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	own := make([]byte, len(p)) // an abandoned read must not write to the caller's
	done := make(chan result, 1)
	go func() {
		n, err := r.in.Read(own)
		done <- result{n, err}
	}()
	select {
	case got := <-done:
		return copy(p, own[:got.n]), got.err
	case <-r.ctx.Done():
		return 0, r.ctx.Err()
	}
}

package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Requests that were read when the client closed its stream have answerTime to be
// answered. Then what still runs is withdrawn, and has withdrawTime to say so. Both, and
// the end of the servers behind them, are within the 5 seconds of a stop.
const (
	answerTime   = 2500 * time.Millisecond
	withdrawTime = 500 * time.Millisecond
)

// errEnded is why a call is withdrawn that outlasts its client's stream.
var errEnded = errors.New("the client closed its stream, and the call was withdrawn")

// Stdio serves one client of a session over two streams, until the client closes its
// own or ctx ends. Every request that was read has an answer before it returns, also
// where a server hangs in one; see answerTime. The error is a stream's.
func (s *Server) Stdio(ctx context.Context, name string, in io.ReadCloser, out io.WriteCloser) error {
	x := s.session(name)
	if x == nil {
		return fmt.Errorf("session %q is not served", name)
	}
	ending, withdraw := context.WithCancelCause(context.Background())
	defer withdraw(nil)
	client, err := x.mcp.Connect(context.WithValue(ctx, endingKey{}, ending), &answering{Transport: &mcp.IOTransport{Reader: in, Writer: out}, withdraw: withdraw}, nil)
	if err != nil {
		return fmt.Errorf("session %q: %w", name, err)
	}
	ended := make(chan error, 1)
	go func() { ended <- client.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		withdraw(ctx.Err())
		_ = client.Close() // there is nobody to tell
		return ctx.Err()
	}
}

// endingKey finds, in the context of a request, the context whose end withdraws it.
type endingKey struct{}

// untilEnding returns a context that ends with ctx, and when the client's stream has
// ended for so long that calls are withdrawn.
func untilEnding(ctx context.Context) (context.Context, context.CancelFunc) {
	ending, ok := ctx.Value(endingKey{}).(context.Context)
	if !ok {
		return ctx, func() {}
	}
	joined, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(ending, func() { cancel(context.Cause(ending)) })
	return joined, func() { stop() } // joined ends with the request
}

// answering is a transport whose end is read after the requests before it are answered:
// the SDK drops the answers to what it has read when it reads the end.
type answering struct {
	mcp.Transport
	withdraw context.CancelCauseFunc
}

// Connect implements mcp.Transport.
func (t *answering) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	done, finish := context.WithCancel(context.Background())
	return &answeringConnection{Connection: c, withdraw: t.withdraw, open: map[jsonrpc.ID]struct{}{}, done: done.Done(), finish: finish}, nil
}

// answeringConnection is a connection of answering.
type answeringConnection struct {
	mcp.Connection
	withdraw context.CancelCauseFunc

	mu    sync.Mutex
	open  map[jsonrpc.ID]struct{} // requests that were read and are not answered
	ended bool                    // the client's stream

	done   <-chan struct{} // when ended and nothing is open, or closed
	finish func()
}

// Read returns the client's next message, and its end when every request is answered or
// was given up.
func (c *answeringConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if err != nil {
		c.drain()
		return nil, err
	}
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() && r.Method != "subscriptions/listen" { // which is answered by nothing but its end
		c.mu.Lock()
		c.open[r.ID] = struct{}{}
		c.mu.Unlock()
	}
	return m, nil
}

// drain waits until nothing is open.
func (c *answeringConnection) drain() {
	c.mu.Lock()
	c.ended = true
	c.settle()
	c.mu.Unlock()
	select {
	case <-c.done:
		return
	case <-time.After(answerTime):
	}
	c.withdraw(errEnded)
	select {
	case <-c.done:
	case <-time.After(withdrawTime):
	}
}

// settle ends a drain that has nothing to wait for. c.mu is held.
func (c *answeringConnection) settle() {
	if c.ended && len(c.open) == 0 {
		c.finish()
	}
}

// Write sends a message to the client.
func (c *answeringConnection) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if r, ok := m.(*jsonrpc.Response); ok {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.open, r.ID)
		c.settle()
	}
	return err
}

// Close ends the connection, and a drain of it.
func (c *answeringConnection) Close() error {
	c.finish()
	return c.Connection.Close()
}

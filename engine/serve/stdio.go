package serve

import (
	"context"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Stdio serves one client of a session over two streams, until the client closes its
// own or ctx ends. The error is that of a stream.
func (s *Server) Stdio(ctx context.Context, name string, in io.ReadCloser, out io.WriteCloser) error {
	x := s.session(name)
	if x == nil {
		return fmt.Errorf("session %q is not served", name)
	}
	client, err := x.mcp.Connect(ctx, &mcp.IOTransport{Reader: in, Writer: out}, nil)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- client.Wait() }()
	select {
	case err = <-ended:
	case <-ctx.Done():
		_ = client.Close() // there is nobody to tell
		err = ctx.Err()
	}
	return err
}

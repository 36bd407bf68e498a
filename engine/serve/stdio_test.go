package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"caliper/engine/transcript"
	"caliper/model"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// overStreams sends lines to a session over streams, closes the input, and returns what
// was answered by id, and how long it took.
func overStreams(t *testing.T, s *Server, session string, lines ...string) (answers map[string]string, took time.Duration) {
	t.Helper()
	out, theirs := io.Pipe()
	ended := make(chan error, 1)
	began := time.Now()
	go func() {
		ended <- s.Stdio(t.Context(), session, io.NopCloser(strings.NewReader(strings.Join(lines, "\n")+"\n")), theirs)
		_ = theirs.Close()
	}()
	answers = map[string]string{}
	scanner := bufio.NewScanner(out)
	for scanner.Scan() {
		var m struct{ ID json.RawMessage }
		if json.Unmarshal(scanner.Bytes(), &m) == nil && m.ID != nil {
			if answers[string(m.ID)] != "" {
				t.Errorf("%s is answered twice", m.ID)
			}
			answers[string(m.ID)] = scanner.Text()
		}
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	return answers, time.Since(began)
}

// hello begins a session of the older revisions.
var hello = []string{
	`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
	`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
}

// unconnectable is a transport that does not connect.
type unconnectable struct{}

func (unconnectable) Connect(context.Context) (mcp.Connection, error) { return nil, io.ErrClosedPipe }

// TestNoStream: a stream that cannot be opened is an error, and so is a session that is not
// served.
func TestNoStream(t *testing.T) {
	t.Parallel()
	if c, err := (&answering{Transport: unconnectable{}}).Connect(t.Context()); c != nil || err != io.ErrClosedPipe {
		t.Errorf("%v, %v", c, err)
	}
	if err := New(Options{}).Stdio(t.Context(), "typo", nil, nil); err == nil || err.Error() != `session "typo" is not served` {
		t.Error(err)
	}
}

// held is a connection that is closed with an error, and its transport.
type held struct{ mcp.Connection }

func (h held) Connect(context.Context) (mcp.Connection, error) { return h, nil }
func (held) Close() error                                      { return io.ErrClosedPipe }

// TestCloseEndsTheWait: a connection that is closed waits for no answer.
func TestCloseEndsTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		c, _ := (&answering{Transport: held{}, withdraw: func(error) {}}).Connect(t.Context())
		c.(*answeringConnection).drain() // nothing is open
		c, _ = (&answering{Transport: held{}, withdraw: func(error) {}}).Connect(t.Context())
		c.(*answeringConnection).open[jsonrpc.ID{}] = struct{}{}
		go c.(*answeringConnection).drain()
		synctest.Wait()
		if err := c.Close(); err != io.ErrClosedPipe {
			t.Error(err)
		}
		synctest.Wait()
		time.Sleep(time.Nanosecond) // the timers of the wait would be next
		if took := time.Since(began); took != time.Nanosecond {
			t.Errorf("it waits for %v", took)
		}
	})
}

// TestStdioEnds: a client is left when the context ends, also in a call, and when its
// stream breaks; the error has the reason.
func TestStdioEnds(t *testing.T) {
	t.Parallel()
	broken := errors.New("a broken stream")
	for name, want := range map[string]error{"stopped": context.Canceled, "broken": broken} {
		ctx, cancel := context.WithCancel(t.Context())
		s := harbor(t, Options{Execute: func(ctx context.Context, _ *model.Tool, _ json.RawMessage, _ Progress) (json.RawMessage, error) {
			cancel()
			<-ctx.Done()
			return nil, ctx.Err()
		}})
		in, theirs := io.Pipe()
		out, ours := io.Pipe()
		go func() { _, _ = io.Copy(io.Discard, out) }()
		go func() {
			_, _ = io.WriteString(theirs, strings.Join(hello, "\n")+"\n")
			if want == broken {
				_ = theirs.CloseWithError(broken)
			} else {
				_, _ = io.WriteString(theirs, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tool_call","arguments":{"name":"mcp_harbor_book"}}}`+"\n")
			}
		}()
		if err := s.Stdio(ctx, "harbor", in, ours); !errors.Is(err, want) {
			t.Errorf("%s: %v", name, err)
		}
		cancel()
	}
}

// TestAnswersAfterTheEnd: what was asked before the input ended is answered, whether it
// takes no time or some, and also where the server hangs for ever.
func TestAnswersAfterTheEnd(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		takes time.Duration // of every third call; below 0: for ever
		most  time.Duration
		hung  bool
	}{
		"at once":  {0, answerTime, false},
		"slowly":   {300 * time.Millisecond, answerTime, false},
		"it hangs": {-1, answerTime + withdrawTime + time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var n notes
			s := harbor(t, Options{Note: n.add, Execute: func(ctx context.Context, _ *model.Tool, arguments json.RawMessage, _ Progress) (json.RawMessage, error) {
				if strings.Contains(string(arguments), `:0`) {
					var after <-chan time.Time
					if c.takes >= 0 {
						after = time.After(c.takes)
					}
					select {
					case <-after:
					case <-ctx.Done():
						return nil, ctx.Err()
					}
				}
				return json.RawMessage(`{"content":[{"type":"text","text":"done"}]}`), nil
			}})
			lines := hello
			for id := 1; id <= 12; id++ {
				lines = append(lines[:len(lines):len(lines)], fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"tool_call","arguments":{"name":"mcp_harbor_book","arguments":{"berth":%d}}}}`, id, id%3))
			}
			answers, took := overStreams(t, s, "harbor", lines...)
			if len(answers) != 13 || took > c.most {
				t.Errorf("%d of 13 are answered, in %v", len(answers), took)
			}
			if hung := strings.Contains(answers["3"], "withdrawn"); hung != c.hung {
				t.Errorf("the call that takes longest is answered with %s", answers["3"])
			}
			s.Close()
			if got := len(n.of(transcript.EventCall)); got != 12 {
				t.Errorf("%d of 12 calls are noted", got)
			}
		})
	}
}

// TestStdioLeavesNothing: when ctx ends, or the client's stream, no goroutine stays behind.
func TestStdioLeavesNothing(t *testing.T) {
	for name, leave := range map[string]func(in *io.PipeWriter, stop func()){
		"ctx ends":         func(_ *io.PipeWriter, stop func()) { stop() },
		"the stream ends":  func(in *io.PipeWriter, _ func()) { _ = in.Close() },
		"the stream fails": func(in *io.PipeWriter, _ func()) { _ = in.CloseWithError(errors.New("broken")) },
	} {
		synctest.Test(t, func(t *testing.T) {
			s := harbor(t, Options{})
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			in, client := io.Pipe()
			got := make(chan error, 1)
			go func() { got <- s.Stdio(ctx, "harbor", in, nopCloser{io.Discard}) }()
			synctest.Wait()
			leave(client, stop)
			if err := <-got; (err != nil) != (name != "the stream ends") {
				t.Errorf("%s: %v", name, err)
			}
			s.Close()
		})
	}
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

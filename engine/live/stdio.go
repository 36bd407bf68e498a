package live

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// lines is the connection to a child, a message a line (MCP 2025-11-25, stdio). The SDK's cannot
// say what was wrong with a line, and signals no process group.
type lines struct {
	redactor redactor
	most     int  // bytes of a message
	calls    bool // calls are let through
	incoming chan []byte

	writing sync.Mutex
	stdin   io.Writer

	once  sync.Once
	done  chan struct{}
	mu    sync.Mutex
	fault error // why no more messages come
	deaf  bool  // the child has closed its input
	heard bool  // a message has come
	stray int   // lines that were none since then
}

// mostStray is how many lines in a row that are no messages a server that runs may write.
const mostStray = 1000

// passesOver reports whether a line that is no message is left out: one of a server that has
// answered and now logs to its output, so that its calls go on.
func (l *lines) passesOver() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stray++
	return l.calls && l.heard && l.stray <= mostStray
}

func newLines(r redactor, most int) *lines {
	return &lines{redactor: r, most: most, incoming: make(chan []byte), done: make(chan struct{})}
}

// Connect returns l: the child has been started.
func (l *lines) Connect(context.Context) (mcp.Connection, error) { return l, nil }

// SessionID returns "": stdio has none.
func (l *lines) SessionID() string { return "" }

// readAll hands on each line of a child's output, and reads the rest in vain: a child that cannot
// write does not end.
func (l *lines) readAll(r io.Reader) {
	b := bufio.NewReaderSize(r, 64<<10)
	for n := 1; ; n++ {
		line, err := readLine(b, l.most)
		// What stands before the end without a line break is a message, or the
		// beginning of one that a dying server did not finish.
		if err == nil || errors.Is(err, io.EOF) && json.Valid(line) {
			if line = bytes.TrimSpace(line); len(line) == 0 {
				continue
			}
			if line[0] != '{' && line[0] != '[' {
				if l.passesOver() {
					continue
				}
				err = fmt.Errorf("line %d of its output is %w: %s", n, ErrNotMessage, l.redactor.quotation(line))
			} else {
				if bytes.Contains(line, []byte(`"jsonrpc"`)) {
					l.mu.Lock()
					l.heard, l.stray = true, 0
					l.mu.Unlock()
				}
				select {
				case l.incoming <- line:
				case <-l.done:
				}
			}
		}
		if err != nil {
			l.fail(err)
			_, _ = io.Copy(io.Discard, b) // ends with the pipe
			return
		}
	}
}

// readLine returns the next line with its end, and reads none out of bounds to its end.
func readLine(b *bufio.Reader, most int) ([]byte, error) {
	var line []byte
	var x inspector
	for {
		part, err := b.ReadSlice('\n')
		if len(line)+len(part) > most {
			return nil, fmt.Errorf("a message of more than %d MB is %w", most>>20, ErrTooLarge)
		}
		if err := x.inspect(part); err != nil {
			return nil, err
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// fail remembers the first fault and ends the connection.
func (l *lines) fail(err error) {
	l.mu.Lock()
	if l.fault == nil {
		l.fault = err
	}
	l.mu.Unlock()
	l.once.Do(func() { close(l.done) })
}

// failure returns the first fault. A child that has closed its input will not answer any more.
func (l *lines) failure() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.deaf && (l.fault == nil || errors.Is(l.fault, errClosed)) {
		return io.EOF
	}
	return l.fault
}

// Read returns the next message.
func (l *lines) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		select {
		case data := <-l.incoming:
			m, err := jsonrpc.DecodeMessage(data)
			switch {
			case err == nil:
				return m, nil
			case l.passesOver():
				continue
			}
			err = fmt.Errorf("a line of its output is %w: %s", ErrNotMessage, l.redactor.quotation(data))
			l.fail(err)
			return m, err
		case <-l.done:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Write sends a message, if it is one that may be sent.
func (l *lines) Write(ctx context.Context, m jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	if data, err = outgoing(data, l.calls); err != nil || data == nil {
		return err
	}
	l.writing.Lock()
	defer l.writing.Unlock()
	if f, ok := ctx.Value(fateKey{}).(*fate); ok {
		f.sent.Store(true)
	}
	if _, err = l.stdin.Write(append(data, '\n')); err != nil {
		l.mu.Lock()
		l.deaf = true
		l.mu.Unlock()
	}
	return err
}

// Close ends the connection. The child is ended by who started it.
func (l *lines) Close() error {
	l.fail(errClosed)
	return nil
}

// errClosed is the fault of a connection that we have closed.
var errClosed = errors.New("closed")

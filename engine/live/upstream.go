package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// How long an Upstream waits before it starts a server again that ended: first, at
// most, and after which time of running the wait is the first one again.
const (
	firstWait  = 500 * time.Millisecond
	longestGap = 30 * time.Second
	steadyTime = time.Minute
)

// ErrDown is the error of a call while the server does not run.
var ErrDown = errors.New("the server is not running")

// Upstream is a server that is kept running: it is started again when it ends, and
// lists its tools anew when it announces other ones. Its methods may be called from
// several goroutines.
type Upstream struct {
	server Server
	o      Options
	status func(State)
	stop   context.CancelFunc
	done   chan struct{}
	tokens atomic.Int64

	mu      sync.Mutex
	session *session // nil while the server does not run
	fault   error    // why it does not
}

// State is the report of an Upstream about its server: that it runs with these tools, or, when
// Err is not nil, that it does not.
type State struct {
	Listing Listing
	Err     error // an *Error
}

// Keep starts or connects to a server and keeps it running until Close. status is
// called with each change, one call at a time, from a goroutine of its own. Timeouts are
// a listing's; a call has as long as its context.
func Keep(ctx context.Context, s Server, o Options, status func(State)) *Upstream {
	ctx, stop := context.WithCancel(ctx)
	o.calls = true
	u := &Upstream{server: s, o: o, status: status, stop: stop, done: make(chan struct{}), fault: errors.New("it is being started")}
	go u.run(ctx)
	return u
}

// Close ends the server. When it returns, the child and its process group are gone.
func (u *Upstream) Close() {
	u.stop()
	<-u.done
}

// run starts the server, and starts it again whenever it has ended, until ctx ends.
func (u *Upstream) run(ctx context.Context) {
	defer close(u.done)
	wait := firstWait
	for {
		began := time.Now()
		err := u.once(ctx)
		if ctx.Err() != nil {
			return
		}
		u.set(nil, err)
		u.status(State{Err: err})
		if time.Since(began) > steadyTime {
			wait = firstWait
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		wait = min(2*wait, longestGap)
	}
}

// once runs the server until it or ctx ends, and returns why.
func (u *Upstream) once(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	late := time.AfterFunc(u.o.timeout(u.server), func() { cancel(errLate) })
	defer late.Stop()
	x, err := open(ctx, u.server, u.o, true)
	var last Listing
	if err == nil {
		last, err = x.list(ctx)
	}
	if err == nil {
		late.Stop()
		u.set(x, nil)
		u.status(State{Listing: last})
		err = x.follow(ctx, last, func(l Listing) { u.status(State{Listing: l}) })
	}
	u.set(nil, ErrEnded)
	if ctx.Err() != nil && !errors.Is(context.Cause(ctx), errLate) {
		x.end(true)
		return x.explained(nil)
	}
	return x.explained(x.finish(ctx, err))
}

// set tells calls which session there is, or why there is none.
func (u *Upstream) set(x *session, fault error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.session, u.fault = x, fault
}

// Progress is called with each progress that a server reports of a call.
type CallProgress func(progress, total float64, message string)

// Call calls a tool with arguments, a JSON object, and returns the result as the server
// sent it. progress may be nil. When ctx ends, the server is told that the call is
// cancelled. The error is ErrDown, ctx's, a *CallError, or why there was no answer.
func (u *Upstream) Call(ctx context.Context, tool string, arguments json.RawMessage, progress CallProgress) (json.RawMessage, error) {
	u.mu.Lock()
	x, fault := u.session, u.fault
	u.mu.Unlock()
	if x == nil {
		return nil, fmt.Errorf("%w: %w; %s", ErrDown, fault, step(fault))
	}
	defer x.callers.add(ctx)()
	params := &callParams{Name: tool, Arguments: arguments}
	if progress != nil {
		token := strconv.FormatInt(u.tokens.Add(1), 10)
		params.SetMeta(map[string]any{"progressToken": token})
		x.progress.Store(token, progress)
		defer x.progress.Delete(token)
	}
	result, err := mcp.CallCustomMethod[*callParams, *callResult](ctx, x.client, ownCallMethod, params)
	switch {
	case err == nil:
		return result.raw, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	var answer *CallError
	if err = serverError(err); errors.As(err, &answer) {
		return nil, &CallError{Code: answer.Code, Message: clip(x.redact(answer.Message), longestAnswer)}
	}
	if fault := x.gone(); fault != nil {
		return nil, fmt.Errorf("%w during the call%s; whether the call had an effect is unknown: look before it is repeated; %s", ErrEnded, x.lastFault(ctx), step(fault))
	}
	return nil, x.clean(err)
}

// longestEnd bounds how long a call waits for why its server ended, which is known when
// its process is gone.
const longestEnd = 2 * time.Second

// lastFault returns why a session ended, behind a colon; "" where that is not known in time.
func (x *session) lastFault(ctx context.Context) string {
	select {
	case <-x.ended:
	case <-ctx.Done():
	case <-time.After(longestEnd):
	}
	why, _ := x.why.Load().(string)
	return why
}

// explained notes why the session has ended, for the calls that it cut off.
func (x *session) explained(err error) error {
	var e *Error
	if errors.As(err, &e) {
		text := strings.TrimPrefix(e.Err.Error(), ErrEnded.Error()+": ")
		if last := lastWords(e.Stderr); last != "" {
			text += "; its last words: " + last
		}
		x.why.Store(": " + text)
	}
	close(x.ended)
	return err
}

// step returns what helps a caller whose server does not run.
func step(fault error) string {
	switch {
	case errors.Is(fault, ErrNoAccess):
		return "it needs a key in its configuration, or a sign-in by import --sign-in"
	case errors.Is(fault, exec.ErrNotFound), errors.Is(fault, fs.ErrNotExist):
		return "its command has to be installed, or put right in its configuration"
	}
	return "it is started again by itself: try again in a few seconds"
}

// longestAnswer bounds the message of a CallError, in bytes.
const longestAnswer = 10_000

// CallError is an error answer of a server, as JSON-RPC has it. Where an Upstream returns
// it, secrets are taken out of the message.
type CallError struct {
	Code    int64
	Message string
}

// Error returns the answer in words.
func (e *CallError) Error() string {
	return fmt.Sprintf("the server answered error %d: %s", e.Code, e.Message)
}

// gone returns why a session has ended; nil while it has not, as far as is known.
func (x *session) gone() error {
	if x.lines == nil {
		return nil
	}
	return x.lines.failure()
}

// progressed hands the progress of a call on.
func (x *session) progressed(p *mcp.ProgressNotificationParams) {
	if token, ok := p.ProgressToken.(string); ok {
		if f, ok := x.progress.Load(token); ok {
			f.(CallProgress)(p.Progress, p.Total, p.Message)
		}
	}
}

// callParams are the parameters of tools/call (MCP 2025-11-25, server/tools).
type callParams struct {
	mcp.ParamsBase
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

// callResult is the result of tools/call, unread.
type callResult struct {
	mcp.ResultBase
	raw json.RawMessage
}

// UnmarshalJSON keeps data.
func (r *callResult) UnmarshalJSON(data []byte) error {
	r.raw = bytes.Clone(data)
	return nil
}

package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptrace"
	"net/url"
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

// ErrNotRun is the error of a call that was never sent, or that its server refused before
// it ran: it had no effect.
var ErrNotRun = errors.New("it was not run")

// NotRun returns the ErrNotRun with a reason for its text.
func NotRun(why string) error { return cleaned{why, ErrNotRun} }

// Upstream is a server that is kept running and lists its tools anew when they change. Its methods
// may be called from several goroutines.
type Upstream struct {
	server Server
	o      Options
	status func(Outcome)
	stop   context.CancelFunc
	done   chan struct{}
	tokens atomic.Int64

	mu      sync.Mutex
	session *session // nil while the server does not run
	fault   error    // why it does not
}

// Keep starts or connects to a server and keeps it running until Close. status is called with each
// change, one call at a time: with the tools of a server that runs, or why it does not. Timeouts are a listing's; a call has its context.
func Keep(ctx context.Context, s Server, o Options, status func(Outcome)) *Upstream {
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
		x, err := stay(ctx, u.server, u.o, func(x *session, l Listing) {
			u.set(x, nil)
			u.status(Outcome{Listing: l})
		})
		u.set(nil, ErrEnded)
		// The calls that the end cut off tell its reason.
		var e *Error
		if errors.As(err, &e) {
			text := strings.TrimPrefix(e.Err.Error(), ErrEnded.Error()+": ")
			if last := lastWords(e.Stderr); last != "" {
				text += "; its last words: " + last
			}
			x.why.Store(": " + text)
		}
		close(x.ended)
		if ctx.Err() != nil {
			return
		}
		u.set(nil, err)
		u.status(Outcome{Err: err})
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
// cancelled. The error is ErrNotRun, ctx's, a *CallError, or why there was no answer.
func (u *Upstream) Call(ctx context.Context, tool string, arguments json.RawMessage, progress CallProgress) (json.RawMessage, error) {
	u.mu.Lock()
	x, fault := u.session, u.fault
	u.mu.Unlock()
	if x == nil {
		return nil, NotRun(fmt.Sprintf("the server is not running: %v; %s", fault, step(fault)))
	}
	defer x.callers.add(ctx)()
	params := &callParams{Name: tool, Arguments: arguments}
	if progress != nil {
		token := strconv.FormatInt(u.tokens.Add(1), 10)
		params.SetMeta(map[string]any{"progressToken": token})
		x.progress.Store(token, progress)
		defer x.progress.Delete(token)
	}
	f := new(fate)
	following := httptrace.WithClientTrace(context.WithValue(ctx, fateKey{}, f), &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { f.sent.Store(true) }})
	result, err := mcp.CallCustomMethod[*callParams, *rawResult](following, x.client, ownCallMethod, params)
	switch {
	case err == nil:
		return result.raw, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	var answer *CallError
	if err = serverError(err); errors.As(err, &answer) {
		return nil, &CallError{Code: answer.Code, Message: clip(x.secretless().message(answer.Message), longestAnswer)}
	}
	return nil, x.unanswered(ctx, f, err)
}

// fate is the end of the request of a call.
type fate struct {
	sent   atomic.Bool  // some of it may have reached the server
	status atomic.Int64 // of the HTTP answer; 0: none
}

// fateKey is the key of the fate in the context of a call.
type fateKey struct{}

// unanswered returns why a call has no answer, and says whether it may have had an effect.
func (x *session) unanswered(ctx context.Context, f *fate, err error) error {
	status, ended := int(f.status.Load()), x.lines != nil && x.lines.failure() != nil || errors.Is(err, mcp.ErrConnectionClosed)
	if post, ok := errors.AsType[*url.Error](err); ok { // it quotes the address
		err = post.Err
	}
	switch {
	case status >= 400:
		err = answered(status)
	case ended && f.sent.Load():
		err = fmt.Errorf("%w during the call%s", ErrEnded, x.lastFault(ctx))
	case ended:
		err = fmt.Errorf("%w%s", ErrEnded, x.lastFault(ctx))
	default:
		err = fmt.Errorf("no answer: %w", x.clean(err))
	}
	if !f.sent.Load() || status/100 == 4 {
		return NotRun(err.Error() + "; " + step(err))
	}
	return fmt.Errorf("%w; whether the call had an effect is unknown: look before it is repeated; %s", err, step(err))
}

// answered returns the error of an answer with an HTTP status that is one.
func answered(status int) error {
	text := fmt.Sprintf("the server answered %d %s", status, http.StatusText(status))
	if status == http.StatusUnauthorized || status == http.StatusForbidden {
		return cleaned{text, ErrNoAccess}
	}
	return errors.New(text)
}

// longestEnd bounds how long a call waits for why its server ended.
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

// step returns what helps a caller whose server does not run.
func step(fault error) string {
	switch {
	case errors.Is(fault, ErrNoAccess):
		return "it needs a key in its configuration, or a sign-in by import --sign-in"
	case errors.Is(fault, exec.ErrNotFound), errors.Is(fault, fs.ErrNotExist):
		return "its command has to be installed, or put right in its configuration"
	}
	return "caliper keeps it connected by itself: try again in a few seconds"
}

// longestAnswer bounds the message of a CallError, in bytes.
const longestAnswer = 10_000

// CallError is an error answer of a server. An Upstream's is without secrets.
type CallError struct {
	Code    int64
	Message string
}

// Error returns the answer in words.
func (e *CallError) Error() string {
	return fmt.Sprintf("the server answered error %d: %s", e.Code, e.Message)
}

// callParams are the parameters of tools/call (MCP 2025-11-25, server/tools).
type callParams struct {
	mcp.ParamsBase
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

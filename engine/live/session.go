package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"caliper/model/words"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The revisions of MCP that are offered: the first to every server, by initialize, and the
// one without sessions, by server/discover, to a server that refuses that. Older servers
// die of a first message that they do not know.
const (
	protocolVersion   = "2025-11-25"
	statelessProtocol = "2026-07-28"
)

// session is a connection to one server.
type session struct {
	server   Server
	o        Options
	redactor redactor
	stay     bool // it is kept open, and hears of changes
	stage    Stage

	client   *mcp.ClientSession
	process  *process // nil for a remote server
	lines    *lines
	guard    *guard
	callers  callers
	progress sync.Map       // by the token of a call: func(mcp.ProgressNotificationParams)
	ended    chan struct{}  // of an Upstream: closed when why is known
	why      atomic.Value   // string: why it ended, behind a colon
	changed  chan time.Time // has the time of the first announcement that the list of tools has changed, until it is taken
}

// open starts or connects to a server and initializes it. ctx holds for the whole session. It
// returns a session to be ended even beside an error.
func open(ctx context.Context, s Server, o Options, stay bool) (*session, error) {
	x := &session{server: s, o: o, stay: stay, stage: Starting, changed: make(chan time.Time, 1), ended: make(chan struct{})}
	if s.Problem != "" {
		return x, errors.New(s.Problem)
	}
	if s.hidden == nil || !s.hidden().expanded {
		return x, errors.New("its variables have not been expanded")
	}
	x.redactor = newRedactor(slices.Concat(s.hidden().secrets, inherited(o.Env)))
	x.report(0, 0)
	t, err := x.transport(s.Transport)
	if err != nil {
		return x, err
	}
	x.stage = Initializing
	x.report(0, 0)
	err = x.connect(ctx, t, protocolVersion)
	// A server that knows the revision without sessions alone refuses to be initialized: there
	// is no such method or revision, or the request lacks the revision in its _meta (MCP
	// 2026-07-28, basic/versioning). The Go SDK (1.8.0) answers and then refuses a request.
	answer, ok := errors.AsType[*CallError](err)
	statelessAlone := ok && slices.Contains([]int64{jsonrpc.CodeMethodNotFound, mcp.CodeUnsupportedProtocolVersion, jsonrpc.CodeInvalidParams, jsonrpc.CodeInvalidRequest}, answer.Code)
	if g := x.guard; g != nil && err != nil {
		g.mu.Lock()
		statelessAlone = statelessAlone || g.well && g.status == http.StatusBadRequest
		g.mu.Unlock()
	}
	if s.Transport != SSETransport && ctx.Err() == nil && statelessAlone {
		// The SDK has closed the connection, and a child's cannot be opened again.
		if x.process != nil {
			x.process.end(false)
		}
		before := x.guard
		t, err2 := x.transport(s.Transport)
		if err2 == nil && x.connect(ctx, t, statelessProtocol) == nil {
			return x, nil
		}
		if before != nil {
			x.guard = before // its first answer has the fault
		}
	}
	if err != nil && s.Transport == HTTPTransport && ctx.Err() == nil {
		// What the specification asks of clients that meet older servers (MCP
		// 2025-11-25, transports, backwards compatibility).
		if status, fault, broken := x.guard.failure(); fault == nil && broken == nil && slices.Contains([]int{400, 404, 405}, status) {
			older, err2 := x.transport(SSETransport)
			if err2 == nil && x.connect(ctx, older, protocolVersion) == nil {
				err = nil
			}
		}
	}
	return x, err
}

// transport starts the server, if it is a child, and returns the way to it.
func (x *session) transport(t Transport) (mcp.Transport, error) {
	h, most := x.server.hidden(), x.o.bounds().message
	if t == StdioTransport {
		x.lines = newLines(x.redactor, most)
		x.lines.calls = x.o.calls
		p, err := startProcess(h, x.o.Env, x.o.Supervise, x.redactor, x.lines.readAll)
		if err != nil {
			return nil, err
		}
		x.process, x.lines.stdin = p, p.stdin
		return x.lines, nil
	}
	client, g, err := newGuard(x.o.HTTP, h, int64(most))
	if err != nil {
		return nil, err
	}
	g.calls, g.token = x.o.calls, x.o.Token
	x.guard = g
	if t == SSETransport {
		return &mcp.SSEClientTransport{Endpoint: h.url, HTTPClient: client, MaxEventSize: most}, nil
	}
	return &mcp.StreamableClientTransport{Endpoint: h.url, HTTPClient: client, MaxEventSize: most, DisableStandaloneSSE: !x.stay, MaxRetries: 1}, nil
}

// connect initializes the session by a revision. Where that has no sessions, changes of the
// list are heard by a subscription, which is asked for when the session stays.
func (x *session) connect(ctx context.Context, t mcp.Transport, revision string) error {
	o := &mcp.ClientOptions{
		Capabilities:   capabilities(x.o),
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {
			select {
			case x.changed <- time.Now():
			default: // known already
			}
		},
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			if token, ok := r.Params.ProgressToken.(string); ok {
				if f, ok := x.progress.Load(token); ok {
					f.(CallProgress)(r.Params.Progress, r.Params.Total, r.Params.Message)
				}
			}
		},
	}
	if revision == statelessProtocol && !x.stay {
		o.ToolListChangedHandler = nil
	}
	c := mcp.NewClient(&mcp.Implementation{Name: "caliper", Version: "1"}, o)
	c.AddReceivingMiddleware(x.asks)
	if err := errors.Join(mcp.AddSendingCustomMethod[*listParams, *rawResult](c, ownMethod),
		mcp.AddSendingCustomMethod[*callParams, *rawResult](c, ownCallMethod)); err != nil {
		return err
	}
	session, err := c.Connect(ctx, t, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		return serverError(err)
	}
	x.client = session
	return nil
}

// end ends the session and the child's process group; a patient end lets it finish first.
func (x *session) end(patient bool) {
	if x.lines != nil {
		_ = x.lines.Close()
	}
	if x.process != nil {
		x.process.end(patient)
	}
	if x.client != nil {
		_ = x.client.Close() // there is nothing left to do about an error
	}
	if x.guard != nil {
		if t, ok := x.guard.base.(*http.Transport); ok && x.guard.own {
			t.CloseIdleConnections()
		}
	}
}

// explain returns what went wrong, with the facts that the SDK's error leaves out. The session has
// ended.
func (x *session) explain(ctx context.Context, fault error, err error) error {
	e := &Error{Server: x.server.Name, Stage: x.stage}
	if x.process != nil {
		e.Stderr = x.process.tail.String()
	}
	var refused, broken error
	var status int
	if x.guard != nil {
		status, refused, broken = x.guard.failure()
	}
	_, isAnswer := errors.AsType[*CallError](err)
	isLate := errors.Is(context.Cause(ctx), errLate)
	switch {
	case isLate && !isAnswer, ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		e.Err = cleaned{fmt.Sprintf("no answer within %v", x.o.timeout(x.server)), context.DeadlineExceeded}
	case ctx.Err() != nil && !isLate:
		e.Err = ctx.Err()
	case refused != nil:
		e.Err = x.clean(refused)
	case broken != nil: // the SDK makes an error answer of it
		e.Err = x.clean(broken)
	case isAnswer: // also of a server that is silent to server/discover
		e.Err = x.clean(err)
	case status >= 400:
		e.Err = answered(status)
	case x.guard != nil && strings.Contains(err.Error(), "unmarshaling"): // text of the SDK
		e.Err = fmt.Errorf("an answer is %w", ErrNotMessage)
	case errors.Is(fault, io.EOF):
		e.Err = fmt.Errorf("%w: %s", ErrEnded, x.process.exit())
	case fault != nil && !errors.Is(fault, errClosed):
		e.Err = fault
	case x.stage == Initializing && (strings.Contains(err.Error(), "unmarshal") || strings.HasSuffix(err.Error(), `protocol version: ""`)): // texts of the SDK
		// It holds names of Go types and parts of the answer, and tells nobody what to do.
		e.Err = fmt.Errorf("the result is %w: want an object with protocolVersion, capabilities and serverInfo", ErrNotAnswer)
		if m := handshakeField().FindStringSubmatch(err.Error()); m != nil {
			e.Err = fmt.Errorf("the result is %w: its %s is of another kind than it should be", ErrNotAnswer, m[1])
		}
	case strings.HasPrefix(err.Error(), "unsupported protocol version"): // an unexported type of the SDK
		e.Err = fmt.Errorf("%w: %s", ErrProtocol, clip(x.secretless().message(strings.TrimPrefix(err.Error(), "unsupported protocol version: ")), 60)+" is unknown")
	default:
		e.Err = x.clean(err)
	}
	return e
}

// secretless returns the redactor of the secrets and of the tokens that the server was given
// since.
func (x *session) secretless() redactor {
	if x.guard == nil || len(x.guard.tokens()) == 0 {
		return x.redactor
	}
	return newRedactor(slices.Concat(x.server.hidden().secrets, inherited(x.o.Env), x.guard.tokens()))
}

// clean returns err without secrets. What it is for errors.Is stays.
func (x *session) clean(err error) error {
	// SECURITY: enough that no secret which is cut in two is shown, even if all
	// before it are replaced by something shorter.
	const shown = 1000
	r := x.secretless()
	text := err.Error()
	text = stages().ReplaceAllString(text[:min(len(text), 4*shown+shown*r.longest())], "")
	text = clip(r.message(text), shown)
	for _, known := range []error{ErrNotMessage, ErrNotAnswer, ErrTooLarge, ErrTooDeep, ErrTooMany, ErrCursorLoop, ErrOtherHost, ErrNoAccess, exec.ErrNotFound, fs.ErrNotExist} {
		if errors.Is(err, known) {
			return cleaned{text, known}
		}
	}
	return errors.New(text)
}

// stages are the prefixes that the SDK puts before an error; the stage is named already.
var stages = words.LazyRegexp(`(calling|sending) "(initialize|` + listMethod + `|caliper/[a-z.]+)": |rejected by transport: `)

// cleaned is an error whose text was cleaned.
type cleaned struct {
	text string
	is   error
}

func (c cleaned) Error() string { return c.text }
func (c cleaned) Unwrap() error { return c.is }

// report reports how far the listing has come.
func (x *session) report(pages, tools int) {
	if x.o.Progress != nil {
		x.o.Progress(Progress{Server: x.server.Name, Stage: x.stage, Pages: pages, Tools: tools})
	}
}

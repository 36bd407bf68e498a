package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// defaultTimeout is long because a first start through npx downloads the server.
const defaultTimeout = 60 * time.Second

// Options are how servers are listed. The zero value looks up commands in the PATH of Env.
type Options struct {
	Timeout  time.Duration  // for the whole listing of one server; 0 means the server's own, or else a minute
	Progress func(Progress) // called at every stage and page, from any goroutine; may be nil
	Env      []string       // "NAME=value": the environment of a child, below its configuration's
	HTTP     *http.Client   // for remote servers; nil means one without a proxy

	// Supervise has every child started under a supervisor, which also ends the
	// processes that left its process group. The program must call Supervise
	// first of all in its main. Where a supervisor cannot be had, the process
	// group is ended.
	Supervise bool

	// Token returns the token with which the user has signed in to the server at an
	// address, and "" where nobody has (see package signin). nil: nobody has anywhere.
	// A server whose configuration has an Authorization header is not given it.
	Token func(ctx context.Context, address string) (string, error)

	// Offers are the methods that servers are told of as capabilities (see package
	// asking). Some list other tools to a client that has them. An Upstream's server may
	// ask by them something of the client whose call it runs; all else that a server asks
	// is refused.
	Offers []string

	// Declares are capabilities, and extensions by their names, that servers are told of
	// besides: see Declarable. They ask for nothing that Offers does not have.
	Declares []string

	calls  bool    // tools are called, too: see Keep
	limits *limits // of tests
}

// Progress is how far the listing of one server has come.
type Progress struct {
	Server string
	Stage  Stage
	Pages  int // of tools/list, so far
	Tools  int // so far
}

// Listing is the description that a server gives of itself, and its tools.
type Listing struct {
	Server          string // name in the configuration
	Name            string // that the server gives itself
	Title           string
	Version         string
	Instructions    string
	Always          bool // its tools are always sent by the client's configuration
	ProtocolVersion string
	Capabilities    []string          // of a client that the server was told of, by name, sorted; nil for none
	Tools           []json.RawMessage // each byte for byte as the server sent it but for Repeats, in its order
	Pages           int
	Repeats         []string // where the server repeats a secret that it was given, which stands there as [withheld]: "instructions", "tool x"
}

// Allowed returns the listing without the tools that the client's filters for s leave out.
func (l Listing) Allowed(s Server) Listing {
	if s.Include == nil && len(s.Exclude) == 0 {
		return l
	}
	var tools []json.RawMessage
	for _, raw := range l.Tools {
		if t, ok := readTool(raw); !ok || s.Allows(t.name) {
			tools = append(tools, raw)
		}
	}
	l.Tools = tools
	return l
}

// Names returns the names of the tools that have one, in their order: the others are in a
// dump for its reader to report.
func (l Listing) Names() []string {
	var names []string
	for _, raw := range l.Tools {
		if t, ok := readTool(raw); ok {
			names = append(names, t.name)
		}
	}
	return names
}

// limits bound the memory that the answers of a server can take.
type limits struct {
	message int // bytes of one message
	total   int // bytes of all tools
	tools   int
	pages   int
}

// bounds returns the limits in force.
func (o Options) bounds() limits {
	if o.limits != nil {
		return *o.limits
	}
	return limits{message: 64 << 20, total: 256 << 20, tools: 50_000, pages: 1000}
}

// timeout returns the timeout in force for a server.
func (o Options) timeout(s Server) time.Duration {
	switch {
	case o.Timeout > 0:
		return o.Timeout
	case s.Timeout > 0:
		return s.Timeout
	}
	return defaultTimeout
}

// errLate is the cause of a context that ran out of time.
var errLate = errors.New("late")

// List starts or connects to a server, initializes it, reads all pages of its tools, and ends it.
// Nothing else is sent. The child and its process group are gone when it returns. Every error is
// an *Error.
func List(ctx context.Context, s Server, o Options) (Listing, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, o.timeout(s), errLate)
	defer cancel()
	x, err := open(ctx, s, o, false)
	var l Listing
	if err == nil {
		l, err = x.list(ctx)
	}
	return l, x.finish(ctx, err)
}

// finish ends the session and returns the explanation of err.
func (x *session) finish(ctx context.Context, err error) error {
	var fault error
	if x.lines != nil && err != nil {
		fault = x.lines.failure()
	}
	x.end(err == nil || errors.Is(fault, io.EOF) && ctx.Err() == nil) // one that is ending may say with what
	if err == nil {
		return nil
	}
	return x.explain(ctx, fault, err)
}

// list reads all pages of the tools, and takes out the secrets that the server repeats.
func (x *session) list(ctx context.Context) (Listing, error) {
	l, err := x.read(ctx)
	if err == nil && x.guard != nil && x.o.calls {
		params := paramHeadersOf(l.Tools)
		x.guard.mu.Lock()
		x.guard.params = params
		x.guard.mu.Unlock()
	}
	return x.repetitions().clean(l), err
}

// read reads all pages of the tools as the server sends them.
func (x *session) read(ctx context.Context) (Listing, error) {
	init := x.client.InitializeResult()
	l := Listing{Server: x.server.Name, Always: x.server.Always, Instructions: init.Instructions, ProtocolVersion: init.ProtocolVersion, Capabilities: declared(x.o)}
	if i := init.ServerInfo; i != nil {
		l.Name, l.Title, l.Version = i.Name, i.Title, i.Version
	}
	x.stage = ListingTools
	x.report(0, 0)
	most, size := x.o.bounds(), 0
	seen := map[string]bool{}
	for cursor := ""; ; {
		page, err := mcp.CallCustomMethod[*listParams, *rawResult](ctx, x.client, ownMethod, &listParams{Cursor: cursor})
		if err != nil {
			var answer *jsonrpc.Error
			if l.Pages == 0 && errors.As(err, &answer) && answer.Code == jsonrpc.CodeMethodNotFound && (init.Capabilities == nil || init.Capabilities.Tools == nil) {
				return l, nil // a server that declares no tools
			}
			return Listing{}, serverError(err)
		}
		l.Pages++
		var tools []json.RawMessage
		if tools, cursor, err = page.read(); err != nil {
			return Listing{}, err
		}
		for _, t := range tools {
			size += len(t)
		}
		l.Tools = append(l.Tools, tools...)
		x.report(l.Pages, len(l.Tools))
		switch {
		case len(l.Tools) > most.tools:
			return Listing{}, fmt.Errorf("%w tools: more than %d", ErrTooMany, most.tools)
		case size > most.total:
			return Listing{}, fmt.Errorf("the tools together are %w: more than %d MB", ErrTooLarge, most.total>>20)
		case cursor == "":
			return l, nil
		case seen[cursor]:
			return Listing{}, fmt.Errorf("%w: page %d gives a cursor that came before", ErrCursorLoop, l.Pages)
		case l.Pages >= most.pages:
			return Listing{}, fmt.Errorf("%w pages: more than %d", ErrTooMany, most.pages)
		}
		seen[cursor] = true
	}
}

// undelivered are the codes of errors that the SDK makes itself of messages that did not get
// through.
var undelivered = []int64{-32003, -32004, -32005}

// serverError returns an error answer as a *CallError, with its secrets; others as they are.
func serverError(err error) error {
	var answer *jsonrpc.Error
	if errors.As(err, &answer) && !slices.Contains(undelivered, answer.Code) {
		return &CallError{answer.Code, answer.Message}
	}
	return err
}

// atOnce is how many servers are listed at the same time.
const atOnce = 4

// Outcome is the result of listing one server. Err is nil or an *Error.
type Outcome struct {
	Listing Listing
	Err     error
}

// ListAll lists servers, four at a time, and returns their outcomes in the order of the servers.
// report may be nil; it is called with each outcome and the index of its server, one call at a
// time. After ctx has ended, no further server is started.
func ListAll(ctx context.Context, servers []Server, o Options, report func(n int, out Outcome)) []Outcome {
	outcomes := make([]Outcome, len(servers))
	slots := make(chan struct{}, atOnce)
	var all sync.WaitGroup
	var reporting sync.Mutex
	for i, s := range servers {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			var out Outcome
			if err := ctx.Err(); err != nil {
				out.Err = &Error{Server: s.Name, Stage: Starting, Err: err}
			} else {
				out.Listing, out.Err = List(ctx, s, o)
			}
			outcomes[i] = out
			if report != nil {
				reporting.Lock()
				defer reporting.Unlock()
				report(i, out)
			}
		})
	}
	all.Wait()
	return outcomes
}

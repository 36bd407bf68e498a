//lint:file-ignore SA1019 servers still ask for samples and roots, which the protocol has deprecated since 2026-07-28 (SEP-2577)

package serve

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"caliper/engine/live"
	"caliper/model/jsontree"
	"caliper/model/safetext"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// In revision 2026-07-28 a server sends no requests. A question to the client is
// the answer to its call (MCP 2026-07-28, basic, multi round-trip requests: resultType
// input_required), and the client calls again with the reply and with a state that the
// server gave. Until then the call is parked: it goes on where it asked.

// parkTime is how long a call waits for a client that was asked to come back.
const parkTime = 10 * time.Minute

// mostParked is how many calls of one connection may wait for it.
const mostParked = 64

// questionKey is the one key of a question's inputRequests.
const questionKey = "question"

var (
	errParked = errors.New("the client has too many calls that wait for it")
	errStale  = errors.New("nobody waits for this answer any more, or it belongs to another call")
)

// parkedCall is a call that asks its client while it runs.
type parkedCall struct {
	of      string // digest of the call's name and arguments
	asked   chan clientQuestion
	waiting clientQuestion // the question that the client was given
	timer   *time.Timer    // while the client is asked
	cancel  context.CancelCauseFunc
	done    chan struct{} // closed when result and err are there
	result  mcp.Result
	err     error
}

// clientQuestion is a question, and where its own reply goes.
type clientQuestion struct {
	request mcp.Params
	reply   chan mcp.Result
}

// resume goes on with a call for which the client has come back.
//
// SECURITY: a state is good once, on the connection that was given it, and for the very
// call that asked: an answer opens no other call.
func (c *connection) resume(ctx context.Context, params *mcp.CallToolParamsRaw, of string) (mcp.Result, error) {
	c.mu.Lock()
	p := c.parked[params.RequestState]
	if p == nil || p.of != of || !p.timer.Stop() {
		c.mu.Unlock()
		return &rawResult{data: textResult(errStale.Error(), true), modern: true}, nil // which is no call, and no event knows
	}
	delete(c.parked, params.RequestState)
	c.mu.Unlock()
	reply, _ := params.InputResponses[questionKey].(mcp.Result) // nil for none, which answers nothing
	p.waiting.reply <- reply
	return c.wait(ctx, p)
}

// wait returns the result of a call, or the question to the client for it.
func (c *connection) wait(ctx context.Context, p *parkedCall) (mcp.Result, error) {
	select {
	case <-p.done:
	case <-ctx.Done():
		p.cancel(context.Cause(ctx))
		<-p.done
	case question := <-p.asked:
		state := NewToken()
		c.mu.Lock()
		p.waiting = question
		p.timer = time.AfterFunc(parkTime, func() {
			c.mu.Lock()
			delete(c.parked, state)
			c.mu.Unlock()
			p.cancel(context.DeadlineExceeded)
		})
		c.parked[state] = p
		c.mu.Unlock()
		return &rawResult{data: inputRequired(question.request, state)}, nil
	}
	return p.result, p.err
}

// ask sends a request to the client of a call and returns its answer.
func (w *work) ask(ctx context.Context, request mcp.Params) (mcp.Result, error) {
	if p, c := w.parked, w.connection; p != nil {
		c.mu.Lock()
		full := len(c.parked) >= mostParked
		c.mu.Unlock()
		if full {
			return nil, errParked
		}
		question := clientQuestion{request, make(chan mcp.Result, 1)}
		select {
		case p.asked <- question:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		select {
		case reply := <-question.reply:
			if reply == nil {
				return nil, errors.New("the client answered nothing")
			}
			return reply, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	switch r := request.(type) {
	case *mcp.ElicitParams:
		return w.peer.client.Elicit(ctx, r)
	case *mcp.CreateMessageWithToolsParams:
		return w.peer.client.CreateMessageWithTools(ctx, r)
	case *mcp.ListRootsParams:
		return w.peer.client.ListRoots(ctx, r)
	}
	return nil, errors.New("a request that no client is asked")
}

// inputRequired returns the result that asks a client.
func inputRequired(question mcp.Params, state string) json.RawMessage {
	method := live.Elicitation
	switch question.(type) {
	case *mcp.CreateMessageWithToolsParams:
		method = live.Sampling
	case *mcp.ListRootsParams:
		method = live.Roots
	}
	params, err := json.Marshal(question)
	if err != nil {
		params = []byte("{}") // of a request whose schema is no JSON
	}
	request := map[string]any{"method": method, "params": json.RawMessage(params)}
	return jsontree.Encode(struct {
		ResultType    string         `json:"resultType"`
		InputRequests map[string]any `json:"inputRequests"`
		RequestState  string         `json:"requestState"`
	}{"input_required", map[string]any{questionKey: request}, state})
}

// asked returns the client of a call, for what the server of the tool asks of it.
func (w *work) asked(call context.Context) live.Caller {
	return live.Caller{ID: w.connection.id, Offers: w.peer.offers, Ask: func(ctx context.Context, server string, request mcp.Params) (mcp.Result, error) {
		// The request belongs to the call, on whose stream it is sent, and ends with
		// either.
		joined, cancel := context.WithCancel(call)
		defer cancel()
		defer context.AfterFunc(ctx, cancel)()
		// SECURITY: a question of a server says whose it is, so that it cannot pass for
		// one of caliper's own about an approval.
		if p, ok := request.(*mcp.ElicitParams); ok {
			named := *p
			named.Message = "Server " + safetext.Line(server) + " asks: " + p.Message
			request = &named
		}
		return w.ask(joined, request)
	}}
}

// offers reports whether the client has said that it answers a method.
func (p *peer) offers(method string) bool {
	can := p.capabilities()
	return can != nil && (method == live.Elicitation && can.Elicitation != nil ||
		method == live.Sampling && can.Sampling != nil || method == live.Roots && can.RootsV2 != nil)
}

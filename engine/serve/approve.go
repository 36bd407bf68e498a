package serve

import (
	"context"
	"encoding/json"
	"time"

	"caliper/engine"
	"caliper/engine/live"
	"caliper/engine/transcript"
	"caliper/model/jsontree"
	"caliper/model/safetext"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Question is a call that a person has to approve.
type Question struct {
	Session   string
	Client    string          // the client by its own words; foreign text
	Tool      string          // qualified name; foreign text
	Arguments json.RawMessage // as the tool would receive them; foreign text
	Rule      string          // what the gate says
	Since     time.Time
}

// Answer is a person's answer to a Question.
type Answer uint8

// The answers. The zero value is none, which is a no.
const (
	NoAnswer Answer = iota
	No
	Yes
	Always // yes, and so for every further call of this tool on this connection
)

// approval asks a person, and returns the trace of the call with the answer.
//
// SECURITY: the call passes the gates again with the answer, so that what has changed
// meanwhile counts, and what a rule denies stays denied.
func (w *work) approval(ctx context.Context, refused engine.Trace) engine.Trace {
	c := w.connection
	s := c.session.server
	tool := string(refused.RealName)
	answer, verdict := Yes, transcript.VerdictApproved
	c.mu.Lock()
	always := c.always[tool]
	c.mu.Unlock()
	if !always {
		began := time.Now()
		answer = w.askPerson(ctx, Question{Session: c.session.name, Tool: tool, Arguments: refused.Arguments, Rule: refused.Message, Since: s.o.Now()})
		switch {
		case answer == No:
			verdict = transcript.VerdictRefused
		case ctx.Err() != nil:
			answer, verdict = NoAnswer, transcript.VerdictGone
		case answer == NoAnswer:
			verdict = transcript.VerdictTimedOut
		}
		c.note(transcript.Event{Kind: transcript.EventApprove, RealName: tool, Verdict: verdict, TotalMS: since(began)})
	}
	switch answer {
	case Always:
		c.mu.Lock()
		c.always[tool] = true
		c.mu.Unlock()
	case Yes:
	default:
		// The model would ask again where it reads only that approval is needed.
		why := "nobody said that it may. Ask the user before you call it again"
		if answer == No {
			why = "a person said no. Do not call it again"
		}
		refused.ModelSees = jsontree.Encode(engine.Fault{Message: safetext.Line(string(refused.RealName)) + " needs approval and did not run: " + why, Code: refused.Code})
		return refused
	}
	w.list = c.session.current()
	return w.list.snapshot.Invoke(w.params.Name, w.params.Arguments, tool)
}

// askPerson returns a person's answer: of the caller's user, or else of the client's.
func (w *work) askPerson(ctx context.Context, q Question) Answer {
	o := &w.connection.session.server.o
	ctx, cancel := context.WithTimeout(ctx, o.ApproveTimeout)
	defer cancel()
	if c := w.connection.info; c != nil {
		q.Client = c.Name
	}
	if o.Ask != nil {
		return o.Ask(ctx, q)
	}
	if !w.peer.offers(live.Elicitation) {
		return NoAnswer
	}
	reply, err := w.ask(ctx, &mcp.ElicitParams{
		Message:         "May " + safetext.Line(q.Tool) + " run with " + safetext.Line(string(q.Arguments)) + "?",
		RequestedSchema: json.RawMessage(noParameters),
	})
	result, ok := reply.(*mcp.ElicitResult)
	switch {
	case err != nil || !ok:
		return NoAnswer
	case result.Action == "accept":
		return Yes
	}
	return No
}

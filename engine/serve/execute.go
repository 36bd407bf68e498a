package serve

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"caliper/engine"
	"caliper/engine/live"
	"caliper/engine/transcript"
	"caliper/model/jsontree"
	"caliper/model/safetext"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// run runs a call that was authorized, and returns the result.
//
// SECURITY: the tool and the arguments of the trace run, never those in the
// request: only the call that the gates have seen is done.
func (w *work) run(ctx context.Context, trace engine.Trace) json.RawMessage {
	s := w.connection.session.server
	t := w.list.snapshot.Registry.Named(string(trace.RealName))
	if t.TaskOnly {
		w.event.Verdict, w.event.Error = transcript.VerdictFailed, "it runs only as a task"
		return w.says(safetext.Line(trace.Name)+" runs only as a task (execution.taskSupport: required), which cannot be started from here; a plain call is refused by its server", false)
	}
	began := time.Now()
	result, err := s.o.Execute(live.WithCaller(ctx, w.asked(ctx)), t, trace.Arguments, w.progress(ctx))
	w.event.UpstreamMS = since(began)
	if answer, ok := errors.AsType[*live.CallError](err); ok { // the client gets the same
		w.fault = &jsonrpc.Error{Code: answer.Code, Message: answer.Message}
		err = errors.New(answer.Message)
	}
	if err != nil {
		return w.failed(ctx, trace, err)
	}
	w.event.Verdict = transcript.VerdictOK
	n, parseErr := jsontree.Parse(result, jsontree.Strict)
	switch {
	case parseErr != nil:
		return w.failed(ctx, trace, errors.New("its answer is not JSON"))
	case n.Kind != jsontree.Object: // a client drops such a message, and waits for another
		return w.failed(ctx, trace, errors.New("its answer is not an object"))
	}
	if n.Member("isError").Is(jsontree.Boolean) && n.Member("isError").Text == "true" {
		w.event.Verdict = transcript.VerdictFailed
	}
	// Texts that are too long are replaced by handles. Images and structured content stay, but
	// for content that clients of the older revisions refuse.
	changed := false
	if c := n.Member("structuredContent"); c != nil && c.Kind != jsontree.Object && !w.peer.modern { // clients take no other, and lose the whole result
		n.Children = slices.DeleteFunc(n.Children, func(m jsontree.Child) bool { return m.Name == "structuredContent" })
		changed = true
	}
	size := transcript.EventResult{Chars: 0, SHA256: digest(result)}
	for _, part := range n.Member("content").Elements() {
		text := part.Node.Member("text")
		if !text.Is(jsontree.String) {
			continue
		}
		says := text.Text
		if s.o.Results != nil {
			handle, id, kept, err := s.o.Results.Keep(ctx, w.connection.id, t.Qualified, says)
			if err != nil {
				// A result that cannot be kept is worth more than none.
				w.event.Error = "the result is not kept: " + err.Error()
			}
			if kept {
				size.Rescued, size.Blob, says, changed = true, id, handle, true
				part.Node.Set("text", &jsontree.Node{Kind: jsontree.String, Text: handle})
			}
		}
		one := w.size(says)
		size.Chars += one.Chars
		size.Tokens += one.Tokens
		if s.o.Texts {
			size.Text += says
		}
	}
	w.event.Result = &size
	if changed {
		return n.AppendTo(nil)
	}
	return result
}

// failed returns the answer to a call that could not be run, and notes why.
func (w *work) failed(ctx context.Context, trace engine.Trace, err error) json.RawMessage {
	w.event.Verdict, w.event.Error = transcript.VerdictFailed, err.Error()
	if errors.Is(err, context.Canceled) {
		w.event.Verdict = transcript.VerdictGone
		if cause := context.Cause(ctx); errors.Is(cause, errEnded) {
			err = cause
		}
	}
	how := " did not run to its end: "
	if errors.Is(err, live.ErrNotRun) {
		how = " was not run: "
	}
	return w.says(safetext.Line(trace.Name)+how+err.Error(), false)
}

// progress returns what hands the progress of a call to the client; nil where the client
// has not asked for it.
func (w *work) progress(ctx context.Context) Progress {
	token := w.params.GetProgressToken()
	if token == nil {
		return nil
	}
	return func(done, total float64, message string) {
		_ = w.peer.client.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ // one that is lost changes nothing
			ProgressToken: token, Progress: done, Total: total, Message: message})
	}
}

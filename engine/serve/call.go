package serve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"
	"unicode/utf8"

	"caliper/engine"
	"caliper/engine/transcript"
	"caliper/model/jsontree"
	"caliper/model/words"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// call answers tools/call. What cannot be done is an answer that the model reads, not an
// error of the protocol, which clients keep from it; the error is one of the server's own.
func (c *connection) call(ctx context.Context, p *peer, params *mcp.CallToolParamsRaw) (mcp.Result, error) {
	w := &work{connection: c, peer: p, list: c.session.current(), params: params}
	if p.modern {
		of := digest([]byte(w.params.Name + "\x00" + string(w.params.Arguments)))
		if w.params.RequestState != "" {
			return c.resume(ctx, w.params, of)
		}
		running, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
		p := &parkedCall{of: of, asked: make(chan clientQuestion), done: make(chan struct{}), cancel: cancel}
		w.parked = p
		go func() {
			defer close(p.done)
			defer cancel(nil)
			p.result, p.err = w.finish(running)
		}()
		return c.wait(ctx, p)
	}
	return w.finish(ctx)
}

// work is one call that is being answered.
type work struct {
	connection *connection
	peer       *peer
	list       *toolList
	params     *mcp.CallToolParamsRaw
	parked     *parkedCall // by which its client is asked; nil where requests are sent to it
	event      transcript.Event
	text       string // what the model reads, where it is one text
	fault      error  // with which the server of the tool answered, if it did
}

// finish answers the call and notes it.
func (w *work) finish(ctx context.Context) (mcp.Result, error) {
	began := time.Now()
	w.event = transcript.Event{Kind: transcript.EventCall, Request: w.request()}
	w.event.Tokens.Request = w.tokens(string(w.params.Arguments))
	result := w.answer(ctx)
	if w.event.Result == nil {
		w.event.Result = w.size(w.text)
	}
	w.event.Tokens.Response = w.event.Result.Tokens
	w.event.TotalMS = since(began)
	w.connection.note(w.event)
	if w.fault != nil {
		return nil, w.fault
	}
	return &rawResult{data: result, modern: w.peer.modern}, nil
}

// answer returns the result of the call, and completes its event.
func (w *work) answer(ctx context.Context) json.RawMessage {
	s, snapshot := w.connection.session.server, w.list.snapshot
	name := words.Strip(w.params.Name)
	rescuer, _ := s.rescuerTool()
	switch {
	case snapshot.Active() && (name == engine.ToolSearch || name == engine.ToolDescribe):
		answer, ok := snapshot.Bridge(name, w.params.Arguments)
		w.event.Kind = transcript.EventSearch
		if name == engine.ToolDescribe {
			w.event.Kind = transcript.EventDescribe
			w.event.Tokens.Schemas = w.tokens(string(answer))
		}
		if !ok {
			var f struct{ Code string }
			_ = json.Unmarshal(answer, &f) // of ours
			w.event.Verdict, w.event.Code = transcript.VerdictDenied, f.Code
		} else if name == engine.ToolSearch {
			w.event.Hits = hits(snapshot, answer)
		}
		return w.says(string(answer), ok)
	case rescuer != "" && name == rescuer:
		w.event.Kind = transcript.EventFetch
		text, ok := s.o.Results.Fetch(ctx, w.connection.id, w.params.Arguments)
		return w.says(text, ok)
	}
	trace := snapshot.Invoke(w.params.Name, w.params.Arguments, "")
	if trace.Code == engine.CodeNeedsApproval && s.o.Execute != nil {
		trace = w.approval(ctx, trace)
	}
	w.event.RealName, w.event.Trace = string(trace.RealName), steps(trace, s.o.Texts)
	switch {
	case !trace.Authorized:
		w.event.Verdict, w.event.Code = transcript.VerdictDenied, trace.Code
		return w.says(string(trace.ModelSees), false)
	case s.o.Execute == nil:
		w.event.Verdict = transcript.VerdictDryRun
		return w.says(string(trace.ModelSees), true)
	}
	return w.run(ctx, trace)
}

// says returns the result that has one text, and notes it.
func (w *work) says(text string, ok bool) json.RawMessage {
	w.text = text
	if w.event.Verdict == "" {
		w.event.Verdict = transcript.VerdictOK
		if !ok {
			w.event.Verdict = transcript.VerdictFailed
		}
	}
	return textResult(text, !ok)
}

// textResult returns a result of tools/call with one text.
func textResult(text string, isError bool) json.RawMessage {
	return jsontree.Encode(&mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: isError})
}

// tokens returns the tokens of a text by the method of the session.
func (w *work) tokens(text string) int {
	method := w.list.snapshot.Tokenizer
	return method.Tokens(method.Text(text))
}

// size returns what an event says of a text that the model reads.
func (w *work) size(text string) *transcript.EventResult {
	r := &transcript.EventResult{Chars: utf8.RuneCountInString(text), Tokens: w.tokens(text), SHA256: digest([]byte(text))}
	if w.connection.session.server.o.Texts {
		r.Text = text
	}
	return r
}

// request returns what an event says of the request.
func (w *work) request() *transcript.EventRequest {
	r := &transcript.EventRequest{Name: w.params.Name, Bytes: len(w.params.Arguments), SHA256: digest(w.params.Arguments), Parent: traceParent(w.params.Meta)}
	var asked struct {
		Query   string   `json:"query"`
		Queries []string `json:"queries"`
		Name    string   `json:"name"`
		Names   []string `json:"names"`
		Calls   []struct {
			Name string `json:"name"`
		} `json:"calls"`
	}
	_ = json.Unmarshal(w.params.Arguments, &asked) // only for the record: the engine alone decodes the call that runs
	switch words.Strip(w.params.Name) {
	case engine.ToolSearch:
		if r.Queries = asked.Queries; asked.Query != "" {
			r.Queries = append([]string{asked.Query}, r.Queries...)
		}
	case engine.ToolDescribe:
		if r.Names = asked.Names; asked.Name != "" {
			r.Names = append([]string{asked.Name}, r.Names...)
		}
	case engine.ToolCall:
		if r.Called = asked.Name; r.Called == "" && len(asked.Calls) > 0 {
			r.Called = asked.Calls[0].Name
		}
	}
	if w.connection.session.server.o.Texts && json.Valid(w.params.Arguments) {
		r.Arguments = w.params.Arguments
	}
	return r
}

// traceParent returns the span that the client says a request belongs to, in the form of
// version 00 of W3C Trace Context (SEP-414 has where it is written); "" for none and for
// what has another form.
func traceParent(meta mcp.Meta) string {
	s, _ := meta["traceparent"].(string)
	const form = "00-................................-................-.."
	if len(s) != len(form) {
		return ""
	}
	for i, want := range []byte(form) {
		if want == '.' && !('0' <= s[i] && s[i] <= '9' || 'a' <= s[i] && s[i] <= 'f') || want != '.' && s[i] != want {
			return ""
		}
	}
	return s
}

// digest returns the SHA-256 of some bytes in hexadecimal; "" of none.
func digest(data []byte) string {
	if len(data) == 0 {
		return ""
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// steps returns the gates of a trace that were asked, with the rules that made them warn or
// deny. Only with texts do these show values of the arguments, and names that a client made up.
func steps(trace engine.Trace, texts bool) []transcript.EventStep {
	var out []transcript.EventStep
	for _, s := range trace.Steps {
		if s.Verdict == engine.Skip {
			continue
		}
		step := transcript.EventStep{Gate: s.Gate, Verdict: string(s.Verdict)}
		ruled := s.Verdict == engine.Fail && (trace.Code == engine.CodeDenied || trace.Code == engine.CodeNeedsApproval)
		switch {
		case s.Verdict == engine.Pass:
		case texts, ruled, s.Verdict == engine.Warn && s.Gate != "schema":
			step.Detail = s.Detail
		case s.Verdict == engine.Warn:
			var keywords []string
			for _, w := range trace.Warnings {
				if !slices.Contains(keywords, w.Keyword) && w.Keyword != "" {
					keywords = append(keywords, w.Keyword)
				}
			}
			step.Detail = "the arguments break the schema's " + words.And(keywords)
		}
		out = append(out, step)
	}
	return out
}

// hits returns the hits that an answer of tool_search shows, with ranks and scores.
func hits(snapshot *engine.Snapshot, answer json.RawMessage) []transcript.EventHit {
	var shown struct {
		Query   string            `json:"query"`
		Matches []json.RawMessage `json:"matches"`
		Results []struct {
			Query   string   `json:"query"`
			Matches []string `json:"matches"`
		} `json:"results"`
	}
	if json.Unmarshal(answer, &shown) != nil {
		return nil
	}
	var out []transcript.EventHit
	add := func(index int, query string, n int) {
		for _, h := range snapshot.Search(query, n, n).Hits[:n] {
			out = append(out, transcript.EventHit{Query: index, Name: snapshot.ModelName(h.Tool), Rank: h.Rank, Score: h.Score})
		}
	}
	add(0, shown.Query, len(shown.Matches))
	for i, r := range shown.Results {
		add(i, r.Query, len(r.Matches))
	}
	return out
}

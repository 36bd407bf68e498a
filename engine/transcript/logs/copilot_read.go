package logs

import (
	"cmp"
	"context"
	"io"
	"path/filepath"

	"caliper/engine/transcript"
)

// CopilotReader reads the sessions of GitHub Copilot CLI: a file events.jsonl for each, of
// one JSON object a line with type, data, id, timestamp and parentId.
//
// What an event is was learnt from logs of version 1.0.102 whose figures were scripted:
//
//   - a session.usage_record stands before the assistant.message of its request, and both have
//     the apiCallId. Its inputTokens include what was read from the cache and written to it;
//   - an assistant.message has the calls in toolRequests, calls of MCP with mcpServerName and
//     mcpToolName; tool.execution_complete has the result, or says success false;
//   - the search of tools is tool_search_tool, whose pattern is a regular expression, and its
//     result names the tools in a sentence;
//   - session.shutdown has the sums of the session, which count where no request has its own.
//
// Invariants: a message of the model is one request, in however many events it is; an event
// that is not known is counted and changes nothing else.
//
// It reads one file after the other. The zero value is ready.
type CopilotReader struct {
	Options  transcript.Options
	sessions []transcript.Session
	skipped  transcript.Skips
}

// Read reads one file to its end. Nothing fails but ctx and the stream.
func (r *CopilotReader) Read(ctx context.Context, in io.Reader, path string) error {
	s := &copilotSession{count: r.Options.Count, threads: map[string]*copilotThread{}, usages: map[string]transcript.Usage{}, calls: map[string]copilotPlace{}, names: map[string]string{}, answers: map[string]*transcript.Request{},
		out: transcript.Session{ID: filepath.Base(filepath.Dir(path)), Agent: transcript.Copilot, File: path}}
	s.thread("")
	skip := func(number int, what string) { r.skipped.Add(path, number, what) }
	err := transcript.Raw{
		Line: func(number int, data []byte) error {
			n, ok := transcript.ParseObject(data)
			if !ok {
				skip(number, "not JSON")
			} else if what := s.take(n); what != "" {
				skip(number, what)
			}
			return nil
		},
		Long:     func(number int) { skip(number, "too long") },
		Torn:     func(number int) { skip(number, "torn") },
		Progress: r.Options.Progress,
	}.Read(ctx, in)
	for _, p := range s.asked { // a search names tools otherwise than their calls
		hits := p.thread.Entries[p.entry].Request.Calls[p.call].Asked().Hits
		for i, name := range hits {
			hits[i] = cmp.Or(s.names[name], name)
		}
	}
	for _, t := range s.order {
		s.out.Contexts = append(s.out.Contexts, t.Context)
	}
	if err == nil && len(s.out.Contexts[0].Entries) > 0 { // something was said in it
		r.sessions = append(r.sessions, s.out)
	}
	return err
}

// Log returns what was read so far.
func (r *CopilotReader) Log() transcript.Log {
	r.skipped.Know("assistant.turn_start", "assistant.turn_end", "tool.execution_start")
	return transcript.Log{Sessions: r.sessions, Skipped: r.skipped.List()}
}

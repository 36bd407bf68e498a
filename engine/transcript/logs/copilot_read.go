package logs

import (
	"context"
	"io"

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
	kept     *transcript.Whole // takes the facts of a file, so that Known can take its place; nil for nobody
	sessions []transcript.Session
	skipped  transcript.Skips
}

// Read reads one file to its end. Nothing fails but ctx and the stream.
func (r *CopilotReader) Read(ctx context.Context, in io.Reader, path string) error {
	s := newSession(path, r.Options.Count)
	skip := func(number int, what string) {
		r.kept.Skip(number, what)
		r.skipped.Add(path, number, what)
	}
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
		Torn:     func(number int, _ int64) { skip(number, "torn") },
		Progress: r.Options.Progress,
	}.Read(ctx, in)
	if err == nil {
		r.add(s.end(), 1)
	}
	return err
}

// add adds a session, unless nothing was said in it.
func (r *CopilotReader) add(s transcript.Session, line int) {
	if len(s.Contexts[0].Entries) == 0 {
		return
	}
	r.kept.Session(&s, line)
	r.sessions = append(r.sessions, s)
}

// Keep sends the facts of the files that are read next to w; nil for nobody.
func (r *CopilotReader) Keep(w *transcript.Whole) { r.kept = w }

// Known takes a file by its kept facts. The error is that they are damaged.
func (r *CopilotReader) Known(path string, k *transcript.Lines) (taken bool, err error) {
	return k.Take(path, nil, r.add, func(line int, what string) { r.skipped.Add(path, line, what) })
}

// Log returns what was read so far.
func (r *CopilotReader) Log() transcript.Log {
	r.skipped.Know("assistant.turn_start", "assistant.turn_end", "tool.execution_start")
	return transcript.Log{Sessions: r.sessions, Skipped: r.skipped.List()}
}

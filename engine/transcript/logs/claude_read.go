package logs

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"caliper/engine/transcript"
)

// ClaudeReader reads the logs of Claude Code: a file of JSON lines for each session,
// and one for each helper in the folder subagents beside it.
//
// The vendor calls the format internal. What a line is was learnt from logs:
//
//   - A message of the model is written as one line for each block of its content,
//     all with its id and its usage; other lines may stand between them. The input of
//     the usage is the same on all, the output grows, so the largest counts.
//   - A line names the one before it (parentUuid). A rewind is a line that names an
//     older one; a compaction begins a history anew, with a summary.
//   - The results of one message hang together in a chain, whatever lines they name:
//     the model saw all of them.
//   - A fork, and a session that was resumed by an old version, begin with a copy of lines of
//     another session under a new id, with the old ids of the messages: they count in the
//     session that wrote them (settle).
//   - Lines without a message say which tools are deferred, which of them a search found, and
//     what each request sent (claude_offers.go).
//   - What the program prints with --output-format stream-json has the same messages, with
//     session_id in place of sessionId. Its lines name none before them, its first one has the
//     tools, and its last one the usage of the turn, which the others have incompletely.
//
// Invariants:
//   - a message id is one request, in whatever lines and files it is;
//   - a uuid is one line of its session, so that lines that were written again, as after
//     a write that was interrupted, count once;
//   - lines of the kind progress are none, although they hold messages;
//   - a line that is not understood is counted and changes nothing else.
//
// It reads the files of one home after the other. The lines of a file may belong to
// a session of an earlier one, so all files of a home go through one Reader, in a total
// order. The zero value is ready.
type ClaudeReader struct {
	Options  transcript.Options
	sessions []*claudeSession
	byID     map[string]*claudeSession
	messages map[key]*claudeSession  // a session that has a message of the id
	shares   map[*claudeSession]bool // sessions with a message that another one has
	// What is known of the requests in the logs of a home: definitions, tools arrays with their
	// system prompt by their hash, and what each request sent.
	definitions map[string][]byte
	shapes      map[string]offers
	requests    map[key]offers
	skipped     transcript.Skips
	names       transcript.Names
	files       int              // that were begun
	lines       int              // that were taken
	touched     []*claudeSession // sessions of the file that is read
}

// Read reads one file to its end. A torn last line is counted, and nothing else fails
// but ctx and the stream.
func (r *ClaudeReader) Read(ctx context.Context, in io.Reader, path string) error {
	return r.ReadLines(ctx, in, path, nil)
}

// ReadLines reads one file as transcript.LineReader does.
func (r *ClaudeReader) ReadLines(ctx context.Context, in io.Reader, path string, k *transcript.Lines) error {
	if r.byID == nil {
		r.byID, r.messages = map[string]*claudeSession{}, map[key]*claudeSession{}
		r.definitions, r.shapes, r.requests = map[string][]byte{}, map[string]offers{}, map[key]offers{}
	}
	helper := ""
	if base := filepath.Base(path); strings.HasPrefix(base, "agent-") {
		helper = strings.TrimSuffix(strings.TrimPrefix(base, "agent-"), ".jsonl")
	}
	r.files++
	p := claudeParser{count: r.Options.Count, names: &r.names}
	err := transcript.LineReader[claudeLine]{
		Parse: p.line,
		Take: func(l *claudeLine) string {
			if l.Agent == "" {
				l.Agent = helper
			}
			return r.take(path, l)
		},
		Skip:     func(number int, what string) { r.skipped.Add(path, number, what) },
		Progress: r.Options.Progress,
	}.Read(ctx, in, k)
	for _, s := range r.touched {
		for _, t := range s.lines { // most sessions have all of their lines in one file
			if t.messages != nil {
				t.Entries = append([]transcript.Entry(nil), t.Entries...) // without spare memory
				t.messages, t.calls, t.last = nil, nil, nil
			}
		}
	}
	r.touched = r.touched[:0]
	return err
}

// Log returns what was read so far.
func (r *ClaudeReader) Log() transcript.Log {
	r.settle()
	r.skipped.Know(beside...)
	log := transcript.Log{Skipped: r.skipped.List()}
	for _, s := range r.sessions {
		if made, ok := s.session(); ok {
			log.Sessions = append(log.Sessions, made)
		}
	}
	return log
}

// take takes one line, and returns what it is when it is no part of a session.
func (r *ClaudeReader) take(path string, l *claudeLine) string {
	if l.Streamed && l.UUID == "" { // as older versions wrote it
		l.UUID = fmt.Sprint("line ", r.lines)
	}
	l.key, l.parentKey = keyOf(l.UUID), keyOf(l.Parent)
	r.lines++
	kind := cmp.Or(l.Kind, "unknown")
	if l.Session == "" || l.UUID == "" && l.Time.IsZero() {
		return kind
	}
	s := r.byID[l.Session]
	if s == nil {
		s = &claudeSession{at: map[key]claudePlace{}, contexts: map[string]int{}}
		s.ID, s.Agent, s.File = l.Session, transcript.Claude, path
		r.byID[l.Session] = s
		r.sessions = append(r.sessions, s)
	}
	if s.file != r.files {
		s.file = r.files
		r.touched = append(r.touched, s)
	}
	if s.Started.IsZero() {
		s.Started = l.Time
	}
	switch {
	case l.Kind == "api-request-shape":
		if _, known := r.shapes[l.Offers.Shape]; !known {
			r.shared(l.Offers.Definitions)
			r.shapes[l.Offers.Shape] = l.Offers
		}
		return ""
	case l.Kind == "api-request":
		r.requests[keyOf(l.Offers.Request)] = l.Offers
		return ""
	case l.UUID == "": // it tells when the session began
		return kind
	case l.Kind == "progress":
		s.pass(l)
		return kind
	}
	s.list(r, l.Offers)
	switch l.Kind {
	case "user":
		return s.user(l)
	case "assistant":
		return s.answer(r, l)
	case "attachment":
		s.pass(l)
		if l.Deferred {
			s.lines[s.at[l.key].thread].Deferred = true
		}
		return ""
	case "system":
		what := s.system(l)
		r.skipped.Know(what) // all of them are the program's notes
		return what
	case "result":
		if l.Streamed && l.Usage != nil && len(s.lines) > 0 {
			// The line ends a turn of a stream, whose lines have the output tokens of an answer that has only
			// begun. This one has the tokens of the whole turn, and the last answer takes the difference.
			t, missing := s.lines[0], l.Usage.Output
			var last *transcript.Usage
			for _, e := range t.Entries[min(t.paid, len(t.Entries)):] {
				if e.Request != nil && e.Request.Usage != nil {
					last = e.Request.Usage
					missing -= last.Output
				}
			}
			if t.paid = len(t.Entries); last != nil && missing > 0 {
				last.Output += missing
			}
		}
	}
	s.pass(l)
	return kind
}

// beside are the kinds of lines that the program writes beside a conversation, and what of a
// conversation is none of the model's. Source: version 2.1.332, which has a table of them.
var beside = []string{
	"agent-color", "agent-name", "agent-setting", "ai-title", "api-request-blob", "api-request-resumed", "artifact-autoreact-ledger",
	"artifact-comment-monitor", "atis-latch", "attribution-snapshot", "bridge-session", "content-replacement", "continued-in", "cost-state",
	"custom-title", "data-flow-incomplete", "data-flow-records", "derived-from", "dev-mods", "ended-by-model", "file-history-delta",
	"file-history-snapshot", "fork-context-ref", "frame-link", "history-suppression", "host-row", "hybrid-organization", "isolation-latch",
	"last-prompt", "memory-mode", "mode", "observer-ref", "permission-mode", "pr-link", "queue-operation", "relocated", "repl-mode",
	"resume-head-vouch", "session-owner", "summary", "tag", "tools-used", "stream_event", "worktree-state",
	"meta", "progress", "result", "synthetic", apiError, repeated,
}

// claimed is a message as a session has it.
type claimed struct {
	by     int // number of the session
	copied bool
	older  bool // than the session
	tokens int
	ended  time.Time // of the session
}

// settle marks the answers that several sessions have as copies in all of them but the one
// that wrote it. A fork, and a session that was resumed by an old version, begin with the
// messages of another one, and the order in which files are read says nothing of that.
func (r *ClaudeReader) settle() {
	if len(r.shares) == 0 {
		return
	}
	first := map[key]claimed{}
	for by, s := range r.sessions {
		if !r.shares[s] {
			continue
		}
		out, _ := s.session()
		ended := transcript.LatestOf(out.Contexts)
		for _, t := range s.lines {
			for k := range t.Entries {
				e := &t.Entries[k]
				if !t.claims(k, e) {
					continue
				}
				x := claimed{by: by, copied: e.Copy, older: e.Time.Before(s.Started), ended: ended}
				if u := e.Request.Usage; u != nil {
					x.tokens = u.Total()
				}
				id := keyOf(e.Request.ID)
				known, ok := first[id]
				// Of two sessions with one message the first wrote it: a copy says so, or is older than the
				// beginning of its session, or has lost its usage. Old versions copy everything, and go on in the copy.
				switch {
				case ok && known.copied != x.copied:
					ok = x.copied
				case ok && known.older != x.older:
					ok = x.older
				case ok:
					ok = cmp.Or(cmp.Compare(x.tokens, known.tokens), known.ended.Compare(ended)) <= 0
				}
				if !ok {
					first[id] = x
				}
			}
		}
	}
	for by, s := range r.sessions {
		if !r.shares[s] {
			continue
		}
		for _, t := range s.lines {
			for k := range t.Entries {
				if e := &t.Entries[k]; t.claims(k, e) {
					e.Copy = e.Copy || first[keyOf(e.Request.ID)].by != by
				}
			}
		}
	}
}

// claims reports whether an entry is an answer of the log, not one that a compaction repeats.
func (t *claudeThread) claims(i int, e *transcript.Entry) bool {
	_, repeats := t.copyOf[i]
	return !repeats && e.Request != nil && e.Request.ID != ""
}

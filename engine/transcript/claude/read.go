package claude

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"caliper/engine/transcript"
	"caliper/engine/transcript/kept"
	"caliper/engine/transcript/lines"
)

// Reader reads the files of one home after the other. What is in a file may belong to
// a session of an earlier one, so all files of a home go through one Reader, in a total
// order. The zero value is ready.
type Reader struct {
	Options  transcript.Options
	sessions []*session
	byID     map[string]*session
	messages map[key]*session  // a session that has a message of the id
	shares   map[*session]bool // sessions with a message that another one has
	sending  sending
	skipped  transcript.Skips
	names    lines.Names
	files    int        // that were begun
	lines    int        // that were taken
	touched  []*session // sessions of the file that is read
}

// Read reads one file to its end. A torn last line is counted, and nothing else fails
// but ctx and the stream.
func (r *Reader) Read(ctx context.Context, in io.Reader, path string) error {
	return r.Continue(ctx, in, path, nil)
}

// Continue reads one file by what is kept of it, and then what in has more; see
// kept.Reader.
func (r *Reader) Continue(ctx context.Context, in io.Reader, path string, k *kept.Lines) error {
	if r.byID == nil {
		r.byID, r.messages = map[string]*session{}, map[key]*session{}
	}
	helper := ""
	if base := filepath.Base(path); strings.HasPrefix(base, "agent-") {
		helper = strings.TrimSuffix(strings.TrimPrefix(base, "agent-"), ".jsonl")
	}
	r.files++
	p := parser{count: r.Options.Count, names: &r.names}
	err := kept.Reader[line]{
		Parse: p.line,
		Take: func(l *line) string {
			if l.Agent == "" {
				l.Agent = helper
			}
			return r.take(path, l)
		},
		Skip:     func(number int, what string) { r.skipped.Add(path, number, what) },
		Progress: r.Options.Progress,
	}.Read(ctx, in, k)
	for _, s := range r.touched {
		s.rest()
	}
	r.touched = r.touched[:0]
	return err
}

// Log returns what was read so far.
func (r *Reader) Log() transcript.Log {
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
func (r *Reader) take(path string, l *line) string {
	if l.Streamed && l.UUID == "" { // as older versions wrote it
		l.UUID = fmt.Sprint("line ", r.lines)
	}
	l.key, l.parentKey = keyOf(l.UUID), keyOf(l.Parent)
	r.lines++
	switch {
	case l.Session == "":
		return kindOf(l)
	case l.UUID == "" && l.Time.IsZero():
		return kindOf(l)
	}
	s := r.session(path, l)
	switch {
	case l.Kind == "api-request-shape":
		r.sending.shape(l.Offers)
		return ""
	case l.Kind == "api-request":
		r.sending.request(l.Offers)
		return ""
	case l.UUID == "": // it tells when the session began
		return kindOf(l)
	case l.Kind == "progress":
		s.pass(l)
		return kindOf(l)
	}
	s.list(r, l.Offers)
	switch l.Kind {
	case "user":
		return s.user(l)
	case "assistant":
		return s.answer(r, l)
	case "attachment":
		s.attach(l)
		return ""
	case "system":
		what := s.system(l)
		r.skipped.Know(what) // all of them are the program's notes
		return what
	case "result":
		s.close(l)
	}
	s.pass(l)
	return kindOf(l)
}

// beside are the kinds of lines that the program writes beside a conversation, and what of a
// conversation is none of the model's. Source: version 2.1.332, which has a table of them.
var beside = []string{
	"agent-color", "agent-name", "agent-setting", "ai-title", "api-request-blob", "api-request-resumed", "artifact-autoreact-ledger",
	"artifact-comment-monitor", "atis-latch", "attribution-snapshot", "bridge-session", "content-replacement", "continued-in", "cost-state",
	"custom-title", "data-flow-incomplete", "data-flow-records", "derived-from", "dev-mods", "ended-by-model", "file-history-delta",
	"file-history-snapshot", "fork-context-ref", "frame-link", "history-suppression", "host-row", "hybrid-organization", "isolation-latch",
	"last-prompt", "memory-mode", "mode", "observer-ref", "permission-mode", "pr-link", "queue-operation", "relocated", "repl-mode",
	"resume-head-vouch", "session-owner", "summary", "tag", "tools-used", "worktree-state",
	"meta", "progress", "result", "synthetic", apiError, repeated,
}

// kindOf names the kind of a line that is left out.
func kindOf(l *line) string {
	if l.Kind == "" {
		return "unknown"
	}
	return l.Kind
}

// session returns the session of a line.
func (r *Reader) session(path string, l *line) *session {
	s := r.byID[l.Session]
	if s == nil {
		s = &session{at: map[key]place{}, contexts: map[string]int{}}
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
	return s
}

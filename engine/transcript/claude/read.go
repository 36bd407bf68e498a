package claude

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"caliper/engine/transcript"
	"caliper/engine/transcript/kept"
	"caliper/engine/transcript/lines"
)

// Reader reads the files of one home after the other. What is in a file may belong to
// a session of an earlier one, so all files of a home go through one Reader, in a total
// order. The zero value is ready.
type Reader struct {
	Options transcript.Options
	// Spill packs the sessions that did not go on lately; nil where all stay as they are.
	Spill    *kept.Spill
	sessions []*session
	byID     map[string]*session
	messages map[key]*session // the session in which a message's id was first
	skipped  transcript.Skips
	names    lines.Names
	files    int        // that were begun
	touched  []*session // sessions of the file that is read
	awake    []*session // that are not packed; the last ones went on last
	entries  int        // of those
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
	r.touched = r.touched[:0]
	p := parser{count: r.Options.Count, names: &r.names}
	err := kept.Reader[line]{
		Parse: p.line,
		Take: func(l *line) string {
			if l.agent == "" {
				l.agent = helper
			}
			return r.take(path, l)
		},
		Skip:     func(number int, what string) { r.skipped.Add(path, number, what) },
		Encode:   encode,
		Decode:   decode,
		Progress: r.Options.Progress,
	}.Read(ctx, in, k)
	r.rest()
	return err
}

// rest frees what is needed only while a file is read, and packs the sessions that went on
// longest ago, where there are many entries.
func (r *Reader) rest() {
	for _, s := range r.touched {
		if s.awake {
			r.awake = slices.DeleteFunc(r.awake, func(o *session) bool { return o == s })
		}
		s.rest()
		r.entries += s.entries
		s.awake = true
		r.awake = append(r.awake, s)
	}
	if r.Spill == nil {
		return
	}
	for r.entries > kept.MostUnpacked && len(r.awake) > len(r.touched) {
		s := r.awake[0]
		r.awake = r.awake[1:]
		r.entries -= s.entries
		s.pack(r.Spill)
	}
}

// Log returns what was read so far.
func (r *Reader) Log() transcript.Log {
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
	l.key, l.parentKey = keyOf(l.uuid), keyOf(l.parent)
	switch {
	case l.session == "":
		return kindOf(l)
	case l.uuid == "" || l.kind == "progress":
		if l.uuid != "" {
			r.session(path, l).pass(l)
		}
		return kindOf(l)
	}
	s := r.session(path, l)
	switch l.kind {
	case "user":
		return s.user(l)
	case "assistant":
		return s.answer(r, l)
	case "attachment":
		s.attach(l)
		return ""
	case "system":
		return s.system(l)
	}
	s.pass(l)
	return kindOf(l)
}

// kindOf names the kind of a line that is left out.
func kindOf(l *line) string {
	if l.kind == "" {
		return "unknown"
	}
	return l.kind
}

// session returns the session of a line.
func (r *Reader) session(path string, l *line) *session {
	s := r.byID[l.session]
	if s == nil {
		s = &session{at: map[key]place{}, contexts: map[string]int{}}
		s.ID, s.Agent, s.File = l.session, transcript.Claude, path
		r.byID[l.session] = s
		r.sessions = append(r.sessions, s)
	}
	if s.file != r.files {
		s.file = r.files
		r.touched = append(r.touched, s)
		if s.awake {
			r.entries -= s.entries
		} else {
			s.unpack(r.Spill)
		}
	}
	if s.Started.IsZero() {
		s.Started = l.time
	}
	return s
}

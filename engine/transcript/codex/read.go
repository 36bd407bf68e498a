package codex

import (
	"context"
	"io"
	"path/filepath"
	"regexp"
	"slices"

	"caliper/engine/transcript"
	"caliper/engine/transcript/kept"
	"caliper/engine/transcript/lines"
)

// Reader reads the rollouts of one home one after the other. A fork repeats the lines of
// another rollout, and a helper's rollout is a part of another session, so all files of a
// home go through one Reader, in a total order. The zero value is ready.
type Reader struct {
	Options  transcript.Options
	sessions []*session
	skipped  transcript.Skips
	names    lines.Names
}

// Read reads a rollout to its end. Lines that are not understood are counted; the
// error is ctx's or the stream's.
func (r *Reader) Read(ctx context.Context, in io.Reader, path string) error {
	return r.Continue(ctx, in, path, nil)
}

// Continue reads a rollout by what is kept of it, and then what in has more; see
// kept.Reader.
func (r *Reader) Continue(ctx context.Context, in io.Reader, path string, k *kept.Lines) error {
	s := &session{calls: map[string]at{}, open: transcript.None, last: transcript.None, answers: transcript.None, copies: transcript.None}
	s.Agent, s.File, s.Contexts = transcript.Codex, path, make([]transcript.Context, 1)
	p := &parser{count: r.Options.Count, names: &r.names}
	err := kept.Reader[line]{
		Parse:    p.parse,
		Take:     s.take,
		Once:     func(l *line) bool { return l.Time.Nanosecond() != 0 }, // a clock of seconds may stand still
		Skip:     func(number int, what string) { r.skipped.Add(path, number, what) },
		Progress: r.Options.Progress,
	}.Read(ctx, in, k)
	if err != nil {
		return err
	}
	if s.ID == "" {
		s.ID = idInName.FindString(filepath.Base(path))
	}
	if s.said && s.ID != "" {
		s.calls, s.only = nil, nil
		s.Contexts[0].Entries = append([]transcript.Entry(nil), s.Contexts[0].Entries...) // of thousands of logs, without what is spare
		s.entries = len(s.Contexts[0].Entries)
		r.sessions = append(r.sessions, s)
	}
	return nil
}

// Log returns what was read so far: a helper is a context of the session that it helps.
func (r *Reader) Log() transcript.Log {
	r.skipped.Know("world_state", "inter_agent_communication_metadata", "repeated")
	log := transcript.Log{Skipped: r.skipped.List()}
	f := newFamily(r.sessions)
	helpers := map[*session][]*session{}
	for _, s := range r.sessions {
		if whom := f.helped(s); whom != nil && !f.again(s) {
			helpers[whom] = append(helpers[whom], s)
		}
	}
	for _, s := range r.sessions {
		if f.helped(s) != nil || f.again(s) {
			continue
		}
		for _, h := range helpers[s] {
			for _, l := range h.Listed {
				s.list(l)
			}
		}
		session := s.Session
		if own := helpers[s]; own != nil {
			session.Contexts = slices.Clip(session.Contexts)
			for _, h := range own {
				helper := h.Contexts[0]
				helper.Helper = h.ID
				session.Contexts = append(session.Contexts, helper)
			}
		}
		log.Sessions = append(log.Sessions, session)
	}
	return log
}

// idInName is the id of a session in the name of its file.
var idInName = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

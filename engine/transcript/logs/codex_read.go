package logs

import (
	"context"
	"io"
	"path/filepath"
	"regexp"
	"slices"

	"caliper/engine/transcript"
)

// CodexReader reads the rollouts of Codex: a file of JSON lines for each session.
//
// A line is an envelope of a time, a type and a payload; the oldest files have the
// payload alone. What the model saw are lines of the type response_item; most of it
// stands a second time as event_msg. So:
//
//   - a call is one by its call_id, in whatever lines it is; some calls are only in
//     the event that ends them;
//   - a request is a change of the running sum of tokens, which is repeated, and may
//     stand in lines of two kinds; a log without sums has a request for each answer;
//   - the user's words are those with an event: the environment, instructions and
//     developers' texts have the user's role, too;
//   - a tool of a server has a namespace beside its name, or both in one name;
//   - a compaction brings the history that replaces all before it;
//   - a fork, a helper and a session that an old version resumed begin with the lines of
//     another rollout, whose times may be new: they count where they are first, and
//     nowhere else (family);
//   - a helper has a rollout of its own, and is a context of the session that it helps.
//
// Invariants:
//   - a call_id is one call, a sum of tokens one request;
//   - a line with a time that is finer than a second counts once if one of the last 16
//     lines is the same byte for byte, as where a write was interrupted and its last lines
//     were written again; any other may have been said again;
//   - cached input and input that was written to the cache are taken out of
//     Usage.Input, which the log counts them in.
//
// What codex exec --json prints is read, too; see codex_exec.go.
//
// It reads the rollouts of one home one after the other. A fork repeats the lines of
// another rollout, and a helper's rollout is a part of another session, so all files of a
// home go through one, in a total order. The zero value is ready.
type CodexReader struct {
	Options  transcript.Options
	sessions []*codexSession
	skipped  transcript.Skips
	names    transcript.Names
}

// Read reads a rollout to its end. Lines that are not understood are counted; the
// error is ctx's or the stream's.
func (r *CodexReader) Read(ctx context.Context, in io.Reader, path string) error {
	return r.ReadLines(ctx, in, path, nil)
}

// ReadLines reads a rollout as transcript.LineReader does.
func (r *CodexReader) ReadLines(ctx context.Context, in io.Reader, path string, k *transcript.Lines) error {
	s := newCodexSession(path)
	p := &codexParser{count: r.Options.Count, names: &r.names}
	err := transcript.LineReader[codexLine]{
		Parse: p.parse,
		Take: func(l *codexLine) string {
			if l.What == prints && s.ID != "" && l.Name != s.ID { // runs of several sessions, one after the other
				r.end(s)
				s = newCodexSession(path)
			}
			return s.take(l)
		},
		Once:     func(l *codexLine) bool { return l.Time.Nanosecond() != 0 }, // a clock of seconds may stand still
		Skip:     func(number int, what string) { r.skipped.Add(path, number, what) },
		Progress: r.Options.Progress,
	}.Read(ctx, in, k)
	if err != nil {
		return err
	}
	r.end(s)
	return nil
}

// newCodexSession returns the session of a file before its first line.
func newCodexSession(path string) *codexSession {
	s := &codexSession{calls: map[string]callAt{}, sums: map[int][2]int{}, open: transcript.None, last: transcript.None, answers: transcript.None, copies: transcript.None}
	s.Agent, s.File, s.Contexts = transcript.Codex, path, make([]transcript.Context, 1)
	return s
}

// end takes a session whose last line was read, unless nothing was said in it.
func (r *CodexReader) end(s *codexSession) {
	if s.ID == "" {
		s.ID = idInName.FindString(filepath.Base(s.File))
	}
	if s.said && s.ID != "" {
		s.calls, s.only = nil, nil
		s.Contexts[0].Entries = append([]transcript.Entry(nil), s.Contexts[0].Entries...) // of thousands of logs, without spare memory
		s.entries = len(s.Contexts[0].Entries)
		r.sessions = append(r.sessions, s)
	}
}

// Log returns what was read so far: a helper is a context of the session that it helps.
func (r *CodexReader) Log() transcript.Log {
	r.skipped.Know("world_state", "inter_agent_communication_metadata", "repeated")
	log := transcript.Log{Skipped: slices.Clip(r.skipped.List())}
	rollouts, printed := apart(r.sessions)
	f := &family{byID: map[string]*codexSession{}, sources: map[string]bool{}, done: map[*codexSession]bool{}, answers: map[string]map[string]bool{}}
	for _, s := range rollouts {
		for _, id := range []string{s.origin.Forked, s.origin.Spawner, s.origin.Head} {
			f.sources[id] = true
		}
		if f.byID[s.ID] != nil {
			f.sources[s.ID] = true
		}
		if old := f.byID[s.ID]; old == nil || old.entries < s.entries {
			f.byID[s.ID] = s
		}
	}
	first := slices.Clone(rollouts) // what was copied counts in the session that began first
	slices.SortStableFunc(first, func(a, b *codexSession) int { return a.Started.Compare(b.Started) })
	for _, s := range first {
		f.mark(s)
	}
	helpers := map[*codexSession][]*codexSession{}
	for _, s := range rollouts {
		if whom := f.helped(s); whom != nil && !f.again(s) {
			helpers[whom] = append(helpers[whom], s)
		}
	}
	for _, s := range rollouts {
		if f.helped(s) != nil || f.again(s) {
			continue
		}
		if id := f.missing(s); id != "" { // without its history it would seem to be cold, and to have searched nothing
			log.Skipped = append(log.Skipped, transcript.Skipped{File: s.File, What: transcript.ForkOf + id, Count: 1})
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
	log.Sessions = append(log.Sessions, printed...)
	return log
}

// idInName is the id of a session in the name of its file.
var idInName = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

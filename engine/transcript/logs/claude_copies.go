package logs

import (
	"time"

	"caliper/engine/transcript"
)

// claim remembers that a session has a message.
func (r *ClaudeReader) claim(message key, s *claudeSession) {
	first := r.messages[message]
	switch {
	case first == nil:
		r.messages[message] = s
	case first != s:
		if r.shares == nil {
			r.shares = map[*claudeSession]bool{}
		}
		r.shares[first], r.shares[s] = true, true
	}
}

// claimed is a message as a session has it.
type claimed struct {
	by     int // number of the session
	copied bool
	older  bool // than the session
	tokens int
	ended  time.Time // of the session
}

// before reports whether of two sessions with one message the first one wrote it: a copy
// says so, or is older than the beginning of its session, or has lost its usage. Old versions
// copy everything, and go on in the copy.
func (c claimed) before(d claimed) bool {
	switch {
	case c.copied != d.copied:
		return d.copied
	case c.older != d.older:
		return d.older
	case c.tokens != d.tokens:
		return c.tokens > d.tokens
	case !c.ended.Equal(d.ended):
		return c.ended.Before(d.ended)
	}
	return c.by < d.by
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
				if known, ok := first[id]; !ok || x.before(known) {
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

package logs

import (
	"cmp"
	"fmt"
	"slices"

	"caliper/engine/transcript"
	"caliper/model/jsontree"
)

// origin is where a session comes from, by the ids of sessions.
type origin struct {
	Forked  string // the session that it is a fork of
	Spawner string // the session whose helper it is
	Head    string // the session whose head stands behind its own, as the first of what was copied
	// until is the first line of that session, by its ordinal, that a fork which copies nothing
	// does not have; 0 for one that copies.
	Until int
	// defers: the version defers the tools of servers and does not log which.
	Defers bool
	// start is the ordinal of the line with which a helper's own history begins, behind what
	// was copied; 0 where its head does not say.
	Start int
}

// originIn returns what the head of a session says of it.
func originIn(head jsontree.Value) origin {
	o := origin{Forked: cmp.Or(head.Member("payload", "forked_from_id").Text(), head.Member("payload", "history_base", "thread_id").Text()), Spawner: head.Member("payload", "parent_thread_id").Text()}
	if id := head.Member("payload", "source", "subagent", "thread_spawn", "parent_thread_id").Text(); id != "" {
		o.Spawner = id
	}
	var minor int // of 0.151.0
	_, err := fmt.Sscanf(head.Member("payload", "cli_version").Text(), "0.%d.", &minor)
	o.Defers = err == nil && minor >= firstDeferring && minor < firstNaming
	o.Until = cmp.Or(number(head.Member("payload", "forked_from_ordinal_exclusive")), number(head.Member("payload", "history_base", "end_ordinal_exclusive")))
	o.Start = number(head.Member("payload", "subagent_history_start_ordinal"))
	return o
}

// Codex defers the tools of servers from 0.147 on, for OpenAI's models: 0.151.0 sends none of
// them, 0.128.0 all. From 0.171 on the log names them (world_state).
const firstDeferring, firstNaming = 147, 171

// family tells which answers of sessions are copies, and whose helpers they are. A fork,
// a helper and a session that was resumed by an old version begin with the lines of
// another session, often with new times and without some of them; the running sums and
// the ids of calls stay.
type family struct {
	byID map[string]*codexSession // of two of one id the one with more entries
	// sources are the ids of sessions that others come from, or that two logs have. Only
	// their answers are remembered.
	sources map[string]bool
	done    map[*codexSession]bool
	// answers are the answers of a session, by its id. A session that was not read has
	// the answers of those that come from it.
	answers map[string]map[string]bool
}

// mark marks the entries of a session that are copies, after the sessions that
// it comes from: all before the first answer that is in none of them. A session
// without relatives has none.
func (f *family) mark(s *codexSession) {
	if f.done[s] {
		return
	}
	f.done[s] = true
	var from []string
	for _, id := range []string{s.ID, s.origin.Forked, s.origin.Spawner, s.origin.Head} {
		if id == "" {
			continue
		}
		from = append(from, id)
		if p := f.byID[id]; p != nil {
			f.mark(p)
		}
	}
	if len(from) == 1 && !f.sources[s.ID] {
		return
	}
	copied, own := max(0, s.copies), s.copies >= 0
	if p := f.byID[s.origin.Forked]; p != nil && p != s && s.origin.Until > 0 {
		copied, own = f.inherit(s, p), true
	}
	in := from
	if own && f.byID[s.ID] != s { // its own entries are also in another log of it
		own, in = false, []string{s.ID}
	}
	entries := s.Contexts[0].Entries
	said := uint64(0)
	for i := copied; i < len(entries); i++ {
		e := &entries[i]
		if e.Kind == transcript.User || e.Kind == transcript.Answer {
			for _, n := range append([]int{int(e.Kind)}, e.Size.Chars[:]...) {
				said = (said ^ uint64(n)) * 1099511628211 // of FNV-1a
			}
		}
		switch {
		case e.Kind == transcript.Result && copied == i:
			copied++ // of a call that is copied
		case e.Kind == transcript.Answer:
			telling, weak := s.keys(i), fmt.Sprint("said ", said)
			by := telling
			if len(by) == 0 {
				by = []string{weak}
			}
			own = own || !slices.ContainsFunc(in, func(id string) bool {
				return slices.ContainsFunc(by, func(key string) bool { return f.answers[id][key] })
			})
			if !own {
				copied = i + 1
			}
			for _, id := range from { // its own session, and those that it comes from and that were not read
				if id != s.ID && f.byID[id] != nil || !f.sources[id] {
					continue
				}
				if f.answers[id] == nil {
					f.answers[id] = map[string]bool{}
				}
				for _, key := range append(telling, weak) {
					f.answers[id][key] = true
				}
			}
		}
	}
	for i := range copied {
		entries[i].Copy = true
	}
	s.own = own
}

// inherit puts the history that a fork has in the log of another session in front of its
// own, and returns how many entries that is. The head of the fork repeats the head of the
// session.
func (f *family) inherit(s, from *codexSession) int {
	if s.inherited > 0 {
		return s.inherited
	}
	c := &s.Contexts[0]
	n := 0
	for n < len(from.numbers) && int(from.numbers[n]) < s.origin.Until {
		n++
	}
	if n == 0 || len(s.numbers) > s.heads && int(s.numbers[s.heads]) < s.origin.Until {
		return 0 // it has the lines itself
	}
	shift := n - s.heads
	entries := append(make([]transcript.Entry, 0, len(c.Entries)+shift), from.Contexts[0].Entries[:n]...)
	for _, e := range c.Entries[s.heads:] {
		switch {
		case e.Parent >= s.heads:
			e.Parent += shift
		case e.Kind != transcript.Summary || e.Parent != transcript.None: // a compaction begins anew
			e.Parent = n - 1
		}
		if e.Kind == transcript.Result {
			e.CallEntry += shift
		}
		entries = append(entries, e)
	}
	sums := map[int][2]int{}
	for entry, sum := range s.sums {
		sums[entry+shift] = sum
	}
	s.sums = sums
	c.Entries, s.numbers = entries, append(slices.Clone(from.numbers[:n]), s.numbers[s.heads:]...)
	c.Deferred = c.Deferred || from.Contexts[0].Deferred
	s.inherited = n
	return n
}

// missing returns the id of the session whose log has the history of a fork, or of one that it is a
// fork of, and was not read; "" where the history is known.
func (f *family) missing(s *codexSession) string {
	if s.origin.Until == 0 || s.inherited == 0 && len(s.numbers) > s.heads && int(s.numbers[s.heads]) < s.origin.Until {
		return "" // it has all lines itself
	}
	switch p := f.byID[s.origin.Forked]; {
	case p == nil:
		return s.origin.Forked
	case p.origin.Until < s.origin.Until: // which is not so of forks of one another
		return f.missing(p)
	}
	return ""
}

// keys returns what tells an answer, and its copy, from all others: the running sum with the
// usage, and the ids of its calls. For want of both it is all that was said before it.
func (s *codexSession) keys(i int) (keys []string) {
	request := s.Contexts[0].Entries[i].Request
	if sum := s.sums[i]; sum != [2]int{} {
		keys = append(keys, fmt.Sprint("sum ", sum, *request.Usage))
	}
	for _, call := range request.Calls {
		if call.ID != "" {
			keys = append(keys, "call "+call.ID)
		}
	}
	return keys
}

// again reports whether a session says only what another of the same id says: the log is
// there twice, for example also compressed.
func (f *family) again(s *codexSession) bool {
	return f.byID[s.ID] != s && !s.own
}

// helped returns the session whose helper s is, or whose helper's helper; nil when it is
// none, or when that session was not read.
func (f *family) helped(s *codexSession) *codexSession {
	seen := map[*codexSession]bool{}
	at := s
	for by := f.byID[s.origin.Spawner]; by != nil; by = f.byID[at.origin.Spawner] {
		if seen[by] || by == s {
			return nil // each is the helper of the other
		}
		seen[by] = true
		at = by
	}
	if at == s {
		return nil
	}
	return at
}

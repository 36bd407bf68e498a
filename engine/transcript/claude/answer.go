package claude

import "caliper/engine/transcript"

// apiError is the kind of the lines that tell of a request which the API refused: the
// message in the place of an answer, and the note of the program, which has it as subtype.
const apiError = "api_error"

// repeated is what a line is whose uuid its session has already: writers that were
// interrupted write their last lines again.
const repeated = "repeated"

// answer takes one line of a message of the model: one of its blocks, or several.
func (s *session) answer(r *Reader, l *line) string {
	if l.fault || l.model == synthetic {
		s.pass(l)
		if l.fault {
			return apiError
		}
		return "synthetic"
	}
	_, again := s.at[l.key]
	t, parent := s.home(l)
	i, known := t.messages[l.id]
	if again && (!known || l.id == "") {
		return repeated
	}
	if !known || l.id == "" {
		i = len(t.Entries)
		t.messages[l.id] = i
		t.Entries = append(t.Entries, transcript.Entry{Parent: parent, Kind: transcript.Answer, Time: l.time,
			Request: &transcript.Request{ID: l.id, Model: l.model, Tools: s.array(r, l.offers.request)}})
		if l.id != "" {
			r.claim(keyOf(l.id), s)
		}
		t.Entries[i].Copy = l.copied || s.keeps[l.key]
	}
	entry := &t.Entries[i]
	if u := l.usage; u != nil {
		if old := entry.Request.Usage; old != nil {
			u.Output = max(u.Output, old.Output)
			if old.Total() > u.Total() { // what is written again after a compaction has a usage of 0
				old.Output = u.Output
				u = old
			}
		}
		entry.Request.Usage = u
	}
	if again {
		return repeated
	}
	entry.Size = entry.Size.Add(l.size)
	for _, call := range l.calls {
		if old, again := t.calls[call.ID]; again && old.entry == i && call.ID != "" {
			continue
		}
		entry.Size = entry.Size.Add(call.Size)
		entry.Request.Calls = append(entry.Request.Calls, call)
		t.call(call.ID, at{i, len(entry.Request.Calls) - 1})
	}
	s.put(l, t, i)
	return ""
}

package logs

import "caliper/engine/transcript"

// apiError is the kind of the lines that tell of a request which the API refused: the
// message in the place of an answer, and the note of the program, which has it as subtype.
const apiError = "api_error"

// repeated is a line whose uuid its session has already: writers that were
// interrupted write their last lines again.
const repeated = "repeated"

// answer takes one line of a message of the model: one of its blocks, or several.
func (s *claudeSession) answer(r *ClaudeReader, l *claudeLine) string {
	if l.Fault || l.Model == synthetic {
		s.pass(l)
		if l.Fault {
			return apiError
		}
		return "synthetic"
	}
	_, again := s.at[l.key]
	t, parent := s.home(l)
	i, known := t.messages[l.ID]
	if again && (!known || l.ID == "") {
		return repeated
	}
	if !known || l.ID == "" {
		i = len(t.Entries)
		t.messages[l.ID] = i
		t.Entries = append(t.Entries, transcript.Entry{Parent: parent, Kind: transcript.Answer, Time: l.Time,
			Request: &transcript.Request{ID: l.ID, Model: l.Model, Tools: s.array(r, l.Offers.Request), Settings: s.set(r, l.Offers)}})
		if l.ID != "" {
			r.claim(keyOf(l.ID), s)
		}
		t.Entries[i].Copy = l.Copied || s.keeps[l.key]
	}
	entry := &t.Entries[i]
	if u := l.Usage; u != nil {
		if old := entry.Request.Usage; old != nil {
			u.Output = max(u.Output, old.Output)
			if old.Total() > u.Total() { // a message that is written again after a compaction has a usage of 0
				old.Output = u.Output
				u = old
			}
		}
		entry.Request.Usage = u
	}
	if again {
		return repeated
	}
	entry.Size = entry.Size.Add(l.Size)
	for _, call := range l.Calls {
		if old, again := t.calls[call.ID]; again && old.entry == i && call.ID != "" {
			continue
		}
		entry.Size = entry.Size.Add(call.Size)
		entry.Request.Calls = append(entry.Request.Calls, call)
		t.call(call.ID, claudeAt{i, len(entry.Request.Calls) - 1})
	}
	s.put(l, t, i)
	return ""
}

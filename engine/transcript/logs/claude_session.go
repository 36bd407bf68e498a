package logs

import (
	"maps"
	"strings"

	"caliper/engine/transcript"
)

// claudeSession collects the lines of one session.
type claudeSession struct {
	transcript.Session // without contexts, which the threads have
	lines              []*claudeThread
	contexts           map[string]int      // of a helper's name, or of the root of a side chain: index in lines
	at                 map[key]claudePlace // of the uuid of each line
	keeps              map[key]bool        // lines of another session that a compaction keeps
	arrays             map[string]int      // of the hash of a shape: its index in Arrays
	listed             map[string]int      // of a name: its index in Listed
	file               int                 // number of the last file that it was in
}

// claudeThread is one context, and the state for adding to it.
type claudeThread struct {
	transcript.Context
	paid     int               // how many entries the last line of the kind result had before it
	anew     int               // the entry with which a stream begins after its last compaction
	index    int               // in the lines of its session
	messages map[string]int    // of a message's id: its entry
	calls    map[string]callAt // of the id of a call: its latest
	last     map[int]int       // of an answer: the last of its results
	copyOf   map[int]int       // of an entry that a compaction preserved: the one before it
	earlier  map[string]callAt // of the id of a call: its latest, where an entry behind that has a call of the id
}

// callAt is a call of an entry.
type callAt struct{ entry, call int }

// claudePlace is where a line stands: in which thread, and behind which entry.
type claudePlace struct {
	thread int32
	entry  int32
}

// key is the digest of the id of a line or of a message. The garbage collector has nothing
// to look at in it, though every line has one.
type key = transcript.Digest

// keyOf returns the key of an id.
func keyOf(id string) key { return transcript.DigestOf([]byte(id)) }

// wake makes again, from the entries, the maps that are freed at the end of a file.
func (t *claudeThread) wake() {
	if t.messages != nil {
		return
	}
	t.messages, t.calls, t.last = map[string]int{}, map[string]callAt{}, map[int]int{}
	for i, e := range t.Entries {
		if of, preserved := t.copyOf[i]; preserved {
			t.Entries[i].Request = t.Entries[of].Request // which they no longer share after they were packed
			continue
		}
		switch {
		case e.Kind == transcript.Result:
			t.last[e.CallEntry] = i
		case e.Request == nil:
		default:
			if _, known := t.messages[e.Request.ID]; !known {
				t.messages[e.Request.ID] = i
			}
			for k, c := range e.Request.Calls {
				t.calls[c.ID] = callAt{i, k}
			}
		}
	}
	maps.Copy(t.calls, t.earlier)
}

// home returns the thread of a line and the entry that the model saw before it. The
// main line is the first thread; lines of a helper and side chains have their own.
func (s *claudeSession) home(l *claudeLine) (t *claudeThread, parent int) {
	before, known := s.at[l.parentKey]
	key := ""
	switch {
	case l.Agent != "":
		key = "agent:" + l.Agent
	case l.Sidechain && known && before.thread > 0:
		t = s.lines[before.thread]
		t.wake()
		return t, t.end(int(before.entry))
	case l.Sidechain:
		key = "chain:" + l.UUID
	}
	if len(s.lines) == 0 {
		s.add("", "")
	}
	i, ok := s.contexts[key]
	if !ok {
		i = s.add(key, strings.TrimPrefix(strings.TrimPrefix(key, "agent:"), "chain:"))
	}
	t = s.lines[i]
	t.wake()
	if l.Streamed {
		if t.anew == len(t.Entries) {
			return t, transcript.None
		}
		return t, t.end(len(t.Entries) - 1)
	}
	if !known || int(before.thread) != i {
		// A helper's first line names none of its own; a line whose parent is not
		// here follows the last one.
		if l.Parent == "" || known {
			return t, transcript.None
		}
		return t, len(t.Entries) - 1
	}
	return t, t.end(int(before.entry))
}

// add adds a thread and returns its index.
func (s *claudeSession) add(key, helper string) int {
	s.contexts[key] = len(s.lines)
	s.lines = append(s.lines, &claudeThread{Context: transcript.Context{Helper: helper}, index: len(s.lines), messages: map[string]int{}, calls: map[string]callAt{}, last: map[int]int{}})
	return len(s.lines) - 1
}

// end returns the entry behind which a line stands that names an entry: the last result
// where that is an answer or one of its results.
func (t *claudeThread) end(entry int) int {
	if entry == transcript.None {
		return entry
	}
	answer := entry
	if e := &t.Entries[entry]; e.Kind == transcript.Result {
		answer = e.CallEntry
	}
	if last, ok := t.last[answer]; ok {
		return last
	}
	return entry
}

// put remembers that a line stands at an entry of a thread.
func (s *claudeSession) put(l *claudeLine, t *claudeThread, entry int) {
	s.at[l.key] = claudePlace{int32(t.index), int32(entry)}
}

// pass takes a line that is none of the model's history: what names it follows what it
// names.
func (s *claudeSession) pass(l *claudeLine) {
	t, parent := s.home(l)
	s.put(l, t, parent)
	if o := l.Offers; len(o.Names)+len(o.Gone) > 0 { // the model is told of deferred tools
		t.Lists = append(t.Lists, transcript.Listing{Entry: len(t.Entries), Names: o.Names, Gone: o.Gone})
	}
}

// system takes a line of the program. One that compacts begins a history, whose end
// is the part that it preserves.
func (s *claudeSession) system(l *claudeLine) string {
	if l.Subtype != "compact_boundary" {
		if s.pass(l); l.Deferred {
			s.lines[0].Deferred = true
		}
		if l.Subtype == "" {
			return l.Kind
		}
		return l.Subtype
	}
	t, _ := s.home(l)
	s.put(l, t, transcript.None)
	t.anew = len(t.Entries)
	if len(l.Offers.Loaded) > 0 {
		t.Loaded = append(t.Loaded, transcript.Loaded{Entry: t.anew, Tools: l.Offers.Loaded})
	}
	parent := transcript.None
	for _, uuid := range l.Preserved {
		from, ok := s.at[keyOf(uuid)]
		if !ok {
			if s.keeps == nil {
				s.keeps = map[key]bool{}
			}
			s.keeps[keyOf(uuid)] = true
		}
		if !ok || from.entry == transcript.None || s.lines[from.thread] != t {
			continue
		}
		e := t.Entries[from.entry]
		e.Parent, e.Copy = parent, true
		t.Entries = append(t.Entries, e)
		parent = len(t.Entries) - 1
		if t.copyOf == nil {
			t.copyOf = map[int]int{}
		}
		t.copyOf[parent] = int(from.entry)
		s.at[keyOf(uuid)] = claudePlace{from.thread, int32(parent)}
	}
	if parent != transcript.None {
		s.put(l, t, parent)
	}
	return ""
}

// user takes a line of the user's role, and returns what it is when it is left out.
func (s *claudeSession) user(l *claudeLine) string {
	if l.Meta && !l.Summarises {
		s.pass(l)
		return "meta"
	}
	if _, again := s.at[l.key]; again {
		return repeated
	}
	t, parent := s.home(l)
	entry := transcript.Entry{Parent: parent, Kind: transcript.User, Time: l.Time}
	if l.Summarises {
		entry.Kind = transcript.Summary
	}
	for _, r := range l.Results {
		of, ok := t.calls[r.Call]
		if !ok {
			continue // of a call that is not in the thread
		}
		call := &t.Entries[of.entry].Request.Calls[of.call]
		if call.Answered {
			continue // a log that repeats it
		}
		call.Answered, call.Failed = true, r.Failed
		if len(r.References) > 0 || r.Nothing {
			call.Found(r.References)
		}
		call.Expand(r.References)
		before, ok := t.last[of.entry]
		if !ok {
			before = of.entry
		}
		parent = len(t.Entries)
		t.Entries = append(t.Entries, transcript.Entry{Parent: before, Kind: transcript.Result, Time: l.Time, Size: r.Size, CallEntry: of.entry, Call: of.call})
		t.last[of.entry], entry.Parent = parent, parent
	}
	if !l.Said {
		s.put(l, t, parent)
		return ""
	}
	entry.Size, entry.Words = l.Size, l.Words
	t.Entries = append(t.Entries, entry)
	s.put(l, t, len(t.Entries)-1)
	return ""
}

// session returns the session; ok is false when nothing was said in it.
func (s *claudeSession) session() (out transcript.Session, ok bool) {
	out = s.Session
	for _, t := range s.lines {
		out.Contexts = append(out.Contexts, t.Context)
	}
	for i := len(out.Contexts) - 1; i >= 0; i-- { // the main line has the last word
		for _, e := range out.Contexts[i].Entries {
			ok = true
			if e.Request != nil && e.Request.Model != "" && !e.Copy {
				out.Model = e.Request.Model
			}
		}
	}
	return out, ok
}

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
			switch first := r.messages[keyOf(l.ID)]; {
			case first == nil:
				r.messages[keyOf(l.ID)] = s
			case first != s:
				if r.shares == nil {
					r.shares = map[*claudeSession]bool{}
				}
				r.shares[first], r.shares[s] = true, true
			}
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
		latest := callAt{i, len(entry.Request.Calls) - 1}
		if old, again := t.calls[call.ID]; again && old.entry > i {
			if t.earlier == nil {
				t.earlier = map[string]callAt{}
			}
			t.earlier[call.ID] = latest
		} else {
			delete(t.earlier, call.ID)
		}
		t.calls[call.ID] = latest
	}
	s.put(l, t, i)
	return ""
}

package transcript

import (
	"caliper/model/jsontree"
)

// exported is the facts of an exported session.
type exported struct {
	id, model, system, started           *jsontree.Node
	input, output, cacheRead, cacheWrite *jsontree.Node
	messages                             []*jsontree.Node
}

// exportedOf returns what counts of the tree of an exported session.
func exportedOf(n *jsontree.Node) (e exported) {
	for _, m := range n.Members() {
		if to := e.member(m.Name); to != nil {
			*to = m.Node
		}
	}
	for _, m := range n.Member("messages").Elements() {
		e.messages = append(e.messages, m.Node)
	}
	return e
}

// member returns where the member of a name belongs; nil for one that does not count.
func (e *exported) member(name string) **jsontree.Node {
	switch name {
	case "id":
		return &e.id
	case "model":
		return &e.model
	case "system_prompt":
		return &e.system
	case "started_at":
		return &e.started
	case "input_tokens":
		return &e.input
	case "output_tokens":
		return &e.output
	case "cache_read_tokens":
		return &e.cacheRead
	case "cache_write_tokens":
		return &e.cacheWrite
	}
	return nil
}

// walk takes a text if it is an exported session, without making the tree of all of it: each
// message has its tree for as long as it is needed. It takes what export takes of the tree of
// the text. It reports false, and adds nothing to the log, if the text is no exported session, or one
// that is left to the tree: because it has bytes that are not UTF-8, or because a member that
// counts stands behind the messages, where Hermes writes none.
func (r *HermesReader) walk(data []byte, path string, number int) bool {
	var e exported
	var s *HermesSession // once its messages were read
	w := jsontree.Walk(data)
	message := func() bool {
		m, ok := w.Tree()
		if ok {
			s.message(m)
		}
		return ok
	}
	read := w.Next() == '{' && w.Object(func(name []byte) bool {
		to := e.member(string(name))
		messages := string(name) == "messages"
		switch {
		case string(name) == "role", string(name) == "session_id": // of the gateway, of a dump
			return false
		case (to != nil || messages) && s != nil:
			return false
		case messages && w.Next() == '[':
			if text(e.id) == "" || !IsClean(data) {
				return false
			}
			s = r.begin(&e, path, number)
			return w.Array(message)
		}
		v, ok := w.Value()
		if ok && to != nil {
			*to, _ = jsontree.Parse(v.Raw, jsontree.Strict)
		}
		return ok
	})
	if read = read && w.AtEnd() && s != nil; read {
		s.End()
	}
	return read
}

// export takes one exported session. Nothing of its texts is kept but copies.
func (r *HermesReader) export(e *exported, path string, number int) {
	if text(e.id) == "" {
		r.Skip(path, number, "unknown")
		return
	}
	s := r.begin(e, path, number)
	for _, m := range e.messages {
		s.message(m)
	}
	s.End()
}

// begin begins an exported session.
func (r *HermesReader) begin(e *exported, path string, number int) *HermesSession {
	return r.Begin(HermesStored{ID: text(e.id), File: path, Line: number, Model: text(e.model), System: text(e.system), Started: timeOf(e.started),
		Sums: Usage{Input: count(e.input), Output: count(e.output), CacheRead: count(e.cacheRead), CacheWrite: count(e.cacheWrite)}})
}

// message takes the next message of an export, as Row does.
func (s *HermesSession) message(m *jsontree.Node) {
	s.Row(HermesRow{Message: m, At: timeOf(m.Member("timestamp")),
		Active: m.Member("active") == nil || count(m.Member("active")) != 0, Compacted: count(m.Member("compacted")) != 0})
}

package hermes

import (
	"caliper/engine/transcript"
	"caliper/engine/transcript/dialogue"
	"caliper/model/jsontree"
)

// exported is what counts of an exported session.
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

// walk reads an exported session without making the tree of all of it, and finds what
// exportedOf finds in that tree. A text without escapes is a slice of data. ok is false if
// data is no exported session, or is one that only the tree can be trusted to read, such as
// one with bytes that are not UTF-8.
func (e *exported) walk(data []byte) (ok bool) {
	*e = exported{}
	w := jsontree.Walk(data)
	listed := false // the last messages are an array
	read := w.Next() == '{' && w.Object(func(name []byte) bool {
		switch string(name) {
		case "role", "session_id": // of the gateway, of a dump
			return false
		case "messages":
			e.messages = nil
			if listed = w.Next() == '['; listed {
				return w.Array(func() bool {
					m, ok := message(w)
					e.messages = append(e.messages, m)
					return ok
				})
			}
		}
		v, ok := w.Value()
		if to := e.member(string(name)); ok && to != nil {
			n := nodes(v)
			*to = &n
		}
		return ok
	})
	return read && w.AtEnd() && listed && text(e.id) != "" && dialogue.IsClean(data)
}

// message reads a message; what is no object is one without members, which says the same.
func message(w *jsontree.Walker) (*jsontree.Node, bool) {
	const usual = 6 // members that count
	m := &jsontree.Node{Kind: jsontree.Object}
	if w.Next() != '{' {
		_, ok := w.Value()
		return m, ok
	}
	m.Children = make([]jsontree.Child, 0, usual)
	room := make([]jsontree.Node, 0, usual)
	ok := w.Object(func(name []byte) bool {
		v, ok := w.Value()
		if known := counts(string(name)); ok && known != "" {
			if len(room) == cap(room) { // what was made stays where it is
				room = make([]jsontree.Node, 0, usual)
			}
			room = append(room, nodes(v))
			m.Set(known, &room[len(room)-1])
		}
		return ok
	})
	return m, ok
}

// counts returns a name of a member of a message that counts; "" for the others.
func counts(name string) string {
	for _, known := range [...]string{"role", "content", "tool_call_id", "tool_calls", "timestamp", "active", "compacted",
		"type", "call_id", "tools", "output", "id", "function", "name", "arguments", "input", "namespace"} {
		if name == known {
			return known
		}
	}
	return ""
}

// nodes returns the tree of a valid value. A text without escapes stays where it is.
func nodes(v jsontree.Value) jsontree.Node {
	if v.IsString() {
		return jsontree.Node{Kind: jsontree.String, At: v.At, Raw: v.Raw, Text: v.Shared()}
	}
	n, err := jsontree.Parse(v.Raw, jsontree.Strict)
	if err != nil { // which it cannot be
		return jsontree.Node{}
	}
	return *n
}

// export takes one exported session. Nothing of its texts is kept but copies.
func (r *Reader) export(e *exported, path string, number int) {
	id := text(e.id)
	if id == "" {
		r.Skip(path, number, "unknown")
		return
	}
	s := r.Begin(Stored{ID: id, File: path, Line: number, Model: text(e.model), System: text(e.system), Started: timeOf(e.started),
		Sums: transcript.Usage{Input: count(e.input), Output: count(e.output), CacheRead: count(e.cacheRead), CacheWrite: count(e.cacheWrite)}})
	for _, m := range e.messages {
		s.Row(Row{Message: m, At: timeOf(m.Member("timestamp")),
			Active: m.Member("active") == nil || count(m.Member("active")) != 0, Compacted: count(m.Member("compacted")) != 0})
	}
	s.End()
}

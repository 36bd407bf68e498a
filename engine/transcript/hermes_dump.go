package transcript

import (
	"path/filepath"
	"strings"

	"caliper/model/jsontree"
)

// isDump reports whether an object is a session_*.json or a request_dump_*.json: it has
// the id of a session under another name than an export, and its messages or, in the
// body of a request, those that were sent.
func isDump(n *jsontree.Node) bool {
	return n.Member("session_id").Is(jsontree.String) && messagesIn(n).Is(jsontree.Array) ||
		n.Member("id") == nil && n.Member("messages").Is(jsontree.Array) && n.Member("system_prompt").Is(jsontree.String)
}

// body returns the object that has the messages: the dump, or the body of its request.
func body(n *jsontree.Node) *jsontree.Node {
	if n.Member("messages").Is(jsontree.Array) {
		return n
	}
	request := n.Member("request")
	if b := request.Member("body"); b.Is(jsontree.Object) {
		return b
	}
	return request
}

func messagesIn(n *jsontree.Node) *jsontree.Node { return body(n).Member("messages") }

// dump takes a dump, which begins on a line. It has no usage, and a time for the session
// alone.
func (r *HermesReader) dump(n *jsontree.Node, path string, number int) {
	id := text(n.Member("session_id"))
	if id == "" {
		id = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		id = strings.TrimPrefix(id, "session_")
	}
	b := body(n)
	model := text(n.Member("model"))
	if model == "" {
		model = text(b.Member("model"))
	}
	started := timeOf(n.Member("session_start"))
	if started.IsZero() {
		started = timeOf(n.Member("timestamp"))
	}
	s := r.Begin(HermesStored{ID: id, File: path, Line: number, Model: model, System: text(n.Member("system_prompt")), Started: started})
	tools := n.Member("tools")
	if tools == nil {
		tools = b.Member("tools")
	}
	if tools.Is(jsontree.Array) {
		s.send(tools)
	}
	for _, m := range messagesIn(n).Elements() {
		s.Row(HermesRow{Message: m.Node, At: timeOf(m.Member("timestamp")), Active: true})
	}
	s.End()
}

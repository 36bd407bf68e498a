package transcript

import (
	"path/filepath"
	"strconv"
	"strings"
	"time"

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
	s := r.begin(hermesStored{id: id, file: path, line: number, model: model, system: text(n.Member("system_prompt")), started: started})
	tools := n.Member("tools")
	if tools == nil {
		tools = b.Member("tools")
	}
	if tools.Is(jsontree.Array) {
		s.send(tools)
	}
	for _, m := range messagesIn(n).Elements() {
		s.row(m.Node, hermesRow{at: timeOf(m.Member("timestamp")), active: true})
	}
	s.end()
}

// export takes an exported session, which begins on a line.
func (r *HermesReader) export(n *jsontree.Node, path string, number int) {
	id := text(n.Member("id"))
	if id == "" {
		r.skip(path, number, "unknown")
		return
	}
	s := r.begin(hermesStored{id: id, file: path, line: number, model: text(n.Member("model")), system: text(n.Member("system_prompt")), started: timeOf(n.Member("started_at")),
		sums: Usage{Input: count(n.Member("input_tokens")), Output: count(n.Member("output_tokens")), CacheRead: count(n.Member("cache_read_tokens")), CacheWrite: count(n.Member("cache_write_tokens"))}})
	for _, m := range n.Member("messages").Elements() {
		s.row(m.Node, hermesRow{at: timeOf(m.Member("timestamp")),
			active: m.Member("active") == nil || count(m.Member("active")) != 0, compacted: count(m.Member("compacted")) != 0})
	}
	s.end()
}

// timeOf returns a time in seconds since 1970, or in RFC 3339 with or without
// a zone; zero for anything else.
func timeOf(n *jsontree.Node) time.Time {
	if n.Is(jsontree.Number) {
		f, err := strconv.ParseFloat(n.Text, 64)
		if err != nil {
			return time.Time{}
		}
		return UnixTime(f)
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999"} {
		if t, err := time.Parse(layout, text(n)); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// UnixTime returns a time in seconds since 1970, zero for what cannot be one.
func UnixTime(seconds float64) time.Time {
	if !(seconds >= 0 && seconds < 1e11) {
		return time.Time{}
	}
	return time.UnixMicro(int64(seconds * 1e6)).UTC()
}

// count returns a number of tokens; 0 for anything else.
func count(n *jsontree.Node) int {
	if !n.Is(jsontree.Number) {
		return 0
	}
	f, err := strconv.ParseFloat(n.Text, 64)
	if err != nil || !(f >= 0 && f < 1e15) {
		return 0
	}
	return int(f)
}

package transcript

import (
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"caliper/model/jsontree"
)

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

// dump takes a dump, which begins on a line. It has no usage, and a time for the session
// alone.
func (r *HermesReader) dump(n *jsontree.Node, path string, number int) {
	id := n.Member("session_id").AsText()
	if id == "" {
		id = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		id = strings.TrimPrefix(id, "session_")
	}
	b := body(n)
	model := n.Member("model").AsText()
	if model == "" {
		model = b.Member("model").AsText()
	}
	started := timeOf(n.Member("session_start"))
	if started.IsZero() {
		started = timeOf(n.Member("timestamp"))
	}
	s := r.begin(Session{ID: id, File: path, Model: model, Started: started}, number, n.Member("system_prompt").AsText())
	tools := n.Member("tools")
	if tools == nil {
		tools = b.Member("tools")
	}
	if tools.Is(jsontree.Array) {
		s.out.Arrays, s.tools = AddArray(s.out.Arrays, ParseTools(tools))
	}
	for _, m := range b.Member("messages").Elements() {
		s.row(m.Node, hermesRow{at: timeOf(m.Member("timestamp")), active: true})
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
		if t, err := time.Parse(layout, n.AsText()); err == nil {
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

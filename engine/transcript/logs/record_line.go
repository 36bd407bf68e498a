package logs

import (
	"time"

	"caliper/engine/transcript"
	"caliper/model/jsontree"
)

// recordLine is the facts of one event.
type recordLine struct {
	Foreign  bool // of a later version, or no event
	Connects bool
	At       time.Time
	Where    name
	Number   int    // 0 for none
	What     string // why it is no request; empty for one
	Call     transcript.Call
	Answer   transcript.Size
}

// fields are the members of an event that count, as they are written.
type fields struct {
	version, kind, time, session, connection, seq, request, realName, hits, tokens, result, fault, code, verdict, trace jsontree.Value
}

// member returns where the member of a name belongs; nil for one that does not count.
func (f *fields) member(name string) *jsontree.Value {
	switch name {
	case "v":
		return &f.version
	case "kind":
		return &f.kind
	case "time":
		return &f.time
	case "session":
		return &f.session
	case "connection":
		return &f.connection
	case "seq":
		return &f.seq
	case "request":
		return &f.request
	case "real_name":
		return &f.realName
	case "hits":
		return &f.hits
	case "tokens":
		return &f.tokens
	case "result":
		return &f.result
	case "error":
		return &f.fault
	case "code":
		return &f.code
	case "verdict":
		return &f.verdict
	case "trace":
		return &f.trace
	}
	return nil
}

// read takes the members that count from a line; ok is false if the line is no JSON object.
func (f *fields) read(data []byte) (ok bool) {
	*f = fields{}
	w := jsontree.Walk(data)
	return w.Next() == '{' && w.Object(func(name []byte) bool {
		v, ok := w.Value()
		if to := f.member(string(name)); to != nil {
			*to = v
		}
		return ok
	}) && w.AtEnd()
}

// parse reads an event; ok is false for text that is no JSON.
func (r *RecordReader) parse(data []byte) (l recordLine, ok bool) {
	var f fields
	if !f.read(data) && !f.read(jsontree.Mend(data)) {
		return l, false
	}
	kind := r.names.Of(f.kind)
	if !f.version.IsNumber() || string(f.version.Raw) != version || kind == "" {
		l.Foreign = true
		return l, true
	}
	at, err := time.Parse(time.RFC3339Nano, f.time.Text())
	if err != nil {
		at = time.Time{}
	}
	l.At = at.UTC()
	l.Where = name{r.part(f.session), r.part(f.connection)}
	l.Number, l.Connects = recordCount(f.seq), kind == "connect"
	c := transcript.Call{Tool: r.names.Of(f.realName)}
	switch kind {
	case "search":
		c.Kind, c.Tool = transcript.Search, "tool_search"
		c.Ask(transcript.Lookup{Queries: list(f.request, "query", "queries"), Hits: r.hits(f.hits), Told: true})
	case "describe":
		c.Kind, c.Tool = transcript.Describe, "tool_describe"
		c.Ask(transcript.Lookup{Names: list(f.request, "name", "names")})
	case "call":
		if c.Tool == "" {
			c.Tool = r.names.Of(f.request.Member("name"))
		}
	case "fetch":
		c.Tool = "rescuer_fetch"
	default:
		l.What = kind
		return l, true
	}
	if c.Tool == "" {
		l.What = "unknown"
		return l, true
	}
	c.Size = r.size(transcript.Schema, f.tokens.Member("request"), jsontree.Value{})
	c.Answered, c.Failed = true, f.failed()
	l.Call, l.Answer = c, r.answered(f.tokens.Member("response"), f.result)
	return l, true
}

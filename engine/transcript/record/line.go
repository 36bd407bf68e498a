package record

import (
	"time"

	"caliper/engine/transcript"
	"caliper/engine/transcript/kept"
	"caliper/model/jsontree"
)

// line is what counts of one event.
type line struct {
	foreign  bool // of a later version, or no event
	connects bool
	at       time.Time
	where    name
	number   int    // 0 for none
	what     string // why it is no request; empty for one
	call     transcript.Call
	answer   transcript.Size
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

// parse reads an event; ok is false for what is no JSON.
func (r *Reader) parse(data []byte) (l line, ok bool) {
	var f fields
	if !f.read(data) && !f.read(jsontree.Mend(data)) {
		return l, false
	}
	kind := r.names.Of(f.kind)
	if !f.version.IsNumber() || string(f.version.Raw) != version || kind == "" {
		l.foreign = true
		return l, true
	}
	at, err := time.Parse(time.RFC3339Nano, f.time.Text())
	if err != nil {
		at = time.Time{}
	}
	l.at = at.UTC()
	l.where = name{r.part(f.session), r.part(f.connection)}
	l.number, l.connects = count(f.seq), kind == "connect"
	c := transcript.Call{Tool: r.names.Of(f.realName)}
	switch kind {
	case "search":
		c.Kind, c.Tool = transcript.Search, "tool_search"
		c.Ask(transcript.Lookup{Queries: list(f.request, "query", "queries"), Hits: r.hits(f.hits)})
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
		l.what = kind
		return l, true
	}
	if c.Tool == "" {
		l.what = "unknown"
		return l, true
	}
	c.Size = r.size(transcript.Schema, f.tokens.Member("request"), jsontree.Value{})
	c.Answered, c.Failed = true, f.failed()
	l.call, l.answer = c, r.answered(f.tokens.Member("response"), f.result)
	return l, true
}

// What a line has, as bits.
const (
	isForeign = 1 << iota
	connects
	isLeftOut
	hasFailed
	hasHits
)

// encode writes a line.
func encode(e *kept.Encoder, l *line) {
	e.Uint(kept.Bits(l.foreign, l.connects, l.what != "", l.call.Failed, l.call.Asked().Hits != nil))
	if l.foreign {
		return
	}
	e.Time(l.at)
	e.Text(l.where.session)
	e.Text(l.where.connection)
	e.Int(l.number)
	if l.what != "" {
		e.Text(l.what)
		return
	}
	e.Call(l.call)
	if hits := l.call.Asked().Hits; hits != nil {
		e.Texts(hits)
	}
	e.Size(l.answer)
}

// decode reads a line.
func decode(d *kept.Decoder) (l line) {
	bits := d.Uint()
	if l.foreign = bits&isForeign != 0; l.foreign {
		return l
	}
	l.connects = bits&connects != 0
	l.at, l.where, l.number = d.Time(), name{d.Text(), d.Text()}, d.Int()
	if bits&isLeftOut != 0 {
		l.what = d.Text()
		return l
	}
	l.call = d.Call()
	l.call.Answered, l.call.Failed = true, bits&hasFailed != 0
	if bits&hasHits != 0 {
		asked := l.call.Asked()
		if asked.Hits = d.Texts(); asked.Hits == nil {
			asked.Hits = []string{}
		}
		l.call.Ask(asked)
	}
	l.answer = d.Size()
	return l
}

package record

import (
	"strings"
	"time"

	"caliper/engine/transcript"
	"caliper/engine/transcript/dialogue"
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

// parse reads an event; ok is false for what is no JSON.
func (r *Reader) parse(data []byte) (l line, ok bool) {
	n, ok := dialogue.Parse(data)
	if !ok {
		return l, false
	}
	kind := text(n.Member("kind"))
	if v := n.Member("v"); !v.Is(jsontree.Number) || v.Text != version || kind == "" {
		l.foreign = true
		return l, true
	}
	at, err := time.Parse(time.RFC3339Nano, text(n.Member("time")))
	if err != nil {
		at = time.Time{}
	}
	l.at = at.UTC()
	l.where = name{part(n.Member("session")), part(n.Member("connection"))}
	l.number, l.connects = count(n.Member("seq")), kind == "connect"
	request := n.Member("request")
	c := transcript.Call{Tool: strings.Clone(text(n.Member("real_name")))}
	asked := text(request.Member("name"))
	switch kind {
	case "search":
		c.Kind, c.Tool = transcript.Search, "tool_search"
		c.Ask(transcript.Lookup{Queries: list(request, "query", "queries"), Hits: hits(n.Member("hits"))})
	case "describe":
		c.Kind, c.Tool = transcript.Describe, "tool_describe"
		c.Ask(transcript.Lookup{Names: list(request, "name", "names")})
	case "call":
		if c.Tool == "" {
			c.Tool = strings.Clone(asked)
		}
	case "fetch":
		c.Tool = "rescuer_fetch"
	default:
		l.what = strings.Clone(kind)
		return l, true
	}
	if c.Tool == "" {
		l.what = "unknown"
		return l, true
	}
	tokens := n.Member("tokens")
	c.Size = r.size(transcript.Schema, tokens.Member("request"), nil)
	c.Answered, c.Failed = true, failed(n)
	l.call, l.answer = c, r.answered(tokens.Member("response"), n.Member("result"))
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

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

// recordFields are the members of an event that count.
var recordFields = namesIn("v kind time session connection seq request real_name hits tokens result error code verdict trace")

// readRecord reads the fields of a line; ok is false if the line is no JSON object.
func readRecord(data []byte) (f fields, ok bool) {
	f = fields{}
	w := jsontree.Walk(data)
	return f, w.Next() == '{' && f.read(w, recordFields) && w.AtEnd()
}

// parse reads an event; ok is false for text that is no JSON.
func (r *RecordReader) parse(data []byte) (l recordLine, ok bool) {
	f, ok := readRecord(data)
	if !ok {
		if f, ok = readRecord(jsontree.Mend(data)); !ok {
			return l, false
		}
	}
	kind := r.names.Of(f["kind"])
	if !f["v"].IsNumber() || string(f["v"].Raw) != version || kind == "" {
		l.Foreign = true
		return l, true
	}
	at, err := time.Parse(time.RFC3339Nano, f["time"].Text())
	if err != nil {
		at = time.Time{}
	}
	l.At = at.UTC()
	l.Where = name{r.part(f["session"]), r.part(f["connection"])}
	l.Number, l.Connects = recordCount(f["seq"]), kind == "connect"
	c := transcript.Call{Tool: r.names.Of(f["real_name"])}
	switch kind {
	case "search":
		c.Kind, c.Tool = transcript.Search, "tool_search"
		c.Ask(transcript.Lookup{Queries: list(f["request"], "query", "queries"), Hits: r.hits(f["hits"]), Told: true})
	case "describe":
		c.Kind, c.Tool = transcript.Describe, "tool_describe"
		c.Ask(transcript.Lookup{Names: list(f["request"], "name", "names")})
	case "call":
		if c.Tool == "" {
			c.Tool = r.names.Of(f["request"].Member("name"))
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
	c.Size = r.size(transcript.Schema, f["tokens"].Member("request"), jsontree.Value{})
	c.Answered, c.Failed = true, f.failed()
	l.Call, l.Answer = c, r.answered(f["tokens"].Member("response"), f["result"])
	return l, true
}

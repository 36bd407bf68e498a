package logs

import (
	"strings"
	"time"

	"caliper/engine/transcript"
	"caliper/model/jsontree"
)

// claudeLine is the facts of one line of a log. Its texts are copies.
type claudeLine struct {
	Kind, Subtype               string
	UUID, Parent                string
	key, parentKey              key // of those, once the line is taken
	Session, Agent              string
	Sidechain, Meta, Summarises bool
	Fault                       bool // an answer that the API refused
	Deferred                    bool // an attachment that says which tools are deferred
	Copied                      bool // it is marked as another session's
	Streamed                    bool // it is of a stream, whose lines name no line before them
	Time                        time.Time
	Preserved                   []string // uuids of what a compaction keeps
	Offers                      offers

	// Of a message:
	Model, ID string
	Usage     *transcript.Usage // nil: none
	Said      bool              // it has text of the user's role
	Size      transcript.Size   // of its text
	Words     string            // the text, if it is the user's own
	Calls     []transcript.Call
	Results   []claudeResult
}

// claudeResult is the result of a call.
type claudeResult struct {
	Call       string
	Failed     bool
	Size       transcript.Size
	References []string // names of the tools that a search found
	Nothing    bool     // it says that a search found none
}

// synthetic is the model of a message that no model wrote.
const synthetic = "<synthetic>"

// claudeParser reads lines. It has what the lines of a log have in common, so that most need no
// copies of their own.
type claudeParser struct {
	count   transcript.Counter
	names   *transcript.Names
	message message // room for one
	before  string  // the uuid of the line before, which a line mostly follows
	origin  string  // the session in which the line was written first; "" for none
	// searches: the tools which a stream begins with have the search of others.
	searches bool
}

// line reads a line; ok is false when it is no JSON object.
func (p *claudeParser) line(data []byte) (l claudeLine, ok bool) {
	w := jsontree.Walk(data)
	if w.Next() != '{' {
		return l, false
	}
	p.message.clear()
	p.origin, p.searches = "", false
	if !p.read(&l, w) {
		return l, false
	}
	p.before = l.UUID
	switch o := l.Offers; l.Kind { // lines of other kinds have members of the same names
	case "attachment":
		l.Offers = offers{Names: o.Names, Gone: o.Gone, Definitions: o.Definitions}
	case "system":
		l.Offers = offers{Names: o.Names, Loaded: o.Loaded}
	case "assistant":
		l.Offers = offers{Request: o.Request, Settings: o.Settings}
	case "api-request":
		l.Offers = offers{Request: o.Request, Shape: o.Shape, Settings: o.Settings}
	case "api-request-shape":
		l.Offers = offers{Definitions: o.Definitions, Shape: o.Shape, System: o.System}
	default:
		l.Offers = offers{}
	}
	l.Copied = p.origin != "" && p.origin != l.Session
	if l.Kind != "result" {
		l.Usage = nil
	}
	switch {
	case l.Session == "" || l.UUID == "" && !l.Streamed:
	case l.Kind == "user" && (!l.Meta || l.Summarises):
		l.readUser(&p.message, p.count, p.names)
	case l.Kind == "assistant" && !l.Fault:
		l.readAnswer(&p.message, p.count, p.names)
	}
	if !p.searches && l.Kind == "system" {
		l.Offers.Names = nil
	}
	l.Deferred = l.Deferred && l.Kind == "attachment" || p.searches && l.Kind == "system" && l.Subtype == "init"
	return l, true
}

// read reads the members of a line; the message, which is most of it, in the same pass.
func (p *claudeParser) read(l *claudeLine, w *jsontree.Walker) bool {
	return w.Object(func(name []byte) bool {
		if string(name) == "message" && w.Next() == '{' {
			p.message.clear()
			return p.message.read(w)
		}
		v, ok := w.Value()
		if !ok {
			return false
		}
		switch string(name) {
		case "type":
			l.Kind = p.names.Of(v)
		case "subtype":
			l.Subtype = p.names.Of(v)
		case "uuid":
			l.UUID = v.Text()
		case "parentUuid":
			if l.Parent = p.before; v.Shared() != p.before {
				l.Parent = v.Text()
			}
		case "sessionId":
			l.Session = p.names.Of(v)
		case "session_id":
			if l.Session == "" {
				l.Session, l.Streamed = p.names.Of(v), true
			}
		case "parent_tool_use_id": // of the helper's call
			if id := p.names.Of(v); id != "" {
				l.Agent = id
			}
		case "tools":
			l.Offers.Names, p.searches = nil, false
			for tool := range v.All() {
				name := tool.Shared()
				p.searches = p.searches || name == claudeSearchTool
				if strings.HasPrefix(name, "mcp__") { // the program's own are not all deferred
					l.Offers.Names = append(l.Offers.Names, p.names.Of(tool))
				}
			}
		case "requestSessionId":
			p.origin = p.names.Of(v)
		case "forkedFrom": // in the years before
			p.origin = p.names.Of(v.Member("sessionId"))
		case "agentId":
			l.Agent = p.names.Of(v)
		case "isSidechain":
			l.Sidechain = string(v.Raw) == "true"
		case "isMeta":
			l.Meta = string(v.Raw) == "true"
		case "isCompactSummary":
			l.Summarises = string(v.Raw) == "true"
		case "isApiErrorMessage":
			l.Fault = string(v.Raw) == "true"
		case "timestamp":
			l.Time = time.Time{}
			if when, err := time.Parse(time.RFC3339Nano, v.Shared()); err == nil {
				l.Time = when.UTC()
			}
		case "message":
			p.message.clear()
		case "usage": // of all requests since the last line of the kind result
			l.Usage = usage(v)
		case "attachment":
			l.Deferred = v.Member("type").Text() == "deferred_tools_delta"
			l.Offers.attached(v, p.names)
		case "compactMetadata":
			l.Preserved = texts(v.Member("preservedMessages", "uuids"))
			l.Offers.Loaded = texts(v.Member("preCompactDiscoveredTools"))
		case "shape":
			l.Offers.Definitions = definitions(v.Member("tools"))
			l.Offers.System = transcript.SettingOf(v.Member("system").Raw)
		case "params":
			l.Offers.Settings = settings(v)
		case "perTurnEffort":
			l.Offers.set("effort", v)
		case "promptCacheRequested":
			l.Offers.set("cache", v)
		case "shapeHash":
			l.Offers.Shape = v.Text()
		case "id", "requestRef":
			l.Offers.Request = v.Text()
		}
		return true
	})
}

// texts returns the texts of an array.
func texts(v jsontree.Value) (list []string) {
	for e := range v.All() {
		list = append(list, e.Text())
	}
	return list
}

// usage reads the usage of a message; nil where there is none, or an impossible one.
func usage(v jsontree.Value) *transcript.Usage {
	if !v.IsObject() {
		return nil
	}
	u := new(transcript.Usage)
	v.Visit(func(name []byte, v jsontree.Value) {
		switch string(name) {
		case "input_tokens":
			u.Input = number(v)
		case "cache_read_input_tokens":
			u.CacheRead = number(v)
		case "cache_creation_input_tokens":
			u.CacheWrite = number(v)
		case "cache_creation":
			u.HourWrite = number(v.Member("ephemeral_1h_input_tokens"))
		case "output_tokens":
			u.Output = number(v)
		}
	})
	if !u.Possible() {
		return nil
	}
	u.HourWrite = max(0, min(u.HourWrite, u.CacheWrite))
	return u
}

package claude

import (
	"strings"
	"time"

	"caliper/engine/transcript"
	"caliper/engine/transcript/lines"
	"caliper/model/jsontree"
)

// line is what counts of one line of a log. Its texts are copies.
type line struct {
	kind, subtype               string
	uuid, parent                string
	key, parentKey              key // of those, once the line is taken
	session, agent              string
	sidechain, meta, summarises bool
	fault                       bool // an answer that the API refused
	deferred                    bool // an attachment that says which tools are deferred
	copied                      bool // it says that it is of another session
	streamed                    bool // it is of a stream, whose lines name no line before them
	time                        time.Time
	preserved                   []string // uuids of what a compaction keeps
	offers                      offers

	// Of a message:
	model, id string
	usage     *transcript.Usage // nil: none
	said      bool              // it has text of the user's role
	size      transcript.Size   // of its text
	words     string            // the text, if it is the user's own
	calls     []transcript.Call
	results   []result
}

// result is what a call returned.
type result struct {
	call       string
	failed     bool
	size       transcript.Size
	references []string // names of the tools that a search found
}

// synthetic is the model of a message that no model wrote.
const synthetic = "<synthetic>"

// parser reads lines. It has what the lines of a log have in common, so that most need no
// copies of their own.
type parser struct {
	count   transcript.Counter
	names   *lines.Names
	message message // room for one
	before  string  // the uuid of the line before, which a line mostly follows
	origin  string  // the session in which the line says that it was written first; "" for none
	// searches says that the tools which a stream begins with have the search of others.
	searches bool
}

// line reads a line; ok is false when it is no JSON object.
func (p *parser) line(data []byte) (l line, ok bool) {
	w := jsontree.Walk(data)
	if w.Next() != '{' {
		return l, false
	}
	p.message.clear()
	p.origin, p.searches = "", false
	if !p.read(&l, w) {
		return l, false
	}
	p.before = l.uuid
	l.offers = l.offers.of(l.kind)
	l.copied = p.origin != "" && p.origin != l.session
	if l.kind != "result" {
		l.usage = nil
	}
	switch {
	case l.session == "" || l.uuid == "" && !l.streamed:
	case l.kind == "user" && (!l.meta || l.summarises):
		l.readUser(&p.message, p.count, p.names)
	case l.kind == "assistant" && !l.fault:
		l.readAnswer(&p.message, p.count, p.names)
	}
	if !p.searches && l.kind == "system" {
		l.offers.names = nil
	}
	l.deferred = l.deferred && l.kind == "attachment" || p.searches && l.kind == "system" && l.subtype == "init"
	return l, true
}

// read reads the members of a line; the message, which is most of it, in the same pass.
func (p *parser) read(l *line, w *jsontree.Walker) bool {
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
			l.kind = p.names.Of(v)
		case "subtype":
			l.subtype = p.names.Of(v)
		case "uuid":
			l.uuid = v.Text()
		case "parentUuid":
			if l.parent = p.before; v.Shared() != p.before {
				l.parent = v.Text()
			}
		case "sessionId":
			l.session = p.names.Of(v)
		case "session_id":
			if l.session == "" {
				l.session, l.streamed = p.names.Of(v), true
			}
		case "parent_tool_use_id": // of the helper's call
			if id := p.names.Of(v); id != "" {
				l.agent = id
			}
		case "tools":
			l.offers.names, p.searches = nil, false
			for tool := range v.All() {
				name := tool.Shared()
				p.searches = p.searches || name == searchTool
				if strings.HasPrefix(name, "mcp__") { // the program's own are not all deferred
					l.offers.names = append(l.offers.names, p.names.Of(tool))
				}
			}
		case "requestSessionId":
			p.origin = p.names.Of(v)
		case "forkedFrom": // in the years before
			p.origin = p.names.Of(v.Member("sessionId"))
		case "agentId":
			l.agent = p.names.Of(v)
		case "isSidechain":
			l.sidechain = string(v.Raw) == "true"
		case "isMeta":
			l.meta = string(v.Raw) == "true"
		case "isCompactSummary":
			l.summarises = string(v.Raw) == "true"
		case "isApiErrorMessage":
			l.fault = string(v.Raw) == "true"
		case "timestamp":
			l.time = time.Time{}
			if when, err := time.Parse(time.RFC3339Nano, v.Shared()); err == nil {
				l.time = when.UTC()
			}
		case "message":
			p.message.clear()
		case "usage": // of all requests since the last line of the kind result
			l.usage = usage(v)
		case "attachment":
			l.deferred = v.Member("type").Text() == "deferred_tools_delta"
			l.offers.attached(v, p.names)
		case "compactMetadata":
			l.preserved = texts(v.Member("preservedMessages", "uuids"))
			l.offers.loaded = texts(v.Member("preCompactDiscoveredTools"))
		case "shape":
			l.offers.definitions = definitions(v.Member("tools"))
		case "shapeHash":
			l.offers.shape = v.Text()
		case "id", "requestRef":
			l.offers.request = v.Text()
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

// usage reads the usage of a message; nil for what is none, or cannot be one.
func usage(v jsontree.Value) *transcript.Usage {
	if !v.IsObject() {
		return nil
	}
	u := new(transcript.Usage)
	v.Visit(func(name []byte, v jsontree.Value) {
		switch string(name) {
		case "input_tokens":
			u.Input = count(v.Raw)
		case "cache_read_input_tokens":
			u.CacheRead = count(v.Raw)
		case "cache_creation_input_tokens":
			u.CacheWrite = count(v.Raw)
		case "output_tokens":
			u.Output = count(v.Raw)
		}
	})
	if !u.Possible() {
		return nil
	}
	return u
}

// count returns a number of tokens, 0 for what is none.
func count(raw []byte) int {
	n, digits := 0, raw
	negative := len(raw) > 0 && raw[0] == '-'
	if negative {
		digits = raw[1:]
	}
	for _, c := range digits {
		if c < '0' || c > '9' || n > 1<<40 {
			return 0
		}
		n = 10*n + int(c-'0')
	}
	if negative {
		return -n
	}
	return n
}

package serving

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"caliper/engine"
	"caliper/engine/transcript"
	"caliper/model/safetext"

	"google.golang.org/protobuf/encoding/protowire"
)

// The limits of a span.
const (
	mostAttributes = 128
	mostRunes      = 1000 // of a text
)

// description is a span's description of an event.
type description struct {
	name       string
	kind       uint64   // internalSpan or serverSpan
	failure    string   // the class of error; empty for none
	attributes [][]byte // each a KeyValue
}

// methods are the requests of MCP that kinds of events stand for.
var methods = map[transcript.EventKind]string{
	transcript.EventList: "tools/list", transcript.EventSearch: "tools/call", transcript.EventDescribe: "tools/call", transcript.EventCall: "tools/call", transcript.EventFetch: "tools/call",
}

// describe returns the description of an event. The names come from the semantic
// conventions for MCP and for generative AI, of the status "development", where they
// have one.
//
// SECURITY: texts that a client or a server wrote are left out, but for what a client
// calls itself. Only tools that the session grants are named.
func describe(e transcript.Event) description {
	d := description{name: "caliper." + string(e.Kind), kind: internalSpan}
	d.text("mcp.session.id", e.Connection)
	d.text("caliper.session", e.Session)
	if e.Seq > 0 {
		d.number("caliper.seq", e.Seq)
	}
	if e.Client != nil {
		d.text("caliper.client.name", e.Client.Name)
		d.text("caliper.client.version", e.Client.Version)
	}
	if method := methods[e.Kind]; method != "" {
		d.request(method, e)
	}
	if e.Kind == transcript.EventUpstream {
		d.text("caliper.server", e.RealName)
	} else {
		d.text("caliper.tool.name", e.RealName)
	}
	d.text("caliper.verdict", e.Verdict)
	d.text("caliper.code", e.Code)
	for _, step := range e.Trace {
		d.text("caliper.gate."+strings.ReplaceAll(safetext.Line(step.Gate), " ", "_"), step.Verdict)
	}
	for i, tokens := range []int{e.Tokens.Request, e.Tokens.Response, e.Tokens.Schemas} {
		if tokens > 0 {
			d.number("caliper.tokens."+[]string{"request", "response", "schemas"}[i], tokens)
		}
	}
	if e.UpstreamMS > 0 {
		d.set("caliper.upstream.ms", appendFixed(nil, valueFloat, math.Float64bits(e.UpstreamMS)))
	}
	if e.Result != nil {
		d.number("caliper.result.chars", e.Result.Chars)
		d.set("caliper.result.rescued", appendNumber(nil, valueBool, protowire.EncodeBool(e.Result.Rescued)))
	}
	// A refused call is a result with isError, as one of a tool that failed.
	switch {
	case e.Verdict == transcript.VerdictGone && methods[e.Kind] != "":
		d.failure = "cancelled"
	case e.Verdict == transcript.VerdictGone:
		d.failure = "gone"
	case e.Kind == transcript.EventRefuse:
		d.failure = e.Code
	case e.Verdict == transcript.VerdictDenied, e.Verdict == transcript.VerdictFailed:
		d.failure = "tool_error"
	}
	d.text("error.type", d.failure)
	return d
}

// request adds what a request of MCP was, and its name.
func (d *description) request(method string, e transcript.Event) {
	d.name, d.kind = method, serverSpan
	d.text("mcp.method.name", method)
	if method != "tools/call" || e.Request == nil {
		return
	}
	d.text("gen_ai.operation.name", "execute_tool")
	if tool := strings.TrimSpace(e.Request.Name); e.Kind != transcript.EventCall || e.RealName != "" || tool == engine.ToolCall {
		d.text("gen_ai.tool.name", tool)
		d.name += " " + safetext.Line(tool)
	}
	d.number("caliper.request.bytes", e.Request.Bytes)
	if e.Kind == transcript.EventDescribe {
		d.number("caliper.describe.names", len(e.Request.Names))
	}
	if e.Kind != transcript.EventSearch {
		return
	}
	d.number("caliper.search.queries", len(e.Request.Queries))
	d.number("caliper.search.hits", len(e.Hits))
	if len(e.Hits) == 0 {
		return
	}
	var names, queries, ranks, scores []byte // each an ArrayValue
	for _, h := range e.Hits {
		names = appendMessage(names, arrayValue, textValue(safetext.Line(h.Name)))
		queries = appendMessage(queries, arrayValue, appendNumber(nil, valueInt, uint64(h.Query)))
		ranks = appendMessage(ranks, arrayValue, appendNumber(nil, valueInt, uint64(h.Rank)))
		scores = appendMessage(scores, arrayValue, appendFixed(nil, valueFloat, math.Float64bits(h.Score)))
	}
	for i, array := range [][]byte{names, queries, ranks, scores} {
		d.set("caliper.hit."+[]string{"names", "queries", "ranks", "scores"}[i], appendMessage(nil, valueArray, array))
	}
}

// text adds a text that is not empty. One that is not UTF-8 would have a collector refuse the
// batch, so it is made safe.
func (d *description) text(name, value string) {
	if value != "" {
		d.set(name, textValue(safetext.Line(value)))
	}
}

// number adds a number.
func (d *description) number(name string, n int) {
	d.set(name, appendNumber(nil, valueInt, uint64(n)))
}

// set adds an attribute, whose value is an AnyValue, or gives one that is there another value, as a
// hook that was asked twice does. A span has no more than mostAttributes.
func (d *description) set(key string, value []byte) {
	named := appendText(nil, pairKey, key)
	pair := appendMessage(named, pairValue, value)
	i := slices.IndexFunc(d.attributes, func(a []byte) bool { return bytes.HasPrefix(a, named) })
	switch {
	case i >= 0:
		d.attributes[i] = pair
	case len(d.attributes) < mostAttributes:
		d.attributes = append(d.attributes, pair)
	}
}

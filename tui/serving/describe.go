package serving

import (
	"strings"

	"caliper/engine"
	"caliper/engine/transcript"
	"caliper/model/safetext"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

// description is a span's description of an event.
type description struct {
	name       string
	kind       trace.SpanKind
	failure    string // the class of error; empty for none
	attributes []attribute.KeyValue
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
// calls itself. Names are those of tools that the session grants.
func describe(e transcript.Event) description {
	d := description{name: "caliper." + string(e.Kind), kind: trace.SpanKindInternal}
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
		d.attributes = append(d.attributes, attribute.Float64("caliper.upstream.ms", e.UpstreamMS))
	}
	if e.Result != nil {
		d.number("caliper.result.chars", e.Result.Chars)
		d.attributes = append(d.attributes, attribute.Bool("caliper.result.rescued", e.Result.Rescued))
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
	d.name, d.kind = method, trace.SpanKindServer
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
	var names []string
	var queries, ranks []int
	var scores []float64
	for _, h := range e.Hits {
		names, queries, ranks, scores = append(names, safetext.Line(h.Name)), append(queries, h.Query), append(ranks, h.Rank), append(scores, h.Score)
	}
	d.attributes = append(d.attributes, attribute.StringSlice("caliper.hit.names", names), attribute.IntSlice("caliper.hit.queries", queries),
		attribute.IntSlice("caliper.hit.ranks", ranks), attribute.Float64Slice("caliper.hit.scores", scores))
}

// text adds a text that is not empty. One that is not UTF-8 would have a collector refuse the
// batch, so it is made safe.
func (d *description) text(name, value string) {
	if value != "" {
		d.attributes = append(d.attributes, attribute.String(name, safetext.Line(value)))
	}
}

// number adds a number.
func (d *description) number(name string, n int) {
	d.attributes = append(d.attributes, attribute.Int(name, n))
}

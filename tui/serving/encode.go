package serving

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"strings"
	"time"

	"caliper/engine/transcript"

	"google.golang.org/protobuf/encoding/protowire"
)

// The numbers of the fields that are written (opentelemetry-proto 1.0,
// collector/trace/v1, trace/v1, resource/v1, common/v1).
const (
	requestResourceSpans = 1

	resourceSpansResource   = 1
	resourceSpansScopeSpans = 2
	resourceAttributes      = 1
	scopeSpansScope         = 1
	scopeSpansSpans         = 2
	scopeName               = 1
	scopeVersion            = 2

	spanTraceID    = 1
	spanSpanID     = 2
	spanParent     = 4
	spanName       = 5
	spanKind       = 6
	spanStart      = 7
	spanEnd        = 8
	spanAttributes = 9
	spanStatus     = 15
	statusCode     = 3
	statusError    = 2
	internalSpan   = 1 // a spanKind
	serverSpan     = 2 // another

	pairKey    = 1
	pairValue  = 2
	valueText  = 1
	valueBool  = 2
	valueInt   = 3
	valueFloat = 4
	valueArray = 5
	arrayValue = 1
)

// encode returns spans as an ExportTraceServiceRequest: about is the Resource that sends them.
func encode(about []byte, version string, spans [][]byte) []byte {
	scope := appendText(appendText(nil, scopeName, "caliper"), scopeVersion, version)
	all := appendMessage(nil, scopeSpansScope, scope)
	for _, span := range spans {
		all = appendMessage(all, scopeSpansSpans, span)
	}
	both := appendMessage(nil, resourceSpansResource, about)
	both = appendMessage(both, resourceSpansScopeSpans, all)
	return appendMessage(nil, requestResourceSpans, both)
}

// encodeSpan returns an event as a Span, the child of the client's if the event names one.
func encodeSpan(e transcript.Event) []byte {
	random := make([]byte, 16+8)
	_, _ = rand.Read(random) // it never fails
	trace, span := random[:16], random[16:]
	var parent []byte
	if e.Request != nil {
		if of, by := parentOf(e.Request.Parent); by != nil {
			trace, parent = of, by
		}
	}
	d := describe(e)
	b := appendMessage(nil, spanTraceID, trace)
	b = appendMessage(b, spanSpanID, span)
	if parent != nil {
		b = appendMessage(b, spanParent, parent)
	}
	b = appendText(b, spanName, d.name)
	b = appendNumber(b, spanKind, d.kind)
	b = appendFixed(b, spanStart, uint64(e.Time.Add(-time.Duration(e.TotalMS*float64(time.Millisecond))).UnixNano()))
	b = appendFixed(b, spanEnd, uint64(e.Time.UnixNano()))
	for _, a := range d.attributes {
		b = appendMessage(b, spanAttributes, a)
	}
	if d.failure != "" {
		b = appendMessage(b, spanStatus, appendNumber(nil, statusCode, statusError))
	}
	return b
}

// parentOf returns the trace and the span that a traceparent names; nil where it names none
// (W3C Trace Context, section 3.2).
func parentOf(traceparent string) (trace, span []byte) {
	var all []byte
	for _, digits := range []int{2, 32, 16, 2} { // version, trace, span, flags
		var part string
		part, traceparent, _ = strings.Cut(traceparent, "-")
		decoded, err := hex.DecodeString(part)
		if err != nil || len(part) != digits || strings.ToLower(part) != part {
			return nil, nil
		}
		all = append(all, decoded...)
	}
	version, flags := all[0], all[25]
	trace, span = all[1:17], all[17:25]
	// Version 0 has nothing behind the flags, and two of them.
	if version == 0xff || version == 0 && (traceparent != "" || flags > 3) ||
		bytes.Count(trace, []byte{0}) == len(trace) || bytes.Count(span, []byte{0}) == len(span) {
		return nil, nil
	}
	return trace, span
}

// textValue returns an AnyValue that is a text, of no more than mostRunes.
func textValue(s string) []byte {
	if len(s) > mostRunes {
		runes := []rune(s)
		s = string(runes[:min(len(runes), mostRunes)])
	}
	return appendText(nil, valueText, s)
}

func appendMessage(b []byte, field protowire.Number, message []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), message)
}

func appendText(b []byte, field protowire.Number, s string) []byte {
	return protowire.AppendString(protowire.AppendTag(b, field, protowire.BytesType), s)
}

func appendNumber(b []byte, field protowire.Number, n uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), n)
}

func appendFixed(b []byte, field protowire.Number, n uint64) []byte {
	return protowire.AppendFixed64(protowire.AppendTag(b, field, protowire.Fixed64Type), n)
}

// field returns the value of the last field of a number, of a message that is a message
// or a number; nil for none.
func field(message []byte, number protowire.Number) (value []byte) {
	for len(message) > 0 {
		at, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return nil
		}
		message = message[n:]
		if n = protowire.ConsumeFieldValue(at, kind, message); n < 0 {
			return nil
		}
		if at == number {
			value = message[:n]
			if kind == protowire.BytesType {
				value, _ = protowire.ConsumeBytes(message)
			}
		}
		message = message[n:]
	}
	return value
}

package serving

import (
	"math"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
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

	pairKey    = 1
	pairValue  = 2
	valueText  = 1
	valueBool  = 2
	valueInt   = 3
	valueFloat = 4
	valueArray = 5
	arrayValue = 1
)

// encode returns spans of one sender as an ExportTraceServiceRequest.
func encode(spans []sdk.ReadOnlySpan) []byte {
	if len(spans) == 0 {
		return nil
	}
	var about, scope, all []byte
	for _, a := range spans[0].Resource().Attributes() {
		about = appendPair(about, resourceAttributes, a)
	}
	scope = appendText(scope, scopeName, spans[0].InstrumentationScope().Name)
	scope = appendText(scope, scopeVersion, spans[0].InstrumentationScope().Version)
	all = appendMessage(all, scopeSpansScope, scope)
	for _, s := range spans {
		trace, span := s.SpanContext().TraceID(), s.SpanContext().SpanID()
		b := appendMessage(nil, spanTraceID, trace[:])
		b = appendMessage(b, spanSpanID, span[:])
		if parent := s.Parent().SpanID(); parent.IsValid() {
			b = appendMessage(b, spanParent, parent[:])
		}
		b = appendText(b, spanName, s.Name())
		b = appendNumber(b, spanKind, uint64(s.SpanKind())) // the SDK counts kinds as OTLP does
		b = appendFixed(b, spanStart, uint64(s.StartTime().UnixNano()))
		b = appendFixed(b, spanEnd, uint64(s.EndTime().UnixNano()))
		for _, a := range s.Attributes() {
			b = appendPair(b, spanAttributes, a)
		}
		if s.Status().Code == codes.Error {
			b = appendMessage(b, spanStatus, appendNumber(nil, statusCode, statusError))
		}
		all = appendMessage(all, scopeSpansSpans, b)
	}
	both := appendMessage(nil, resourceSpansResource, about)
	both = appendMessage(both, resourceSpansScopeSpans, all)
	return appendMessage(nil, requestResourceSpans, both)
}

// appendPair appends a KeyValue as a field.
func appendPair(b []byte, field protowire.Number, a attribute.KeyValue) []byte {
	pair := appendText(nil, pairKey, string(a.Key))
	return appendMessage(b, field, appendMessage(pair, pairValue, valueMessage(a.Value)))
}

// valueMessage returns an AnyValue.
func valueMessage(v attribute.Value) []byte {
	switch v.Type() {
	case attribute.BOOL:
		return appendNumber(nil, valueBool, protowire.EncodeBool(v.AsBool()))
	case attribute.INT64:
		return appendNumber(nil, valueInt, uint64(v.AsInt64()))
	case attribute.FLOAT64:
		return appendFixed(nil, valueFloat, math.Float64bits(v.AsFloat64()))
	case attribute.STRINGSLICE:
		return arrayMessage(v.AsStringSlice(), attribute.StringValue)
	case attribute.INT64SLICE:
		return arrayMessage(v.AsInt64Slice(), attribute.Int64Value)
	case attribute.FLOAT64SLICE:
		return arrayMessage(v.AsFloat64Slice(), attribute.Float64Value)
	}
	return appendText(nil, valueText, v.String())
}

// arrayMessage returns an AnyValue that is an array.
func arrayMessage[T any](elements []T, value func(T) attribute.Value) []byte {
	var array []byte
	for _, e := range elements {
		array = appendMessage(array, arrayValue, valueMessage(value(e)))
	}
	return appendMessage(nil, valueArray, array)
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

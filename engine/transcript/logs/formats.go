package logs

import (
	"context"
	"io"
	"slices"
	"strings"

	"caliper/engine/transcript"
)

// format is the format of a log. The cache of logs keeps it as a number: a new one is the
// last.
type format int

const (
	unknownFormat format = iota
	claudeFormat
	codexFormat
	hermesFormat
	databaseFormat // of Hermes, read by its reader
	requestsFormat
	recordFormat
	copilotFormat
	geminiFormat
	openCodeFormat
	vsCodeFormat
	spansFormat
	bedrockFormat
	archiveFormat
)

// formatRow is a format with how it is recognised and read.
type formatRow struct {
	is      format
	agents  []transcript.Agent              // whose logs have it
	has     func(object) bool               // whether only its logs have the object
	open    func(transcript.Options) reader // makes its reader
	foreign string                          // why it is not read, where it has no reader
}

// reader reads the logs of a format, one after the other.
type reader interface {
	Read(ctx context.Context, in io.Reader, path string) error
	Log() transcript.Log // what was read
}

// lineReader reads logs of which each line says something by itself, so that it can be kept.
type lineReader interface {
	reader
	// ReadLines reads a log and keeps its lines in k, if there is one; where in is nil, it takes
	// those that k has.
	ReadLines(ctx context.Context, in io.Reader, path string, k *transcript.Lines) error
}

// formats has a row for each format but the database, in the order in which an object is
// held against them.
var formats = []formatRow{
	{is: geminiFormat, foreign: transcript.ForeignGemini, has: func(o object) bool { return o.has("sessionId", "projectHash") || o.has("sessionId", "messageId") }},
	{is: openCodeFormat, foreign: transcript.ForeignOpenCode, has: func(o object) bool {
		return o.has("info", "messages") || o.has("info", "parts") || o.has("id", "sessionID") || strings.HasPrefix(o.texts["id"], "ses_")
	}},
	{is: vsCodeFormat, foreign: transcript.ForeignVSCode, has: func(o object) bool {
		_, versioned := o.texts["v"]
		return o.has("kind", "v") && !versioned || o.has("requests", "responderUsername")
	}},
	{is: spansFormat, foreign: transcript.ForeignSpans, has: func(o object) bool {
		return o.has("resourceSpans") || o.has("resource_spans") || o.has("traceId", "spanId") || o.has("trace_id", "span_id") || o.has("context", "parent_id", "attributes")
	}},
	{is: bedrockFormat, foreign: transcript.ForeignBedrock, has: func(o object) bool { return o.texts["schemaType"] == "ModelInvocationLog" }},
	{is: archiveFormat, foreign: transcript.ForeignArchive, has: func(o object) bool {
		return len(o.names) == 1 && o.has("log") || o.has("version", "creator", "entries")
	}},
	{is: codexFormat, agents: []transcript.Agent{transcript.Codex}, has: isCodex,
		open: func(o transcript.Options) reader { return &CodexReader{Options: o} }},
	{is: copilotFormat, agents: []transcript.Agent{transcript.Copilot}, has: func(o object) bool { return o.has("type", "data", "timestamp", "parentId") },
		open: func(o transcript.Options) reader { return &CopilotReader{Options: o} }},
	{is: claudeFormat, agents: []transcript.Agent{transcript.Claude}, has: isClaude,
		open: func(o transcript.Options) reader { return &ClaudeReader{Options: o} }},
	{is: recordFormat, agents: []transcript.Agent{transcript.Caliper}, has: func(o object) bool { return o.has("v", "kind") },
		open: func(o transcript.Options) reader { return &RecordReader{Options: o} }},
	{is: hermesFormat, agents: []transcript.Agent{transcript.Hermes}, has: isHermes,
		open: func(o transcript.Options) reader { return &transcript.HermesReader{Options: o} }},
	{is: requestsFormat, agents: []transcript.Agent{transcript.OpenAI, transcript.Anthropic}, has: isRequests,
		open: func(o transcript.Options) reader { return &transcript.RequestsReader{Options: o} }},
}

// codexKinds are the kinds of lines of a rollout.
var codexKinds = []string{"session_meta", "turn_context", "response_item", "event_msg", "compacted", "token_usage_record"}

// isCodex reports whether an object is of a rollout, or of what codex exec --json prints.
func isCodex(o object) bool {
	kind := o.texts["type"]
	switch {
	case kind == "thread.started" && o.has("thread_id"), strings.HasPrefix(kind, "item.") && o.has("item"), kind == "turn.completed" && o.has("usage"):
		return true
	case o.has("payload") && slices.Contains(codexKinds, kind):
		return true
	}
	_, id := o.texts["id"] // the oldest rollouts
	return id && o.has("timestamp") && !o.has("type") && !o.has("messages") && !o.has("response") && !o.has("request")
}

// streamKinds are the kinds of lines of Claude Code's stream-json.
var streamKinds = []string{"system", "assistant", "user", "result", "stream_event", "rate_limit_event"}

// isClaude reports whether an object is of a session of Claude Code, or of its stream-json.
func isClaude(o object) bool {
	return o.has("type", "sessionId") || o.has("type", "leafUuid") ||
		o.has("type", "session_id") && slices.Contains(streamKinds, o.texts["type"]) && !o.has("messages") && !o.has("request")
}

// isHermes reports whether an object is of a session of Hermes.
func isHermes(o object) bool {
	_, id := o.texts["id"]
	return o.texts["role"] == "session_meta" ||
		o.has("session_id") && !o.has("response") && (o.has("messages") || o.has("request")) ||
		o.has("system_prompt", "messages") ||
		id && o.has("messages") && !o.has("response")
}

// isRequests reports whether an object is a request or an answer of a provider's API.
func isRequests(o object) bool {
	return o.has("request") || o.has("response") || o.has("messages") || o.has("input", "model") || o.has("choices") || o.has("output") ||
		o.has("content") && o.texts["role"] == "assistant"
}

// rowOf returns the row of a format; one without a reader for a file that is no log.
func rowOf(is format) formatRow {
	if is == databaseFormat {
		is = hermesFormat
	}
	if i := slices.IndexFunc(formats, func(f formatRow) bool { return f.is == is }); i >= 0 {
		return formats[i]
	}
	return formatRow{foreign: noLog}
}

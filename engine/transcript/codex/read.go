package codex

import (
	"context"
	"io"
	"path/filepath"
	"regexp"
	"time"

	"caliper/engine/transcript"
	"caliper/engine/transcript/lines"
	"caliper/model/jsontree"
)

// Read reads a rollout to its end. Lines that are not understood are counted; the
// error is ctx's or the stream's.
func Read(ctx context.Context, in io.Reader, path string, o transcript.Options) (transcript.Log, error) {
	s := &session{count: o.Count, calls: map[string]at{}, open: transcript.None, last: transcript.None}
	s.Agent, s.File, s.Contexts = transcript.Codex, path, make([]transcript.Context, 1)
	var log transcript.Log
	skip := func(number int, what string) {
		for i := range log.Skipped {
			if log.Skipped[i].What == what {
				log.Skipped[i].Count++
				return
			}
		}
		log.Skipped = append(log.Skipped, transcript.Skipped{File: path, Line: number, What: what, Count: 1})
	}
	err := lines.Reader{
		Line: func(number int, data []byte) error {
			if what := s.take(data); what != "" {
				skip(number, what)
			}
			return nil
		},
		Long:     func(number int) { skip(number, "too long") },
		Torn:     func(number int, _ int64) { skip(number, "torn") },
		Progress: o.Progress,
	}.Read(ctx, in)
	if err != nil {
		return transcript.Log{}, err
	}
	if s.ID == "" {
		s.ID = idInName.FindString(filepath.Base(path))
	}
	if s.said && s.ID != "" {
		log.Sessions = append(log.Sessions, s.Session)
	}
	return log, nil
}

// idInName is the id of a session in the name of its file.
var idInName = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// take takes one line, and returns what it is when it is left out.
func (s *session) take(data []byte) string {
	var kind, stamp string
	var payload jsontree.Value
	if !jsontree.Members(data, func(name string, raw []byte) {
		switch v := (jsontree.Value{Raw: raw}); name {
		case "type":
			kind = v.Text()
		case "timestamp":
			stamp = v.Text()
		case "payload":
			payload = v
		}
	}) {
		return "not JSON"
	}
	if when, err := time.Parse(time.RFC3339Nano, stamp); err == nil {
		if s.now = when; s.Started.IsZero() {
			s.Started = when
		}
	}
	if !payload.IsObject() { // the oldest files
		kind, payload = "response_item", jsontree.Value{Raw: data}
		if text(payload, "type") == "" && text(payload, "id") != "" {
			kind = "session_meta"
		}
	}
	switch kind {
	case "session_meta":
		s.meta(payload)
	case "turn_context":
		if model := text(payload, "model"); model != "" {
			s.Model = model
		}
	case "response_item":
		return s.item(payload)
	case "event_msg":
		s.event(payload)
	case "compacted":
		s.compact(payload)
	case "token_usage_record":
		s.usage(member(payload, "usage"), member(payload, "thread_token_usage"))
	case "":
		return "unknown"
	default:
		return kind
	}
	return ""
}

package codex

import (
	"strconv"
	"strings"

	"caliper/engine/transcript"
	"caliper/model/jsontree"
)

// event takes an event: a mirror of what the model saw, the user's words, or usage.
func (s *session) event(v jsontree.Value) {
	switch text(v, "type") {
	case "user_message":
		says := text(v, "message")
		entries := s.Contexts[0].Entries
		if s.user == says && says != "" && s.asked < len(entries) && entries[s.asked].Words == "" {
			entries[s.asked].Words = strings.Clone(says)
			s.user = ""
			return
		}
		s.flush()
		s.words = strings.Clone(says)
		s.open = transcript.None
	case "token_count":
		s.usage(member(v, "info", "last_token_usage"), member(v, "info", "total_token_usage"))
	case "mcp_tool_call_end":
		call := member(v, "invocation")
		s.mirrored(text(v, "call_id"), call)
		result := member(v, "result")
		failed := member(result, "Err").First() != 0 || string(member(result, "Ok", "isError").Raw) == "true"
		if s.only[text(v, "call_id")] {
			s.result(text(v, "call_id"), s.measure(said(member(result, "Ok", "content"))+text(result, "Err"), transcript.Output), failed)
		} else {
			s.fail(text(v, "call_id"), failed)
		}
	case "item_completed":
		item := member(v, "item")
		if text(item, "type") != "McpToolCall" {
			return
		}
		s.mirrored(text(item, "id"), item)
		failed := text(item, "status") == "failed" || member(item, "error").IsObject()
		s.result(text(item, "id"), s.measure(said(member(item, "result", "content")), transcript.Output), failed)
	}
}

// mirrored takes a call that an event tells of, unless its own line came before.
func (s *session) mirrored(id string, v jsontree.Value) {
	if _, known := s.calls[id]; known || id == "" {
		return
	}
	name := "mcp__" + text(v, "server") + "__" + text(v, "tool")
	s.call(transcript.Call{ID: id, Tool: name, Size: s.measure(name+string(jsontree.Compact(member(v, "arguments").Raw)), transcript.Schema)})
	if s.only == nil {
		s.only = map[string]bool{}
	}
	s.only[id] = true
}

// fail notes that a call failed.
func (s *session) fail(id string, failed bool) {
	if of, ok := s.calls[id]; ok && failed {
		s.Contexts[0].Entries[of.entry].Request.Calls[of.call].Failed = true
	}
}

// usage takes the usage of a request with the running sum. The same sum is the same
// request.
func (s *session) usage(last, total jsontree.Value) {
	if !last.IsObject() {
		return
	}
	sum := strconv.Itoa(number(total, "input_tokens")) + " " + strconv.Itoa(number(total, "output_tokens"))
	if sum == s.sum {
		return
	}
	s.sum = sum
	e := s.pending()
	if e == nil {
		e = s.answer()
	}
	read, write := number(last, "cached_input_tokens"), number(last, "cache_write_input_tokens")
	e.Request.Usage = &transcript.Usage{Input: number(last, "input_tokens") - read - write, CacheRead: read, CacheWrite: write, Output: number(last, "output_tokens")}
	s.open = transcript.None
}

// pending returns the last answer when it has no usage; nil otherwise.
func (s *session) pending() *transcript.Entry {
	entries := s.Contexts[0].Entries
	for i := len(entries) - 1; i >= 0; i-- {
		switch {
		case entries[i].Kind == transcript.Answer && entries[i].Request.Usage == nil:
			return &entries[i]
		case entries[i].Kind != transcript.Result:
			return nil
		}
	}
	return nil
}

// number returns a whole number of an object, 0 when there is none.
func number(v jsontree.Value, name string) int {
	n, err := strconv.Atoi(string(member(v, name).Raw))
	if err != nil {
		return 0
	}
	return n
}

package claude

import (
	"strings"

	"caliper/engine/transcript"
	"caliper/model/jsontree"
)

// answer takes one line of a message of the model: one of its blocks, or several.
func (s *session) answer(r *Reader, l *line) string {
	model := member(l.message, "model").Text()
	if l.fault || model == "<synthetic>" {
		s.pass(l)
		if l.fault {
			return "API error"
		}
		return "synthetic"
	}
	t, parent := s.home(l)
	id := member(l.message, "id").Text()
	i, known := t.messages[id]
	if !known || id == "" {
		i = len(t.Entries)
		t.messages[id] = i
		t.Entries = append(t.Entries, transcript.Entry{Parent: parent, Kind: transcript.Answer, Time: l.time,
			Request: &transcript.Request{ID: id, Model: model, Tools: transcript.None}})
		if id != "" {
			first := r.messages[id]
			if first == nil {
				r.messages[id] = s
			}
			t.Entries[i].Copy = first != nil && first != s
		}
	}
	entry := &t.Entries[i]
	if u := usage(l.message); u != nil {
		if old := entry.Request.Usage; old != nil {
			u.Output = max(u.Output, old.Output)
		}
		entry.Request.Usage = u
	}
	content := member(l.message, "content")
	if content.IsString() {
		entry.Size = entry.Size.Add(transcript.Measure(content.Text(), transcript.Prose, s.count))
	}
	for _, block := range content.Elements() {
		switch member(block, "type").Text() {
		case "text":
			entry.Size = entry.Size.Add(transcript.Measure(member(block, "text").Text(), transcript.Prose, s.count))
		case "tool_use":
			call := s.call(block)
			if old, again := t.calls[call.ID]; again && old.entry == i && call.ID != "" {
				continue
			}
			entry.Size = entry.Size.Add(call.Size)
			entry.Request.Calls = append(entry.Request.Calls, call)
			t.calls[call.ID] = at{i, len(entry.Request.Calls) - 1}
		}
	}
	s.put(l, t, i)
	return ""
}

// call reads a call of a tool.
func (s *session) call(block jsontree.Value) transcript.Call {
	c := transcript.Call{ID: member(block, "id").Text(), Tool: strings.Clone(member(block, "name").Text())}
	input := member(block, "input")
	c.Size = transcript.Measure(c.Tool+string(jsontree.Compact(input.Raw)), transcript.Schema, s.count)
	if c.Tool == "ToolSearch" {
		query := strings.Clone(member(input, "query").Text())
		if names, by := strings.CutPrefix(query, "select:"); by {
			c.Kind, c.Names = transcript.Describe, strings.Split(names, ",")
			return c
		}
		c.Kind, c.Queries = transcript.Search, []string{query}
	}
	return c
}

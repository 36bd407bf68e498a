// Package dialogue reads messages in the shapes of OpenAI chat, OpenAI
// responses and Anthropic, and makes entries of a transcript of them. Request
// logs and the logs of agents that keep such messages share it.
//
// A result belongs to the nearest call before it with the same id, since ids
// may repeat from message to message. A result without a call is dropped and
// counted.
package dialogue

import (
	"strings"

	"caliper/engine/transcript"
	"caliper/model/jsontree"
)

// Part is what one message, or one block of it, adds to a history.
type Part struct {
	Kind transcript.Kind
	Size transcript.Size
	// Text is what was said; of a result, what it gave.
	Text   string
	Calls  []transcript.Call
	CallID string
	Failed bool
}

// Read returns the parts of a message in the order of its text. The results
// of an Anthropic message stand apart from what the user says in it.
func Read(m *jsontree.Node, count transcript.Counter) []Part {
	role, kind := text(m.Member("role")), text(m.Member("type"))
	switch {
	case strings.HasSuffix(kind, "_output") || role == "tool" || role == "function":
		id := text(m.Member("call_id"))
		if id == "" {
			id = text(m.Member("tool_call_id"))
		}
		return []Part{result(id, resultText(m), false, count)}
	case strings.HasSuffix(kind, "_call"):
		return []Part{{Kind: transcript.Answer, Calls: []transcript.Call{callOf(m, count)}}}
	case kind == "reasoning":
		return nil
	}
	p := Part{Kind: transcript.User}
	switch role {
	case "assistant":
		p.Kind = transcript.Answer
	case "system", "developer":
		p.Kind = transcript.System
	}
	var parts []Part
	var said []string
	content := m.Member("content")
	if content.Is(jsontree.String) {
		said = append(said, content.Text)
	}
	for _, block := range content.Elements() {
		switch kind := text(block.Member("type")); kind {
		case "tool_use", "server_tool_use":
			p.Calls = append(p.Calls, callOf(block.Node, count))
		case "tool_result":
			failed := block.Member("is_error").Is(jsontree.Boolean) && string(block.Member("is_error").Raw) == "true"
			parts = append(parts, result(text(block.Member("tool_use_id")), Said(block.Member("content")), failed, count))
		default:
			if t := block.Member("text"); t.Is(jsontree.String) {
				said = append(said, t.Text)
			}
		}
	}
	for _, c := range m.Member("tool_calls").Elements() {
		p.Calls = append(p.Calls, callOf(c.Node, count))
	}
	p.Text = strings.Join(said, "\n")
	p.Size = transcript.Measure(p.Text, transcript.Prose, count)
	if p.Text != "" || len(p.Calls) > 0 || len(parts) == 0 {
		parts = append(parts, p)
	}
	return parts
}

// Said returns the text of a content: a string, or the texts of its blocks.
func Said(content *jsontree.Node) string {
	if content.Is(jsontree.String) {
		return content.Text
	}
	var said []string
	for _, block := range content.Elements() {
		if t := block.Member("text"); t.Is(jsontree.String) {
			said = append(said, t.Text)
		}
	}
	return strings.Join(said, "\n")
}

// resultText returns what a result holds. The definitions that a search of
// the provider found count as their JSON.
func resultText(m *jsontree.Node) string {
	if tools := m.Member("tools"); tools != nil {
		return string(jsontree.Compact(tools.Raw))
	}
	content := m.Member("output")
	if content == nil {
		content = m.Member("content")
	}
	if content.Is(jsontree.Object) {
		return string(content.Raw)
	}
	return Said(content)
}

func result(id, said string, failed bool, count transcript.Counter) Part {
	return Part{Kind: transcript.Result, CallID: id, Text: said, Failed: failed || refused(said),
		Size: transcript.Measure(said, transcript.Output, count)}
}

// refused reports whether a result says itself that the call failed: an object
// with an error, or with success false.
func refused(said string) bool {
	if !strings.HasPrefix(said, "{") || !strings.Contains(said, `"error"`) && !strings.Contains(said, `"success"`) {
		return false
	}
	o, err := jsontree.Parse(jsontree.Mend([]byte(said)), jsontree.Strict)
	if err != nil {
		return false
	}
	if e := o.Member("error"); e != nil && !e.Is(jsontree.Null) && e.Text != "" {
		return true
	}
	return o.Member("success").Is(jsontree.Boolean) && string(o.Member("success").Raw) == "false"
}

func text(n *jsontree.Node) string {
	if n.Is(jsontree.String) {
		return n.Text
	}
	return ""
}

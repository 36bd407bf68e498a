package shapes

import "caliper/model/jsontree"

// turn is the words of one party in a conversation.
type turn struct {
	role string         // "user" or "human", "assistant", "function_call", ...
	said jsontree.Value // its text
	jsontree.Value
}

// turnsOf returns the turns of a conversation: its messages, {role,content}, or its
// conversations, {from,value}.
func turnsOf(e *entry) []turn {
	list := e.member("messages")
	if !list.IsArray() {
		list = e.member("conversations")
	}
	var turns []turn
	for _, v := range list.Elements() {
		t := turn{v.Member("role").Text() + v.Member("from").Text(), v.Member("content"), v}
		if !t.said.IsString() {
			t.said = v.Member("value")
		}
		turns = append(turns, t)
	}
	return turns
}

// ofUser reports whether a user says it.
func (t turn) ofUser() bool { return t.role == "user" || t.role == "human" }

// calls returns the names of the tools that a turn calls: of the member tool_calls, of
// the turns function_call and tool_call, and of <tool_call> in a text of the model, which
// is JSON or what Python writes.
func (t turn) calls() []string {
	if t.ofUser() || t.role == "system" {
		return nil
	}
	if names := called(t.Member("tool_calls").Elements(), functionNames...); len(names) > 0 {
		return names
	}
	if t.role == "function_call" || t.role == "tool_call" {
		return called(embedded(t.said), functionNames...)
	}
	call, _ := between(t.said.Text(), "<tool_call>", "</tool_call>")
	return called(inText(call, 0), functionNames...)
}

package shapes

import (
	"bytes"
	"strings"

	"caliper/model"
	"caliper/model/jsontree"
)

// Models of the Hermes family are told their tools in the text of a conversation, as
// <tools> {definition} {definition} </tools>, and call one with <tool_call>
// {name, arguments} </tool_call> (github.com/NousResearch/Hermes-Function-Calling). Many
// of their conversations have a list of definitions there as Python writes it.

var toolsOpen, toolsClose = []byte("<tools>"), []byte("</tools>")

// chatEntry is a conversation, {"messages":[{role,content}]} or {"conversations":
// [{from,value}]}, whose texts have such tools.
var chatEntry = &form{
	name: "chat",
	match: func(e *entry) bool {
		return (e.member("messages").IsArray() || e.member("conversations").IsArray()) && bytes.Contains(e.Raw, toolsOpen)
	},
	read: func(r *reader, f *form, e *entry) error {
		text := ""
		for _, t := range turnsOf(e) {
			said := t.said.Text()
			if block, ok := between(said, string(toolsOpen), string(toolsClose)); ok {
				values := inText(block, t.said.At)
				r.addFlat(f, e, values, "messages")
				if len(values) == 0 && strings.Trim(block, "[]{} \t\r\n") != "" {
					r.foreign++
					r.note("no_definition", t.said.At, f.path(*e.prefix, e.index, "messages"), "the text in <tools> is not a list of tools, neither in JSON nor as Python writes it")
				}
			}
			switch {
			case t.ofUser() && text == "":
				text = said
			case text != "" && strings.Contains(said, "<tool_call>"):
				r.label(e, model.LabelledQuery{ID: r.numbered("chat"), Text: text, Relevant: t.calls()})
				return nil
			}
		}
		return nil
	},
}

// between returns what stands between two marks of a text.
func between(text, from, to string) (string, bool) {
	_, inner, ok := strings.Cut(text, from)
	inner, _, closed := strings.Cut(inner, to)
	return inner, ok && closed
}

// fromChat returns the blocks of tools of a text that is no JSON as lines of JSON; nil for none.
func fromChat(t *jsontree.Text) *jsontree.Text {
	var out []byte
	var marks []jsontree.Mark
	for at := 0; ; {
		from := bytes.Index(t.Data[at:], toolsOpen)
		if from < 0 {
			break
		}
		from += at + len(toolsOpen)
		size := bytes.Index(t.Data[from:], toolsClose)
		if size < 0 {
			break
		}
		at = from + size
		for block := from; block < at; {
			open := bytes.IndexAny(t.Data[block:at], "[{")
			if open < 0 {
				break
			}
			v, err := jsontree.NewCursor(t.Data[block+open:at], 0).Value()
			if err != nil {
				literal := jsonOfPython(t.Data[block+open : at])
				if v, err = jsontree.NewCursor(literal, 0).Value(); err == nil {
					marks = append(marks, jsontree.Mark{Out: len(out), In: block + open})
					out = append(append(out, v.Raw...), '\n')
				}
				break
			}
			marks = append(marks, jsontree.Mark{Out: len(out), In: block + open})
			out = append(append(out, v.Raw...), '\n')
			block += open + len(v.Raw)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return t.Translated(out, marks)
}

// turn is the words of one party in a conversation.
type turn struct {
	role string         // "user" or "human", "assistant", "function_call", ...
	said jsontree.Value // its text
	jsontree.Value
}

// turnsOf returns a conversation's messages, {role,content}, or conversations, {from,value}.
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

func (t turn) ofUser() bool { return t.role == "user" || t.role == "human" }

// calls returns the tools that a turn calls: in tool_calls, as a turn function_call or tool_call,
// and in <tool_call> of a text, as JSON or as Python writes it.
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

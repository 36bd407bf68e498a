package shapes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/jsontree"
)

// xlamEntry is a query of xLAM (huggingface.co/datasets/Salesforce/
// xlam-function-calling-60k): {"id","query","answers":[{name,arguments}],"tools":
// [{name,description,parameters}]}, where answers and tools are texts of JSON.
var xlamEntry = &form{
	name: "xlam",
	match: func(e *entry) bool {
		return e.member("query").IsString() && holdsJSON(e.member("answers")) && holdsJSON(e.member("tools"))
	},
	read: func(r *reader, f *form, e *entry) error {
		r.addFlat(f, e, embedded(e.member("tools")), "tools")
		id := cmp.Or(idOf(e), fmt.Sprint(len(r.queries)))
		r.label(e, model.LabelledQuery{ID: id, Text: e.member("query").Text(), Relevant: called(embedded(e.member("answers")), functionNames...)})
		return nil
	},
}

// isAnswered reports whether an object, as far as it is read, is xLAM's or UltraTool's, no
// request.
func isAnswered(o *object) bool {
	return len(o.members) >= 2 && (o.member("query").IsString() && holdsJSON(o.member("answers")) || o.member("question").IsString() && o.member("plan").IsArray())
}

// holdsJSON reports whether v is an array, or a text of one.
func holdsJSON(v jsontree.Value) bool {
	return v.IsArray() || v.IsString() && strings.HasPrefix(strings.TrimSpace(v.Text()), "[")
}

// glaiveEntry is a conversation of glaive-function-calling-v2 (huggingface.co/datasets/
// glaiveai), {"system":"SYSTEM: ... {definition} {definition}","chat":"USER: ...
// ASSISTANT: ... <functioncall> {name, arguments}"}: a query is the user's words
// first, its label the calls then.
var glaiveEntry = &form{
	name:  "glaive",
	match: func(e *entry) bool { return e.member("system").IsString() && e.member("chat").IsString() },
	read: func(r *reader, f *form, e *entry) error {
		r.dataSet = true
		r.addFlat(f, e, embedded(e.member("system")), "system")
		chat := e.member("chat").Text()
		_, first, _ := strings.Cut(chat, "USER:")
		first, rest, _ := strings.Cut(first, "ASSISTANT:")
		var names []string
		for _, part := range strings.Split(rest, "<functioncall>")[1:] {
			_, name, _ := strings.Cut(part, `"name"`)
			_, name, _ = strings.Cut(name, `"`)
			if name, _, ok := strings.Cut(name, `"`); ok && len(names) == 0 {
				names = append(names, name)
			}
		}
		if len(names) > 0 { // many conversations call nothing
			r.label(e, model.LabelledQuery{ID: r.numbered("glaive"), Text: first, Relevant: names})
		}
		return nil
	},
}

// numbered returns an id for a query that has none.
func (r *reader) numbered(set string) string { return fmt.Sprintf("%s-%d", set, len(r.queries)) }

// sharedChatEntry is a conversation as fine-tuning data has it: {"conversations":
// [{from,value}],"tools":"[...]"}, with the calls from "function_call", or {"messages":
// [{role,content}],"tools":"[...]"} with tools that are a text, with the calls in
// tool_calls, in <tool_call>, or from "tool_call". An array of tools beside messages is
// a request's.
var sharedChatEntry = &form{
	name: "glaive",
	match: func(e *entry) bool {
		tools := e.member("tools")
		return holdsJSON(tools) && (e.member("conversations").IsArray() || e.member("messages").IsArray() && tools.IsString())
	},
	read: func(r *reader, f *form, e *entry) error {
		r.addFlat(f, e, embedded(e.member("tools")), "tools")
		text := ""
		for _, t := range turnsOf(e) {
			if t.ofUser() && text == "" {
				text = t.said.Text()
			}
			if names := t.calls(); text != "" && len(names) > 0 {
				r.label(e, model.LabelledQuery{ID: r.numbered("chat"), Text: text, Relevant: names})
				return nil
			}
		}
		return nil
	},
}

// ultraToolEntry is a task of UltraTool (github.com/JoeYing1019/UltraTool):
// {"question","toolset":[{name,description,arguments,results}],"reference":[{step,
// tool}]}. The whole data set calls them "tools" and "plan", whose tools are calls, such as
// "file_write(file_path=...)". One without a question has tools only.
var ultraToolEntry = &form{
	name: "ultratool",
	match: func(e *entry) bool {
		return e.member("toolset").IsArray() && e.has("reference", "question", "input") ||
			e.member("tools").IsArray() && e.has("question") && e.member("plan").IsArray()
	},
	read: func(r *reader, f *form, e *entry) error {
		key := "toolset"
		if !e.has(key) {
			key = "tools"
		}
		r.addFlat(f, e, e.member(key).Elements(), key)
		if text := e.member("question").Text(); text != "" {
			steps := slices.Concat(e.member("reference").Elements(), e.member("plan").Elements())
			r.label(e, model.LabelledQuery{ID: cmp.Or(idOf(e), r.numbered("ultratool")), Text: text, Relevant: called(steps, []string{"tool"})})
		}
		return nil
	},
}

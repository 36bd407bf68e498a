package shapes

import (
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/jsontree"
)

// bfclEntry is a question of the Berkeley Function-Calling Leaderboard
// (github.com/ShishirPatil/gorilla, bfcl_eval/data): {"id","question":[[{role,
// content}]],"function":[{name,description,parameters}]}. Its label stands in another
// file: see bfclAnswer. A name with a dot has its toolset before it.
var bfclEntry = &form{
	name: "bfcl",
	match: func(e *entry) bool {
		return e.has("question") && (e.member("function").IsArray() || e.function.IsObject()) && e.member("toolset").First() == 0
	},
	read: func(r *reader, f *form, e *entry) error {
		functions := e.member("function").Elements()
		if e.function.IsObject() {
			functions = []jsontree.Value{e.function.Value}
		}
		r.addFlat(f, e, functions, "function")
		r.label(e, model.LabelledQuery{ID: idOf(e), Text: strings.Join(said(e.member("question"), "user"), "\n"), Category: categoryOf(idOf(e))})
		return nil
	},
}

// bfclConversation is a question of several turns (BFCL_v4_multi_turn_base):
// {"id","question","involved_classes":[...],"path":["Class.function"]}. Its tools are in other
// files; an answer counts before its planned path.
var bfclConversation = &form{
	name: "bfcl",
	match: func(e *entry) bool {
		return e.member("question").IsArray() && e.member("involved_classes").IsArray() && !e.has("function")
	},
	read: func(r *reader, f *form, e *entry) error {
		var names []string
		for _, step := range e.member("path").Elements() {
			if _, name, _ := strings.Cut(step.Text(), "."); name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		r.pointTo(e, "this is the part of BFCL whose questions take several turns: its tools are in the files of multi_turn_func_doc beside it; import them too")
		r.label(e, model.LabelledQuery{ID: idOf(e), Text: strings.Join(said(e.member("question"), "user"), "\n"), Relevant: names, Category: categoryOf(idOf(e))})
		r.queries[len(r.queries)-1].planned = true
		return nil
	},
}

// pointTo notes where the tools of a data set's entry are. The first note of a source counts.
func (r *reader) pointTo(e *entry, where string) {
	if r.elsewhere == nil {
		f := r.finding(CodeElsewhere, e.At, e.path, where)
		r.elsewhere = &f
	}
}

// CodeElsewhere is the code of the error that a data set without tools has them in other files.
const CodeElsewhere = "tools_elsewhere"

// bfclFunction is a function of the conversations (multi_turn_func_doc):
// {"name","description","parameters":{"type":"dict"},"response"}.
var bfclFunction = &form{
	name: "bfcl",
	match: func(e *entry) bool {
		return e.member("name").IsString() && e.member("parameters").Member("type").Text() == "dict" && e.member("response").IsObject()
	},
	read: func(r *reader, f *form, e *entry) error {
		r.addOnce(f, f.restated(e, "name", "description", parametersOf(e.member("parameters"))))
		return nil
	},
}

// bfclAnswer is the label of a question: {"id","ground_truth":[{"name":{...}}]}, or of one
// of several turns, with a list of calls for each: [["name(a=1)"]].
var bfclAnswer = &form{
	name:  "bfcl",
	match: func(e *entry) bool { return e.member("ground_truth").IsArray() && e.has("id") },
	read: func(r *reader, f *form, e *entry) error {
		var names []string
		var calls []jsontree.Value
		for _, v := range e.member("ground_truth").Elements() {
			if v.IsArray() {
				calls = append(calls, v.Elements()...)
			} else {
				calls = append(calls, v)
			}
		}
		for _, call := range calls {
			name, _, _ := strings.Cut(call.Text(), "(") // of the questions that are executed
			for _, m := range objectOf(call).members {
				name = m.Name
			}
			if name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		r.pointTo(e, "these are the labels of BFCL: the questions and their tools are in the file of this name beside the folder possible_answer; import both")
		r.label(e, model.LabelledQuery{ID: idOf(e), Relevant: names})
		return nil
	},
}

// idOf returns the id of an entry, a number as it is written.
func idOf(e *entry) string { return e.scalar("id", "query_id", "task_id") }

// categoryOf returns an id without the numbers at its end.
func categoryOf(id string) string { return strings.TrimRight(id, "0123456789-_") }

// said returns what a role says in messages, also in lists of lists, or the text that v is.
func said(v jsontree.Value, role string) []string {
	if v.IsString() {
		return []string{v.Text()}
	}
	var texts []string
	for _, m := range v.Elements() {
		if m.IsArray() {
			texts = append(texts, said(m, role)...)
		} else if m.Member("role").Text() == role {
			texts = append(texts, m.Member("content").Text())
		}
	}
	return texts
}

package shapes

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/words"
)

// sealTool is a tool of Seal-Tools (github.com/fairyshine/Seal-Tools, tool.jsonl):
// {"api_name","api_description","field","parameters":{NAME:{type,description}},
// "required","responses"}. Its toolset is the first part of its field.
var sealTool = &form{
	name: "seal-tools",
	match: func(e *entry) bool {
		return e.member("api_name").IsString() && e.member("parameters").IsObject()
	},
	read: func(r *reader, f *form, e *entry) error {
		r.addSealTool(f, &e.object, e.At, f.path(*e.prefix, e.index, ""))
		return nil
	},
}

// addSealTool adds the tool that o defines, whose position is at, its own or its text's.
func (r *reader) addSealTool(f *form, o *object, at int, path string) {
	p := properties{}
	p.add(treeOf(o.member("parameters")), func(jsontree.Child) bool { return false })
	for _, c := range treeOf(o.member("required")).Elements() {
		if textOf(c.Node) != "" {
			p.required = append(p.required, c)
		}
	}
	d := r.addOnce(f, restated{name: o.member("api_name").Text(), description: o.member("api_description").Text(), parameters: p.schema(true),
		path: path, at: at, nameAt: at})
	if field := o.member("field").Text(); d != nil && field != "" {
		d.tool.Toolset, _, _ = strings.Cut(field, "/")
	}
}

// sealQuery is a labelled query of Seal-Tools: {"id","query","calling":[{api}]}.
var sealQuery = &form{
	name:  "seal-tools",
	match: func(e *entry) bool { return e.member("query").IsString() && e.member("calling").IsArray() },
	read: func(r *reader, f *form, e *entry) error {
		r.label(e, model.LabelledQuery{ID: idOf(e), Text: e.member("query").Text(), Relevant: called(e.member("calling").Elements(), sealName)})
		return nil
	},
}

// sealName is where its calls have their names: {api,parameters}.
var sealName = []string{"api"}

// sealConversation is a query of Seal-Tools as it is for fine-tuning (dataset_for_finetune):
// {"id","conversations":[{from:"human",value},{from:"gpt",value}]}. The first text has, as
// Python writes them, a list of tools behind "api_list = " and the query behind
// "task_instruction = ", the second the list of calls.
var sealConversation = &form{
	name: "seal-tools",
	match: func(e *entry) bool {
		return e.member("conversations").IsArray() && bytes.Contains(e.Raw, sealList) && bytes.Contains(e.Raw, []byte("'api_name'"))
	},
	read: func(r *reader, f *form, e *entry) error {
		q := model.LabelledQuery{ID: idOf(e)}
		for _, turn := range e.member("conversations").Elements() {
			said := turn.Member("value").Text()
			_, list, asked := strings.Cut(said, string(sealList))
			if !asked {
				if q.Text != "" && q.Relevant == nil {
					if calls := (jsontree.Value{Raw: jsonOfPython([]byte(strings.TrimSpace(said)))}); treeOf(calls).Is(jsontree.Array) {
						q.Relevant = called(calls.Elements(), sealName)
					}
				}
				continue
			}
			list, query, _ := strings.Cut(list, "\ntask_instruction = ")
			query, _, _ = strings.Cut(query, "\nOutput:")
			q.Text = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(query), `"`), `"`)
			tools := jsontree.Value{Raw: jsonOfPython([]byte(strings.TrimSpace(list)))}
			if !treeOf(tools).Is(jsontree.Array) {
				r.note("no_definition", turn.At, f.path(*e.prefix, e.index, "conversations"), "the text after api_list is not a list of tools as Python writes it")
				continue
			}
			for i, tool := range tools.Elements() {
				r.addSealTool(f, objectOf(tool), turn.Member("value").At, jsontree.JoinIndex(f.path(*e.prefix, e.index, "conversations"), i))
			}
		}
		r.label(e, q)
		return nil
	},
}

// sealList stands before the tools of such a conversation.
var sealList = []byte("api_list = ")

// toolBenchEntry is a query of ToolBench (github.com/OpenBMB/ToolBench; StableToolBench
// has the same): {"api_list":[{tool_name,api_name,api_description,required_parameters,
// optional_parameters}],"query","relevant APIs":[[tool,api]],"query_id"}. A file of its
// toolenv is one tool without a query, {"tool_name","api_list":[{name,description,...}]}.
// A tool is named as ToolBench names it, API_for_TOOL, and its toolset is the name of TOOL.
// The id is made of the file and the query, as in G1_tool-35382.
var toolBenchEntry = &form{
	name:  "toolbench",
	match: func(e *entry) bool { return e.member("api_list").IsArray() },
	read: func(r *reader, f *form, e *entry) error {
		path := f.path(*e.prefix, e.index, "api_list")
		for i, api := range e.member("api_list").Elements() {
			tool := cmp.Or(api.Member("tool_name").Text(), e.member("tool_name").Text())
			name := cmp.Or(api.Member("api_name").Text(), api.Member("name").Text())
			description := cmp.Or(api.Member("api_description").Text(), api.Member("description").Text())
			p := properties{}
			for _, key := range []string{"required_parameters", "optional_parameters"} {
				p.add(treeOf(api.Member(key)), func(jsontree.Child) bool { return key[0] == 'r' })
			}
			d := r.addOnce(f, restated{name: toolBenchName(name, tool), description: description, parameters: p.schema(true),
				path: jsontree.JoinIndex(path, i), at: api.At, nameAt: api.At})
			if d != nil {
				d.tool.Toolset = tool
			}
		}
		if !e.has("query", "query_id") {
			return nil
		}
		set := BaseName(r.source.Name)
		q := model.LabelledQuery{ID: fmt.Sprintf("%s-%s", set, idOf(e)), Text: e.member("query").Text(), Category: set}
		for _, pair := range e.member("relevant APIs").Elements() {
			if names := pair.Elements(); len(names) == 2 {
				q.Relevant = append(q.Relevant, toolBenchName(names[1].Text(), names[0].Text()))
			}
		}
		r.label(e, q)
		return nil
	},
}

// notInName is the characters that ToolBench replaces in names.
var notInName = words.LazyRegexp(`[^\p{Han}A-Za-z0-9_^]+|__+`)

func toolBenchName(api, tool string) string {
	plain := func(s string) string {
		s = notInName().ReplaceAllString(s, "_")
		return strings.ToLower(strings.Trim(notInName().ReplaceAllString(s, "_"), "_"))
	}
	return plain(api) + "_for_" + plain(tool)
}

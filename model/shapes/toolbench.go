package shapes

import (
	"cmp"
	"fmt"
	"strings"

	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/words"
)

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
				p.addAll(treeOf(api.Member(key)), func(jsontree.Child) bool { return key[0] == 'r' })
			}
			d := r.addOnce(f, made{name: toolBenchName(name, tool), description: description, parameters: p.schema(true),
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

// toolBenchName returns the name of an API of a tool.
func toolBenchName(api, tool string) string {
	plain := func(s string) string {
		s = notInName().ReplaceAllString(s, "_")
		return strings.ToLower(strings.Trim(notInName().ReplaceAllString(s, "_"), "_"))
	}
	return plain(api) + "_for_" + plain(tool)
}

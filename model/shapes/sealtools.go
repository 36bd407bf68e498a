package shapes

import (
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/jsontree"
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
		required, err := jsontree.Parse(e.member("required").Raw, jsontree.Strict)
		if err != nil {
			required = &jsontree.Node{Kind: jsontree.Array}
		}
		d := r.addOnce(f, made{name: e.member("api_name").Text(), description: e.member("api_description").Text(), parameters: parametersOf(e.member("parameters"), required),
			path: f.path(*e.prefix, e.index, ""), at: e.At, nameAt: e.member("api_name").At, size: len(e.Raw)})
		if field := e.member("field").Text(); d != nil && field != "" {
			d.tool.Toolset, _, _ = strings.Cut(field, "/")
		}
		return nil
	},
}

// sealQuery is a labelled query of Seal-Tools: {"id","query","calling":[{api}]}.
var sealQuery = &form{
	name:  "seal-tools",
	match: func(e *entry) bool { return e.member("query").IsString() && e.member("calling").IsArray() },
	read: func(r *reader, f *form, e *entry) error {
		var names []string
		for _, call := range e.member("calling").Elements() {
			if name := call.Member("api").Text(); name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		r.label(e, model.LabelledQuery{ID: idOf(e), Text: e.member("query").Text(), Relevant: names})
		return nil
	},
}

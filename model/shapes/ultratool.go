package shapes

import (
	"slices"

	"caliper/model"
)

// ultraToolEntry is a task of UltraTool (github.com/JoeYing1019/UltraTool):
// {"question","toolset":[{name,description,arguments,results}],"reference":[{step,
// tool}]}. One without a question has tools only.
var ultraToolEntry = &form{
	name: "ultratool",
	match: func(e *entry) bool {
		return e.member("toolset").IsArray() && (e.has("reference", "question", "input"))
	},
	read: func(r *reader, f *form, e *entry) error {
		r.addFlat(f, e, e.member("toolset").Elements(), "toolset")
		var names []string
		for _, step := range e.member("reference").Elements() {
			if name := step.Member("tool").Text(); name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		if text := e.member("question").Text(); text != "" {
			id := idOf(e)
			if id == "" {
				id = r.numbered("ultratool")
			}
			r.label(e, model.LabelledQuery{ID: id, Text: text, Relevant: names})
		}
		return nil
	},
}

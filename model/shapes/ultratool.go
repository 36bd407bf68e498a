package shapes

import (
	"cmp"
	"slices"

	"caliper/model"
)

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

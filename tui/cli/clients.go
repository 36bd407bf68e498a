package cli

import (
	"caliper/engine/mcptool"
	"caliper/engine/serve"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/words"
)

// mostClientLines is how many tools clientLines names.
const mostClientLines = 5

// clientLines says which tools agents are not listed as their servers say them, and why:
// clients of MCP refuse a whole list over one of them.
func clientLines(list []serve.Listed) (lines []string) {
	for i, l := range list {
		if i == mostClientLines {
			return append(lines, words.CountThousands(len(list)-i, "more tool")+" are listed in another form than their servers have: lint names them")
		}
		for _, c := range l.Changes {
			lines = append(lines, "tool "+l.Tool.ShownName+": "+safetext.Line(c.Message()))
		}
	}
	return lines
}

// clientChanges returns the tools of a registry that serve would list in another form.
func clientChanges(r *model.Registry) (list []serve.Listed) {
	for _, t := range r.Tools {
		if changes := mcptool.Changes(r, t); len(changes) > 0 {
			list = append(list, serve.Listed{Tool: t, Changes: changes})
		}
	}
	return list
}

package report

import (
	"fmt"

	"caliper/engine/export"
)

// namedLosses is how many tools a line of losses names.
const namedLosses = 3

// Losses returns what an export lost, a line for all the tools that lost the
// same. A tool in the export that the provider refuses is marked as such.
func Losses(lost []export.Lost) []string {
	type group struct {
		export.Lost
		tools []string
	}
	var groups []*group
	known := map[export.Lost]*group{}
	for _, l := range lost {
		tool := l.Tool
		l.Tool = ""
		g := known[l]
		if g == nil || tool == "" {
			g = &group{Lost: l}
			groups = append(groups, g)
			known[l] = g
		}
		if tool != "" {
			g.tools = append(g.tools, tool)
		}
	}
	var lines []string
	for _, g := range groups {
		line := "lost: "
		if g.Refused {
			line = "refused: "
		}
		if len(g.tools) > 0 {
			line += Joined(g.tools[:min(len(g.tools), namedLosses)])
			if more := len(g.tools) - namedLosses; more > 0 {
				line += fmt.Sprintf(" and %d more", more)
			}
			line += ": "
		}
		lines = append(lines, line+g.What)
	}
	return lines
}

package cli

import (
	"fmt"
	"strings"

	"caliper/engine/export"
)

// namedLosses is how many tools a line of losses names.
const namedLosses = 3

// lostLines returns losses in lines, of which one tells what several tools
// have lost. What is in the export, but refused by the provider, says so.
func lostLines(lost []export.Lost) []string {
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
		verb := "lost: "
		if g.Refused {
			verb = "refused: "
		}
		switch n := len(g.tools); {
		case n == 0:
			lines = append(lines, verb+g.What)
		case n <= namedLosses:
			lines = append(lines, verb+strings.Join(g.tools, ", ")+": "+g.What)
		default:
			lines = append(lines, fmt.Sprintf("%s%s and %d more: %s", verb, strings.Join(g.tools[:namedLosses], ", "), n-namedLosses, g.What))
		}
	}
	return lines
}

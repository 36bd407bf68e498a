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
	var kinds []export.Lost // each without its tools, in the order of the lines
	var tools [][]string    // of each kind
	known := map[export.Lost]int{}
	for _, l := range lost {
		tool := l.Tool
		l.Tool = ""
		i, ok := known[l]
		if !ok || tool == "" {
			i = len(kinds)
			kinds, tools, known[l] = append(kinds, l), append(tools, nil), i
		}
		if tool != "" {
			tools[i] = append(tools[i], tool)
		}
	}
	var lines []string
	for i, kind := range kinds {
		line := "lost: "
		if kind.Refused {
			line = "refused: "
		}
		if n := len(tools[i]); n > 0 {
			line += Joined(tools[i][:min(n, namedLosses)])
			if n > namedLosses {
				line += fmt.Sprintf(" and %d more", n-namedLosses)
			}
			line += ": "
		}
		lines = append(lines, line+kind.What)
	}
	return lines
}

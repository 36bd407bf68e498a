package cli

import "strings"

// bar returns the share of a part in a whole as blocks, at most w of them. The
// number always stands beside it. Anything above nothing has a block.
func bar(part, whole float64, w int) string {
	if part <= 0 || whole <= 0 {
		return ""
	}
	n := int(part/whole*float64(w) + 0.5)
	return strings.Repeat("█", min(max(n, 1), w))
}

// gauge returns a bar in a frame of w blocks.
func gauge(part, whole float64, w int) string {
	filled := bar(part, whole, w)
	return filled + strings.Repeat("░", w-strings.Count(filled, "█"))
}

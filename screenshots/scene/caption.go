package scene

import (
	"slices"
	"strings"

	"caliper/tui/picture/ansi"
)

// captionRows is what a caption takes below the screen: a rule, and the text.
const captionRows = 2

// captioned reports whether films of the scene have captions. Then all their frames have the rows
// for one, because the frames of a film have one size.
func (s *Scene) captioned() bool {
	return slices.ContainsFunc(s.Steps, func(step Step) bool { return step.Verb == Say })
}

// view returns the screen as a film shows it.
func (p *play) view() *ansi.Grid {
	if !p.scene.captioned() {
		return p.screen
	}
	out := ansi.New(p.screen.Columns, p.screen.Rows+captionRows)
	for i := range p.screen.Rows {
		out.SetRow(i, p.screen.Row(i))
	}
	if p.saying != "" {
		text := "\x1b[2m" + strings.Repeat("─", out.Columns) + "\x1b[0m\r\n " + p.saying
		caption := ansi.Parse([]byte(text), out.Columns, captionRows)
		for i := range captionRows {
			out.SetRow(p.screen.Rows+i, caption.Row(i))
		}
	}
	return out
}

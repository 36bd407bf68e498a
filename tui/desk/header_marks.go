package desk

import (
	"slices"
	"strings"

	"caliper/tui/ui"
)

// mark is a word on a ground in the line of the files: what makes the figures of the screens
// differ from the files', or from now.
type mark struct {
	style ui.Style
	text  string // with a blank on each side
}

// marks returns the marks that fit a line of room cells. Where not all fit, the first ones
// say that something is tried and that changes wait: without them every figure below is
// misread.
func (p *HeaderLines) marks(t *ui.Theme, room int) []mark {
	modes := p.modes(t)
	if p.Paused && p.Late && room >= leastWaiting {
		modes[len(modes)-1].text = " PAUSED, changes wait "
	}
	var facts []mark
	if p.State != nil {
		if gates := p.State.Snapshot.WithoutGates(); len(gates) > 0 {
			facts = append(facts, mark{t.Stale, " " + withoutText(gates, room >= leastLong) + " "})
		}
	}
	if p.Violations > 0 {
		facts = append(facts, mark{t.Stale, " " + strings.ToUpper(ui.Count(p.Violations, "scope violation")) + " "})
	}
	if all := slices.Concat(facts, modes); marksWidth(all) <= room {
		return all
	}
	return append(modes, facts...)
}

// modes returns the marks that are never left out: that something is tried, and that watching
// is paused.
func (p *HeaderLines) modes(t *ui.Theme) []mark {
	var modes []mark
	if p.tries() {
		modes = append(modes, mark{t.BadgeOff, " WHAT IF "})
	}
	if p.Paused {
		modes = append(modes, mark{t.BadgeOff, " PAUSED "})
	}
	return modes
}

// The cells of a line from which the mark of a gate that is left out names it, and the mark
// of a pause tells that changes wait.
const leastLong, leastWaiting = 70, 36

// marksWidth returns the cells of marks, with a blank before each.
func marksWidth(marks []mark) int {
	n := 0
	for _, m := range marks {
		n += 1 + ui.Width(m.text)
	}
	return n
}

// tries reports whether knobs are turned: the figures differ from the files'.
func (p *HeaderLines) tries() bool { return p.State != nil && p.State.Baseline != nil }

// drawMarks draws marks with a blank before each but the first.
func drawMarks(l *ui.Line, marks []mark) {
	for i, m := range marks {
		l.Gap(min(i, 1))
		l.Text(m.style, m.text)
	}
}

// withoutText returns the text that names the scope gates that the dry run
// leaves out.
func withoutText(gates []string, long bool) string {
	text := "WITHOUT " + gates[0]
	if len(gates) > 1 {
		text = "WITHOUT SCOPE GATES"
	}
	if long {
		return "DRY RUN " + text
	}
	return text
}

// drawDemo draws the mark of the demo. It is never left out, because the
// figures do not come from the user's files.
func (p *HeaderLines) drawDemo(l *ui.Line, t *ui.Theme) {
	if p.Demo {
		l.Text(t.BadgeOff, demoText)
		l.Gap(1)
	}
}

// demoText is the mark of the demo.
const demoText = " DEMO "

// waitingText returns the mark of agents that wait for a person; empty for none.
func (p *HeaderLines) waitingText() string {
	if p.Waiting == 0 {
		return ""
	}
	return " " + strings.ToUpper(ui.Count(p.Waiting, "call")) + " TO APPROVE "
}

// drawWaiting draws that agents wait for a person. It is never left out, because they do
// not wait for long.
func (p *HeaderLines) drawWaiting(l *ui.Line, t *ui.Theme) {
	if text := p.waitingText(); text != "" {
		l.Text(t.Stale, text)
		l.Gap(1)
	}
}

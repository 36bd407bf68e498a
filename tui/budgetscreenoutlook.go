package tui

import (
	"fmt"

	"caliper/config"
	"caliper/engine"
	"caliper/tui/cells"
)

// outlook is what follows from the definitions of a snapshot, worked out when
// it is looked at.
type outlook struct {
	of     *engine.Snapshot
	curve  engine.Curve
	habits engine.Habits
	worth  engine.BreakEven
	most   int // tools used up to which tool search is worth it
}

// mostToolsUsed is how many tools used the outlook looks at.
const mostToolsUsed = 1 << 12

// look brings the outlook up to date.
func (s *budgetScreen) look() {
	o, snap := &s.outlook, s.state.Snapshot
	if o.of == snap && o.habits == s.habits {
		return
	}
	if o.of != snap {
		o.curve = snap.Curve()
	}
	o.of, o.habits = snap, s.habits
	o.worth = snap.BreakEven(s.habits)
	// The more tools are used, the less is saved.
	low, high := -1, mostToolsUsed
	for high-low > 1 {
		h := s.habits
		h.ToolsUsed = (low + high) / 2
		if snap.BreakEven(h).Saved > 0 {
			low = h.ToolsUsed
		} else {
			high = h.ToolsUsed
		}
	}
	o.most = low
}

// drawSession draws the habits of a session, and whether tool search is worth
// it for one.
func (s *budgetScreen) drawSession(t *Theme, w, h int) []string {
	s.look()
	b := s.outlook.worth
	// While search is off, all this is what would be.
	heading, would := "a session", !s.state.Budget.Active
	if would {
		heading += ", if search were ON"
	}
	focused := s.focused(partSession) || s.focused(partKnobs) && s.knob >= firstHabit
	if cells.Width(heading) > w-3 {
		heading = "a session, if ON"
	}
	lines := []string{s.rule(t, w, focused, heading, "")}
	if s.sizeIn(s.w, s.h) != budgetSmall {
		for k := firstHabit; k < knobCount; k++ {
			lines = append(lines, s.drawKnob(t, k, w))
		}
	}
	var l cells.Line
	// The first of the wordings that fits is taken: a figure is never cut.
	text := func(style cells.Style, wordings ...string) {
		l.Start(w)
		l.Gap(1)
		l.Text(style, longest(w-1, wordings...))
		lines = append(lines, l.End())
	}
	each, verb := b.PerTurn, "saved"
	if each < 0 {
		each, verb = -each, "lost"
	}
	turns := plural(s.habits.Turns, "turn") + " × " + thousands(each)
	text(t.Faint, turns+" "+verb, turns, thousands(s.habits.Turns)+" × "+thousands(each)+" "+verb, thousands(s.habits.Turns)+" × "+nearly(each)+" "+verb)
	lost := "− " + thousands(b.Overhead)
	text(t.Faint, lost+" in "+plural(b.ExtraTurn, "round trip"), lost+" in "+plural(b.ExtraTurn, "trip"), lost, "− "+nearly(b.Overhead))
	switch saved := thousands(b.Saved); {
	case s.state.Budget.DeferredCount == 0:
		text(t.Warn, "nothing to defer")
	case b.Saved <= 0:
		text(t.Warn, "not worth it here: "+saved, "not worth it: "+saved, "not worth it "+saved, "not worth it")
	default:
		style, lead := t.Ok, "= "
		if would {
			style, lead = t.Warn, "if ON: "
		}
		text(style, lead+saved+" saved, "+ratio(b.Saved, b.Eager), lead+saved+" saved", lead+saved, lead+nearly(b.Saved))
	}
	if s.outlook.most > 0 && s.outlook.most < mostToolsUsed-1 {
		text(t.Faint, "worth it to "+plural(s.outlook.most, "tool")+" used", "to "+plural(s.outlook.most, "tool")+" used")
	}
	if s.state.Budget.Mode == config.Off {
		text(t.Faint, "(mode off: never)")
	}
	return lines
}

// flips says where the decision turns over: in the context, and at the
// configured context in tokens and in tools, in lines of w cells. While the
// mode decides whatever the threshold is, it is auto's decision that would.
func (s *budgetScreen) flips(w int) []string {
	c := s.outlook.curve
	first, would := "auto is", "turn it"
	if s.decides() != "" {
		first, would = "auto would be", "would turn auto"
	}
	switch {
	case c.LastActive < 0:
		first += " ON at every context"
	case c.LastActive == 0:
		first += " OFF at every context"
	default:
		first += " ON up to a context of " + thousands(c.LastActive)
	}
	more, to, n := "more", "ON", c.ToFlip
	if n < 0 {
		more, to, n = "fewer", "OFF", -n
	}
	second := fmt.Sprintf("%s %s tokens %s %s", thousands(n), more, would, to)
	if c.Average == 0 {
		return []string{first, second}
	}
	tools := max(c.ToolsToFlip, -c.ToolsToFlip)
	third, each := plural(tools, more+" tool")+" of ~"+plural(c.Average, "token"), " each"
	if tools == 1 {
		each = ""
	}
	if joined := second + ": " + third + each; cells.Width(joined) <= w {
		return []string{first, joined}
	}
	return []string{first, second + ":", "  " + third + each}
}

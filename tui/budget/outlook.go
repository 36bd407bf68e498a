package budget

import (
	"fmt"

	"caliper/config"
	"caliper/engine"
	"caliper/tui/report"
	"caliper/tui/ui"
)

// outlook holds figures that follow from a snapshot's definitions, made when first drawn.
type outlook struct {
	of     *engine.Snapshot
	curve  engine.Curve
	lists  engine.ListCurve
	habits engine.Habits
	worth  engine.BreakEven
	most   int      // tools used up to which tool search is worth it
	skills []string // what agents list beside the tools
}

// mostToolsUsed is the largest number of used tools that the outlook considers.
const mostToolsUsed = 1 << 12

// look updates the outlook for the current state.
func (s *Screen) look() {
	o, snap, habits := &s.outlook, s.state.Snapshot, s.host.Knobs.Habits()
	if o.of == snap && o.habits == habits {
		return
	}
	if o.of != snap {
		o.curve, o.lists, o.skills = snap.Curve(), snap.ListCurve(), nil
		for _, l := range s.state.SkillLists() {
			o.skills = append(o.skills, report.SkillsBrief(l))
		}
	}
	o.of, o.habits = snap, habits
	budget := s.state.Budget // counts the tools once for all that is asked below
	o.worth = budget.BreakEven(habits)
	// The more tools are used, the less is saved.
	low, high := -1, mostToolsUsed
	for high-low > 1 {
		h := habits
		h.ToolsUsed = (low + high) / 2
		if budget.BreakEven(h).Saved > 0 {
			low = h.ToolsUsed
		} else {
			high = h.ToolsUsed
		}
	}
	o.most = low
}

// drawSession draws the habits of a session, and whether tool search is worth it for one.
func (s *Screen) drawSession(t *ui.Theme, w, h int) []string {
	s.look()
	b := s.outlook.worth
	// While search is off, all this is conditional.
	heading, would := "a session", !s.state.Budget.Active
	if would {
		heading += ", if search were ON"
	}
	focused := s.focused(viewSession) || s.focused(viewKnobs) && s.cursor >= s.firstHabit()
	if ui.Width(heading) > w-3 {
		heading = "a session, if ON"
	}
	lines := []string{ui.DrawHeading(t, w, focused, heading, "")}
	if s.sizeIn(s.w, s.h) != small {
		for k := s.firstHabit(); k < len(s.knobs()); k++ {
			lines = append(lines, s.host.Knobs.Draw(t, s.knobs()[k], w, k == s.cursor && s.focused(viewKnobs)))
		}
	}
	// The first of the wordings that fits is taken: a figure is never cut.
	text := func(style ui.Style, wordings ...string) {
		lines = append(lines, ui.TextLine(w, 1, style, ui.Longest(w-1, wordings...)))
	}
	if !s.state.Budget.Measured() {
		text(t.Faint, "what this agent sends is not measured", "not measured")
		return ui.FitLines(lines, w, h)
	}
	each, verb := b.PerTurn, "saved"
	if each < 0 {
		each, verb = -each, "lost"
	}
	turns := ui.Count(s.outlook.habits.Turns, "turn") + " × " + ui.Thousands(each)
	text(t.Faint, turns+" "+verb, turns, ui.Thousands(s.outlook.habits.Turns)+" × "+ui.Thousands(each)+" "+verb, ui.Thousands(s.outlook.habits.Turns)+" × "+ui.Short(each)+" "+verb)
	lost := "− " + ui.Thousands(b.Overhead)
	text(t.Faint, lost+" in "+ui.Count(b.ExtraTurn, "extra round trip"), lost+" in "+ui.Count(b.ExtraTurn, "round trip"), lost, "− "+ui.Short(b.Overhead))
	switch saved := ui.Thousands(b.Saved); {
	case s.state.Budget.DeferredCount == 0:
		text(t.Warn, "nothing to defer")
	case b.Saved <= 0:
		text(t.Warn, "costs more than it saves: "+saved, "costs more: "+saved, "costs more "+saved, "costs more")
	default:
		style, lead := t.Ok, "= "
		if would {
			style, lead = t.Warn, "if ON: "
		}
		text(style, lead+saved+" saved, "+ratio(b.Saved, b.Eager), lead+saved+" saved", lead+saved, lead+ui.Short(b.Saved))
	}
	if s.outlook.most > 0 && s.outlook.most < mostToolsUsed-1 {
		tools := ui.Count(s.outlook.most, "tool")
		text(t.Faint, "break-even: "+tools+" used per session", "break-even: "+tools+" used", "break-even: "+tools, "to "+tools+" used")
	}
	if s.state.Budget.Mode == config.Off {
		text(t.Faint, "(mode off: never)")
	}
	return lines
}

// flips says in lines of w cells where the decision changes: at which context,
// at which threshold, and at the configured context by how many tokens and tools.
// While the threshold does not decide, it tells what auto would do.
func (s *Screen) flips(w int) []string {
	c := s.outlook.curve
	auto, would := "auto is", "switches"
	if s.decides() != "" {
		auto, would = "auto would be", "auto would switch"
	}
	first := auto + " ON up to a context of " + ui.Thousands(c.LastActive)
	switch {
	case c.LastActive < 0:
		first = auto + " ON at every context"
	case c.LastActive == 0:
		first = auto + " OFF at every context"
	}
	lines := []string{first}
	if text := report.LastThreshold(s.state.Budget, c); text != "" {
		lines = append(lines, "  or up to a threshold of "+text)
	}
	more, to, n := "more", "on", c.ToFlip
	if n < 0 {
		more, to, n = "fewer", "off", -n
	}
	tokens := fmt.Sprintf("%s %s with %s", would, to, ui.Count(n, more+" token"))
	if c.Average == 0 {
		return append(lines, tokens)
	}
	tools := "(about " + ui.Count(max(c.ToolsToFlip, -c.ToolsToFlip), "tool") + ")"
	if joined := tokens + " " + tools; ui.Width(joined) <= w {
		return append(lines, joined)
	}
	return append(lines, tokens, "  "+tools)
}

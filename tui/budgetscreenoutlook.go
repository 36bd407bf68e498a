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
	lines := []string{s.rule(t, w, s.focused(partSession) || s.focused(partKnobs) && s.knob >= firstHabit, "a session", "")}
	if s.sizeIn(s.w, s.h) != budgetSmall {
		for k := firstHabit; k < knobCount; k++ {
			lines = append(lines, s.drawKnob(t, k, w))
		}
	}
	var l cells.Line
	text := func(style cells.Style, words string) {
		l.Start(w)
		l.Gap(1)
		l.Text(style, words)
		lines = append(lines, l.End())
	}
	text(t.Faint, plural(s.habits.Turns, "turn")+" × "+thousands(b.PerTurn)+" saved")
	lost := "− " + thousands(b.Overhead)
	if trips := " in " + plural(b.ExtraTurn, "round trip"); cells.Width(lost+trips) < w {
		lost += trips
	}
	text(t.Faint, lost)
	switch {
	case s.state.Budget.DeferredCount == 0:
		text(t.Warn, "nothing to defer")
	case b.Saved <= 0:
		text(t.Warn, "not worth it here: "+thousands(b.Saved))
	default:
		text(t.Ok, "= "+thousands(b.Saved)+" saved, "+ratio(b.Saved, b.Eager))
	}
	if s.outlook.most > 0 && s.outlook.most < mostToolsUsed-1 {
		text(t.Faint, "worth it to "+plural(s.outlook.most, "tool")+" used")
	}
	if s.state.Budget.Mode == config.Off {
		text(t.Faint, "(mode off: never)")
	}
	return lines
}

// flips says where the decision turns over: in the context, and at the
// configured context in tokens and in tools, in w cells where that can be.
func (s *budgetScreen) flips(w int) []string {
	c := s.outlook.curve
	var first string
	switch {
	case c.LastActive < 0:
		first = "auto is ON at every context"
	case c.LastActive == 0:
		first = "auto is OFF at every context"
	default:
		first = "auto is ON up to a context of " + thousands(c.LastActive)
	}
	more, to, n := "more", "ON", c.ToFlip
	if n < 0 {
		more, to, n = "fewer", "OFF", -n
	}
	tools := ""
	if c.Average > 0 {
		tools = fmt.Sprintf(": %s of ~%s", plural(max(c.ToolsToFlip, -c.ToolsToFlip), "tool"), thousands(c.Average))
	}
	second := fmt.Sprintf("%s %s tokens turn it %s%s", thousands(n), more, to, tools)
	if cells.Width(second) > w {
		second = fmt.Sprintf("%s %s turn it %s%s", thousands(n), more, to, tools)
	}
	return []string{first, second}
}

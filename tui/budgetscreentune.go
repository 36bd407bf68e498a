package tui

import (
	"slices"
	"strconv"

	"caliper/engine/tokens"
	"caliper/model"
	"caliper/tui/cells"
)

// The lines of the parts without their headings: the knobs of settings, and
// what they change.
const (
	knobRows   = int(firstHabit) + 1
	changeRows = 6
)

// drawKnobs draws the knobs. Where there is no room for the habits beside
// them, they follow.
func (s *budgetScreen) drawKnobs(t *Theme, w, h int) []string {
	count := int(firstHabit)
	small := s.sizeIn(s.w, s.h) == budgetSmall
	if small {
		count = int(knobCount)
	}
	lines := []string{s.rule(t, w, s.focused(partKnobs) && (small || s.knob < firstHabit), "knobs", s.verdict(small))}
	s.knobList.follow(min(int(s.knob), count-1), h-1, count)
	for k := s.knobList.top; k < count && len(lines) < h; k++ {
		lines = append(lines, s.drawKnob(t, knob(k), w))
	}
	return lines
}

// verdict is the decision in a few words, for parts that stand alone.
func (s *budgetScreen) verdict(wanted bool) string {
	if !wanted {
		return ""
	}
	return "search " + onOff(s.state.Budget.Active)
}

// onOff is the word for a decision.
func onOff(active bool) string {
	if active {
		return "ON"
	}
	return "OFF"
}

// drawKnob draws one knob.
func (s *budgetScreen) drawKnob(t *Theme, k knob, w int) string {
	return s.drawKnobIn(t, k, w, k == s.knob && s.focused(partKnobs))
}

// wasForms are how it is said what a turned knob was, the longer first. Of a
// list it is how many names came and went.
func wasForms(k knob, v, disk any) []string {
	if now, list := v.([]string); list {
		was, _ := disk.([]string)
		came, went := 0, 0
		for _, name := range now {
			if !slices.Contains(was, name) {
				came++
			}
		}
		for _, name := range was {
			if !slices.Contains(now, name) {
				went++
			}
		}
		return []string{" (+" + thousands(came) + " " + thousands(-went) + ")", " (+" + thousands(came) + " " + thousands(-went) + ")"}
	}
	return []string{" was " + knobText(k, disk), " (" + knobText(k, disk) + ")"}
}

// knobPlace returns how wide the name of a turned knob is drawn in w cells, how
// far its value is from it, and what is said behind it of what it was: empty
// when nothing fits. Names stand in a column unless that takes the room of it.
func knobPlace(k knob, v, disk any, on bool, w int) (name, gap int, was string) {
	const column = 11
	forms := wasForms(k, v, disk)
	near, arrow := 1, 0
	if on {
		near, arrow = 3, 2 // with the arrow before the value
	}
	room := w - 1 - arrow - cells.Width(knobText(k, v))
	for _, place := range [][2]int{{column, 2}, {cells.Width(knobNames[k]), near}} {
		for _, was := range forms {
			if place[0]+place[1]+cells.Width(was) <= room {
				return place[0], place[1], was
			}
		}
	}
	return column, 2, ""
}

// drawKnobIn draws a knob, of whatever screen: its value, between arrows while
// it can be turned, and what it was before where that is something else.
func (s *budgetScreen) drawKnobIn(t *Theme, k knob, w int, on bool) string {
	var l cells.Line
	l.Start(w)
	if on {
		drawGutter(&l, t, true, true)
	} else {
		l.Gap(1)
	}
	v, disk := s.value(k), s.onDisk(k)
	style, name, gap, was := t.Number, 11, 2, ""
	if !sameKnob(v, disk) {
		style = t.Changed
		name, gap, was = knobPlace(k, v, disk, on, w)
	}
	l.Cell(t.Text, knobNames[k], name)
	left, right := cells.Spaces(gap), ""
	if on {
		style = t.Text
		if !sameKnob(s.step(k, v, -1), v) {
			left = cells.PadLeft(t.Left+" ", gap)
		}
		right = "  "
		if !sameKnob(s.step(k, v, 1), v) {
			right = " " + t.Right
		}
	}
	l.Text(t.Accent, left)
	l.Text(style, knobText(k, v))
	l.Text(t.Accent, right)
	l.Text(t.Faint, was)
	return l.End()
}

// knobText is the value of a knob.
func knobText(k knob, v any) string {
	switch v := v.(type) {
	case nil:
		return "unknown"
	case float64:
		text := strconv.FormatFloat(v, 'g', 6, 64)
		if k == knobThreshold {
			text += "%"
		}
		return text
	case int:
		if k == knobContext {
			return shortTokens(v)
		}
		return thousands(v)
	case bool:
		return map[bool]string{true: "yes", false: "no"}[v]
	case string:
		return model.Sanitize(v)
	case []string:
		return plural(len(v), "tool")
	}
	return ""
}

// shortTokens writes a round number of tokens short, and any other in full.
func shortTokens(n int) string {
	switch {
	case n >= 1_000_000 && n%100_000 == 0:
		return strconv.FormatFloat(float64(n)/1e6, 'g', -1, 64) + "M"
	case n >= 1000 && n%1000 == 0:
		return strconv.Itoa(n/1000) + "k"
	}
	return thousands(n)
}

// shortMethods name the token methods in a column of numbers.
var shortMethods = map[tokens.Method]string{tokens.Chars4: "chars4", tokens.O200k: "o200k", tokens.Cl100k: "cl100k"}

// drawChange draws the state without the knobs against the state with them. That
// is the state on disk only while no flag goes before the file. Where the two are counted by different methods, the columns say by which.
func (s *budgetScreen) drawChange(t *Theme, w, h int) []string {
	disk, now := s.disk().Budget, s.state.Budget
	cell := 11
	if w < 44 {
		cell = 9
	}
	was, is := "on disk", "now"
	if s.app.input.Flags.Context != nil {
		was = "no knobs"
	}
	if a, b := disk.Tokenizer, now.Tokenizer; a != b {
		was, is = shortMethods[a], shortMethods[b]
		if cell > 9 {
			was, is = "was "+was, "now "+is
		}
	}
	heads := cells.PadLeft(was, cell) + cells.PadLeft(is, cell) + cells.PadLeft("change", cell)
	lines := []string{s.rule(t, w, s.focused(partChange) && s.part == partChange, "tokens", heads)}
	var l cells.Line
	row := func(label, was, is, change string) {
		l.Start(w)
		l.Gap(1)
		l.Cell(t.Text, label, max(8, w-3*cell-1))
		l.CellRight(t.Faint, was, cell)
		l.CellRight(t.Number, is, cell)
		style := t.Faint
		if was != is {
			style = t.Changed
		}
		l.CellRight(style, change, cell)
		lines = append(lines, l.End())
	}
	number := func(label string, was, is int) { row(label, thousands(was), thousands(is), difference(t, was, is)) }
	number("everything", disk.EagerTokens, now.EagerTokens)
	number("sent", disk.AfterTokens, now.AfterTokens)
	number("saved", disk.SavedTokens, now.SavedTokens)
	number("threshold", disk.ThresholdTokens, now.ThresholdTokens)
	flips := t.Same
	if disk.Active != now.Active {
		flips = "flips"
	}
	row("search", onOff(disk.Active), onOff(now.Active), flips)
	wasSaved, _, wasKnown := disk.ReferenceSaved()
	isSaved, _, isKnown := now.ReferenceSaved()
	if wasKnown && isKnown {
		number(agentSaves, wasSaved, isSaved)
	} else {
		row(agentSaves, figure(wasSaved, wasKnown), figure(isSaved, isKnown), "")
	}
	return lines
}

// agentSaves names what the reference agent saves, whose own bridge costs more.
const agentSaves = "agent saves"

// figure returns a number, or a dash when it is not known.
func figure(n int, known bool) string {
	if !known {
		return "–"
	}
	return thousands(n)
}

// difference says how far a number went up or down.
func difference(t *Theme, was, is int) string {
	switch {
	case is > was:
		return t.Risen + thousands(is-was)
	case is < was:
		return t.Fallen + thousands(was-is)
	}
	return t.Same
}

// ranking reports whether the knob under the cursor changes what a query
// finds, and not what is sent.
func (s *budgetScreen) ranking() bool {
	return s.has() != partCosts && (s.knob == knobLimit || s.knob == knobK1 || s.knob == knobB || s.knob == knobRanker)
}

// drawRanking draws the hits of the query, with what the knobs did to them.
func (s *budgetScreen) drawRanking(t *Theme, w, h int) []string {
	p := s.app.hits
	heading, note := p.title()
	lines := []string{s.rule(t, w, s.part == partCurve && s.focused(partCurve), heading, note)}
	if p.browsing {
		return append(lines, message(t, w, max(0, h-1), "type a query in Explore", "to see here how its hits move")...)
	}
	p.cursor, p.list = -1, window{} // the best, and none selected
	return append(lines, p.draw(t, w, max(0, h-1), false)...)
}

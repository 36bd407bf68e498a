package desk

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"caliper/config"
	"caliper/engine/tokens"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/ui"
)

// Text returns a value of a knob as it is drawn.
func (k *Knob) Text(v any) string {
	switch v := v.(type) {
	case nil:
		return "unknown"
	case float64:
		if v == 0 && k.Key == config.KeyConfidence {
			return "off"
		}
		return k.withUnit(strconv.FormatFloat(v, 'g', 6, 64))
	case int:
		if k.Unit == config.Tokens {
			return shortTokens(v)
		}
		return k.withUnit(words.Thousands(v))
	case bool:
		return map[bool]string{true: "yes", false: "no"}[v]
	case string:
		return cmp.Or(safetext.Line(strings.TrimPrefix(v, tokens.RenderedPrefix)), "none") // short enough beside a label: the provider says it
	case []string:
		return words.CountThousands(len(v), "tool")
	}
	return ""
}

// withUnit returns a value with its unit behind it, where that is short.
func (k *Knob) withUnit(text string) string {
	switch k.Unit {
	case config.Percent:
		return text + string(k.Unit)
	case config.Hours, config.Megabytes, config.Millis:
		return text + " " + string(k.Unit)
	}
	return text
}

// shortTokens writes a round number of tokens short, and any other in full.
func shortTokens(n int) string {
	switch {
	case n >= 1_000_000 && n%100_000 == 0:
		return strconv.FormatFloat(float64(n)/1e6, 'g', -1, 64) + "M"
	case n >= 1000 && n%1000 == 0:
		return strconv.Itoa(n/1000) + "k"
	}
	return words.Thousands(n)
}

// wasTexts returns the text behind a turned knob about the value that it
// had, the longer text first. For a list it is how many names came and went.
func (k *Knob) wasTexts(v, disk any) []string {
	now, list := v.([]string)
	if !list {
		return []string{" was " + k.Text(disk), " (" + k.Text(disk) + ")"}
	}
	was, _ := disk.([]string)
	missing := func(from, in []string) int {
		return len(slices.DeleteFunc(slices.Clone(from), func(name string) bool { return slices.Contains(in, name) }))
	}
	lost := words.Thousands(missing(was, now))
	if lost != "0" {
		lost = "−" + lost
	}
	return []string{" (+" + words.Thousands(missing(now, was)) + " " + lost + ")"}
}

// The column of the labels of a group is as wide as its longest label. Values, and the
// arrows around the one that is turned, are behind it.
const (
	leastColumn = 10 // also of a group with short labels, so that groups beside each other align
	leastLabel  = 5  // cells that a long value leaves its label
	labelGap    = 3  // room for the arrow before the value, which it keeps without
	arrowAfter  = 2
	usualValue  = 7 // cells of "128,000" and "3 tools"
)

// columns has the width of the labels of each group.
var columns = func() map[KnobGroup]int {
	widths := map[KnobGroup]int{}
	for _, k := range table {
		widths[k.Group] = max(widths[k.Group], leastColumn, ui.Width(k.Label))
	}
	return widths
}()

// KnobsWidth returns the width that shows every label of a group beside a usual value.
func KnobsWidth(g KnobGroup) int { return 1 + columns[g] + labelGap + usualValue + arrowAfter }

// layout returns how many cells the label of a knob has in a line of w cells, how many
// the gap behind it, and, for a turned knob, the text about the value that it had,
// empty when none fits. A label leaves its column for that text, and is cut before the
// value is.
func (k *Knob) layout(v, disk any, on bool, w int) (label, gap int, was string) {
	near, arrow := 1, 0
	if on {
		near, arrow = labelGap, arrowAfter
	}
	room := w - 1 - ui.Width(k.short(v)) - arrow
	column, own := columns[k.Group], ui.Width(k.Label)
	if !SameValue(v, disk) {
		texts := k.wasTexts(v, disk)
		for _, try := range [][2]int{{column, labelGap}, {own, near}} {
			for _, was := range texts {
				if try[0]+try[1]+ui.Width(was) <= room {
					return try[0], try[1], was
				}
			}
		}
	}
	return max(min(column, room-labelGap), min(own, leastLabel)), labelGap, ""
}

// The marks of a knob that no configuration file can hold, of one for which another value is
// used, and of one that decides nothing. The first of each that fits is drawn.
var (
	tryOnly = []string{"  cannot be saved"}
	isFixed = []string{"  fixed", " fixed"}
	isIdle  = []string{"  no effect"}
)

// Draw returns the line of a knob, w cells wide: its value, between arrows where
// it can be turned while it has the keys, and the value that it had where that
// is another.
func (s *KnobSet) Draw(t *ui.Theme, k *Knob, w int, on bool) string {
	l := ui.StartLine(w, 0)
	if on {
		l.Under(t.Selection)
		l.Text(t.Accent, t.Selected)
	} else {
		l.Gap(1)
	}
	v := s.Value(k)
	style := t.Number
	if s.Turned(k) {
		style = t.Warn
	}
	width, gap, was := k.layout(v, s.OnDisk(k), on, w)
	named, left, right := t.Text, ui.Spaces(gap), ""
	fixed, idle := s.Idle(k)
	if idle != "" {
		named, style = t.Faint, t.Faint
	}
	l.Cell(named, k.Label, width)
	if on {
		style = t.Text
		if !SameValue(s.Next(k, -1), v) {
			left = ui.PadLeft(t.Left+" ", gap)
		}
		right = "  "
		if !SameValue(s.Next(k, 1), v) {
			right = " " + t.Right
		}
	}
	value, marks := k.short(v), []string(nil)
	switch {
	case fixed != "":
		value, was, marks = fixed, "", isFixed
	case idle != "":
		marks = isIdle
	case s.WhyTryOnly(k) != "":
		marks = tryOnly
	}
	l.Text(t.Accent, left)
	l.Text(style, value)
	l.Text(t.Accent, right)
	l.Text(t.Faint, was)
	for _, mark := range marks {
		if ui.Width(mark) <= l.Room() {
			l.Text(t.Faint, mark)
			break
		}
	}
	return l.End()
}

// InFull returns what Draw has no room for in w cells of the knob that has the keys: its
// value where that or the label is cut, and the value that it had; empty when the line
// shows all.
func (s *KnobSet) InFull(k *Knob, w int) string {
	v, disk := s.Value(k), s.OnDisk(k)
	width, gap, was := k.layout(v, disk, true, w)
	text := k.Label
	if width < ui.Width(k.Label) || 1+width+gap+ui.Width(k.short(v))+arrowAfter > w {
		text += " " + k.Text(v)
	}
	if !SameValue(v, disk) && was == "" {
		text += k.wasTexts(v, disk)[0]
	}
	if text == k.Label {
		return ""
	}
	return text
}

// DrawPanel draws some knobs as the knobs of a sheet, in exactly h lines, and
// phrases about them where there is room. With focused the selected knob is lit up.
func (s *KnobSet) DrawPanel(t *ui.Theme, sheet *ui.Sheet, knobs []*Knob, about [][]ui.Phrase, focused bool, w, h int) []string {
	var changedText string
	n := 0
	for _, k := range knobs {
		if k.habit == nil && s.Turned(k) {
			n++
		}
	}
	if n != 0 {
		changedText = ui.Thousands(n) + " changed"
	}
	lines := []string{ui.DrawHeading(t, w, focused, "knobs", changedText)}
	sheet.KnobList.Follow(sheet.Knob, h-1, len(knobs))
	sheet.KnobRoom = h - 1
	for i := sheet.KnobList.Top; i < len(knobs) && len(lines) < h; i++ {
		lines = append(lines, s.Draw(t, knobs[i], w, focused && i == sheet.Knob))
	}
	if text := s.InFull(knobs[min(sheet.Knob, len(knobs)-1)], w); focused && text != "" {
		about = append([][]ui.Phrase{{{Style: t.Warn, Text: text}}}, about...)
	}
	if text := ui.Flow(w, 1, about...); len(about) > 0 && len(lines)+1+len(text) <= h {
		lines = append(lines, ui.Spaces(w))
		lines = append(lines, text...)
	}
	return ui.FitLines(lines, w, h)
}

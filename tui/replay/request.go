package replay

import (
	"fmt"
	"strings"

	"caliper/engine/replay"
	"caliper/model/safetext"
	"caliper/tui/cells"
	"caliper/tui/report"
	"caliper/tui/ui"
)

// parts is the context of a request, as a bar: how many cells each part has.
type parts [4]int

// partNames are what a bar consists of, in its order, and partGlyphs what each
// is drawn with, so that no colour is needed to tell them apart.
var (
	partNames  = [4]string{"tools", "system and rest", "messages", "results"}
	partGlyphs = [2][4]string{{"█", "▓", "▒", "░"}, {"#", "=", "+", "-"}}
)

// amounts returns the tokens of the parts of a request.
func amounts(x step) [4]float64 { return [4]float64{x.Tools, max(0, x.Rest), x.Messages, x.Results} }

// barOf returns the bar of a request that is drawn in w cells when its input is
// most.
func barOf(x step, most float64, w int) *parts {
	var p parts
	sum, drawn := 0.0, 0
	for i, n := range amounts(x) {
		sum += max(0, n)
		if end := min(w, int(sum/max(1, most)*float64(w)+0.5)); end > drawn {
			p[i], drawn = end-drawn, end
		}
	}
	return &p
}

// tripWord says what a request is for.
func tripWord(t replay.Trip) string {
	switch t {
	case replay.SearchTrip:
		return "search"
	case replay.DescribeTrip:
		return "describe"
	}
	return "request"
}

// lowest is the height from which on the requests around the one that is looked at, and
// the legend of their bars, are shown.
const lowest = 12

// around returns how many requests are shown before and after the one that is looked
// at, so that what is said of that one has some ten lines.
func (s *Screen) around() int {
	if s.h < lowest {
		return 0
	}
	return max(3, (s.h-22)/2)
}

// requestLines has the session that is looked at: its time line, the requests
// around the current one with their contexts, and the calls and chains of that
// one.
func (s *Screen) requestLines(w int) []row {
	i, under, steps := s.current()
	if i < 0 {
		return nil
	}
	x := s.report.Sessions[i]
	started := "started unknown"
	if !x.Started.IsZero() {
		started = x.Started.UTC().Format("2006-01-02 15:04")
	}
	out := []row{{text: ui.Longest(w, fmt.Sprintf("%s  %s  %s  really used: %s", x.Agent, safetext.Line(x.Model), started, x.Used),
		fmt.Sprintf("%s  really used: %s", x.Agent, x.Used))}}
	n, input := ui.Count(len(steps), "request"), ui.Thousands(under.Tokens.Input)
	sums := fmt.Sprintf("under %s: %s, %s tokens of input, %s cached", under.Strategy, n, input, ui.Thousands(under.Tokens.Cached))
	sums = ui.Longest(w, sums+"   < > another strategy", sums, fmt.Sprintf("under %s: %s tokens", under.Strategy, input))
	out = append(out, row{tone: strong, text: sums})
	if len(steps) == 0 {
		return append(append(out, row{text: "no request was logged in this session"}), loggedLines(x, w)...)
	}
	at := max(0, min(s.step, len(steps)-1))
	most := 0.0
	for _, x := range steps {
		most = max(most, x.Input())
	}
	out = append(out, s.timeLine(steps, at, most, w)...)
	if s.h >= lowest {
		out = append(out, row{legend: true})
	}
	around := s.around()
	for n := max(0, at-around); n <= min(len(steps)-1, at+around); n++ {
		mark := " "
		if n == at {
			mark = s.glyphs.Right
		}
		text := fmt.Sprintf("%s%4d %-8s %9s  cached %9s ", mark, n+1, tripWord(steps[n].Trip), ui.Thousands(int(steps[n].Input())), ui.Thousands(int(steps[n].Cached)))
		r := row{text: text, tone: faint}
		if n == at {
			r.tone = plain
		}
		if room := w - cells.Width(text); room >= 8 {
			r.parts = barOf(steps[n], most, min(room, 60))
		} else {
			r.text = fmt.Sprintf("%s%4d %-8s %9s", mark, n+1, tripWord(steps[n].Trip), ui.Thousands(int(steps[n].Input())))
			r.parts = barOf(steps[n], most, max(0, w-cells.Width(r.text)-1))
		}
		out = append(out, r)
	}
	return append(append(out, s.detailLines(i, steps[at], at, w)...), loggedLines(x, w)...)
}

// loggedLines has what was logged of a session beside what is recomputed.
func loggedLines(x replay.Session, w int) []row {
	out := heading("What was logged")
	for _, line := range cells.Wrap(report.ReplaySession(x), w) {
		out = append(out, row{text: line})
	}
	return out
}

// partGlyphs returns what the parts of a bar are drawn with.
func (s *Screen) partGlyphs() [4]string {
	if s.glyphs.Full == "█" {
		return partGlyphs[0]
	}
	return partGlyphs[1]
}

// timeLine returns the input of every request as a row of levels with a mark
// under the current one; of a long session the part around it.
func (s *Screen) timeLine(steps []step, at int, most float64, w int) []row {
	first := max(0, min(at-w/2, len(steps)-w))
	var levels strings.Builder
	for _, x := range steps[first:min(len(steps), first+w)] {
		levels.WriteString(s.glyphs.Level(max(1, int(x.Input()/max(1, most)*8+0.5))))
	}
	return []row{{text: levels.String()}, {text: cells.Spaces(at-first) + s.glyphs.Up}}
}

// detailLines says of one request what its context consists of, which calls it
// made, and in which chains it stands.
func (s *Screen) detailLines(session int, x step, at, w int) []row {
	out := heading(fmt.Sprintf("%s %d", tripWord(x.Trip), at+1))
	text := ""
	for p, n := range amounts(x) {
		text += fmt.Sprintf("%s %s  ", partNames[p], ui.Thousands(int(n)))
	}
	text += fmt.Sprintf("cached %s  written %s", ui.Thousands(int(x.Cached)), ui.Thousands(int(x.Written)))
	for _, line := range cells.Wrap(text, w) {
		out = append(out, row{text: line})
	}
	if input := x.Input(); input > 0 {
		const bar = 40
		cached := max(0, min(bar, int(x.Cached/input*bar+0.5)))
		out = append(out, row{text: cells.Truncate(fmt.Sprintf("%s%s %.0f%% read from the cache", strings.Repeat(s.glyphs.Full, cached), strings.Repeat(s.glyphs.Empty, bar-cached), 100*x.Cached/input), w)})
	}
	none := true
	for i := range s.report.Calls {
		c := &s.report.Calls[i]
		if c.Session == session && c.Context == x.Context && c.Entry == x.Entry {
			out = append(out, s.callRows(c, false, w)...)
			none = false
		}
	}
	if none {
		out = append(out, row{text: "no call of a tool", tone: faint})
	}
	for _, c := range s.report.Chains {
		if c.Session == session && c.Context == x.Context && c.First <= x.Entry && x.Entry <= c.Last {
			out = append(out, s.chainRows(c, false, w)...)
		}
	}
	return out
}

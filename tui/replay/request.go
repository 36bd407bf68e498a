package replay

import (
	"cmp"
	"fmt"
	"strings"

	"caliper/engine/replay"
	"caliper/engine/transcript"
	"caliper/model/safetext"
	"caliper/tui/report"
	"caliper/tui/report/replays"
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

// amounts returns the tokens of the parts of a request. The rest is below 0, and not shown, where the log's provider
// counts fewer tokens than the parts have by the tokenizer.
func amounts(x step) [4]float64 { return [4]float64{x.Tools, x.Rest, x.Messages, x.Results} }

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

// tripWord names the purpose of a round trip that a strategy adds; a request of the log is
// for none.
func tripWord(t replay.Trip) string {
	switch t {
	case replay.SearchTrip:
		return "search"
	case replay.DescribeTrip:
		return "describe"
	}
	return ""
}

const (
	// lowest is the height from which on the requests around the one that is looked at,
	// and the legend of their bars, are shown.
	lowest = 12
	// otherLines are the lines of the height that stay for the part above the requests, and
	// for the details of the one that is looked at.
	otherLines = 14
)

// requestLines has the session that is open: its time line, the requests
// around the current one with their contexts, and the calls and chains of that
// one.
func (s *Screen) requestLines(w int) []row {
	i := s.report.numberOf(s.session)
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
	r := s.current()
	if r == nil {
		return append(append(out, row{text: s.waiting(), tone: faint}), loggedLines(x, w)...)
	}
	under := r.under(s.strategy)
	steps := under.Steps
	name := report.StrategyName(under.Strategy, s.report.Embedder)
	n, input := ui.Count(len(steps), "request"), ui.Thousands(under.Tokens.Input)
	sums := fmt.Sprintf("under %s: %s, %s tokens of input, %s cached", name, n, input, ui.Thousands(under.Tokens.Cached))
	sums = ui.Longest(w, sums+"   < > another strategy", sums, fmt.Sprintf("under %s: %s tokens", name, input))
	out = append(out, row{tone: strong, text: sums})
	if len(steps) == 0 {
		return append(append(out, row{text: "no request was logged in this session"}), loggedLines(x, w)...)
	}
	at := max(0, min(s.step, len(steps)-1))
	most := 0.0
	for _, x := range steps {
		most = max(most, x.Input())
	}
	first := max(0, min(at-w/2, len(steps)-w)) // of a long session the part around the request
	var levels strings.Builder
	for _, x := range steps[first:min(len(steps), first+w)] {
		levels.WriteString(s.glyphs.Level(max(1, int(x.Input()/max(1, most)*8+0.5))))
	}
	out = append(out, row{text: levels.String()}, row{text: ui.Spaces(at-first) + s.glyphs.Up})
	if s.h >= lowest {
		out = append(out, row{legend: true})
	}
	rows := min(len(steps), max(5, s.h-otherLines)) // as many as there is room for
	if s.h < lowest {
		rows = 1
	}
	from := max(0, min(at-rows/2, len(steps)-rows))
	for n := from; n < from+rows; n++ {
		out = append(out, s.requestRow(r, n, at, steps[n], most, w))
	}
	return append(append(out, s.detailLines(r, steps[at], at, w)...), loggedLines(x, w)...)
}

// waiting tells why the requests of the session are not known yet.
func (s *Screen) waiting() string {
	switch st := s.single.Status; {
	case st.Err != nil:
		return "replaying the session failed: enter starts it again"
	case st.Stopped:
		return "cancelled: enter starts it again"
	}
	return "replaying the session; esc cancels"
}

// The cells of a request's bar, and of what came of it.
const (
	leastBar, mostBar = 8, 60
	leastDone         = 16
	mostDone          = 48
)

// requestRow returns row n of a session's requests, of which the row at is looked at: the number of
// its request in the log, which the round trips in front of it have too, its size, its context as a
// bar, and, where the width allows, its outcome.
func (s *Screen) requestRow(of *requests, n, at int, x step, most float64, w int) row {
	mark, tone := " ", faint
	if n == at {
		mark, tone = s.glyphs.Right, plain
	}
	head := fmt.Sprintf("%s%4d %9s ", mark, x.Request, ui.Thousands(int(x.Input())))
	text := fmt.Sprintf("%s cached %9s ", head, ui.Thousands(int(x.Cached)))
	room := w - ui.Width(text)
	if room < leastBar {
		return row{text: head, tone: tone, parts: barOf(x, most, max(0, w-ui.Width(head)))}
	}
	r := row{text: text, tone: tone}
	if done := min(mostDone, room-1-room/3); done >= leastDone {
		outcome := tripWord(x.Trip) // or the first tool that its answer called, and how many more
		if calls := of.calls[answerPosition{x.Context, x.Entry}]; outcome == "" && len(calls) > 0 {
			if outcome = calledName(&of.report.Calls[calls[0]]); len(calls) > 1 {
				outcome = fmt.Sprintf("%s +%d", outcome, len(calls)-1)
			}
		}
		r.behind = " " + ui.FitName(cmp.Or(outcome, "no call of a tool"), done)
		room -= 1 + done
	}
	r.parts = barOf(x, most, min(room, mostBar))
	r.bar = min(room, mostBar)
	return r
}

// loggedLines has the logged figures of a session beside the recomputed ones.
func loggedLines(x replay.Session, w int) []row {
	return append(heading("What was logged"), lines(replays.ReplaySession(x), w)...)
}

// partGlyphs returns what the parts of a bar are drawn with.
func (s *Screen) partGlyphs() [4]string {
	if s.glyphs.Full == "█" {
		return partGlyphs[0]
	}
	return partGlyphs[1]
}

// detailLines says of one request what its context consists of, which calls it
// made, and in which chains it stands.
func (s *Screen) detailLines(r *requests, x step, at, w int) []row {
	what := fmt.Sprintf("request %d of the log", x.Request)
	if word := tripWord(x.Trip); word != "" {
		what = word + " before " + what
	}
	out := heading(what)
	var text []string
	for p, n := range amounts(x) {
		if n >= 0 {
			text = append(text, partNames[p]+" "+ui.Thousands(int(n)))
		}
	}
	if over := int(-x.Rest); over > 0 {
		text = append(text, ui.Thousands(over)+" more than the log says")
		if s.calibrated == "" {
			text = append(text, "T fits the tokenizer")
		}
	}
	out = append(out, lines(strings.Join(text, "  "), w)...)
	if input := x.Input(); input > 0 {
		share := 100 * x.Cached / input
		if x.Cached < input {
			share = min(share, 99) // 99.6 % is not 100 % while something was sent anew
		}
		read := fmt.Sprintf("%.0f%% read from the cache, %s written", share, ui.Thousands(int(x.Written)))
		bar := max(0, min(40, w-ui.Width(read)-1))
		cached := max(0, min(bar, int(x.Cached/input*float64(bar)+0.5)))
		out = append(out, row{text: ui.Truncate(fmt.Sprintf("%s%s %s", strings.Repeat(s.glyphs.Full, cached), strings.Repeat(s.glyphs.Empty, bar-cached), read), w)})
	}
	before := transcript.None // the answer of the step before
	if steps := s.steps(); at > 0 && steps[at-1].Context == x.Context {
		before = steps[at-1].Entry
	}
	for _, c := range r.report.Cache.Each {
		if c.Context == x.Context && c.Entry == x.Entry {
			out = append(out, lines(fmt.Sprintf("as logged: read %s of %s tokens that the cache could give", ui.Thousands(c.Read), ui.Thousands(c.Could)), w)...)
		}
	}
	for _, b := range r.report.Cache.Breaks {
		if b.Context == x.Context && before < b.Entry && b.Entry <= x.Entry {
			without := ""
			if b.Request != x.Request {
				without = ", which this strategy does without,"
			}
			out = append(out, wrapped(row{tone: bad, text: fmt.Sprintf("request %d of the log%s lost its cached prefix: %s", b.Request, without, replays.BreakWords(r.of.Report, b, true))}, w)...)
		}
	}
	none := true
	for _, i := range r.calls[answerPosition{x.Context, x.Entry}] {
		out = append(out, r.of.callRows(&r.report.Calls[i], false, w)...)
		none = false
	}
	if none {
		out = append(out, row{text: "no call of a tool", tone: faint})
	}
	for _, c := range r.report.Chains {
		if c.Context == x.Context && c.First <= x.Entry && x.Entry <= c.Last {
			out = append(out, r.of.chainRows(c, false, w)...)
		}
	}
	return out
}

package desk

import (
	"fmt"
	"strconv"
	"strings"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/hosts"
	"caliper/tui/report"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// HeaderLines is the lines above every screen: the files, the session, the token gauge.
type HeaderLines struct {
	Files   string // names of the inputs, safe for a terminal
	Fresh   string // clock time when the inputs were last read
	Good    string // clock time when they were last read without an error; empty for never
	State   *workbench.State
	Busy    string // name of the work that takes long; empty for none
	Note    string // how the files are watched, when that matters
	Paused  bool
	Late    bool // a change came while paused
	Session string
	Demo    bool // the inputs are the demo's

	Header // facts of the screens
}

// stale reports whether the inputs have errors.
func (p *HeaderLines) stale() bool { return p.State != nil && len(p.State.Errors) > 0 }

// The cells from which the line of the files has room for the tokenizer beside errors, and
// that an error has before the thing that is shown in place of its file.
const leastBesideErrors, leastError = 100, 16

// drawStale draws in w cells that the inputs have errors: the time of the state shown, the first
// error, and the number of the others. Without such a time nothing older is shown.
func (p *HeaderLines) drawStale(l *ui.Line, t *ui.Theme, w int) {
	end := l.At() + w
	word := " STALE "
	if p.Good == "" {
		word = " BROKEN "
	}
	l.Text(t.Stale, word)
	for _, m := range p.modes(t) { // which the error must not hide
		l.Gap(1)
		l.Text(m.Style, m.Text)
	}
	if p.Good != "" {
		l.Text(t.Faint, ui.Longest(max(0, end-l.At()-leastError), " last good "+p.Good, " good "+p.Good, ""))
	}
	more := ""
	if n := len(p.State.Errors) - 1; n > 0 {
		more = " +" + ui.Thousands(n)
	}
	l.Text(t.Bad, " "+ui.Truncate(p.State.Errors[0].Brief(), end-l.At()-1-ui.Width(more))+more)
}

// Draw returns exactly h lines of w cells: the whole header in three lines, the
// files and a short gauge in two, or only the short gauge in one.
func (p *HeaderLines) Draw(t *ui.Theme, w, h int) []string {
	var l ui.Line
	line := func(draw func(*ui.Line, *ui.Theme)) string {
		l.Start(w)
		draw(&l, t)
		return l.End()
	}
	switch {
	case h <= 0:
		return nil
	case h == 1:
		return []string{line(p.drawAlone)}
	case h == 2:
		return []string{line(p.drawFiles), line(p.drawShort)}
	}
	out := []string{line(p.drawFiles), line(p.drawTokens), line(p.drawSent)}
	for len(out) < h {
		out = append(out, ui.Spaces(w))
	}
	return out
}

// drawFiles draws the name of the program, the inputs, and on the right the
// session and the tokenizer. Errors replace the description of the inputs.
func (p *HeaderLines) drawFiles(l *ui.Line, t *ui.Theme) {
	l.Text(t.Brand, "caliper")
	l.Gap(1)
	if !p.Demo { // whose mark has blanks of its own
		l.Gap(1)
	}
	p.drawDemo(l, t)
	p.drawWaiting(l, t)
	session, tokenizer := p.Right(t, l.At()+l.Room())
	right := session + tokenizer
	room := l.Room() - ui.Width(right) - 2
	if p.stale() {
		p.drawStale(l, t, room)
	} else {
		p.drawFresh(l, t, room)
	}
	l.Right(t.Text, right)
}

// drawFresh draws the inputs while they have no errors.
func (p *HeaderLines) drawFresh(l *ui.Line, t *ui.Theme, room int) {
	end := l.Room() - room
	marks := p.marks(t, room)
	warnings := 0 // cells that their number takes
	if p.State != nil && len(p.State.Warnings) > 0 {
		warnings = ui.Width("  ! " + ui.Thousands(len(p.State.Warnings)))
	}
	files := max(leastFiles, room/2)
	aged := p.Violations == 0 && !p.tries() && !p.Paused // else the time of the files matters less
	if len(marks) > 0 {
		files = min(files, room-marksWidth(marks)-warnings)
		if aged {
			files -= ui.Width(" " + t.Dot)
		}
	}
	if files >= leastFiles {
		l.Text(t.Text, ui.Truncate(p.Files, files))
		l.Gap(1)
	}
	drawMarks(l, marks)
	switch left := l.Room() - end - warnings; {
	case !aged:
	case len(marks) > 0 && left < 1+ui.Width(t.Dot):
	default:
		l.Gap(min(len(marks), 1))
		// The sign alone tells that they are as they are on disk.
		w := left - 1
		if p.Busy != "" {
			l.Text(t.Warn, ui.Truncate(p.Busy, max(w, 1)))
		} else {
			l.Text(t.Ok, t.Dot)
			if fresh := " " + p.Fresh; ui.Width(t.Dot+fresh) <= w {
				l.Text(t.Faint, fresh)
			}
		}
	}
	if p.State == nil {
		return
	}
	// What the user cannot see elsewhere comes first.
	draw := func(text string) bool {
		fits := text != "" && l.Room()-end >= ui.Width(text)+2
		if fits {
			l.Gap(2)
			l.Text(t.Faint, text)
		}
		return fits
	}
	draw(p.Note)
	if n := len(p.State.Warnings); n > 0 && !draw("! "+ui.Count(n, "warning")) {
		draw("! " + ui.Thousands(n))
	}
	r := p.State.Snapshot.Registry
	draw(ui.Count(len(r.Tools), "tool"))
	draw(ui.Count(len(r.Toolsets), "toolset"))
}

// leastFiles is the fewest cells in which the names of the inputs are of use.
const leastFiles = 8

// Right returns the session and the tokenizer, as drawn in a line of w cells. Errors and
// marks take the room of the tokenizer in a narrow one, and marks the session's.
func (p *HeaderLines) Right(t *ui.Theme, w int) (session, tokenizer string) {
	if p.State == nil {
		return "", ""
	}
	session = "session " + p.Session + " " + t.Expanded
	if p.stale() && w < leastBesideErrors {
		return session, ""
	}
	tokenizer = "  " + string(p.State.Snapshot.Tokenizer) + " " + t.Expanded
	if p.stale() {
		return session, tokenizer
	}
	text := ""
	if p.Demo {
		text = demoText + " "
	}
	if waiting := p.waitingText(); waiting != "" {
		text += waiting + " "
	}
	room := w - len("caliper  ") - ui.Width(text) - len("  ")
	marks := marksWidth(p.marks(t, room-ui.Width(session+tokenizer)))
	if marks > 0 && room-ui.Width(session+tokenizer)-leastFiles < marks {
		tokenizer = ""
	}
	return ui.Truncate(session, max(room-marks, 0)), tokenizer
}

// gaugeScale returns the tokens at full length of the gauge: the context
// length, or without one enough for all values that the gauge shows.
func gaugeScale(b engine.Budget) int {
	if b.ContextLength != nil && *b.ContextLength > 0 {
		return *b.ContextLength
	}
	return max(b.EagerTokens, b.ThresholdTokens, 1) * 5 / 4
}

// drawTokens draws the cost of sending all definitions, and the threshold.
func (p *HeaderLines) drawTokens(l *ui.Line, t *ui.Theme) {
	if p.State == nil {
		return
	}
	b := p.State.Budget
	scale := gaugeScale(b)
	l.Cell(t.Faint, "tokens", 8)
	ui.Bar{
		Fraction: float64(b.EagerTokens) / float64(scale),
		Mark:     thresholdMark(b, scale),
		Fill:     t.Accent, Empty: true,
	}.Draw(l, t, ui.GaugeWidth(l.At()+l.Room()))
	l.Gap(2)
	l.Text(t.Number, ui.Thousands(b.EagerTokens))
	// Disk is the budget without trials.
	var ofContext string
	disk := p.State.OnDisk().Budget
	if b.ContextLength == nil || *b.ContextLength <= 0 {
		ofContext = " tokens"
	} else {
		from := "--context "
		switch {
		case b.ContextOrigin == config.ContextTable:
			from = ""
		case b.ContextOrigin == config.ContextConfig:
			from = "the config's "
		case disk.ContextOrigin != b.ContextOrigin || *disk.ContextLength != *b.ContextLength:
			from = "a tried "
		}
		ofContext = " of " + from + ui.Thousands(*b.ContextLength)
	}
	l.Text(t.Faint, ofContext+share(b.EagerTokens, b))
	long, short := decidedBy(b)
	as := "as " + p.State.Snapshot.Host().Called()
	if simulated := p.simulated(); simulated != "" {
		l.Text(t.Faint, "   "+ui.Longest(l.Room()-3, as+" · "+simulated, as))
		return
	}
	name, _, _ := strings.Cut(as, ",")
	l.Text(t.Faint, "   "+ui.Longest(l.Room()-3, long+" · "+as, short+" · "+as, short+" · "+name, as))
}

// simulated names the parts that are not the host's but the reference agent's; empty where that is the
// host.
func (p *HeaderLines) simulated() string {
	if p.State.Snapshot.Host().Generation != "" {
		return ""
	}
	return "gates as " + hosts.OfGeneration(p.State.Budget.Generation).Called()
}

// thresholdMark returns where on the gauge tool search switches on; -1 where no
// threshold decides.
func thresholdMark(b engine.Budget, scale int) float64 {
	if b.Listing != nil || b.Host != "" {
		return -1
	}
	return float64(b.ThresholdTokens) / float64(scale)
}

// drawSent draws the cost of the assembly and the tokens that it saves.
func (p *HeaderLines) drawSent(l *ui.Line, t *ui.Theme) {
	if p.State == nil {
		return
	}
	b := p.State.Budget
	l.Cell(t.Faint, "sent", 8)
	if p.Gauge.Strategy != "" && (p.Gauge.Live || p.Gauge.Sent != nil) {
		g, b := p.Gauge, p.State.Budget
		if g.Sent == nil {
			l.Gap(ui.GaugeWidth(l.At()+l.Room()) + 2)
			l.Text(t.Faint, "selecting   ")
			l.Text(t.Badge, " "+g.Words()+" ")
		} else {
			ui.Bar{
				Fraction: float64(g.Sent.SchemaTokens) / float64(gaugeScale(b)),
				Mark:     -1, Fill: t.Ok,
			}.Draw(l, t, ui.GaugeWidth(l.At()+l.Room()))
			l.Gap(2)
			l.Text(t.Number, ui.Thousands(g.Sent.SchemaTokens))
			l.Text(t.Faint, share(g.Sent.SchemaTokens, b)+"   ")
			l.Text(t.Text, fmt.Sprintf("saved %s (%s)   ", ui.Thousands(g.Sent.EagerTokens-g.Sent.SchemaTokens), ui.Percent(g.Sent.SavedPct)))
			l.Text(t.Badge, " "+g.Words()+" ")
			l.Text(t.Faint, " "+g.MessageWords())
			if warning := g.Warning(); warning != "" {
				l.Text(t.Warn, " "+warning)
			}
		}
		return
	}
	if !b.Measured() {
		l.Gap(ui.GaugeWidth(l.At()+l.Room()) + 2)
		l.Text(t.Faint, "not measured   ")
		p.drawVerdict(l, t)
		return
	}
	ui.Bar{
		Fraction: float64(b.AfterTokens) / float64(gaugeScale(b)),
		Mark:     -1, Fill: t.Ok,
	}.Draw(l, t, ui.GaugeWidth(l.At()+l.Room()))
	l.Gap(2)
	l.Text(t.Number, ui.Thousands(b.AfterTokens))
	l.Text(t.Faint, share(b.AfterTokens, b)+"   ")
	if b.SavedTokens != 0 {
		l.Text(t.Text, fmt.Sprintf("saved %s (%s)   ", ui.Thousands(b.SavedTokens), ui.Percent(b.SavedPct)))
	}
	if p.Gauge.Strategy != "" {
		l.Text(t.Badge, " "+p.Gauge.Words()+" ")
		l.Text(t.Faint, " "+p.Gauge.MessageWords()+" · "+why(b))
		return
	}
	p.drawVerdict(l, t)
}

// drawVerdict draws as text whether search is on.
func (p *HeaderLines) drawVerdict(l *ui.Line, t *ui.Theme) {
	b := p.State.Budget
	if b.Active {
		l.Text(t.Badge, " search ON ")
	} else {
		l.Text(t.SelectionBlur, " search OFF ")
	}
	if p.simulated() != "" {
		l.Text(t.Faint, " "+report.SearchBy(p.State.Snapshot.Host(), p.State.Files.Posture))
		return
	}
	l.Text(t.Faint, " "+why(b))
}

// drawAlone draws the whole header in one line: the errors, or the short gauge.
func (p *HeaderLines) drawAlone(l *ui.Line, t *ui.Theme) {
	p.drawDemo(l, t)
	p.drawWaiting(l, t)
	if p.stale() {
		p.drawStale(l, t, l.Room())
		return
	}
	marks := p.marks(t, l.Room())
	drawMarks(l, marks)
	l.Gap(min(len(marks), 1))
	if len(marks) == 0 || l.Room() >= leastGauge {
		p.drawShort(l, t)
	}
}

// leastGauge is the least width of the short gauge beside marks.
const leastGauge = 19

// drawShort draws the gauge in one line.
func (p *HeaderLines) drawShort(l *ui.Line, t *ui.Theme) {
	if p.State == nil {
		l.Text(t.Faint, p.Busy)
		return
	}
	b := p.State.Budget
	if l.Room() >= 60 {
		ui.Bar{
			Fraction: float64(b.EagerTokens) / float64(gaugeScale(b)),
			Mark:     thresholdMark(b, gaugeScale(b)),
			Fill:     t.Accent, Empty: true,
		}.Draw(l, t, 10)
		l.Gap(1)
	}
	tight := l.Room() < 36 && l.At() > 0 && (p.tries() || p.Paused) // beside marks in the only line
	l.Text(t.Number, ui.Thousands(b.EagerTokens))
	after, s := "?", strings.TrimSpace(share(b.EagerTokens, b))
	if b.Measured() {
		after = ui.Thousands(b.AfterTokens)
	}
	name, _, _ := strings.Cut(p.State.Snapshot.Host().Title, ",")
	rest := ui.Width(" "+t.Right+" "+after+"  ON  ") + ui.Width(name) // the agent is worth more than the share
	if s != "" && !tight && (l.Room() > ui.Width(s)+rest || l.Room() < rest) {
		l.Text(t.Faint, " "+s)
	}
	l.Text(t.Faint, " "+t.Right+" ")
	if p.Gauge.Strategy != "" && (p.Gauge.Live || p.Gauge.Sent != nil) {
		p.drawSelectedShort(l, t)
		return
	}
	l.Text(t.Number, after)
	from := ""
	if b.Mode == config.Auto && b.Listing == nil {
		from = "  threshold " + ui.Thousands(b.ThresholdTokens)
	}
	join := " · "
	if from == "" {
		join = "  "
	}
	if p.simulated() != "" {
		from, join = "", "  "
	}
	as := "as " + p.State.Snapshot.Host().Called()
	if l.Room() < 30 {
		from, join = "", " "
	}
	tok, counted := " tok", " "+string(b.Tokenizer)
	style, word := t.SelectionBlur, report.OnOff(b.Active)
	if b.Active {
		style = t.Badge
	}
	if l.Room() < 30 {
		tok = ""
	}
	room := l.Room() - ui.Width(tok+" "+from+join+name)
	if badge := " search " + word + " "; p.Gauge.Strategy == "" && room < ui.Width(badge+counted) && room >= ui.Width(" "+word+" ") {
		counted = "" // the agent is worth more than what the line above says
	}
	l.Text(t.Faint, tok)
	if tight {
		l.Gap(1)
	} else {
		l.Text(t.Faint, counted+" ")
	}
	if p.Gauge.Strategy != "" {
		l.Text(t.Badge, " "+p.Gauge.Words()+" ")
		if room := l.Room() - 1; room >= LeastMessage {
			l.Text(t.Faint, " "+ui.Truncate(p.Gauge.MessageWords(), room))
		}
		return
	}
	if long := "search " + word; ui.Width(long)+2 <= l.Room() && (ui.Width(long+join+name)+2 <= l.Room() || ui.Width(word+join+name)+2 > l.Room()) {
		word = long // unless that leaves no room for the agent
	}
	l.Text(style, " "+word+" ")
	for _, text := range []string{from + join + as, from + join + as[len("as "):], from + join + name, from} {
		if ui.Width(text) <= l.Room() {
			l.Text(t.Faint, text)
			break
		}
	}
}

// why returns in short why search is on or off.
func why(b engine.Budget) string {
	switch {
	case b.Unreachable > 0:
		return ui.Thousands(b.Unreachable) + " unreachable"
	case b.Active && engine.PreSelects(b.Selection):
		return ui.Thousands(b.DeferredCount) + " deferred"
	case b.DeferredCount == 0 && engine.PreSelects(b.Selection):
		return "nothing left out"
	case b.DeferredCount == 0:
		return "nothing to defer"
	case b.Mode == config.On, b.Mode == config.Off:
		return "by config"
	case b.Active:
		return ui.Thousands(b.DeferredTokens) + " deferrable"
	default:
		return ui.Thousands(b.DeferredTokens) + " deferrable, below the threshold"
	}
}

// decidedBy returns the threshold, or, where no threshold decides, the mode or the
// list of the deferred tools, in more words and in fewer.
func decidedBy(b engine.Budget) (long, short string) {
	switch {
	case b.Listing != nil:
		short = "listing " + string(b.Listing.Form)
		return short + ", " + ui.Thousands(b.Listing.Counted()) + " of " + ui.Thousands(b.Listing.Limit), short
	case b.Mode != config.Auto:
		short = "mode " + string(b.Mode)
		return short, short
	}
	short = "threshold " + ui.Thousands(b.ThresholdTokens)
	if b.ContextLength == nil || *b.ContextLength <= 0 {
		return short + " (context unknown)", short
	}
	return short + " (" + strconv.FormatFloat(b.ThresholdPct, 'g', -1, 64) + "%)", short
}

// share returns a number of tokens in percent of the context; empty when the context is unknown.
func share(n int, b engine.Budget) string {
	if b.ContextLength == nil || *b.ContextLength <= 0 {
		return ""
	}
	return "  " + ui.Percent(100*float64(n)/float64(*b.ContextLength))
}

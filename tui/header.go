package tui

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"caliper/config"
	"caliper/engine"
	"caliper/model"
	"caliper/tui/cells"
	"caliper/tui/workbench"
)

// header is what stands above every screen: the files and their freshness,
// the session, and the token gauge.
type header struct {
	files      string // names of the inputs, safe for a terminal
	fresh      string // clock time when the inputs were last read
	state      *workbench.State
	busy       string // what is going on, empty when nothing takes long
	note       string // of the watcher: how it watches, when that matters
	paused     bool
	waiting    bool // a change came while paused
	violations int  // of the scope audit
	session    string
	demo       bool   // the inputs are the demo's
	gauged     gauged // the strategy of pre-selection that is in force
}

// stale reports whether something is wrong with the inputs.
func (p *header) stale() bool { return p.state != nil && len(p.state.Errors) > 0 }

// drawStale draws in w cells that the inputs are wrong, the first thing that
// is, and how many more there are.
func (p *header) drawStale(l *cells.Line, t *Theme, w int) {
	end := l.At() + w
	l.Text(t.Stale, " STALE ")
	if w >= 60 {
		l.Text(t.Faint, " "+p.fresh)
	}
	more := ""
	if n := len(p.state.Errors) - 1; n > 0 {
		more = " +" + thousands(n)
	}
	l.Text(t.Bad, " "+cells.Truncate(brief(p.state.Errors[0]), end-l.At()-1-cells.Width(more))+more)
}

// brief is a diagnostic with the name of its file, without the folders that
// would take the room of what is wrong.
func brief(d model.Diagnostic) string {
	if d.File != "" {
		d.File = filepath.Base(d.File)
	}
	return d.Error()
}

// draw returns exactly h lines of w cells: with three the whole header, with
// two the first line and the gauge in one, with one the gauge alone.
func (p *header) draw(t *Theme, w, h int) []string {
	var l cells.Line
	line := func(draw func(*cells.Line, *Theme)) string {
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
		out = append(out, cells.Spaces(w))
	}
	return out
}

// drawFiles draws the program's name, the inputs, and on the right the
// session and the tokenizer. What is wrong takes the room of what is well.
func (p *header) drawFiles(l *cells.Line, t *Theme) {
	l.Text(t.Brand, "caliper")
	l.Gap(2)
	p.drawDemo(l, t)
	right := p.right(t)
	room := l.Room() - cells.Width(right) - 2
	if p.stale() {
		p.drawStale(l, t, room)
	} else {
		p.drawFresh(l, t, room)
	}
	l.Right(t.Text, right)
}

// drawDemo draws that the inputs are the demo's, whatever else there is to
// say: the figures are nobody's own.
func (p *header) drawDemo(l *cells.Line, t *Theme) {
	if p.demo {
		l.Text(t.BadgeOff, " DEMO ")
		l.Gap(1)
	}
}

// drawFresh draws the inputs while nothing is wrong with them.
func (p *header) drawFresh(l *cells.Line, t *Theme, room int) {
	end := l.Room() - room
	l.Text(t.Text, cells.Truncate(p.files, max(8, room/2)))
	l.Gap(1)
	if p.state != nil {
		if gates := p.state.Snapshot.WithoutGates(); len(gates) > 0 {
			l.Text(t.Stale, " "+withoutWords(gates, l.Room() >= 80)+" ")
			l.Gap(1)
		}
	}
	switch {
	case p.violations > 0:
		l.Text(t.Stale, " "+strings.ToUpper(plural(p.violations, "scope violation"))+" ")
	case p.state != nil && p.state.Baseline != nil:
		l.Text(t.BadgeOff, " WHAT IF ") // knobs are turned: these are not the files' figures
	case p.paused && p.waiting:
		l.Text(t.BadgeOff, " PAUSED, changes wait ")
	case p.paused:
		l.Text(t.BadgeOff, " PAUSED ")
	case p.busy != "":
		l.Text(t.Warn, p.busy)
	default:
		l.Text(t.Ok, t.Dot)
		l.Text(t.Faint, " "+p.fresh)
	}
	if p.state == nil {
		return
	}
	// What one should know comes before what one can see.
	draw := func(text string) bool {
		fits := text != "" && l.Room()-end >= cells.Width(text)+2
		if fits {
			l.Gap(2)
			l.Text(t.Faint, text)
		}
		return fits
	}
	draw(p.note)
	if n := len(p.state.Warnings); n > 0 && !draw("! "+plural(n, "warning")) {
		draw("! " + thousands(n))
	}
	r := p.state.Snapshot.Registry
	draw(plural(len(r.Tools), "tool"))
	draw(plural(len(r.Toolsets), "toolset"))
}

// right is the session and the tokenizer.
func (p *header) right(t *Theme) string {
	if p.state == nil {
		return ""
	}
	return "session " + p.session + " " + t.Expanded + "  " + string(p.state.Snapshot.Tokenizer) + " " + t.Expanded
}

// gaugeWidth is the length of the gauge, in cells, in a line of w.
func gaugeWidth(w int) int { return max(10, min(40, w/3)) }

// gaugeScale returns what the full length of the gauge stands for: the
// context, or without one enough for all that is shown on it.
func gaugeScale(b engine.Budget) int {
	if b.ContextLength != nil && *b.ContextLength > 0 {
		return *b.ContextLength
	}
	return max(b.EagerTokens, b.ThresholdTokens, 1) * 5 / 4
}

// drawTokens draws what sending everything would cost, and the threshold.
func (p *header) drawTokens(l *cells.Line, t *Theme) {
	if p.state == nil {
		return
	}
	b := p.state.Budget
	scale := gaugeScale(b)
	l.Cell(t.Faint, "tokens", 8)
	bar{
		fraction: float64(b.EagerTokens) / float64(scale),
		mark:     float64(b.ThresholdTokens) / float64(scale),
		fill:     t.GaugeFill, empty: true,
	}.draw(l, t, gaugeWidth(l.At()+l.Room()))
	l.Gap(2)
	l.Text(t.Number, thousands(b.EagerTokens))
	l.Text(t.Faint, ofContext(b)+share(b.EagerTokens, b))
	l.Text(t.Faint, "   "+thresholdText(b))
}

// drawSent draws what the assembly costs and what it saves.
func (p *header) drawSent(l *cells.Line, t *Theme) {
	if p.state == nil {
		return
	}
	b := p.state.Budget
	l.Cell(t.Faint, "sent", 8)
	if p.gauged.strategy != "" && (p.gauged.live || p.gauged.sent != nil) {
		p.drawSelected(l, t)
		return
	}
	bar{
		fraction: float64(b.AfterTokens) / float64(gaugeScale(b)),
		mark:     -1, fill: t.GaugeSent,
	}.draw(l, t, gaugeWidth(l.At()+l.Room()))
	l.Gap(2)
	l.Text(t.Number, thousands(b.AfterTokens))
	l.Text(t.Faint, share(b.AfterTokens, b)+"   ")
	if b.SavedTokens != 0 {
		l.Text(t.Text, fmt.Sprintf("saved %s (%s)   ", thousands(b.SavedTokens), percent(b.SavedPct)))
	}
	if p.gauged.strategy != "" {
		l.Text(t.Badge, " "+p.gauged.words()+" ")
		l.Text(t.Faint, " "+p.gauged.messageWords()+" · "+why(b))
		return
	}
	p.drawVerdict(l, t)
}

// drawVerdict draws whether search is on, in words.
func (p *header) drawVerdict(l *cells.Line, t *Theme) {
	b := p.state.Budget
	if b.Active {
		l.Text(t.Badge, " search ON ")
	} else {
		l.Text(t.BadgeOff, " search OFF ")
	}
	l.Text(t.Faint, " "+why(b))
}

// drawAlone is the whole header in one line: what is wrong, or the gauge.
func (p *header) drawAlone(l *cells.Line, t *Theme) {
	p.drawDemo(l, t)
	switch {
	case p.stale():
		p.drawStale(l, t, l.Room())
	case p.state != nil && len(p.state.Snapshot.WithoutGates()) > 0 && l.Room() < 60:
		l.Text(t.Stale, " "+withoutWords(p.state.Snapshot.WithoutGates(), false)+" ")
		if p.violations > 0 {
			l.Text(t.Stale, " "+thousands(p.violations)+" ")
		}
	case p.violations > 0 && l.Room() < 60:
		l.Text(t.Stale, " "+strings.ToUpper(plural(p.violations, "scope violation"))+" ")
	default:
		p.drawShort(l, t)
	}
}

// withoutWords says which scope gates the dry run is without.
func withoutWords(gates []string, long bool) string {
	words := "WITHOUT " + gates[0]
	if len(gates) > 1 {
		words = "WITHOUT SCOPE GATES"
	}
	if long {
		return "DRY RUN " + words
	}
	return words
}

// drawShort is the gauge in one line.
func (p *header) drawShort(l *cells.Line, t *Theme) {
	if p.state == nil {
		l.Text(t.Faint, p.busy)
		return
	}
	b := p.state.Budget
	if l.Room() >= 60 {
		bar{
			fraction: float64(b.EagerTokens) / float64(gaugeScale(b)),
			mark:     float64(b.ThresholdTokens) / float64(gaugeScale(b)),
			fill:     t.GaugeFill, empty: true,
		}.draw(l, t, 12)
		l.Gap(1)
	}
	l.Text(t.Number, thousands(b.EagerTokens))
	if s := strings.TrimSpace(share(b.EagerTokens, b)); s != "" {
		l.Text(t.Faint, " "+s)
	}
	l.Text(t.Faint, " "+t.Right+" ")
	if p.gauged.strategy != "" && (p.gauged.live || p.gauged.sent != nil) {
		p.drawSelectedShort(l, t)
		return
	}
	l.Text(t.Number, thousands(b.AfterTokens))
	if l.Room() >= 30 {
		l.Text(t.Faint, " tok")
	}
	l.Text(t.Faint, " "+string(b.Tokenizer)+" ")
	if p.gauged.strategy != "" {
		l.Text(t.Badge, " "+p.gauged.words()+" ")
		if room := l.Room() - 1; room >= leastShownMessage {
			l.Text(t.Faint, " "+cells.Truncate(p.gauged.messageWords(), room))
		}
		return
	}
	style, word := t.BadgeOff, onOff(b.Active)
	if b.Active {
		style = t.Badge
	}
	if long := "search " + word; cells.Width(long)+2 <= l.Room() {
		word = long
	}
	l.Text(style, " "+word+" ")
	if from := "  on from " + thousands(b.ThresholdTokens); b.Mode == config.Auto && cells.Width(from) <= l.Room() {
		l.Text(t.Faint, from)
	}
}

// why says what decided activation, short.
func why(b engine.Budget) string {
	switch {
	case b.Unreachable > 0:
		return thousands(b.Unreachable) + " unreachable"
	case b.Active && engine.PreSelects(b.Selection):
		return thousands(b.DeferredCount) + " behind it"
	case b.DeferredCount == 0 && engine.PreSelects(b.Selection):
		return "nothing left out"
	case b.DeferredCount == 0:
		return "nothing to defer"
	case b.Mode == config.On, b.Mode == config.Off:
		return "by config"
	case b.Active:
		return thousands(b.DeferredTokens) + " deferrable"
	default:
		return thousands(b.DeferredTokens) + " deferrable, below the threshold"
	}
}

// thresholdText names the threshold and where it comes from.
func thresholdText(b engine.Budget) string {
	switch {
	case b.Mode != config.Auto:
		return "mode " + string(b.Mode)
	case b.ContextLength == nil || *b.ContextLength <= 0:
		return "threshold " + thousands(b.ThresholdTokens) + " (context unknown)"
	default:
		return "threshold " + thousands(b.ThresholdTokens) + " (" + strconv.FormatFloat(b.ThresholdPct, 'g', -1, 64) + "%) · " +
			workbench.OriginWords(b.ContextOrigin)
	}
}

// ofContext is the context behind a number of tokens.
func ofContext(b engine.Budget) string {
	if b.ContextLength == nil || *b.ContextLength <= 0 {
		return " tokens"
	}
	return " of " + thousands(*b.ContextLength)
}

// share is a number of tokens as a share of the context; empty when that is
// unknown.
func share(n int, b engine.Budget) string {
	if b.ContextLength == nil || *b.ContextLength <= 0 {
		return ""
	}
	return "  " + percent(100*float64(n)/float64(*b.ContextLength))
}

// percent formats a percentage with one digit. What is less than all is never
// rounded to all.
func percent(p float64) string {
	if p < 100 {
		p = min(p, 99.9)
	}
	return strings.Replace(strconv.FormatFloat(p, 'f', 1, 64), "-", "−", 1) + "%"
}

// plural returns a count with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return thousands(n) + " " + noun + "s"
}

// thousands formats a whole number with commas.
func thousands(n int) string {
	digits := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, digits = "−", digits[1:]
	}
	var b strings.Builder
	b.WriteString(sign)
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

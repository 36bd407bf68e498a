package desk

import (
	"slices"
	"strconv"
	"strings"

	"caliper/engine/selection"
	"caliper/model/safetext"
	"caliper/tui/ui"
)

// Header holds the facts that screens contribute to the header, which is shown above all of them.
type Header struct {
	Violations int // number of violations that the scope audit found
	Waiting    int // calls of agents that wait for a person
	Gauge      Gauge
}

// Gauge describes the selection strategy in force and its result, for the header.
type Gauge struct {
	Strategy selection.Strategy // empty for eager: the header then shows the assembly instead
	K        int
	Unranked bool                 // both weights of hybrid are 0
	Turn     int                  // turn of the conversation, counting from 1; 0 without a conversation
	Message  string               // the user's message
	Live     bool                 // the message is being edited, and the other screens do not use it yet
	Sent     *selection.Selection // the selection for the message; nil while it is computed, and when nothing is selected
}

// gaugeNotes are the codes of the notes that report a problem.
var gaugeNotes = map[string]bool{
	selection.NoteNoEmbedder: true, selection.NoteEmbedderFailed: true, selection.NoteEmbedderSlow: true,
	selection.NoteEmbedderWaking: true, selection.NoteEmbedderStuck: true, selection.NoteNoEscape: true,
}

// gaugeFallbacks are the codes of the notes that say that only keywords decided.
var gaugeFallbacks = map[string]bool{
	selection.NoteNoEmbedder: true, selection.NoteEmbedderFailed: true, selection.NoteEmbedderSlow: true,
	selection.NoteEmbedderWaking: true, selection.NoteEmbedderStuck: true,
}

// Words returns the strategy with its K and the turn, or the reason why it ranks nothing.
func (g Gauge) Words() string {
	if !g.Strategy.Ranks() {
		return string(g.Strategy)
	}
	words := string(g.Strategy) + " K " + strconv.Itoa(g.K)
	if g.Unranked {
		words = string(g.Strategy) + ", both weights 0"
	}
	if g.Turn > 0 {
		words += " turn " + strconv.Itoa(g.Turn)
	}
	return words
}

// MessageWords returns the message in quotes, cut to the width that a header has for it.
func (g Gauge) MessageWords() string {
	if g.Message == "" {
		return "no message: alt-4, e types one"
	}
	return `"` + ui.Truncate(safetext.Line(ui.OneLine(g.Message)), longestMessage) + `"`
}

// The widest that the header shows the message, and the narrowest at which the
// message is still useful, in cells.
const (
	longestMessage = 32
	LeastMessage   = 12
)

// Warning returns the text of the first note of the selection that reports a
// problem, empty for none.
func (g Gauge) Warning() string {
	if g.Sent == nil {
		return ""
	}
	for _, n := range g.Sent.Notes {
		if gaugeNotes[n.Code] {
			return n.Text
		}
	}
	return ""
}

// drawSelectedShort draws the active strategy after the cost of all definitions.
func (p *HeaderLines) drawSelectedShort(l *ui.Line, t *ui.Theme) {
	g := p.Gauge
	if g.Sent == nil {
		l.Text(t.Faint, "selecting ")
	} else {
		l.Text(t.Number, ui.Thousands(g.Sent.SchemaTokens))
	}
	words, instead := g.Words(), ""
	if g.Sent != nil && slices.ContainsFunc(g.Sent.Notes, func(n selection.Note) bool { return gaugeFallbacks[n.Code] }) { // although the strategy uses an embedder
		instead = " " + t.Right + " keywords"
	}
	if g.Sent != nil {
		if saved := " saved " + ui.Percent(g.Sent.SavedPct); ui.Width(saved+words+instead)+4 <= l.Room() {
			l.Text(t.Faint, saved)
		}
		l.Gap(1)
	}
	for _, shorter := range []string{words + instead, string(g.Strategy) + instead, words, string(g.Strategy)} {
		if words = shorter; ui.Width(words)+2 <= l.Room() {
			break
		}
	}
	l.Text(t.Badge, " "+words+" ")
	if room := l.Room() - 1; room >= LeastMessage {
		l.Text(t.Faint, " "+ui.Truncate(g.MessageWords(), room))
	}
}

// marks returns the marks that fit a line of room cells: words on a ground, with a blank on each
// side, that say why figures differ from the files' or from now. Where not all fit, the first ones
// say that something is tried and that changes wait: without them every figure below is
// misread.
func (p *HeaderLines) marks(t *ui.Theme, room int) []ui.Phrase {
	modes := p.modes(t)
	if p.Paused && p.Late && room >= leastWaiting {
		modes[len(modes)-1].Text = " PAUSED, changes wait "
	}
	var facts []ui.Phrase
	if p.State != nil {
		if gates := p.State.Snapshot.WithoutGates(); len(gates) > 0 {
			text := "WITHOUT " + gates[0]
			if len(gates) > 1 {
				text = "WITHOUT SCOPE GATES"
			}
			if room >= leastLong {
				text = "DRY RUN " + text
			}
			facts = append(facts, ui.Phrase{Style: t.Stale, Text: " " + text + " "})
		}
	}
	if p.Violations > 0 {
		facts = append(facts, ui.Phrase{Style: t.Stale, Text: " " + strings.ToUpper(ui.Count(p.Violations, "scope violation")) + " "})
	}
	if all := slices.Concat(facts, modes); marksWidth(all) <= room {
		return all
	}
	return append(modes, facts...)
}

// modes returns the marks that are never left out: trials, and paused watching.
func (p *HeaderLines) modes(t *ui.Theme) []ui.Phrase {
	var modes []ui.Phrase
	if p.tries() {
		modes = append(modes, ui.Phrase{Style: t.SelectionBlur, Text: " WHAT IF "})
	}
	if p.Paused {
		modes = append(modes, ui.Phrase{Style: t.SelectionBlur, Text: " PAUSED "})
	}
	return modes
}

// leastLong is the least width whose mark names the gate, leastWaiting says changes wait.
const leastLong, leastWaiting = 70, 36

// marksWidth returns the cells of marks, with a blank before each.
func marksWidth(marks []ui.Phrase) int {
	n := 0
	for _, m := range marks {
		n += 1 + ui.Width(m.Text)
	}
	return n
}

// tries reports whether knobs are turned: the figures differ from the files'.
func (p *HeaderLines) tries() bool { return p.State != nil && p.State.Baseline != nil }

// drawMarks draws marks with a blank before each but the first.
func drawMarks(l *ui.Line, marks []ui.Phrase) {
	for i, m := range marks {
		l.Gap(min(i, 1))
		l.Text(m.Style, m.Text)
	}
}

// drawDemo draws the mark of the demo, which is never left out.
func (p *HeaderLines) drawDemo(l *ui.Line, t *ui.Theme) {
	if p.Demo {
		l.Text(t.SelectionBlur, demoText)
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

// drawWaiting draws that agents wait for a person; it is never left out.
func (p *HeaderLines) drawWaiting(l *ui.Line, t *ui.Theme) {
	if text := p.waitingText(); text != "" {
		l.Text(t.Stale, text)
		l.Gap(1)
	}
}

package desk

import (
	"strconv"

	"caliper/engine/selection"
	"caliper/model/safetext"
	"caliper/tui/ui"
)

// Header holds the facts that screens contribute to the header, which is shown
// above all of them.
type Header struct {
	Violations int // number of violations that the scope audit found
	Waiting    int // calls of agents that wait for a person
	Gauge      Gauge
}

// Gauge describes the selection strategy in force and its result, for the
// header.
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

// gaugeFallbacks are the codes of the notes that say that only keywords
// decided.
var gaugeFallbacks = map[string]bool{
	selection.NoteNoEmbedder: true, selection.NoteEmbedderFailed: true, selection.NoteEmbedderSlow: true,
	selection.NoteEmbedderWaking: true, selection.NoteEmbedderStuck: true,
}

// Words returns the strategy with its K and the turn, or the reason why it
// ranks nothing.
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

// MessageWords returns the message in quotes, cut to the width that a header
// has for it.
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

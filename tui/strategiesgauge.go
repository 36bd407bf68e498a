package tui

import (
	"fmt"
	"slices"
	"strconv"

	"caliper/engine/selection"
	"caliper/model"
	"caliper/tui/cells"
)

// gauged is the strategy in force as the header shows it.
type gauged struct {
	strategy selection.Strategy // empty: eager, where the gauge is the assembly's
	k        int
	unranked bool                 // both weights of hybrid are 0
	turn     int                  // of the conversation, from 1; 0 without one
	message  string               // that is answered
	live     bool                 // the message is being edited: it is not what the other screens are about yet
	sent     *selection.Selection // for the message; nil while it is being selected, and for one that selects nothing
}

// tellGauge brings the header up to date with what is in force and selected.
// A selection of other settings is not shown as one of these.
func (s *strategiesScreen) tellGauge() {
	g := gauged{strategy: s.inForce(), k: s.state.Config.PreSelection.TopK}
	if p := s.state.Config.PreSelection; g.strategy == selection.Hybrid {
		g.unranked = p.KeywordWeight <= 0 && p.SemanticWeight <= 0
	}
	if len(s.messages) > 0 {
		g.turn = len(s.turnsBefore()) + 1
	}
	switch x := s.pick(g.strategy); {
	case !s.preSelects():
		g = gauged{}
	case !s.shown(), !s.editing && s.app.input.Flags.Message == "": // what every screen is about
		g.sent, g.message = s.state.Selection, s.state.Snapshot.Message()
	default:
		g.live, g.message = true, s.message()
		if x != nil && (x.K == g.k || !g.strategy.Ranks()) && s.answer.state.Snapshot.Session.Name == s.state.Snapshot.Session.Name {
			g.sent = x
		}
	}
	s.app.header.gauged = g
}

// gaugedNotes are those that say something is wrong.
var gaugedNotes = map[string]bool{
	selection.NoteNoEmbedder: true, selection.NoteEmbedderFailed: true, selection.NoteEmbedderSlow: true,
	selection.NoteEmbedderStuck: true, selection.NoteNoEscape: true,
}

// gaugedFallbacks are the notes by which only keywords decide.
var gaugedFallbacks = map[string]bool{
	selection.NoteNoEmbedder: true, selection.NoteEmbedderFailed: true, selection.NoteEmbedderSlow: true, selection.NoteEmbedderStuck: true,
}

// fallsBack reports whether only keywords decide, against what is in force.
func (g gauged) fallsBack() bool {
	return g.sent != nil && slices.ContainsFunc(g.sent.Notes, func(n selection.Note) bool { return gaugedFallbacks[n.Code] })
}

// words are the strategy and its K, or why it ranks nothing, and the turn.
func (g gauged) words() string {
	if !g.strategy.Ranks() {
		return string(g.strategy)
	}
	words := string(g.strategy) + " K " + strconv.Itoa(g.k)
	if g.unranked {
		words = string(g.strategy) + ", both weights 0"
	}
	if g.turn > 0 {
		words += " turn " + strconv.Itoa(g.turn)
	}
	return words
}

// messageWords names the message, cut to what a header has room for.
func (g gauged) messageWords() string {
	if g.message == "" {
		return "no message"
	}
	return `"` + cells.Truncate(model.Sanitize(folded(g.message)), longestShownMessage) + `"`
}

// How many cells of the message the header shows, and the fewest that say
// anything of it.
const (
	longestShownMessage = 32
	leastShownMessage   = 12
)

// drawSelected draws the strategy in force and what it sends with the message.
func (p *header) drawSelected(l *cells.Line, t *Theme) {
	g, b := p.gauged, p.state.Budget
	if g.sent == nil {
		l.Gap(gaugeWidth(l.At()+l.Room()) + 2)
		l.Text(t.Faint, "selecting   ")
		l.Text(t.Badge, " "+g.words()+" ")
		return
	}
	bar{
		fraction: float64(g.sent.SchemaTokens) / float64(gaugeScale(b)),
		mark:     -1, fill: t.GaugeSent,
	}.draw(l, t, gaugeWidth(l.At()+l.Room()))
	l.Gap(2)
	l.Text(t.Number, thousands(g.sent.SchemaTokens))
	l.Text(t.Faint, share(g.sent.SchemaTokens, b)+"   ")
	l.Text(t.Text, fmt.Sprintf("saved %s (%s)   ", thousands(g.sent.EagerTokens-g.sent.SchemaTokens), percent(g.sent.SavedPct)))
	l.Text(t.Badge, " "+g.words()+" ")
	l.Text(t.Faint, " "+g.messageWords())
	for _, n := range g.sent.Notes {
		if gaugedNotes[n.Code] {
			l.Text(t.Warn, " "+n.Text)
			break
		}
	}
}

// drawSelectedShort draws the same behind the cost of everything.
func (p *header) drawSelectedShort(l *cells.Line, t *Theme) {
	g := p.gauged
	if g.sent == nil {
		l.Text(t.Faint, "selecting ")
	} else {
		l.Text(t.Number, thousands(g.sent.SchemaTokens))
	}
	words, instead := g.words(), ""
	if g.fallsBack() {
		instead = " " + t.Right + " keywords"
	}
	if g.sent != nil {
		if saved := " saved " + percent(g.sent.SavedPct); cells.Width(saved+words+instead)+4 <= l.Room() {
			l.Text(t.Faint, saved)
		}
		l.Gap(1)
	}
	for _, shorter := range []string{words + instead, string(g.strategy) + instead, words, string(g.strategy)} {
		if words = shorter; cells.Width(words)+2 <= l.Room() {
			break
		}
	}
	l.Text(t.Badge, " "+words+" ")
	if room := l.Room() - 1; room >= leastShownMessage {
		l.Text(t.Faint, " "+cells.Truncate(g.messageWords(), room))
	}
}

package tui

import (
	"context"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/model"
	"caliper/tui/cells"
)

// pin is a tool that is expected: for every query the explorer says where it
// ranks, what stopped it, and what would bring it inside the limit.
type pin struct {
	name    string // qualified; empty: nothing is pinned
	shown   string
	result  *engine.WhyNot // of the newest query; nil while it is worked out
	gen     int
	cancel  context.CancelFunc
	version uint64
}

// whyNotMsg tells why a pinned tool is not found.
type whyNotMsg struct {
	gen    int
	result engine.WhyNot
	err    error
}

// togglePin pins the selected tool, or lets go of the one that is pinned.
func (a *App) togglePin() tea.Cmd {
	t := a.selected()
	if t == nil || a.pin.name == t.Qualified {
		a.pin.letGo()
		return a.notices.show(levelInfo, "nothing is pinned")
	}
	a.pin.name, a.pin.shown = t.Qualified, t.ShownName
	if !a.layout.Visible(PaneWhy) {
		a.setFocus(PaneWhy) // where the panes take turns
	}
	return tea.Batch(a.askPin(), a.notices.show(levelInfo, "pinned "+t.ShownName+": the why pane says why not, for every query"))
}

// letGo pins nothing.
func (p *pin) letGo() {
	if p.cancel != nil {
		p.cancel()
	}
	*p = pin{gen: p.gen, version: p.version + 1}
}

// askPin returns a command that works out why the pinned tool is not found
// for the query as it is now; nil when there is nothing to ask.
func (a *App) askPin() tea.Cmd {
	p := &a.pin
	p.version++
	if p.cancel != nil {
		p.cancel()
		p.cancel = nil
	}
	p.result = nil
	p.gen++
	if p.name == "" || a.state == nil || a.hits.browsing {
		return nil
	}
	ctx, cancel := context.WithCancel(a.ctx)
	p.cancel = cancel
	gen, bench, state, query, name := p.gen, a.loader.bench, *a.state, a.query.Value(), p.name
	return func() tea.Msg {
		result, err := bench.WhyNot(ctx, state, query, name, 0)
		return whyNotMsg{gen, result, err}
	}
}

// answered takes in the newest answer.
func (p *pin) answered(msg whyNotMsg) {
	if msg.gen == p.gen && msg.err == nil {
		p.result = &msg.result
		p.version++
	}
}

// stageWords says in words what stopped a tool.
var stageWords = map[engine.Stage]string{
	engine.StageUnknown:    "not in the registry",
	engine.StageCore:       "core: sent directly, so search never returns it",
	engine.StageOutOfScope: "out of this session's scope",
	engine.StageNoMatch:    "no word of the query stands in it",
	engine.StageBelowLimit: "below the limit",
	engine.StageFound:      "found",
}

// lines draws what there is to say about the pinned tool, none when nothing
// is pinned.
func (p *pin) lines(t *Theme, w int) []string {
	if p.name == "" {
		return nil
	}
	var l cells.Line
	var out []string
	line := func(draw func()) {
		l.Start(w)
		l.Gap(1)
		draw()
		out = append(out, l.End())
	}
	line(func() {
		l.Text(t.Warn, t.Pin+" ")
		l.Text(t.Name, p.shown)
		l.Text(t.Faint, "  expected")
	})
	r := p.result
	if r == nil {
		return out
	}
	line(func() { p.drawStage(&l, t, r) })
	for _, remedy := range r.Remedies {
		line(func() {
			l.Gap(2)
			l.Text(t.Ok, remedyWords(remedy))
			l.Text(t.Faint, "  rank "+strconv.Itoa(remedy.NewRank))
		})
	}
	if len(r.Remedies) == 0 && r.Stage != engine.StageFound {
		line(func() { l.Text(t.Faint, "  nothing within reach brings it inside") })
	}
	return append(out, cells.Spaces(w))
}

// drawStage draws what stopped the tool, its rank and the gap.
func (p *pin) drawStage(l *cells.Line, t *Theme, r *engine.WhyNot) {
	style := t.Bad
	if r.Stage == engine.StageFound {
		style = t.Ok
	}
	l.Text(style, stageWords[r.Stage])
	if r.Rank != nil {
		l.Text(t.Text, "  rank "+thousands(*r.Rank))
	}
	if r.Score != nil {
		l.Text(t.Number, "  "+strconv.FormatFloat(*r.Score, 'f', 3, 64))
	}
	if r.Gap != nil && *r.Gap > 0 {
		l.Text(t.Faint, "  "+strconv.FormatFloat(*r.Gap, 'f', 3, 64)+" below the cut line")
	}
}

// remedyWords says what a remedy is.
func remedyWords(r engine.Remedy) string {
	change := model.Sanitize(r.Change)
	switch r.Kind {
	case engine.RemedyQueryWord:
		return "query + " + change
	case engine.RemedyDescriptionWords:
		return "description + " + change
	case engine.RemedyLimit:
		return "limit " + change
	case engine.RemedySession:
		return "session " + change
	default:
		return "query by name " + change
	}
}

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
		a.hits.pin("")
		return a.notices.show(levelInfo, "nothing is pinned")
	}
	a.pin.name, a.pin.shown = t.Qualified, t.ShownName
	a.hits.pin(t.Qualified)
	if a.hits.browsing { // the next thing is to ask for it
		a.hits.setFilter("")
		a.mode.Shown = PaneWhy
		a.show(PaneQuery)
		return a.notices.show(levelInfo, "pinned "+t.ShownName+": type what should find it, and why says why not")
	}
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
	engine.StageCore:       "sent directly, so search never returns it",
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
	out := flow(w, 1, []phrase{{t.Warn, t.Pin + " " + p.shown}, {t.Faint, "expected"}})
	r := p.result
	if r == nil {
		return out
	}
	out = append(out, flow(w, 1, stagePhrases(t, r))...)
	remedies := make([][]phrase, 0, len(r.Remedies))
	for _, remedy := range r.Remedies {
		remedies = append(remedies, []phrase{{t.Ok, remedyWords(remedy)}, {t.Faint, "rank " + thousands(remedy.NewRank)}})
	}
	if len(remedies) == 0 && r.Stage != engine.StageFound && r.Stage != engine.StageCore {
		remedies = [][]phrase{{{t.Faint, "nothing within reach brings it inside"}}}
	}
	return append(out, flow(w, 3, remedies...)...)
}

// stagePhrases say what stopped the tool, its rank and the gap.
func stagePhrases(t *Theme, r *engine.WhyNot) []phrase {
	style := t.Bad
	if r.Stage == engine.StageFound || r.Stage == engine.StageCore {
		style = t.Ok
	}
	all := []phrase{{style, stageWords[r.Stage]}}
	if r.Rank != nil {
		all = append(all, phrase{t.Text, "rank " + thousands(*r.Rank)})
	}
	if r.Score != nil {
		all = append(all, phrase{t.Number, strconv.FormatFloat(*r.Score, 'f', 3, 64)})
	}
	if r.Gap != nil && *r.Gap > 0 {
		all = append(all, phrase{t.Faint, strconv.FormatFloat(*r.Gap, 'f', 3, 64) + " below the cut line"})
	}
	if r.Direct {
		all = append(all, phrase{t.Faint, "search is OFF here: it is sent in full"})
	}
	return all
}

// phrase is a few words that stay on one line where that can be.
type phrase struct {
	style cells.Style
	text  string
}

// The cells between the phrases of a group, and between groups on one line.
const (
	phraseGap = 2
	groupGap  = 4
)

// flow draws groups of phrases in lines of w cells, as many on a line as there
// is room for. A group that does not fit behind the last one begins a line, a
// phrase that is longer than one is wrapped.
func flow(w, indent int, groups ...[]phrase) []string {
	var out []string
	var l cells.Line
	begun := false
	begin := func() {
		if begun {
			out = append(out, l.End())
		}
		l.Start(w)
		l.Gap(indent)
		begun = true
	}
	for _, group := range groups {
		width := -phraseGap
		for _, p := range group {
			width += phraseGap + cells.Width(p.text)
		}
		for i, p := range group {
			gap := phraseGap
			if i == 0 {
				gap = groupGap
			}
			need := cells.Width(p.text)
			if i == 0 {
				need = width
			}
			if begun && gap+need <= l.Room() {
				l.Gap(gap)
				l.Text(p.style, p.text)
				continue
			}
			for _, part := range cells.Wrap(p.text, max(1, w-indent)) {
				begin()
				l.Text(p.style, part)
			}
		}
	}
	if begun {
		out = append(out, l.End())
	}
	return out
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
		if r.Direct {
			return "session " + change + ", sent in full"
		}
		return "session " + change
	default:
		return "query by name " + change
	}
}

package explore

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/whynot"
	"caliper/model"
	"caliper/tui/job"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// pin is the expected tool: for every query Explore shows its rank, what
// stopped it, and which change would bring it within the limit.
type pin struct {
	name    string // qualified name; empty for none
	shown   string
	result  *whynot.Answer // for the newest query; nil while it is computed
	asking  job.Job[pinQuestion, whynot.Answer]
	version uint64
}

// pinQuestion identifies the question that an answer belongs to.
type pinQuestion struct {
	state       *workbench.State
	query, name string
}

// expect pins a tool.
func (p *pin) expect(t *model.Tool) { p.name, p.shown = t.Qualified, t.ShownName }

// unpin unpins the tool.
func (p *pin) unpin() {
	p.asking.Reset()
	*p = pin{version: p.version + 1}
}

// togglePin pins the selected tool, or unpins the pinned one. It asks for a tool where
// none is selected and none is pinned.
func (s *Screen) togglePin() tea.Cmd {
	t := s.Tool()
	switch {
	case t == nil && s.pin.name == "":
		return s.chooseTool("which tool do you expect?", s.pinTool)
	case t == nil || s.pin.name == t.Qualified:
		s.pin.unpin()
		s.hits.pin("")
		return s.host.Notify(ui.LevelInfo, "nothing is pinned")
	}
	return s.pinTool(t)
}

// pinTool pins a tool and shows the explanation.
func (s *Screen) pinTool(t *model.Tool) tea.Cmd {
	s.expect(t)
	if s.hits.browsing { // the user types a query next
		s.hits.setFilter("")
		s.shown = PaneWhy
		s.setFocus(PaneQuery)
		return s.host.Notify(ui.LevelInfo, "pinned "+t.ShownName+": type what should find it, and why says why not")
	}
	if s.layout.boxes[PaneWhy].Empty() {
		s.setFocus(PaneWhy) // if the panes share a box, show the explanation
	}
	return s.host.Notify(ui.LevelInfo, "pinned "+t.ShownName+": the why pane says why not, for every query")
}

// pinHint returns the footer's label for togglePin.
func (s *Screen) pinHint() string {
	if t := s.Tool(); s.pin.name != "" && (t == nil || s.pin.name == t.Qualified) {
		return "unpin"
	}
	return ""
}

// askPin returns a command that computes why the pinned tool is not found for
// the current query; nil when it has been asked already or nothing is pinned.
func (s *Screen) askPin() tea.Cmd {
	p := &s.pin
	q := pinQuestion{s.state, s.query.Value(), p.name}
	if p.asking.Begun && p.asking.Of == q {
		return nil
	}
	if p.result != nil {
		p.result = nil
		p.version++
	}
	if p.name == "" || s.state == nil || s.hits.browsing {
		p.asking.Reset()
		return nil
	}
	bench := s.host.Bench()
	return p.asking.Start(s.host.Context(), q, func(ctx context.Context, _ job.Progress) (whynot.Answer, error) {
		return bench.WhyNot(ctx, *q.state, q.query, q.name, 0)
	})
}

// update handles the answer to askPin.
func (p *pin) update(msg tea.Msg) tea.Cmd {
	result, cmd, mine := p.asking.Update(msg)
	if mine && result != nil {
		p.result = result
		p.version++
	}
	return cmd
}

// lines draws the answer about the pinned tool, no lines when nothing is
// pinned.
func (p *pin) lines(t *ui.Theme, w int) []string {
	if p.name == "" {
		return nil
	}
	out := ui.Flow(w, 1, []ui.Phrase{{Style: t.Warn, Text: t.Pin + " " + p.shown}, {Style: t.Faint, Text: "expected"}})
	r := p.result
	if r == nil {
		return out
	}
	out = append(out, ui.Flow(w, 1, screen.WhyNot(t, r))...)
	remedies := make([][]ui.Phrase, 0, len(r.Remedies))
	for _, remedy := range r.Remedies {
		remedies = append(remedies, screen.Remedy(t, remedy))
	}
	if len(remedies) == 0 && r.Stage != whynot.StageFound && r.Stage != whynot.StageCore {
		remedies = [][]ui.Phrase{{{Style: t.Faint, Text: "no small change brings it within the limit"}}}
	}
	return append(out, ui.Flow(w, 3, remedies...)...)
}

package tui

import (
	"cmp"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/repro"
)

// copyRepro copies a repro of the part that is shown: of the message, unless
// the part is about others.
func (s *strategiesScreen) copyRepro(c repro.Case) tea.Cmd {
	a := s.app
	work, measured := s.job()
	j := &s.jobs[work]
	switch {
	case s.state == nil || s.late() || s.leg.cancel != nil || s.answer.picks == nil:
		return a.notices.show(levelInfo, "nothing to copy yet: selecting is not done")
	case measured && s.material(work) == 0:
		return a.notices.show(levelInfo, "nothing to copy: "+s.nothing()[0])
	case measured && (j.of != s.selector.made || j.cancel != nil || j.toobig || j.stopped || j.err != nil):
		return a.notices.show(levelInfo, "nothing to copy yet: "+work.verb()+" is not done")
	}
	what := "repro of Strategies"
	d := repro.Selected{Message: s.answer.of.message, Settings: s.selector.made.Settings(), File: cmp.Or(a.opt.QueriesName, "queries.jsonl")}
	switch s.part {
	case partLabelled:
		return a.clip.copyRepro(what+", "+s.part.String(), c, repro.Compared(c, d, s.rows))
	case partPareto:
		return a.clip.copyRepro(what+", "+s.part.String(), c, repro.Pareto(c, d, s.points))
	case partConversation:
		return a.clip.copyRepro(what+", "+s.part.String(), c, repro.Conversation(c, d, s.threads))
	}
	d.Needs, d.Turns = s.needs(), s.turnsBefore()
	for _, x := range s.answer.picks {
		d.Selections = append(d.Selections, *x)
	}
	return a.clip.copyRepro(what, c, repro.Strategies(c, d, s.chosen()))
}

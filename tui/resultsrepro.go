package tui

import (
	"cmp"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/repro"
)

// copyRepro copies a repro of the result: what becomes of it, and the requests
// with their answers.
func (s *resultsScreen) copyRepro(c repro.Case) tea.Cmd {
	j := &s.judged
	switch {
	case s.state == nil || s.source() == nil:
		return s.app.notices.show(levelInfo, "nothing to copy: there is no result")
	case s.late() || s.fetching.cancel != nil:
		return s.app.notices.show(levelInfo, "nothing to copy yet: the result is being read")
	case j.err != nil:
		return s.app.notices.show(levelInfo, "nothing to copy: the result cannot be read")
	}
	d := repro.Rescued{
		File: j.name, Tool: j.of.tool, Meta: j.Meta, Envelope: j.Envelope, Decision: j.Decision,
		Preview: j.Preview, OriginalTokens: j.OriginalTokens, HandleTokens: j.HandleTokens,
	}
	d.Pasted = j.name == pastedName
	d.Limits = j.rescuer.Limits()
	for _, r := range s.requests {
		if r.of == j.gen {
			d.Slices = append(d.Slices, repro.Slice{Request: r.q, Words: requestWords(r.q), Holds: cmp.Or(r.holds(), "error"), Text: r.text(), Chars: r.chars, Tokens: r.tokens})
		}
	}
	return s.app.clip.copyRepro("repro of Results", c, repro.Results(c, d))
}

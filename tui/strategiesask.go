package tui

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/engine/selection"
	"caliper/tui/workbench"
)

// question is what selections answer.
type question struct {
	selector *selection.Selector
	message  string
	all      bool // under every strategy, not only the one in force
}

// answer is the newest selections, and the job that makes the next.
type answer struct {
	gen    int
	asked  question // that is answered, or being answered
	cancel context.CancelFunc

	of    question // that the selections answer
	state *workbench.State
	picks []*selection.Selection // in the order of the strategies; nil for one that was not asked
}

// answerMsg is the outcome of a question.
type answerMsg struct {
	gen   int
	picks []*selection.Selection
	err   error
}

// abandon stops a job that runs.
func (p *answer) abandon() {
	if p.cancel != nil {
		p.cancel()
		p.cancel, p.asked, p.gen = nil, question{}, 0
	}
}

// ask selects for the message, unless that is done, or being done. Nothing of
// it is done here: a message that is typed on only cancels.
func (s *strategiesScreen) ask() tea.Cmd {
	p := &s.answer
	q := question{s.selector.made, s.app.query.Value(), s.shown()}
	if q == p.asked || !q.all && p.asked == (question{q.selector, q.message, true}) {
		return nil
	}
	p.abandon()
	s.gen++
	ctx, cancel := context.WithCancel(s.app.ctx)
	p.gen, p.asked, p.cancel = s.gen, q, cancel
	gen, inForce := s.gen, s.inForce()
	return func() tea.Msg {
		msg := answerMsg{gen: gen, picks: make([]*selection.Selection, len(selection.Strategies))}
		if !q.all {
			x, err := q.selector.Select(ctx, q.message, nil)
			msg.picks[slices.Index(selection.Strategies, inForce)], msg.err = &x, err
			return msg
		}
		// A conversation of one turn asks the legs once for all strategies.
		threads, err := q.selector.Converse(ctx, []string{q.message}, nil)
		msg.err = err
		for i, strategy := range selection.Strategies {
			for j := range threads {
				if threads[j].Strategy == strategy {
					msg.picks[i] = &threads[j].Turns[0].Selection
					break
				}
			}
		}
		return msg
	}
}

// answered takes in the newest selections.
func (s *strategiesScreen) answered(msg answerMsg) {
	p := &s.answer
	if msg.gen != p.gen {
		return
	}
	p.cancel()
	p.cancel = nil
	if msg.err != nil {
		p.asked = question{} // cancelled, which only the program's end does by now
		return
	}
	p.of, p.state, p.picks = p.asked, s.selector.madeOf, msg.picks
	s.changes++
}

// pick returns the newest selection under a strategy, nil while there is none.
func (s *strategiesScreen) pick(strategy selection.Strategy) *selection.Selection {
	if s.answer.picks == nil {
		return nil
	}
	return s.answer.picks[slices.Index(selection.Strategies, strategy)]
}

// chosen returns the strategy under the cursor of the comparison.
func (s *strategiesScreen) chosen() selection.Strategy {
	return selection.Strategies[s.lists[partComparison].cursor]
}

// late reports whether the selections are of something else than the message.
func (s *strategiesScreen) late() bool {
	return s.answer.cancel != nil || s.selector.cancel != nil || s.answer.of.message != s.app.query.Value()
}

// needs returns what the message needs, by groups of names of which any one
// will do: that of the labelled query with its words, else the tool that is
// expected; nil when nobody has said.
func (s *strategiesScreen) needs() [][]string {
	key := needsKey{s.state, s.app.query.Value(), s.app.pin.name}
	if s.lastNeeds.key != key {
		s.lastNeeds.key, s.lastNeeds.groups = key, s.findNeeds()
	}
	return s.lastNeeds.groups
}

// needsKey is what needs depend on.
type needsKey struct {
	state        *workbench.State
	message, pin string
}

// lastNeeds are the needs that were found last: drawing asks for them often.
type lastNeeds struct {
	key    needsKey
	groups [][]string
}

// findNeeds does so.
func (s *strategiesScreen) findNeeds() [][]string {
	message := folded(s.app.query.Value())
	if message == "" {
		return nil
	}
	for _, q := range s.state.Queries {
		if folded(q.Text) != message {
			continue
		}
		if q.Groups != nil {
			return q.Groups
		}
		var groups [][]string
		for _, name := range q.Relevant {
			groups = append(groups, []string{name})
		}
		return groups
	}
	if s.app.pin.name != "" {
		return [][]string{{s.app.pin.name}}
	}
	return nil
}

// needed says whether a selection has what the message needs: in what is
// sent, within reach by more round trips, or neither.
func (s *strategiesScreen) needed(x *selection.Selection, needs [][]string) (words string, in bool) {
	if len(needs) == 0 || x == nil {
		return s.app.theme.Same, false
	}
	sent := map[string]bool{}
	for _, t := range x.Tools {
		sent[t.Tool.Name], sent[t.Tool.Qualified] = true, true
	}
	met, later := 0, 0
	for _, group := range needs {
		switch {
		case slices.ContainsFunc(group, func(name string) bool { return sent[name] }):
			met++
		case (x.Bridge || x.Strategy == selection.Lazy) && slices.ContainsFunc(group, s.reachable):
			later++
		}
	}
	switch {
	case met == len(needs):
		return "in", true
	case len(needs) > 1:
		return thousands(met) + " of " + thousands(len(needs)), false
	case later > 0:
		return "later", false
	}
	return "out", false
}

// reachable reports whether the session may call a tool of a name.
func (s *strategiesScreen) reachable(name string) bool {
	snapshot := s.answer.state.Snapshot
	for _, t := range snapshot.Registry.Lookup(name) {
		if status := snapshot.Status(t); status == engine.Sent || status == engine.Deferred {
			return true
		}
	}
	return false
}

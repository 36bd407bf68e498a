package tui

import (
	"context"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/engine/selection"
	"caliper/tui/workbench"
)

// question is what selections answer.
type question struct {
	selector *selection.Selector
	message  string
	turns    string // the messages before it, a line each
	all      bool   // under every strategy, not only the one in force
}

// answer is the newest selections, and the job that makes the next.
type answer struct {
	gen    int
	asked  question // that is answered, or being answered
	cancel context.CancelFunc
	past   past // the newest

	of    question // that the selections answer
	state *workbench.State
	picks []*selection.Selection // in the order of the strategies; nil for one that was not asked
}

// past is what the last of the turns before a message selected under every
// strategy; nothing without turns.
type past struct {
	selector *selection.Selector
	turns    string
	last     map[selection.Strategy]selection.Selection
}

// pastOf returns the past of turns, a line each; none of no turns.
func pastOf(ctx context.Context, x *selection.Selector, turns string) (past, error) {
	p := past{x, turns, map[selection.Strategy]selection.Selection{}}
	if turns == "" {
		return p, nil
	}
	threads, err := x.Converse(ctx, strings.Split(turns, "\n"), nil)
	if err != nil {
		return past{}, err
	}
	for _, t := range threads {
		if !t.Strategy.Ranks() || t.Sticky == x.Settings().Sticky {
			p.last[t.Strategy] = t.Turns[len(t.Turns)-1].Selection
		}
	}
	return p, nil
}

// answerMsg is the outcome of a question.
type answerMsg struct {
	gen   int
	picks []*selection.Selection
	past  past
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
	q := question{s.selector.made, s.message(), strings.Join(s.turnsBefore(), "\n"), s.shown()}
	every := q
	every.all = true
	if q == p.asked || p.asked == every {
		return nil
	}
	p.abandon()
	s.gen++
	ctx, cancel := context.WithCancel(s.app.ctx)
	p.gen, p.asked, p.cancel = s.gen, q, cancel
	gen, strategy, before := s.gen, selection.Strategy(s.state.Config.Selection), p.past
	return func() tea.Msg {
		msg := answerMsg{gen: gen, past: before, picks: make([]*selection.Selection, len(selection.Strategies))}
		if before.selector != q.selector || before.turns != q.turns {
			if msg.past, msg.err = pastOf(ctx, q.selector, q.turns); msg.err != nil {
				return msg
			}
		}
		if !q.all {
			x, err := q.selector.Select(ctx, q.message, msg.past.last[strategy].History())
			msg.picks[slices.Index(selection.Strategies, strategy)], msg.err = &x, err
			return msg
		}
		all, err := q.selector.Every(ctx, q.message, func(strategy selection.Strategy) []string { return msg.past.last[strategy].History() })
		msg.err = err
		for i := range all {
			msg.picks[i] = &all[i]
		}
		return msg
	}
}

// turnsBefore returns the turns of the conversation that come before the
// message. The last turn is the message itself when it says the same: it was
// just added.
func (s *strategiesScreen) turnsBefore() []string {
	if n := len(s.messages); n > 0 && s.messages[n-1] == folded(s.message()) {
		return s.messages[:n-1]
	}
	return s.messages
}

// turnWords says which message of a session the selections are for.
func (s *strategiesScreen) turnWords() string {
	if len(s.messages) == 0 {
		return "as a first message"
	}
	return "as turn " + thousands(len(s.turnsBefore())+1)
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
	p.of, p.state, p.picks, p.past = p.asked, s.selector.madeOf, msg.picks, msg.past
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
	return s.answer.cancel != nil || s.selector.cancel != nil || s.answer.of.message != s.message()
}

// needs returns what the message needs, by groups of names of which any one
// will do: that of the labelled query with its words, else the tool that is
// expected; nil when nobody has said.
func (s *strategiesScreen) needs() [][]string {
	key := needsKey{s.state, s.message(), s.app.pin.name}
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
	message := folded(s.message())
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

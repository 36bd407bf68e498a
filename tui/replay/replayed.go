package replay

import (
	"cmp"
	"slices"

	"caliper/engine/replay"
	"caliper/model/safetext"
	"caliper/tui/report"
	"caliper/tui/report/replays"
	"caliper/tui/ui"
)

// replayed is a report, what it was computed of, and what follows from it for the screen: a log
// may have hundreds of thousands of sessions, so that nothing of that is done while it is drawn.
type replayed struct {
	*replay.Report
	inputs  replay.Inputs
	order   []int          // the numbers of the sessions as they are listed
	numbers map[string]int // the number of a session, by its key
	names   sessionNames

	verdict *report.Report // in words
}

// newReplayed returns a report with what follows from it.
func newReplayed(rep *replay.Report, of replay.Inputs) *replayed {
	r := &replayed{Report: rep, inputs: of, numbers: make(map[string]int, len(rep.Sessions)), names: sessionNames{agent: len("agent"), model: len("model")}, verdict: replays.ReplayVerdict(rep)}
	type listed struct{ session, loops, missed int }
	list := make([]listed, 0, len(rep.Sessions))
	for i, s := range rep.Sessions {
		list = append(list, listed{i, s.Loops, s.Deferrable - s.Found})
		r.names.agent = max(r.names.agent, ui.Width(string(s.Agent)))
		r.names.model = max(r.names.model, min(mostModel, ui.Width(safetext.Line(s.Model))))
		if key := keyOf(s); !r.has(key) {
			r.numbers[key] = i
		}
	}
	slices.SortStableFunc(list, func(a, b listed) int { // those with most loops first, then those with most misses
		return cmp.Or(b.loops-a.loops, b.missed-a.missed)
	})
	r.order = make([]int, len(list))
	for i, l := range list {
		r.order[i] = l.session
	}
	return r
}

// keyOf returns what a session is known by when its log is read again.
func keyOf(s replay.Session) string { return s.File + "\x00" + s.ID }

// numberOf returns the number of the session with a key. Where no session has the key, it
// returns the one listed first; -1 when the report has no session.
func (r *replayed) numberOf(key string) int {
	if i, ok := r.numbers[key]; ok {
		return i
	}
	if len(r.order) == 0 {
		return -1
	}
	return r.order[0]
}

// has reports whether there is a session with a key.
func (r *replayed) has(key string) bool {
	_, ok := r.numbers[key]
	return ok
}

// The cells of the parts of a session's name.
const (
	leastID    = 15
	mostID     = 36 // of a UUID
	leastModel = 20
	mostModel  = 40
	nameGap    = 2
)

// sessionNames is how wide the columns of the agents and models of all sessions are.
type sessionNames struct{ agent, model int }

// least returns the cells that the id and the agent of a session need.
func (n sessionNames) least() int { return leastID + nameGap + n.agent }

// most returns the cells that the longest name of a session takes.
func (n sessionNames) most() int { return mostID + nameGap + n.agent + nameGap + n.model }

// cells returns the name of a session in room cells: its id, its agent and, where
// there is room for it, its model.
func (n sessionNames) cells(room int, id, agent, model string) string {
	gap := ui.Spaces(nameGap)
	end := gap + ui.Fit(agent, n.agent)
	if spare := room - ui.Width(end) - nameGap - leastID; spare >= min(n.model, leastModel) {
		end += gap + ui.Fit(safetext.Line(model), min(n.model, spare))
	}
	w := max(1, room-ui.Width(end))
	return ui.Fit(ui.FitName(safetext.Line(id), min(w, mostID)), w) + end
}

// where names a session of a report in a line about something in it.
func (r *replayed) where(session int) string {
	x := r.Sessions[session]
	return ui.FitName(safetext.Line(x.ID), leastID) + " (" + string(x.Agent) + ")"
}

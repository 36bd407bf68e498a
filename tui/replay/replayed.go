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
	agents  int            // cells of the longest name of an agent, and of a model
	models  int
	verdict *report.Report // in words
}

// newReplayed returns a report with what follows from it.
func newReplayed(rep *replay.Report, of replay.Inputs) *replayed {
	r := &replayed{Report: rep, inputs: of, numbers: make(map[string]int, len(rep.Sessions)), agents: len("agent"), models: len("model"), verdict: replays.ReplayVerdict(rep)}
	for i, s := range rep.Sessions {
		r.order = append(r.order, i)
		r.agents = max(r.agents, ui.Width(string(s.Agent)))
		r.models = max(r.models, min(mostModel, ui.Width(safetext.Line(s.Model))))
		if key := keyOf(s); !r.has(key) {
			r.numbers[key] = i
		}
	}
	slices.SortStableFunc(r.order, func(a, b int) int { // those with most loops first, then those with most misses
		x, y := &rep.Sessions[a].Counts, &rep.Sessions[b].Counts
		return cmp.Or(y.Loops-x.Loops, y.Deferrable-y.Found-x.Deferrable+x.Found)
	})
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

// sessionCells returns the line of a session in w cells: its id, its agent, where there is room
// for it its model, and the figures for which there is room.
func (r *replayed) sessionCells(w int, id, agent, model string, figures ...string) string {
	return columns(w, leastID+nameGap+r.agents, mostID+nameGap+r.agents+nameGap+r.models, func(room int) string {
		gap := ui.Spaces(nameGap)
		end := gap + ui.Fit(agent, r.agents)
		if spare := room - ui.Width(end) - nameGap - leastID; spare >= min(r.models, leastModel) {
			end += gap + ui.Fit(safetext.Line(model), min(r.models, spare))
		}
		w := max(1, room-ui.Width(end))
		return ui.Fit(ui.FitName(safetext.Line(id), min(w, mostID)), w) + end
	}, sessionColumns, figures...)
}

// where names a session of a report in a line about something in it.
func (r *replayed) where(session int) string {
	x := r.Sessions[session]
	return ui.FitName(safetext.Line(x.ID), leastID) + " (" + string(x.Agent) + ")"
}

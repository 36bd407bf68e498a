package replay

import (
	"caliper/engine/replay"
	"caliper/model/safetext"
	"caliper/tui/ui"
)

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

// noNames are the widths of no sessions.
var noNames = sessionNames{agent: len("agent"), model: len("model")}

// add makes room for a session.
func (n *sessionNames) add(x replay.Session) {
	n.agent = max(n.agent, ui.Width(string(x.Agent)))
	n.model = max(n.model, min(mostModel, ui.Width(safetext.Line(x.Model))))
}

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
	x := r.Session(session)
	return ui.FitName(safetext.Line(x.ID), leastID) + " (" + string(x.Agent) + ")"
}

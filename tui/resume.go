package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/desk"
	"caliper/tui/ui"
)

// remembered returns the state to save. What waits for files without errors is
// remembered again.
func (a *App) remembered() desk.SavedState {
	in := desk.SavedInput{Files: a.opt.inputs(), Trials: a.knobs.Keep(), Pin: a.explore.Case().Expected, Arguments: a.explore.Arguments(desk.MaxArguments)}
	if a.resume != nil {
		in.Pin = a.resume.Pin
	}
	if m := a.input.Flags.Message; m != a.opt.Flags.Message { // the command line's is its own
		in.Message = m
	}
	if session := a.input.Flags.Session; session != a.opt.Flags.Session {
		in.Session = session
	}
	in.Query, in.Screen = a.explore.Case().Query, a.screen().Name()
	if names, at := a.screen().Views(); len(names) > 0 && a.state != nil {
		in.View = names[at]
	}
	in.Opened = map[string][]string{}
	for _, s := range a.screens {
		if paths := s.Opened(); paths != nil {
			in.Opened[s.Name()] = paths[:min(len(paths), desk.MaxOpened)]
		}
	}
	s := desk.SavedState{History: a.explore.History()}
	if !a.opt.Tour {
		s.Inputs = []desk.SavedInput{in}
	}
	return s
}

// resumed completes, at the first load without errors, what the run before has
// left, and tells which trials are taken up and which are not: the trials that were dropped,
// with the text about descriptions and the labels of knobs.
func (a *App) resumed(dropped string, knobs []string) tea.Cmd {
	in := a.resume
	a.resume = nil
	if in.Pin != "" {
		if t := a.state.Snapshot.Registry.Named(in.Pin); t != nil {
			a.explore.Pin(t)
		} else {
			dropped = join(dropped, "the registry has no "+safetext.Line(in.Pin)+" any more: it is unpinned")
		}
	}
	if len(knobs) > 0 {
		dropped = join(dropped, "not tried any more, because the files have the value: "+words.And(knobs))
	}
	if len(a.resuming) > 0 {
		dropped = join(dropped, "dropped, because it is not a value: "+words.And(a.resuming))
	}
	level := ui.LevelInfo
	if dropped != "" {
		level = ui.LevelWarn
	}
	if n := a.trials(); n > 0 {
		dropped = join(dropped, "WHAT IF is on: "+words.Count(n, "trial")+" of the last run: "+words.And(a.knobs.Tried()))
	}
	if dropped == "" {
		return nil
	}
	return a.Notify(level, join(dropped, a.opt.Welcome))
}

// join joins two parts of a notice, of which one may be empty.
func join(said, more string) string {
	if said == "" || more == "" {
		return said + more
	}
	return said + "; " + more
}

// trials returns how many settings and descriptions are tried.
func (a *App) trials() int {
	if a.state == nil {
		return 0
	}
	return a.knobs.CountTurned() + len(a.knobs.Edits())
}

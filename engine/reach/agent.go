package reach

import "caliper/engine/live"

// Agent is a subagent, or another named session of an agent, with its lists of tools.
type Agent struct {
	Name string
	File string
}

// setting returns the list that decides.
func (a *Agent) setting() live.Setting { return live.Setting{File: a.File} }

// gives returns whether the subagent is given the tool.
func (a *Agent) gives(*chain) Step { return Step{Verdict: Pass, Code: IsGranted} }

// lacksSearch reports whether the subagent has no search.
func (a *Agent) lacksSearch() bool { return false }

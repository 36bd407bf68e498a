package scope

import (
	"slices"
	"strings"

	"caliper/engine"
	chain "caliper/engine/reach"
	"caliper/model"
	"caliper/tui/report"
)

// access is how a session reaches a tool, the most direct first.
type access int

const (
	accessDirect    access = iota // it is sent, and called by its name
	accessSearch                  // through tool_call
	accessApproval                // through a person who approves the call
	accessNone                    // it is granted, and nothing leads to it
	accessDenied                  // a gate refuses the call
	accessViolation               // it is reached without being granted, or found and not callable
)

// reach is how a session reaches a tool.
type reach struct {
	access access
	denial engine.Denial // of accessApproval and accessDenied
	paths  []string      // of accessViolation
}

// reachOf returns how a session reaches a tool, by its qualified name.
func reachOf(a *engine.SessionAudit, tool string) reach {
	if paths := violated(a, tool); paths != nil {
		return reach{access: accessViolation, paths: paths}
	}
	switch d, refused := a.Denial(tool); {
	case refused && !d.Final:
		return reach{access: accessApproval, denial: d}
	case refused:
		return reach{access: accessDenied, denial: d}
	}
	switch {
	case holds(a.Direct, tool):
		return reach{access: accessDirect}
	case holds(a.Callable, tool):
		return reach{access: accessSearch}
	}
	return reach{access: accessNone}
}

// violated returns the paths of the violations of a tool, nil for none.
func violated(a *engine.SessionAudit, tool string) (paths []string) {
	i, _ := slices.BinarySearchFunc(a.Violations, tool, func(v engine.Violation, name string) int { return strings.Compare(v.Tool, name) })
	for ; i < len(a.Violations) && a.Violations[i].Tool == tool; i++ {
		paths = append(paths, a.Violations[i].Path)
	}
	return paths
}

// The words of the cells of the matrix, which differ without their signs too. A denied one has the
// sign alone: which gate it is, is said once, of the cell under the cursor.
const (
	wordDirect    = "direct"
	wordSearch    = "search"
	wordApproval  = "asks"
	wordNone      = "unreachable"
	wordViolation = "VIOLATION"
)

// short returns how a tool is reached in few words, for a narrow terminal.
func (r reach) short() string {
	return [...]string{accessDirect: wordDirect, accessSearch: "via search", accessApproval: "needs approval", accessNone: "granted, unreachable", accessDenied: "denied by " + r.denial.Gate,
		accessViolation: wordViolation + " by " + strings.Join(r.paths, ", ")}[r.access]
}

// long returns short with the reason why a session of a snapshot cannot call the tool, nil for one
// that the registry does not have.
func (r reach) long(s *engine.Snapshot, session string, t *model.Tool) string {
	if r.denial == (engine.Denial{}) {
		return r.short()
	}
	step := chain.Stopped(s, session, t, r.denial, "")
	if step.File == "" { // the configuration, in which O writes it
		return r.short() + ": " + report.ReachDetail(step).String()
	}
	return r.short() + ": " + report.ReachStep(step).String()
}

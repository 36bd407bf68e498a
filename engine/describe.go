package engine

import (
	"fmt"

	"caliper/model"
)

// personGates of Describe are those of tool_describe without the ones that
// ask whether the bridge is there and whether the tool is behind it.
var personGates = []gate{
	{"name", gateName},
	{"known", gateKnownHere},
	{"scope_granted", gateGranted},
	{"scope_executor", gateScopeExecutor},
}

// Describe returns the tool of a name, raw or qualified, that a person may be
// shown as this session meets it, whether it is sent or deferred.
func (s *Snapshot) Describe(name string) (*model.Tool, *Fault) {
	a := &attempt{snapshot: s, called: trim(name)}
	for _, g := range personGates {
		if _, f := g.check(a); f != nil {
			return nil, f
		}
	}
	return a.tool, nil
}

// gateKnownHere is gateKnown with an answer for the bridge's own names, which
// the registry does not hold.
func gateKnownHere(a *attempt) (string, *Fault) {
	if IsBridge(a.called) && len(a.snapshot.Registry.Lookup(a.called)) == 0 {
		return "", fault(CodeUnknownTool, fmt.Sprintf("%s is a tool of the bridge, which the assembly shows; the registry does not have it", a.called))
	}
	return gateKnown(a)
}

// gateGranted fails on tools that the session's scope does not hold, core
// tools among them.
//
// SECURITY: a schema outside the scope is never shown, by any path.
func gateGranted(a *attempt) (string, *Fault) {
	if !a.snapshot.granted[a.tool.Index] {
		return "", a.outOfScope()
	}
	return "in the session's scope", nil
}

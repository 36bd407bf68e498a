package engine

import (
	"encoding/json"

	"caliper/model/words"
)

// Invoke takes a call as a client sends it through the gates: of a tool in the assembly,
// or of tool_call with the call that it asks for. A trace that authorizes the call may be
// run: the tool of its RealName with its Arguments. approved is the qualified name of the
// tool that a person has let this one call run; empty for none.
//
// SECURITY: the gates are the dry run's and no others. An approval opens only a
// rule that asks for one, only for the tool that was approved, and none that denies.
func (s *Snapshot) Invoke(name string, args json.RawMessage, approved string) Trace {
	if words.Strip(name) == ToolCall && s.Active() {
		gates, a, called := s.insideCall(args)
		a.approved = approved
		return s.take(gates, a, called)
	}
	return s.take(directGates, &attempt{snapshot: s, called: words.Strip(name), raw: args, approved: approved}, name)
}

package engine

import (
	"encoding/json"
	"fmt"
	"slices"

	"caliper/engine/arguments"
	"caliper/model/jsontree"
	"caliper/model/safetext"
	"caliper/model/words"
)

// directGates are the gates of a call by a name that the model uses without
// the bridge.
var directGates = slices.Concat([]gate{
	{"name", gateName},
	{"known", gateDirectKnown},
	// SECURITY: a model can call names it was never sent; only the session's scope may be
	// executed.
	{"scope_executor", unlessBridge("every session with deferred tools has it", func(a *attempt) (string, *Fault) {
		_, f := gateScopeExecutor(a)
		return "granted by the session's toolsets", f
	})},
	{"assembly", unlessBridge("in the tools list", gateAssembly)},
	{"arguments", gateArguments},
	{"schema", gateDirectSchema},
	{"policy", unlessBridge("no rule is about the bridge", gatePolicy)},
}, hookGates)

// DirectGateNames returns the names of the gates of a call without the bridge in the
// order in which they are asked.
func DirectGateNames() []string { return gateNames(directGates) }

// gateDirectKnown resolves the name; the bridge's own names are known while
// the bridge is in the assembly.
func gateDirectKnown(a *attempt) (string, *Fault) {
	if !IsBridge(a.called) {
		detail, f := gateKnown(a)
		if f != nil && f.Code == CodeAmbiguousName {
			// No name with a toolset is in any list of tools, so that none is offered.
			f = fault(CodeAmbiguousName, fmt.Sprintf("%s is the name of several tools of this session: a list with two of one name is refused by providers", safetext.Line(a.called)))
		}
		return detail, f
	}
	if !a.snapshot.Active() {
		return "", fault(CodeUnknownTool, fmt.Sprintf("no tool is called %s in this session: tool search is not active", a.called))
	}
	a.bridge = true
	return "the bridge itself", nil
}

// unlessBridge returns a check that a call of a bridge tool passes with a detail: searching
// and describing run no tool.
func unlessBridge(detail string, check func(*attempt) (string, *Fault)) func(*attempt) (string, *Fault) {
	return func(a *attempt) (string, *Fault) {
		if a.bridge {
			return detail, nil
		}
		return check(a)
	}
}

// gateAssembly fails on a granted tool that is not in the assembly.
func gateAssembly(a *attempt) (string, *Fault) {
	switch status := a.snapshot.Status(a.tool); status {
	case Sent:
		return "in the tools list", nil
	case Deferred:
		return "", fault(CodeDeferred, fmt.Sprintf(`%s is behind the bridge: call %s with {"name": %q, "arguments": {...}}`, a.shownName(), ToolCall, a.shownName()))
	case Unreachable:
		return "", fault(CodeUnknownTool, fmt.Sprintf("%s is not selected for this message, and tool search is off: nothing leads to it", a.shownName()))
	case Replaced:
		return "", fault(CodeUnknownTool, fmt.Sprintf("%s is a bridge name, so the registry's tool of that name is never sent", a.shownName()))
	default:
		return "", a.outOfScope()
	}
}

// gateDirectSchema validates the arguments of a direct call. For a bridge tool it
// runs the call, whose answer may be a fault.
func gateDirectSchema(a *attempt) (string, *Fault) {
	if !a.bridge {
		return gateSchema(a)
	}
	_, f := a.snapshot.answer(a.called, a.raw)
	return "the bridge answers", f
}

// allowed returns the message and the model's view of an authorized attempt.
func (a *attempt) allowed() (text string, modelSees []byte) {
	if a.bridge {
		answer, _ := a.snapshot.Bridge(a.called, a.raw)
		return words.Message(fmt.Sprintf("%s may be called", safetext.Line(a.called))), answer
	}
	text = fmt.Sprintf("%s may be called", a.shownName())
	switch {
	case len(a.warnings) > 0:
		text += "; arguments that do not fit would reach it"
	case a.partial:
		text += "; its arguments are checked in part"
	}
	if a.task {
		text += "; " + onlyAsTask
	}
	var answer named
	answer.add("dry_run", true)
	answer.add("name", a.snapshot.ModelName(a.tool))
	answer.add("arguments", json.RawMessage(arguments.Strict(a.arguments)))
	return words.Message(text), jsontree.Encode(answer)
}

package engine

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"caliper/engine/arguments"
	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/safetext"
	"caliper/model/words"
)

// tool_call of september-2026 takes a list of calls, and runs one of them.

// laterGates are the gates of tool_call in september-2026, in the agent's order. They
// have the names of bridgeGates.
var laterGates = slices.Concat([]gate{
	{"active", gateActive},
	{"name", gateName},
	{"recursion", gateRecursion},
	{"arguments", func(a *attempt) (string, *Fault) { // see gateArguments
		object, f := laterArguments(a.raw)
		if f != nil {
			return "", f
		}
		// What a dump of september-2026 holds is registered already.
		return a.convert(object, func(t *model.Tool) []byte { return t.Parameters }, arguments.CoerceLater)
	}},
	{"known", gateLaterKnown},
	{"deferrable", gateLaterDeferrable},
	{"scope_catalog", gateScopeCatalog},
	{"scope_executor", gateScopeExecutor},
	{"schema", gateLaterSchema},
	{"policy", gatePolicy},
}, hookGates)

// oneCall returns the call that the arguments of tool_call ask for. A list may be
// given as one object, or as the JSON text of either; without a list, name and
// arguments stand for one call. The first entry with a fault decides; after that,
// several calls are refused.
func oneCall(fields map[string]json.RawMessage) (written, *Fault) {
	list, err := jsontree.Parse(fields["calls"], jsontree.Python)
	if len(fields["calls"]) == 0 || err == nil && list.Kind == jsontree.Null {
		name := arguments.Text(fields["name"])
		if name == "" {
			return written{}, fault(CodeMissingCalls, `no calls: send {"calls": [{"name": "...", "arguments": {...}}]}`)
		}
		return checkedEntry(written{name: name, raw: fields["arguments"]})
	}
	if err == nil && list.Kind == jsontree.String {
		list, err = jsontree.Parse([]byte(list.Text), jsontree.Python)
	}
	if err != nil {
		return written{}, fault(CodeBadCalls, `"calls" is a text that is not JSON: send the array itself`)
	}
	items := list.Elements()
	if list.Kind == jsontree.Object {
		items = []jsontree.Child{{Node: list}}
	}
	if len(items) == 0 {
		return written{}, fault(CodeCallsNotArray, `"calls" must be an array with a call: send [{"name": "...", "arguments": {...}}]`)
	}
	var first written
	for i, item := range items {
		e, f := written{}, fault(CodeEntryNotObject, `a call is an object: send {"name": "...", "arguments": {...}}`)
		if item.Kind == jsontree.Object {
			fields := arguments.Members(item.Raw)
			e, f = checkedEntry(written{name: arguments.Text(fields["name"]), raw: fields["arguments"]})
		}
		if f != nil {
			if len(items) > 1 {
				f.Message = fmt.Sprintf("calls[%d]: %s", i, f.Message)
			}
			return written{}, f
		}
		if i == 0 {
			first = e
		}
	}
	if len(items) > 1 {
		return written{}, fault(CodeLocalBatch, fmt.Sprintf("%d calls at once, and %s runs one: send the calls one by one", len(items), ToolCall))
	}
	return first, nil
}

// checkedEntry returns an entry, or the fault of its name or its arguments.
func checkedEntry(e written) (written, *Fault) {
	if e.name == "" {
		return written{}, fault(CodeMissingName, `no tool name: send it as "name"`)
	}
	if IsBridge(e.name) {
		return e, recursion(e.name)
	}
	_, f := laterArguments(e.raw)
	return e, f
}

// recursion is the fault of a bridge tool that is called through the bridge.
func recursion(name string) *Fault {
	return fault(CodeBridgeRecursion, fmt.Sprintf("%s is called directly, not through %s: put the tool you need in \"name\"", name, ToolCall))
}

// laterArguments returns the object that the arguments of an entry stand for. Blank
// text is {}; otherwise a text must be the JSON of an object.
func laterArguments(raw json.RawMessage) ([]byte, *Fault) {
	v, err := jsontree.Parse(raw, jsontree.Python)
	if err == nil && v.Kind == jsontree.String && words.Strip(v.Text) == "" {
		return []byte("{}"), nil
	}
	object, f := arguments.Parse(raw)
	if f != nil {
		return nil, fault(f.Code, f.Message)
	}
	return object, nil
}

// gateLaterKnown fails on a name that the registry does not have, whoever is granted
// it, and resolves the others.
//
// SECURITY: of several tools of one name only the ones that the session is granted
// count. Suggestions are in the session's scope; the agent itself suggests names
// of the whole registry, which the trace tells.
func gateLaterKnown(a *attempt) (string, *Fault) {
	s := a.snapshot
	if f := s.laterName(a.called, s.offered); f != nil && f.Code == CodeUnknownName {
		// Names that the agent suggests although the session is not granted a tool of them.
		a.leaked = slices.DeleteFunc(s.agentSuggestions(a.called), func(n string) bool {
			return slices.ContainsFunc(s.Registry.Lookup(n), s.Granted)
		})
		return "", f
	}
	if a.found == nil {
		a.found = s.bearers(a.called)
	}
	if len(a.found) == 0 {
		return "", nil // another name when it is folded, or one that only the list of deferred names has
	}
	return gateKnown(a)
}

// gateLaterDeferrable fails on names that the bridge does not lead to.
func gateLaterDeferrable(a *attempt) (string, *Fault) {
	s := a.snapshot
	f := s.laterName(a.called, s.offered)
	switch {
	case f != nil:
		return "", f
	case a.tool == nil:
		return "", fault(CodeOutOfScope, fmt.Sprintf("%s is listed as deferred, and this session has no such tool", safetext.Line(a.called)))
	case s.granted[a.tool.Index] && s.class[a.tool.Index] == Visible:
		return "", fault(CodeDirectlyListed, fmt.Sprintf("%s is in your tools list: call it directly, not through %s", safetext.Line(a.called), ToolCall))
	}
	return "may be deferred", nil
}

// gateLaterSchema fails when the call lacks a parameter that the schema requires, as
// the model sent it, or when the converted arguments do not fit the schema. What
// cannot be checked passes, as in the agent.
func gateLaterSchema(a *attempt) (string, *Fault) {
	object, _ := laterArguments(a.raw)
	given := arguments.Members(object)
	var missing []string
	for _, name := range requiredNames(a.tool.Parameters) {
		if _, ok := given[name]; !ok {
			missing = append(missing, safetext.Line(name))
		}
	}
	if len(missing) > 0 {
		f := fault(CodeMissingRequired, "missing: "+strings.Join(missing, ", "))
		f.Parameters = a.tool.Parameters
		return "", f
	}
	var wrong, unchecked []string
	for _, p := range a.snapshot.validator.ValidateLater(a.tool.Parameters, a.arguments) {
		if p.Uncheckable {
			unchecked = append(unchecked, p.String())
		} else {
			wrong = append(wrong, p.String())
		}
	}
	a.partial = a.partial || len(unchecked) > 0
	if len(wrong) > 0 {
		f := fault(CodeSchemaViolation, strings.Join(wrong, "; "))
		f.Parameters = a.tool.Parameters
		return "", f
	}
	if a.partial {
		return "fits; checked in part: " + strings.Join(unchecked, "; "), nil
	}
	return "the arguments fit", nil
}

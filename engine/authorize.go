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

// attempt is one call on its way through the gates.
type attempt struct {
	snapshot *Snapshot
	called   string          // trimmed name
	raw      json.RawMessage // arguments as the model sent them; nil when absent
	outer    json.RawMessage // arguments of the bridge call that the attempt is in; nil for one by name
	misread  string          // why the arguments of the bridge call itself are none; see bridgeArguments
	unread   *Fault          // of the bridge call itself, whose arguments are not JSON
	approved string          // qualified name of the tool that a person let this call run; empty for none

	bridge    bool          // the call names a bridge tool, directly
	found     []*model.Tool // see bearers; nil before they are looked up
	tool      *model.Tool   // set by the gate that resolves the name
	inScope   bool          // set by the executor's scope gate
	arguments []byte        // the object that the tool would receive; see arguments.Coerce
	coerced   []arguments.Coerced
	warnings  []Warning // what does not fit and reaches the tool all the same
	misfits   string    // the warnings in words
	task      bool      // every gate so far passes, and the tool runs only as a task
	partial   bool      // a gate could not check everything
	unchecked string    // what it could not check, in words
	leaked    []string  // names out of scope that the agent of september-2026 would suggest

	final   bool   // a correction, which has none
	quiet   bool   // only the verdict is wanted: no suggestions, no conversion of arguments
	refused Denial // of a quiet attempt: the gate that refuses it, and the code of its fault
}

// gate is one authorization check. If it passes, detail is a text with the reason; if
// it fails, f has it. A check that adds a warning passes.
type gate struct {
	name  string
	check func(*attempt) (detail string, f *Fault)
}

// bridgeGates are the gates of tool_call, in the reference agent's order.
var bridgeGates = slices.Concat([]gate{
	{"active", gateActive},
	{"name", gateName},
	{"recursion", gateRecursion},
	{"arguments", gateArguments},
}, namingGates, []gate{
	{"schema", gateSchema},
	{"policy", gatePolicy},
}, hookGates)

// GateNames returns the names of all gates of a call: tool_call's in the order in
// which they are asked, and behind the gate that it follows in a direct call each that
// only a direct call has.
func GateNames() []string {
	names := gateNames(bridgeGates)
	for i, g := range directGates {
		if !slices.Contains(names, g.name) { // and is not the first: that is name, which both have
			names = slices.Insert(names, slices.Index(names, directGates[i-1].name)+1, g.name)
		}
	}
	return names
}

// gateNames returns the names of gates in their order.
func gateNames(gates []gate) []string {
	names := make([]string, len(gates))
	for i, g := range gates {
		names[i] = g.name
	}
	return names
}

// namingGates are the gates of bridgeGates that find the tool of a name and check
// that it is in the session's scope. In september-2026 others refuse with other words, and
// let the same tools through.
var namingGates = []gate{
	{"known", gateKnown},
	{"deferrable", gateDeferrable},
	{"scope_catalog", gateScopeCatalog},
	{"scope_executor", gateScopeExecutor},
}

// Call dry-runs tool_call for a tool's name and the arguments as the model
// would send them: any JSON value, or nil when absent.
func (s *Snapshot) Call(name string, args json.RawMessage) Trace {
	gates := bridgeGates
	if s.later() {
		gates = laterGates
	}
	return s.take(gates, &attempt{snapshot: s, called: words.Strip(name), raw: args}, name)
}

// Direct dry-runs a call that names a tool without the bridge: allowed when
// the tool is in the assembly, refused with the way to call it when it is
// deferred. A direct call of tool_call has the verdict of the call that it asks for.
func (s *Snapshot) Direct(name string, args json.RawMessage) Trace {
	t := s.Invoke(name, args, "")
	t.Name = name
	return t
}

// take takes an attempt through the gates. The first failure is the verdict.
func (s *Snapshot) take(gates []gate, a *attempt, name string) Trace {
	t := Trace{Name: name, Session: s.Session.Name, Code: CodeOK, Generation: s.Config.ToolSearch.Generation,
		Coerced: []arguments.Coerced{}, Warnings: []Warning{}, Leaked: []string{}, Instead: []string{}}
	var refused *Fault
	for _, g := range gates {
		step := Step{Gate: g.name, Verdict: Skip}
		var hooks []Step
		if refused == nil {
			warnings, task := len(a.warnings), a.task
			detail, fault := g.check(a)
			step.Detail, refused = words.Message(detail), fault
			switch {
			case refused != nil:
				if t.Correction = a.correction(refused); t.Correction != nil {
					refused.Next = &t.Correction.Call
				}
				step.Verdict, step.Detail = Fail, refused.Message
				t.Gate, t.Code, t.Message = optional(g.name), refused.Code, refused.Message
				if t.Leaked = append(t.Leaked, a.leaked...); len(a.leaked) > 0 {
					t.Instead = append(t.Instead, refused.Suggestions...)
				}
				t.ModelSees = jsontree.Encode(refused)
			case len(a.warnings) > warnings || a.task && !task:
				step.Verdict = Warn
			default:
				step.Verdict = Pass
			}
			hooks = a.hookSteps(g.name)
		}
		t.Steps = append(append(t.Steps, step), hooks...)
	}
	if a.inScope {
		t.RealName = optional(a.tool.Qualified)
	}
	t.Coerced, t.Warnings, t.Partial = append(t.Coerced, a.coerced...), append(t.Warnings, a.warnings...), a.partial
	if a.arguments != nil && (a.inScope || a.bridge) && t.Gate != "arguments" {
		t.Arguments = arguments.Strict(a.arguments)
	}
	if refused == nil {
		t.Authorized, t.TaskOnly = true, a.task
		// Only an authorized call knows that arguments reach the tool: a later gate may deny it.
		for i := range t.Steps {
			if t.Steps[i].Verdict == Warn && a.misfits != "" && t.Steps[i].Gate == "schema" {
				t.Steps[i].Detail = words.Message(sentences(a.misfits+"; would reach the tool", a.unchecked))
			}
		}
		t.Message, t.ModelSees = a.allowed()
		if a.bridge && a.called == ToolDescribe { // which may leave names undescribed
			value, _ := s.answer(a.called, a.raw)
			if answer, ok := value.(batchDescribeAnswer); ok {
				t.Corrections = s.correctNames(&answer)
			}
		}
	}
	return t
}

// passes takes a call without arguments through the gates, and returns the tool of its
// name. ok is its verdict; when it is false, memory.refused tells why. memory comes from
// the attempt before on this snapshot, or empty; the tools of a name are looked up
// once for the attempts that follow each other.
func (s *Snapshot) passes(gates []gate, name string, memory *attempt) (t *model.Tool, ok bool) {
	called, found := words.Strip(name), memory.found
	if memory.called != called {
		found = nil
	}
	*memory = attempt{snapshot: s, called: called, found: found, quiet: true}
	for _, g := range gates {
		if _, f := g.check(memory); f != nil {
			memory.refused = Denial{Gate: g.name, Code: f.Code, Final: true}
			return nil, false
		}
	}
	return memory.tool, true
}

// suggest returns names that may have been meant by the one called, none in a quiet
// attempt. For a tool out of scope they are the similar names of all servers.
func (a *attempt) suggest() []string {
	switch {
	case a.quiet:
		return nil
	case a.tool != nil:
		c := a.snapshot.candidate(a.tool)
		return a.snapshot.Suggest(strings.Join(c.bare(c.server), "_"))
	}
	return a.snapshot.Suggest(a.called)
}

// gateActive fails when the session's assembly has no bridge.
func gateActive(a *attempt) (string, *Fault) {
	s := a.snapshot
	if s.Active() {
		return fmt.Sprintf("the bridge hides %d tools", len(s.Catalog())), nil
	}
	return "", fault(CodeBridgeInactive, "tool search is not active in this session: call tools directly, by the names in your tools list")
}

// gateName fails on a missing or blank name.
func gateName(a *attempt) (string, *Fault) {
	if a.unread != nil {
		return "", a.unread
	}
	if a.called == "" {
		f := fault(CodeMissingName, `no tool name: send it as "name"`)
		if a.misread != "" {
			f.Message += "; " + a.misread
		}
		return "", f
	}
	return safetext.Line(a.called), nil
}

// gateRecursion fails when a bridge tool is called through the bridge.
func gateRecursion(a *attempt) (string, *Fault) {
	if IsBridge(a.called) {
		return "", recursion(a.called)
	}
	return "not a bridge tool", nil
}

// gateKnown resolves the name. It fails when the registry has no tool of the
// name, or when the session is granted several.
//
// SECURITY: of several tools of one name only the ones that the session is granted
// count, so that nothing reveals the others.
func gateKnown(a *attempt) (string, *Fault) {
	if a.found == nil {
		a.found = a.snapshot.bearers(a.called)
	}
	found := a.found
	switch len(found) {
	case 0:
		return "", fault(CodeUnknownTool, fmt.Sprintf("no tool is called %s", safetext.Line(a.called)), a.suggest()...)
	case 1:
		a.tool = found[0]
		return fmt.Sprintf("toolset %s", a.tool.ShownToolset()), nil
	}
	var names []string
	for _, t := range found {
		names = append(names, t.Qualified)
	}
	return "", fault(CodeAmbiguousName, fmt.Sprintf("%d tools are called %s: use the name with its toolset", len(found), safetext.Line(a.called)), names...)
}

// gateDeferrable fails on tools that are sent directly.
func gateDeferrable(a *attempt) (string, *Fault) {
	s := a.snapshot
	switch {
	case s.class[a.tool.Index] == Deferrable:
		return "behind the bridge", nil
	case s.granted[a.tool.Index]:
		return "", fault(CodeNotDeferrable, fmt.Sprintf("%s is in your tools list: call it directly, not through %s", safetext.Line(a.tool.Name), ToolCall))
	}
	return "", fault(CodeNotDeferrable, fmt.Sprintf("%s is never behind the bridge, and this session does not have it", safetext.Line(a.called)))
}

// gateScopeCatalog is the first scope gate, in the bridge's dispatch.
//
// SECURITY: a session must not reach a tool that is not in its own catalog.
// The reference agent once searched and called the whole process registry.
func gateScopeCatalog(a *attempt) (string, *Fault) {
	if _, ok := a.snapshot.Document(a.tool); !ok {
		return "", a.outOfScope()
	}
	if a.snapshot.lacks(GateScopeCatalog) {
		return passWithout, nil
	}
	return "in the session's catalog", nil
}

// gateScopeExecutor is the second scope gate, in the executor when it
// has unwrapped the call. It asks the executor's own computation of the scope
// and nothing that the catalog was made from.
//
// SECURITY: even a catalog that is wrong must not get a tool executed outside
// the session's scope.
func gateScopeExecutor(a *attempt) (string, *Fault) {
	if a.snapshot.lacks(GateScopeExecutor) {
		a.inScope = true
		return passWithout, nil
	}
	if !a.snapshot.executor().Allows(a.tool) {
		return "", a.outOfScope()
	}
	a.inScope = true
	return "granted by the session's toolsets (sequential and concurrent unwrap)", nil
}

// outOfScope is the fault of both scope gates.
func (a *attempt) outOfScope() *Fault {
	why := "this session is not granted its toolset"
	if !a.tool.Available {
		why = "its availability check failed"
	}
	return fault(CodeOutOfScope, fmt.Sprintf("%s cannot be used here: %s", safetext.Line(a.called), why), a.suggest()...)
}

// shownName returns the name of the tool as the model knows it, safe for a
// terminal.
func (a *attempt) shownName() string { return safetext.Line(a.snapshot.ModelName(a.tool)) }

// gatePolicy fails when a rule on the real name that names no stage denies the call
// or requires approval. It runs before every hook.
//
// A tool that runs only as a task passes with a warning, which is about no rule: it is
// said where all that a call needs beside its arguments is decided.
func gatePolicy(a *attempt) (string, *Fault) {
	detail, f := a.askRules("", "no rule matches")
	if a.task = f == nil && a.tool.TaskOnly; a.task {
		detail = sentences(detail, onlyAsTask)
	}
	return detail, f
}

// onlyAsTask is the warning of a gate, and the note of an answer of the bridge, about a tool that a plain call does not run.
const onlyAsTask = "it runs only as a task (execution.taskSupport: required): its server refuses a plain call"

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

// The gates that Inputs.WithoutGates may name, which are the two scope gates.
const (
	GateScopeCatalog  = "scope_catalog"
	GateScopeExecutor = "scope_executor"
)

// ParseRemovableGate returns the gate of a name. The error names those that can
// be left out.
func ParseRemovableGate(name string) (string, error) {
	if name != GateScopeCatalog && name != GateScopeExecutor {
		return "", fmt.Errorf("gate %q: want %s or %s", safetext.Line(name), GateScopeCatalog, GateScopeExecutor)
	}
	return name, nil
}

// WithoutGates returns the scope gates that the snapshot is built without.
func (s *Snapshot) WithoutGates() []string { return s.inputs.WithoutGates }

// lacks reports whether a gate is left out.
//
// SECURITY: only a dry run asks. A snapshot that lacks a gate must never be
// served to an agent.
func (s *Snapshot) lacks(gate string) bool { return slices.Contains(s.inputs.WithoutGates, gate) }

// passWithout is the detail of a gate that was left out.
const passWithout = "left out: everything passes"

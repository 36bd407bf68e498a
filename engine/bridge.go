package engine

import (
	"encoding/json"
	"fmt"
	"strings"

	"caliper/engine/arguments"
	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/safetext"
	"caliper/model/words"
)

// maxMatchDescription bounds a description in a search answer, in code
// points. Source: the reference agent, June 2026.
const maxMatchDescription = 400

// searchAnswer is the answer of tool_search to the model.
type searchAnswer struct {
	Query          string  `json:"query"`
	TotalAvailable int     `json:"total_available"`
	Matches        []named `json:"matches"` // found
	abstention
}

// Bridge answers one call of a bridge tool with exactly the JSON that the
// model would get; args is the call's arguments value as the model sent it.
// ok is false when the answer is a fault. A tool_call is always a dry run.
func (s *Snapshot) Bridge(tool string, args json.RawMessage) (answer json.RawMessage, ok bool) {
	if !IsBridge(tool) {
		return jsontree.Encode(fault(CodeUnknownTool, fmt.Sprintf("no bridge tool is called %s", safetext.Line(tool)),
			ToolSearch, ToolDescribe, ToolCall)), false
	}
	if tool == ToolCall {
		t := s.take(s.insideCall(args))
		return t.ModelSees, t.Authorized
	}
	value, f := s.answer(tool, args)
	if f != nil {
		if c := s.correctBridge(tool, args); c != nil && s.answers(c.Call) {
			f.Next = &c.Call
		}
		return jsontree.Encode(f), false
	}
	if batch, ok := value.(batchDescribeAnswer); ok {
		s.correctNames(&batch)
		value = batch
	}
	return jsontree.Encode(value), true
}

// insideCall returns the attempt that the arguments of a tool_call ask for, its gates,
// and the name as it is written.
func (s *Snapshot) insideCall(args json.RawMessage) (gates []gate, a *attempt, name string) {
	fields, misread, f := bridgeArguments(args)
	a = &attempt{snapshot: s, outer: args, misread: misread, unread: f}
	if !s.later() {
		name = arguments.Text(fields["name"])
		a.called, a.raw = words.Strip(name), fields["arguments"]
		return bridgeGates, a, name
	}
	if f == nil {
		var e written
		e, a.unread = oneCall(fields)
		a.called, a.raw = e.name, e.raw
	}
	return laterGates, a, a.called
}

// answer answers tool_search or tool_describe.
func (s *Snapshot) answer(tool string, args json.RawMessage) (value any, f *Fault) {
	fields, misread, f := bridgeArguments(args)
	if f != nil {
		return nil, f
	}
	switch {
	case s.later():
		key, most := "queries", MaxQueries
		if tool == ToolDescribe {
			key, most = "names", MaxNames
		}
		var texts []string
		if texts, f = batchOf(fields[key], key, tool == ToolDescribe, most); f == nil && !s.Active() {
			_, f = gateActive(&attempt{snapshot: s})
		}
		switch {
		case f != nil:
		case tool == ToolSearch:
			value = s.batchSearch(texts, effectiveLimit(s.Config.ToolSearch, fields["limit"]))
		default:
			value = s.batchDescribe(texts, s.offered)
		}
	case tool == ToolSearch:
		query := arguments.Text(fields["query"])
		var hits []*model.Tool
		if hits, f = s.bridgeSearch(query, effectiveLimit(s.Config.ToolSearch, fields["limit"])); f == nil {
			answer := searchAnswer{Query: query, TotalAvailable: len(s.Catalog()), Matches: []named{}}
			if a, abstains := s.abstain(query); abstains {
				answer.abstention, hits = a, nil
			}
			for _, t := range hits {
				answer.Matches = append(answer.Matches, s.found(t))
			}
			value = answer
		}
	default:
		var t *model.Tool
		if t, f = s.describedBy(s.describeGates(), arguments.Text(fields["name"])); f == nil {
			value = s.described(t)
		}
	}
	if f != nil && misread != "" {
		f.Message += "; " + misread
	}
	return value, f
}

// bridgeArguments returns the members of a bridge call's arguments; the last of two
// equal keys wins. Arguments that are not JSON are a fault, which the agent answers
// before it looks at the call. The agent reads JSON that is not an object as {}, so
// that a name or a query is missing; misread then has the reason.
func bridgeArguments(args json.RawMessage) (fields map[string]json.RawMessage, misread string, f *Fault) {
	object, err := arguments.Parse(args)
	switch {
	case err == nil:
		return arguments.Members(object), "", nil
	case err.Code == CodeNotObject:
		return nil, "the arguments of the call itself are read as {}: " + err.Message, nil
	}
	return nil, "", fault(err.Code, err.Message)
}

// bridgeSearch returns the first limit tools that tool_search finds.
func (s *Snapshot) bridgeSearch(query string, limit int) ([]*model.Tool, *Fault) {
	// SECURITY: it ranks the session's catalog and nothing else.
	if !s.Active() {
		_, f := gateActive(&attempt{snapshot: s})
		return nil, f
	}
	if words.Strip(query) == "" {
		return nil, fault(CodeMissingQuery, `no query: send {"query": "<what the tool should do>"}`)
	}
	found := s.index().SearchInto(nil, query, limit).Hits
	tools := make([]*model.Tool, len(found))
	for i, h := range found {
		tools[i] = s.Catalog()[h.Doc]
	}
	return tools, nil
}

// describeGates are the checks of tool_describe. Unlike tool_call it has no
// recursion gate: a bridge name is simply not deferrable.
var describeGates = []gate{
	{"active", gateActive},
	{"name", gateName},
	{"bridge", func(a *attempt) (string, *Fault) {
		if IsBridge(a.called) {
			return "", fault(CodeNotDeferrable, fmt.Sprintf("%s is in your tools list with its parameters", a.called))
		}
		return "", nil
	}},
	{"known", gateKnown},
	{"deferrable", gateDeferrable},
	{"scope_catalog", gateScopeCatalog},
	{"scope_executor", gateScopeExecutor},
}

// describeGates returns the checks of tool_describe. A dry run without the
// catalog's gate describes the whole registry, as the agent did.
func (s *Snapshot) describeGates() []gate {
	if s.lacks(GateScopeCatalog) {
		return describeGates[:len(describeGates)-1]
	}
	return describeGates
}

// BridgeTools returns the three bridge definitions that the model is sent for a
// number of deferred tools. Names, if there are any, are listed in the description
// of tool_search. Without names only the number varies, so the same number gives
// the same bytes, and a prompt cache can be used again.
func BridgeTools(deferred int, names ...string) []json.RawMessage {
	search := fmt.Sprintf("Find tools that are not in this list. %d more tools are available; this returns the best matches for a few words with their names and what they do.", deferred)
	if len(names) > 0 {
		search += " Their names: " + strings.Join(names, ", ")
	}
	return []json.RawMessage{
		bridgeTool(ToolSearch, search, `{"type":"object","properties":{"query":{"type":"string","description":"What the tool should do, in a few words"},"limit":{"type":"integer","description":"How many matches to return"}},"required":["query"]}`),
		bridgeTool(ToolDescribe, "Read the parameters of a tool that tool_search found.", `{"type":"object","properties":{"name":{"type":"string","description":"Name as tool_search gave it"}},"required":["name"]}`),
		bridgeTool(ToolCall, "Call a tool that tool_search found. Tools of this list are called directly, never through this one.", `{"type":"object","properties":{"name":{"type":"string","description":"Name as tool_search gave it"},"arguments":{"type":"object","description":"Arguments as tool_describe shows them"}},"required":["name","arguments"]}`),
	}
}

// bridgeTool returns one definition.
func bridgeTool(name, description, parameters string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"type":"function","function":{"name":%q,"description":%s,"parameters":%s}}`,
		name, jsontree.Encode(description), parameters))
}

// personGates are the gates of Describe: tool_describe's without the checks
// that the bridge is active and the tool is behind it.
var personGates = []gate{
	{"name", gateName},
	{"known", func(a *attempt) (string, *Fault) {
		if IsBridge(a.called) && len(a.snapshot.Registry.Lookup(a.called)) == 0 {
			return "", fault(CodeUnknownTool, fmt.Sprintf("%s is a tool of the bridge, which the assembly shows; the registry does not have it", a.called))
		}
		return gateKnown(a)
	}},
	// SECURITY: a schema outside the scope, of a core tool too, is never shown, by any path.
	{"scope_granted", func(a *attempt) (string, *Fault) {
		if !a.snapshot.granted[a.tool.Index] {
			return "", a.outOfScope()
		}
		return "", nil
	}},
	{"scope_executor", gateScopeExecutor},
}

// Describe returns the tool of a name, raw or qualified, if the session is granted
// it, whether it is sent or deferred. It is for showing tools to a person.
func (s *Snapshot) Describe(name string) (*model.Tool, *Fault) {
	return s.describedBy(personGates, name)
}

// describedBy returns the tool of a name that some gates let through.
func (s *Snapshot) describedBy(gates []gate, name string) (*model.Tool, *Fault) {
	a := &attempt{snapshot: s, called: words.Strip(name)}
	for _, g := range gates {
		if _, f := g.check(a); f != nil {
			return nil, f
		}
	}
	return a.tool, nil
}

// The most that one call of a bridge tool of september-2026 may ask for. Source: the
// reference agent, September 2026.
const (
	MaxQueries = 7
	MaxNames   = 10
)

// laterBridge returns the three bridge definitions of september-2026 for a number of
// deferred tools. The description of tool_search ends with a list of them, or with
// the names of lazy, if there is one.
func laterBridge(deferred int, list string, names []string) []json.RawMessage {
	search := fmt.Sprintf("Find tools that are not in this list, by what they do. %d more tools are available.", deferred)
	switch {
	case list != "":
		search += "\n" + list
	case len(names) > 0:
		search += " Their names: " + strings.Join(names, ", ")
	}
	return []json.RawMessage{
		bridgeTool(ToolSearch, search, fmt.Sprintf(`{"type":"object","properties":{"queries":{"type":"array","items":{"type":"string"},"description":"What the tools should do, a few words each, at most %d"},"limit":{"type":"integer","description":"Matches for each"}},"required":["queries"]}`, MaxQueries)),
		bridgeTool(ToolDescribe, "Read the parameters of tools that tool_search found.", fmt.Sprintf(`{"type":"object","properties":{"names":{"type":"array","items":{"type":"string"},"description":"Names as tool_search gave them, at most %d"}},"required":["names"]}`, MaxNames)),
		bridgeTool(ToolCall, "Call a tool that tool_search found. Tools of this list are called directly, never through this one.", `{"type":"object","properties":{"calls":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"arguments":{"type":"object","description":"As tool_describe shows them"}},"required":["name","arguments"]}}},"required":["calls"]}`),
	}
}

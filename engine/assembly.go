package engine

import (
	"bytes"
	"encoding/json"
	"slices"

	"caliper/config"
	"caliper/engine/tokens"
	"caliper/model"
	"caliper/model/jsontree"
)

// Assembly is the tools that the model is sent with one message, or without one.
// The budget, search, describe, call, their authorization and the audit of a
// Snapshot all follow from its Assembly.
//
// The granted tools of a session are divided like this:
//
//   - tools.selection eager and tool_search choose nothing. Activate decides by
//     the threshold: with the bridge the core tools are sent and the others
//     deferred, without it everything is sent.
//   - keyword, semantic and hybrid send the always-sent tools and those that
//     the message selects; lazy sends names, in the description of tool_search.
//     All other tools are left out. With tool search auto or on, the bridge is
//     sent as soon as one tool is left out, without regard to the threshold, and
//     all tools left out are deferred, core tools too. With tool search off, the
//     core tools are sent and the others are unreachable.
//
// In september-2026 the bridge lists the deferred tools as far as their budget
// allows; lazy lists all names instead.
//
// Invariants:
//
//   - A granted tool is sent, deferred or unreachable, and only one of these.
//   - A tool is unreachable only under pre-selection with tool search off.
//   - A tool that is not granted is never sent, deferred or unreachable.
//   - Equal inputs give the same bytes.
type Assembly struct {
	Strategy    string        // of config.Strategies
	Tools       []*model.Tool // sent in full, in this order
	Bridge      bool          // the three bridge tools follow Tools
	Deferred    int           // tools that the bridge leads to
	Unreachable int           // granted tools that nothing leads to
	Listing     *tokens.List  // of the deferred tools, in the description of tool_search; nil in june-2026

	generation config.Generation
	names      []string // what lazy lists in the description of tool_search
}

// PreSelects reports whether a strategy chooses the tools to send before tool search
// does.
func PreSelects(strategy string) bool {
	return strategy != config.SelectEager && strategy != config.SelectToolSearch
}

// Assembly returns what the model is sent. Its slices must not be changed.
func (s *Snapshot) Assembly() Assembly { return s.assembly }

// Assemble returns what the model would be sent under a strategy that selects
// some tools, those always sent among them, in the order in which they are
// sent. Strategies that select nothing ignore them.
//
// SECURITY: a selection is no authorization. What the session is not granted
// is dropped from it here, whoever selected it.
func (s *Snapshot) Assemble(strategy string, selected []*model.Tool) Assembly {
	may := func(t *model.Tool) bool {
		return t.Index < len(s.granted) && s.Registry.Tools[t.Index] == t && s.granted[t.Index] && !IsBridge(t.Name)
	}
	if slices.ContainsFunc(selected, func(t *model.Tool) bool { return !may(t) }) {
		selected = slices.DeleteFunc(slices.Clone(selected), func(t *model.Tool) bool { return !may(t) })
	}
	return s.listed(s.division, s.division.assemble(s.Config.ToolSearch.Enabled, strategy, selected, s.activation.Active))
}

// listed returns an assembly of a division as the generation of the configuration
// sends it: september-2026 lists the deferred tools.
func (s *Snapshot) listed(d division, a Assembly) Assembly {
	a.generation = s.Config.ToolSearch.Generation
	if a.generation != config.September2026 || !a.Bridge || a.names != nil {
		return a
	}
	sent := make(map[*model.Tool]bool, len(a.Tools))
	for _, t := range a.Tools {
		sent[t] = true
	}
	var deferred []tokens.ListTool
	for _, t := range d.sendable {
		if !sent[t] {
			deferred = append(deferred, tokens.ListTool{Name: s.ModelName(t), Toolset: t.Toolset, Description: t.Description})
		}
	}
	list := tokens.ChooseList(deferred, ListingBudget(s.Config.ToolSearch, s.Config.ContextLength))
	if s.Config.ToolSearch.Listing == config.Off {
		list = list.Without()
	}
	a.Listing = &list
	return a
}

// Everything returns the assembly that sends every granted tool in full,
// whatever the configuration says.
func (s *Snapshot) Everything() Assembly {
	return Assembly{Strategy: config.SelectEager, Tools: s.division.sendable}
}

// division has the tools of a scope that an assembly divides.
type division struct {
	sendable []*model.Tool // what may be sent, in registry order
	visible  []*model.Tool // the part of sendable that tool search never defers: the core tools
}

// divide returns the division of a scope, by Tool.Index.
func (s *Snapshot) divide(granted []bool) division {
	d := division{sendable: s.sendable(granted)}
	for _, t := range d.sendable {
		if s.classByName[t.Index] == Visible {
			d.visible = append(d.visible, t)
		}
	}
	return d
}

// assemble returns the assembly of a scope; active is the decision of Activate for
// it.
func (d division) assemble(mode config.Mode, strategy string, selected []*model.Tool, active bool) Assembly {
	a := Assembly{Strategy: strategy}
	switch {
	case !PreSelects(strategy) && !active:
		a.Tools = d.sendable
		return a
	case !PreSelects(strategy):
		a.Tools = d.visible
	case mode == config.Off:
		// The core tools that are not selected follow those that are.
		has := make(map[*model.Tool]bool, len(selected))
		for _, t := range selected {
			has[t] = true
		}
		a.Tools = selected[:len(selected):len(selected)]
		for _, t := range d.visible {
			if !has[t] {
				a.Tools = append(a.Tools, t)
			}
		}
	case strategy == config.SelectLazy:
		for _, t := range d.sendable {
			a.names = append(a.names, t.Qualified)
		}
	default:
		a.Tools = selected
	}
	rest := len(d.sendable) - len(a.Tools)
	if PreSelects(strategy) && mode == config.Off {
		a.Unreachable = rest
	} else if rest > 0 {
		a.Bridge, a.Deferred = true, rest
	}
	return a
}

// Definitions returns the tools array of an assembly, one compact definition
// each: its tools, and then the bridge. A number that no float64 holds is counted
// as the agent writes it, Infinity, which is not JSON: its definition stays as it is.
func (a Assembly) Definitions() []json.RawMessage {
	out := make([]json.RawMessage, 0, len(a.Tools)+3)
	for _, t := range a.Tools {
		d := tokens.Compact(nil, tokens.Definition(t))
		if bytes.Contains(d, []byte("Infinity")) && !json.Valid(d) {
			d = jsontree.Compact(tokens.Definition(t))
		}
		out = append(out, d)
	}
	return append(out, a.BridgeTools()...)
}

// BridgeTools returns the definitions of the bridge as the assembly sends them;
// nil when it does not.
func (a Assembly) BridgeTools() []json.RawMessage {
	if !a.Bridge {
		return nil
	}
	if a.generation == config.September2026 {
		list := ""
		if a.Listing != nil {
			list = a.Listing.Text()
		}
		return laterBridge(a.Deferred, list, a.names)
	}
	return BridgeTools(a.Deferred, a.names...)
}

// Counted reports whether the bridge of the assembly depends on the number of
// deferred tools alone, and on nothing that it lists.
func (a Assembly) Counted() bool { return a.names == nil && a.Listing == nil }

// Tokens returns the tokens of an assembly of this snapshot, with the text that the provider puts
// around the definitions, and the tokens of its bridge alone. Each figure is a sum that is
// rounded once.
func (s *Snapshot) Tokens(a Assembly) (all, bridge int) {
	bridge = s.bridgeUnits(a)
	return s.Tokenizer.Tokens(s.AroundUnits(a) + s.sum(a.Tools) + bridge), s.Tokenizer.Tokens(bridge)
}

// AroundUnits returns the units of what the provider puts around the definitions of an
// assembly (tokens.Method.Around); 0 for an assembly that sends none.
func (s *Snapshot) AroundUnits(a Assembly) int {
	if len(a.Tools) == 0 && !a.Bridge {
		return 0
	}
	return s.Tokenizer.Around()
}

// bridgeUnits returns the size of an assembly's bridge. That of one which lists nothing is remembered:
// assemblies of many settings and messages defer as many tools.
func (s *Snapshot) bridgeUnits(a Assembly) int {
	key := [...]any{s.Tokenizer, a.generation, a.Bridge, a.Deferred}
	if known, ok := s.findings.Load(key); ok && a.Counted() {
		return known.(int)
	}
	n := 0
	for _, def := range a.BridgeTools() {
		n += s.Tokenizer.Units(def)
	}
	if a.Counted() {
		s.findings.Store(key, n)
	}
	return n
}

package selection

import (
	"encoding/json"
	"fmt"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/tokens"
	"caliper/model"
)

// send writes a choice out: the core, what was chosen, and the bridge to the
// rest. The bridge stands last, as in an assembly. It says how many tools are
// deferred, which every growth changes: there only the bridge is lost from the
// prompt cache, before the tools all of them would be lost with it.
func (s *Selector) send(c choice) Selection {
	x := s.begin(s.settings.Strategy)
	x.Notes = c.notes
	x.Tools = make([]Selected, 0, len(s.scope.core)+len(c.picks))
	for _, t := range s.scope.core {
		x.Tools = append(x.Tools, Selected{Tool: t, Reason: Core})
	}
	for _, p := range c.picks {
		x.Tools = append(x.Tools, s.selected(p.ranked, p.reason))
	}
	for _, r := range c.missed {
		x.Missed = append(x.Missed, s.selected(r, ""))
	}
	definitions := make([]json.RawMessage, len(x.Tools), len(x.Tools)+3)
	for i, t := range x.Tools {
		definitions[i] = definition(t.Tool)
	}
	rest := len(s.scope.sendable) - len(x.Tools)
	if s.escapes(rest) {
		x.Deferred, x.Bridge = rest, true
		definitions = append(definitions, engine.BridgeTools(rest)...)
		x.BridgeTokens = s.scope.snapshot.Tokenizer.Tokens(s.bridge.units(rest))
	} else if rest > 0 {
		x.Notes = append(x.Notes, Note{NoteNoEscape, fmt.Sprintf("tool search is off: %d tools cannot be reached", rest)})
	}
	x.Bytes = array(definitions)
	x.cost(s.tokens(c), s.scope.budget.EagerTokens)
	return x
}

// begin returns a selection that says what it was made by.
func (s *Selector) begin(strategy Strategy) Selection {
	x := Selection{Strategy: strategy, K: s.settings.K, Candidates: len(s.scope.candidates)}
	if strategy.usesSimilarity() && s.similarity.Similarity != nil {
		x.Embedder = s.similarity.Identity().String()
	}
	return x
}

// selected returns a candidate and how it was chosen.
func (s *Selector) selected(r ranked, why Reason) Selected {
	return Selected{Tool: s.scope.candidates[r.doc], Reason: why, KeywordRank: r.keyword, SemanticRank: r.semantic, Score: r.score}
}

// escapes reports whether tools that are not selected are put behind the
// bridge. It does not ask for the threshold: the schemas are left out already,
// and the way to them is cheap.
func (s *Selector) escapes(rest int) bool {
	return rest > 0 && s.scope.snapshot.Config.ToolSearch.Enabled != config.Off
}

// tokens returns what a choice costs, core and bridge included, rounded once.
func (s *Selector) tokens(c choice) int {
	units := 0
	for _, t := range s.scope.core {
		units += s.scope.units.Tool(t)
	}
	for _, p := range c.picks {
		units += s.scope.units.Tool(s.scope.candidates[p.doc])
	}
	if rest := len(s.scope.sendable) - len(s.scope.core) - len(c.picks); s.escapes(rest) {
		units += s.bridge.units(rest)
	}
	return s.scope.snapshot.Tokenizer.Tokens(units)
}

// cost sets the tokens of a selection, and what they save.
func (x *Selection) cost(schema, eager int) {
	x.SchemaTokens, x.EagerTokens = schema, eager
	x.SavedPct = saved(float64(schema), eager)
}

// saved returns how many hundredths of the eager tokens are not spent; 0 when
// there are none.
func saved(spent float64, eager int) float64 {
	if eager == 0 {
		return 0
	}
	return 100 * (float64(eager) - spent) / float64(eager)
}

// Deferred returns the tools that are behind the bridge under a selection of
// this Selector, by name: every tool that the session may be sent and that is
// not selected, core tools among them, so that what is not always sent stays
// reachable. It is empty when tool search is off, and for Lazy, whose names
// are its way to the schemas.
//
// A snapshot of the same inputs whose Core is the names of Tools, and whose
// tool search is on, answers and authorizes calls as under the selection.
func (s *Selector) Deferred(x Selection) []*model.Tool {
	if !x.Bridge {
		return nil
	}
	selected := make(map[*model.Tool]bool, len(x.Tools))
	for _, t := range x.Tools {
		selected[t.Tool] = true
	}
	var rest []*model.Tool
	for _, t := range s.scope.snapshot.ByName() {
		if sendable(s.scope.snapshot, t) && !selected[t] {
			rest = append(rest, t)
		}
	}
	return rest
}

// definition returns a tool's definition as an assembly has it.
func definition(t *model.Tool) json.RawMessage {
	return tokens.Compact(nil, tokens.Definition(t))
}

// array returns definitions as one JSON array.
func array(definitions []json.RawMessage) []byte {
	size := 2
	for _, d := range definitions {
		size += len(d) + 1
	}
	out := append(make([]byte, 0, size), '[')
	for i, d := range definitions {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, d...)
	}
	return append(out, ']')
}

// eager sends every schema.
func (s *Selector) eager() Selection {
	x := s.begin(Eager)
	definitions := make([]json.RawMessage, len(s.scope.sendable))
	for i, t := range s.scope.sendable {
		x.Tools = append(x.Tools, Selected{Tool: t, Reason: All})
		definitions[i] = definition(t)
	}
	if s.scope.snapshot.Active() {
		x.Notes = []Note{{NoteSearchActive, "tool search is active, so that tools.selection eager sends what stands at " + string(ToolSearch)}}
	}
	x.Bytes = array(definitions)
	x.cost(s.scope.budget.EagerTokens, s.scope.budget.EagerTokens)
	return x
}

// lazy sends a list of the qualified names, in registry order, and no schema.
func (s *Selector) lazy() Selection {
	x := s.begin(Lazy)
	names := make([]string, len(s.scope.sendable))
	for i, t := range s.scope.sendable {
		names[i] = t.Qualified
	}
	x.Bytes = quoted(names)
	x.Deferred = len(names)
	x.RoundTrips = 1
	x.Notes = []Note{{NoteNamesOnly, "names only: the schema of a tool costs a round trip"}}
	x.cost(s.scope.snapshot.Tokenizer.Tokens(s.scope.snapshot.Tokenizer.Units(x.Bytes)), s.scope.budget.EagerTokens)
	return x
}

// toolSearch sends the assembly as it stands: what is deferred takes a search
// and a description before it is called.
func (s *Selector) toolSearch() Selection {
	x := s.begin(ToolSearch)
	snapshot := s.scope.snapshot
	for _, t := range s.scope.sendable {
		switch {
		case snapshot.Status(t) != engine.Sent:
			x.Deferred++
		case snapshot.Class(t) == engine.Visible:
			x.Tools = append(x.Tools, Selected{Tool: t, Reason: Core})
		default:
			x.Tools = append(x.Tools, Selected{Tool: t, Reason: All})
		}
	}
	x.Bytes = array(snapshot.Assembly())
	x.BridgeTokens = s.scope.budget.BridgeTokens
	if x.Bridge = snapshot.Active(); x.Bridge {
		x.RoundTrips = 2
	} else {
		x.Notes = []Note{{NoteNotActive, "tool search is not active: everything is sent"}}
	}
	x.cost(s.scope.budget.AfterTokens, s.scope.budget.EagerTokens)
	return x
}

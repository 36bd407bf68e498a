package selection

import (
	"bytes"
	"fmt"

	"caliper/engine"
	"caliper/engine/tokens"
	"caliper/model"
)

// outline returns the selection of a choice without its Bytes: the core, the chosen tools, and the
// bridge to the others. The bridge comes last, because it has the number of deferred
// tools and changes with every tool that is added. Only the bridge is then lost from
// the prompt cache; in front of the tools, it would make all of them lost as well.
func (s *Selector) outline(c choice) Selection {
	x := s.begin(s.settings.Strategy)
	x.Notes = c.notes
	if c.scores != nil {
		x.Floor = &c.floor
	}
	x.Tools = make([]Selected, 0, len(s.scope.Always)+len(c.picks))
	for _, t := range s.scope.Always {
		x.Tools = append(x.Tools, Selected{Tool: t, Reason: Core})
	}
	for _, p := range c.picks {
		x.Tools = append(x.Tools, s.selected(c, p.ranked, p.reason))
	}
	for _, r := range c.missed {
		x.Missed = append(x.Missed, s.selected(c, r, ""))
	}
	return s.finish(x, s.assembly(c))
}

// assembly returns what a choice sends.
func (s *Selector) assembly(c choice) engine.Assembly {
	tools := make([]*model.Tool, 0, len(s.scope.Always)+len(c.picks))
	tools = append(tools, s.scope.Always...)
	for _, p := range c.picks {
		tools = append(tools, s.scope.Candidates[p.doc])
	}
	return s.scope.snapshot.Assemble(string(s.settings.Strategy), tools)
}

// finish sets what follows from the assembly of a selection, except for Bytes,
// which are as large as everything that is sent. Tools that are
// sent without having been selected are core tools that nothing else leads to.
func (s *Selector) finish(x Selection, a engine.Assembly) Selection {
	for _, t := range a.Tools[min(len(x.Tools), len(a.Tools)):] {
		x.Tools = append(x.Tools, Selected{Tool: t, Reason: Core})
	}
	x.Assembly = a
	x.Deferred, x.Bridge = a.Deferred, a.Bridge
	if n := a.Unreachable; n > 0 {
		x.Notes = append(x.Notes, Note{NoteNoEscape, fmt.Sprintf("tool search is off: %d tools cannot be reached", n)})
	}
	x.EagerTokens = s.scope.budget.EagerTokens
	x.SchemaTokens, x.BridgeTokens = s.scope.snapshot.Tokens(a)
	x.SavedPct = saved(float64(x.SchemaTokens), x.EagerTokens)
	return x
}

// begin returns a selection with the strategy, K and embedder by which it is made.
func (s *Selector) begin(strategy Strategy) Selection {
	x := Selection{Strategy: strategy, K: s.settings.K, Candidates: len(s.scope.Candidates)}
	if strategy.usesSimilarity() && s.similarity.Similarity != nil {
		x.Embedder = s.similarity.Identity().String()
	}
	return x
}

// selected returns a candidate and how it was chosen.
func (s *Selector) selected(c choice, r ranked, why Reason) Selected {
	x := Selected{Tool: s.scope.Candidates[r.doc], Reason: why, KeywordRank: r.keyword, SemanticRank: r.semantic, Score: r.score}
	if c.scores != nil && c.scores[r.doc] != 0 { // 0: not compared, or nothing near
		x.Similarity = &c.scores[r.doc]
	}
	return x
}

// saved returns the percentage of the eager tokens that is not spent; 0 when there
// are no eager tokens.
func saved(spent float64, eager int) float64 {
	if eager == 0 {
		return 0
	}
	return 100 * (float64(eager) - spent) / float64(eager)
}

// array returns the definitions of an assembly as one JSON array.
func array(a engine.Assembly) []byte {
	size := 2
	for _, t := range a.Tools {
		before, after := t.Around()
		size += len(before) + len(t.Function) + len(after) + 1
	}
	out := append(make([]byte, 0, size), '[')
	for _, t := range a.Tools {
		out = append(tokens.Compact(out, tokens.Definition(t)), ',')
	}
	for _, d := range a.BridgeTools() {
		out = append(append(out, d...), ',')
	}
	return append(bytes.TrimSuffix(out, []byte(",")), ']')
}

// eager returns the selection of every schema.
func (s *Selector) eager() Selection {
	x := s.begin(Eager)
	for _, t := range s.scope.Sendable {
		x.Tools = append(x.Tools, Selected{Tool: t, Reason: All})
	}
	if s.scope.snapshot.Assemble(string(ToolSearch), nil).Bridge {
		chosen := "tools.selection eager"
		if s.scope.snapshot.Host().Generation == "" { // which has no such setting
			chosen = "eager"
		}
		x.Notes = []Note{{NoteSearchActive, "tool search is active, so " + chosen + " sends the same as " + string(ToolSearch)}}
	}
	return s.finish(x, s.scope.snapshot.Everything())
}

// lazy returns the selection of no schema. The description of tool_search has the
// qualified names, in registry order.
func (s *Selector) lazy() Selection {
	x := s.begin(Lazy)
	x.RoundTrips = 1
	a := s.scope.snapshot.Assemble(string(Lazy), nil)
	if a.Bridge {
		x.Notes = []Note{{NoteNamesOnly, "names only: the schema of a tool costs an extra round trip"}}
	}
	return s.finish(x, a)
}

// toolSearch returns the selection that tool search makes alone. A deferred tool
// takes two round trips, a search and a description, before it can be called.
func (s *Selector) toolSearch() Selection {
	x := s.begin(ToolSearch)
	a := s.scope.snapshot.Assemble(string(ToolSearch), nil)
	for _, t := range a.Tools {
		reason := All
		if s.scope.snapshot.Core(t) {
			reason = Core
		}
		x.Tools = append(x.Tools, Selected{Tool: t, Reason: reason})
	}
	if a.Bridge {
		x.RoundTrips = 2
	} else {
		x.Notes = []Note{{NoteNotActive, "tool search is not active: everything is sent"}}
	}
	return s.finish(x, a)
}

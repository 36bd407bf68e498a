package replay

import (
	"math"

	"caliper/engine/selection"
	"caliper/engine/transcript"
	"caliper/model"
)

// EagerSet says which deferred tools it would pay to send with every request.
type EagerSet struct {
	// Tools are the deferrable tools that the sessions use, by Saving, the
	// greatest first, then by SavingTokens, then by name.
	Tools []Eager
	// Keep is how many of Tools save something: the line where it turns.
	Keep int
	// Priced: Saving decides; false when no session has a price, and
	// then SavingTokens does.
	Priced bool

	perToken burden // of a token that every session carries
}

// Eager is one tool, if it alone were sent with every request, and the rest
// stayed behind tool search.
type Eager struct {
	Tool         *model.Tool
	Uses         int     // first uses, each of which takes two round trips
	Sessions     int     // sessions that use it
	SchemaTokens float64 // of its definition; by the fitted tokenizer of most requests where there are any
	// Saving is the money that it would save in all sessions with a price, in the
	// currency of the prices; negative where it costs.
	Saving float64
	// SavingTokens is the same in tokens of input in all sessions, cached ones
	// too, where nothing is known of their price.
	SavingTokens float64

	perToken burden
}

// burden is the cost of carrying one token with every request.
type burden struct{ money, tokens float64 }

// add adds what a session costs.
func (c *burden) add(d burden) { c.money += d.money; c.tokens += d.tokens }

// keepEager adds the session at hand to the eager set. For each tool that it
// uses it is simulated once more with this tool always sent, which is exact.
// Any other tool costs its definition with every request: read from the cache,
// or written or sent anew where the cache had nothing. base is the session under tool search.
func (r *run) keepEager(base outcome, p Price, priced bool) {
	uses := map[*model.Tool]int{}
	var order []*model.Tool
	for _, t := range base.uses {
		if uses[t] == 0 {
			order = append(order, t)
		}
		uses[t]++
	}
	search := r.plain(selection.ToolSearch)
	token := PricedTokens{Input: float64(base.requests), Read: float64(base.requests - base.misses)}
	if p.Writes() {
		token.Write = float64(base.misses)
	}
	// A burden is for a token of the reference, which makes other tokens of a schema.
	scale := 1.0
	if of := r.reference.PerChar[transcript.Schema]; of > 0 && r.reference.Name != r.tokenizer.Name {
		scale = r.tokenizer.PerChar[transcript.Schema] / of
	}
	session := burden{tokens: token.Input * scale}
	if priced {
		session.money = p.Of(token) * scale
	}
	r.unused.add(session)
	for _, t := range order {
		e := r.eager[t]
		if e == nil {
			e = &Eager{Tool: t, SchemaTokens: r.reference.of(r.definition(t))}
			r.eager[t] = e
		}
		e.Uses += uses[t]
		e.Sessions++
		var kept outcome
		keeping := search // and always sends this tool
		keeping.array = func(q *request) array {
			a := search.array(q)
			a.size = a.size.Add(r.definition(t))
			return a
		}
		keeping.missing = func(q *request, other *model.Tool) bool { return other != t && search.missing(q, other) }
		for _, l := range r.lines {
			kept.tokens = kept.tokens.Add(r.simulate(l, keeping, p).tokens)
		}
		e.SavingTokens += base.tokens.Input - kept.tokens.Input
		if priced {
			e.Saving += p.Of(base.tokens) - p.Of(kept.tokens)
		}
		e.perToken.add(session)
	}
}

// value returns what decides of a tool.
func (s EagerSet) value(i int) float64 {
	if s.Priced {
		return s.Tools[i].Saving
	}
	return s.Tools[i].SavingTokens
}

// Names returns the tools to keep eager, as tools.core takes them.
func (s EagerSet) Names() []string {
	names := make([]string, 0, s.Keep)
	for _, e := range s.Tools[:s.Keep] {
		names = append(names, e.Tool.Name)
	}
	return names
}

// Kept is the tools of one server that save something when they are always sent, each alone.
type Kept struct {
	Tools  []*model.Tool
	Saving float64 // of all tools of the server, those among them that nobody calls: in money where Priced, else tokens
}

// KeptByServer returns the eager set server by server, the server of the first tool first. The savings of a server are
// those of its tools alone: a search that finds two of them is spared by both together, which is not counted.
func (r *Report) KeptByServer() (list []Kept) {
	at := map[string]int{}
	for _, e := range r.Eager.Tools[:r.Eager.Keep] {
		i, ok := at[e.Tool.Server]
		if !ok {
			i = len(list)
			at[e.Tool.Server], list = i, append(list, Kept{})
		}
		list[i].Tools = append(list[i].Tools, e.Tool)
	}
	add := func(t *model.Tool, saving float64) {
		if i, ok := at[t.Server]; ok {
			list[i].Saving += saving
		}
	}
	for i, e := range r.Eager.Tools {
		add(e.Tool, r.Eager.value(i))
	}
	each := r.Eager.perToken.tokens
	if r.Eager.Priced {
		each = r.Eager.perToken.money
	}
	for _, s := range r.Unused.Servers {
		for _, u := range s.Unused {
			add(u.Tool, -each*float64(u.Schema))
		}
	}
	return list
}

// round returns a sum of tokens as a whole number.
func round(v float64) int { return int(math.Round(v)) }

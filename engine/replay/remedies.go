package replay

import "slices"

// Remedy is a way to send tools by which requests keep their prefix.
type Remedy string

// The remedies, in the order of reports. AsLogged changes nothing: the others are compared with it.
const (
	AsLogged     Remedy = "as_logged"
	StableBridge Remedy = "stable_bridge"  // the texts of tools have no numbers that change
	FixedOrder   Remedy = "fixed_order"    // by name, or as the registry has them
	AppendOnly   Remedy = "append_only"    // loaded in the history, as tool_reference does
	ToolChanges  Remedy = "tool_changes"   // Price.ToolChanges, by the models that have it
	EagerAtStart Remedy = "eager_at_start" // every tool that the context ever had, with each request
)

// remedies are all of them, with the causes that each does away with.
var remedies = [...]struct {
	name  Remedy
	mends []Cause
}{
	{AsLogged, nil},
	{StableBridge, []Cause{NumberInTool}},
	{FixedOrder, []Cause{ToolsReordered}},
	{AppendOnly, []Cause{ToolLoaded}},
	{ToolChanges, []Cause{ToolLoaded, ToolGone, ToolEdited, NumberInTool}},
	{EagerAtStart, []Cause{ToolLoaded, ToolGone}},
}

// Remedied is all sessions whose usage is known under a remedy.
type Remedied struct {
	Remedy   Remedy
	Breaks   int // that it does away with
	Requests int
	Tokens   Tokens
	Cost     *float64 // of the input; nil when no price is known
	tokens   PricedTokens
}

// mended is a context under the remedies, request by request. A remedy keeps the logged input
// but for definitions that it sends besides: ToolChanges leaves those that are gone or were
// edited in the history, and EagerAtStart has all of them from the first request on.
type mended struct {
	of    *prefixes
	line  *line
	union float64                             // tokens of a definition of every name
	seen  map[uint64]bool                     // definitions up to the request at hand
	grown float64                             // their tokens
	more  map[*request][len(remedies)]float64 // tokens of input beyond the logged ones
}

// add adds a request with a usage, of which the cache could have given so many tokens. Before is
// the request that it follows, nil for a first one; b is its break, nil where it has none.
func (m *mended) add(q, before *request, could int, b *Break) {
	var more [len(remedies)]float64
	if list := m.of.sent(m.line, q); len(list) > 0 {
		sent := 0.0
		for _, t := range list {
			tokens := m.of.run.tokenizer.of(t.size)
			sent += tokens
			if !m.seen[t.sum] {
				m.seen[t.sum] = true
				m.grown += tokens
			}
		}
		for i, r := range remedies {
			switch {
			case r.name == EagerAtStart:
				more[i] = max(0, m.union-sent)
			case r.name == ToolChanges && m.of.price.ToolChanges != "":
				more[i] = max(0, m.grown-sent)
			}
		}
	}
	if more != ([len(remedies)]float64{}) {
		m.more[q] = more
	}
	price := m.of.price.Writing(*m.line.usageOf(q))
	for i, r := range remedies {
		to := &m.of.run.mending[i]
		input, cached := float64(q.total)+more[i], float64(q.read)
		mends := b != nil && slices.Contains(r.mends, b.Cause) && (r.name != ToolChanges || m.of.price.ToolChanges != "")
		if mends {
			cached = float64(could)
			to.Breaks++
		}
		if before != nil && (b == nil || mends) {
			cached += m.more[before][i]
		}
		t := charged(input, min(cached, input), price)
		to.tokens = to.tokens.Add(t)
		to.Requests++
		if m.of.priced {
			cost := price.Of(t)
			to.Cost = total(to.Cost, &cost)
		}
	}
}

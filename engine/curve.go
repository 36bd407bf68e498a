package engine

import (
	"math"
	"slices"
	"sort"

	"caliper/config"
	"caliper/engine/tokens"
)

// ContextLengths are the context lengths of common model windows, in tokens,
// that an activation curve is drawn over.
var ContextLengths = []int{8_000, 16_000, 32_000, 64_000, 128_000, 200_000, 256_000, 400_000, 500_000, 1_000_000, 2_000_000}

// longestContext is beyond every context length, to look for one.
const longestContext = 1 << 40

// CurvePoint is the decision at one context length.
type CurvePoint struct {
	Context   int
	Threshold int // deferrable tokens at which auto activates there
	Active    bool
}

// Curve is the activation decision over context lengths, for the deferrable tokens
// of one session, and how many tokens are missing to change it.
type Curve struct {
	Points     []CurvePoint
	Deferrable int
	Average    int // tokens of a deferrable tool, on average, rounded; 0 without any
	// LastActive is the longest context at which auto is still active; -1 when
	// it is active at every length, 0 when at none.
	LastActive int
	// ToFlip is how many deferrable tokens more turn the decision on, or, when
	// negative, how many fewer turn it off, at the configured context length.
	ToFlip int
	// ToolsToFlip is ToFlip in tools of the average size before that is
	// rounded, rounded away from zero; 0 when there is no average.
	ToolsToFlip int
}

// Curve returns the session's activation curve in mode auto, whatever the
// configured mode is. Pre-selection has no threshold: with it the curve is that
// of tool search without pre-selection.
func (s *Snapshot) Curve() Curve {
	c := Curve{Deferrable: s.Tokenizer.Tokens(s.deferrableUnits(s.granted))}
	n := len(s.division.sendable) - len(s.division.visible)
	if n > 0 {
		c.Average = rounded(c.Deferrable, n)
	}
	auto := s.Config.ToolSearch
	auto.Enabled = config.Auto
	for _, length := range ContextLengths {
		a := Activate(auto, &length, c.Deferrable)
		c.Points = append(c.Points, CurvePoint{Context: length, Threshold: a.Threshold, Active: a.Active})
	}
	active := func(context int) bool { return Activate(auto, &context, c.Deferrable).Active }
	switch {
	case c.Deferrable <= 0:
	case active(longestContext):
		c.LastActive = -1
	default: // the threshold grows with the context
		c.LastActive = sort.Search(longestContext-1, func(n int) bool { return !active(n + 1) })
	}
	threshold := max(1, Activate(auto, s.Config.ContextLength, c.Deferrable).Threshold) // nothing to defer never activates
	if c.Deferrable >= threshold {
		c.ToFlip = threshold - 1 - c.Deferrable
	} else {
		c.ToFlip = threshold - c.Deferrable
	}
	if c.Deferrable > 0 {
		tools := math.Ceil(math.Abs(float64(c.ToFlip)) * float64(n) / float64(c.Deferrable))
		c.ToolsToFlip = int(math.Copysign(tools, float64(c.ToFlip)))
	}
	return c
}

// rounded returns a quotient of two numbers that are not negative, rounded,
// halves upwards.
func rounded(a, b int) int { return (2*a + b) / (2 * b) }

// Habits are assumptions about a session, for estimating what tool search saves. A
// user who knows the agent can change all of them.
type Habits struct {
	Turns        int // requests to the model that the work itself takes
	ToolsUsed    int // different deferred tools that the session needs
	ResultTokens int // of one tool_search answer
}

// DefaultHabits assume twenty turns and four deferred tools, and five matches of
// about sixty tokens in each answer of tool_search.
var DefaultHabits = Habits{Turns: 20, ToolsUsed: 4, ResultTokens: 300}

// BreakEven compares sending everything with tool search over a session, in
// input tokens that the model reads, without regard to caching.
type BreakEven struct {
	Eager     int // everything, every turn
	Search    int // the assembly every turn, and what searching adds
	Saved     int // Eager less Search; negative when tool search is not worth it
	PerTurn   int // what each turn of the work saves in definitions alone: Budget.SavedTokens when the bridge is active
	Overhead  int // what the extra turns and the answers kept in the conversation cost
	ExtraTurn int // round trips that searching and describing take
}

// BreakEven returns the break-even of the session's Budget.
func (s *Snapshot) BreakEven(h Habits) BreakEven { return s.Budget(false).BreakEven(h) }

// BreakEven estimates a session with tool search against one without. Each
// tool used takes one tool_search and one tool_describe. Each of these is a
// further turn, in which the assembly is sent once more; and its answer stays
// in the conversation, to be read again in half of all turns on average. A
// description is as long as an average deferrable definition.
func (b Budget) BreakEven(h Habits) BreakEven {
	after := b.searching
	extra := 2 * h.ToolsUsed
	turns := h.Turns + extra
	// An average description is a fraction of tokens: the kept figure is rounded
	// once, like all that Budget counts.
	tools := max(1, b.DeferredCount)
	kept := rounded(h.ToolsUsed*(h.ResultTokens*tools+b.DeferredTokens)*turns, 2*tools)
	out := BreakEven{
		Eager:     h.Turns * b.EagerTokens,
		Search:    turns*after + kept,
		PerTurn:   b.EagerTokens - after,
		Overhead:  extra*after + kept,
		ExtraTurn: extra,
	}
	out.Saved = out.Eager - out.Search
	return out
}

// ListPoint is the list of the deferred tools at one context length.
type ListPoint struct {
	Context int
	Limit   int // most tokens that the list may take there, by ListingBudget
	Form    tokens.ListForm
}

// ListNeed is the room that a form of the list needs.
type ListNeed struct {
	tokens.ListNeed
	Context int // the shortest context that gives it; -1: none does, as listing_max_tokens is less
}

// ListCurve is the list of the deferred tools over context lengths.
type ListCurve struct {
	Points []ListPoint // by their context; the configuration's is among them
	Needs  []ListNeed  // the richest form first
	Off    bool        // the configuration has no list: the rest tells what auto would show
}

// ListCurve returns the list of the deferred tools over ContextLengths and the
// configured context. It is empty where nothing is listed: in june-2026, without the
// bridge, and where nothing is deferred.
func (s *Snapshot) ListCurve() ListCurve {
	list := s.assembly.Listing
	if list == nil || len(list.Groups) == 0 {
		return ListCurve{}
	}
	search := s.Config.ToolSearch
	c := ListCurve{Off: search.Listing == config.Off}
	lengths := slices.Clone(ContextLengths)
	if n := s.Config.ContextLength; n != nil && *n > 0 {
		lengths = append(lengths, *n)
	}
	slices.Sort(lengths)
	for _, n := range slices.Compact(lengths) {
		limit := ListingBudget(search, &n)
		at := list.With(limit)
		c.Points = append(c.Points, ListPoint{Context: n, Limit: limit, Form: at.Form})
	}
	for _, need := range list.Needs() {
		enough := func(context int) bool { return ListingBudget(search, &context) >= need.Tokens }
		least := -1
		if enough(longestContext) { // the limit grows with the context
			least = 1 + sort.Search(longestContext-1, func(n int) bool { return enough(n + 1) })
		}
		c.Needs = append(c.Needs, ListNeed{need, least})
	}
	return c
}

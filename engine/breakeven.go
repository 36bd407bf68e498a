package engine

// Habits are how a session is expected to go, for estimating what tool search
// is worth. All are to be edited by whoever knows the agent.
type Habits struct {
	Turns        int // requests to the model that the work itself takes
	ToolsUsed    int // different deferred tools that the session needs
	ResultTokens int // of one tool_search answer
}

// DefaultHabits are a session of twenty turns that needs four deferred tools,
// with an answer of five matches of some sixty tokens each.
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

// BreakEven estimates a session with tool search against one without. Each
// tool used takes one tool_search and one tool_describe. Each of these is a
// further turn, in which the assembly is sent once more; and its answer stays
// in the conversation, to be read again in half of all turns on average. A
// description is as long as an average deferrable definition.
func (s *Snapshot) BreakEven(h Habits) BreakEven {
	b := s.Budget(false)
	after := b.searching
	extra := 2 * h.ToolsUsed
	turns := h.Turns + extra
	// An average description is a fraction of tokens: what is kept is rounded
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

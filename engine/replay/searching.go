package replay

import "caliper/model"

// Own is what the agent's own search returned of the tool of a call.
type Own struct {
	Rank  int  // in the answer to Call.Query, from 1; 0: it is not there, or nothing was searched
	Told  bool // there was a search in the need, and the log has the answer to each
	Found bool // a search since the user's words was answered with it
}

// Searching is what the agents' own searches returned, beside what the first ranker finds.
type Searching struct {
	Needs    int // in which the agent searched
	Searches int
	ByCount  [LoopSearches]int // needs with one search, with two, and with LoopSearches or more
	Told     int               // searches of which the log has the answer
	Empty    int               // of these, answered with no tool
	Uncalled int               // needs whose searches returned tools of the registry, of which none was called in it
	// Calls of deferrable tools after searches of which the log has the answers, by who finds the
	// tool: both, the agent's own search alone, the first ranker alone, nobody.
	Both, OwnAlone, RankerAlone, Nobody int
	// Idle are tools that searches returned and no session called, those that were returned most
	// often first, then by name.
	Idle []IdleTool
}

// IdleTool is a tool that was returned and never called.
type IdleTool struct {
	Tool     *model.Tool
	Returned int // how often
}

// PerNeed returns the searches a need.
func (s *Searching) PerNeed() float64 { return float64(s.Searches) / float64(max(1, s.Needs)) }

// Compared returns how many calls there are of which both are known.
func (s *Searching) Compared() int { return s.Both + s.OwnAlone + s.RankerAlone + s.Nobody }

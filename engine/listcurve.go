package engine

import (
	"slices"

	"caliper/config"
	"caliper/engine/tokens"
)

// ListPoint is the list of the deferred tools at one context length.
type ListPoint struct {
	Context int
	Limit   int // most tokens that the list may take there, by ListingBudget
	Form    tokens.ListForm
	Tokens  int // of the list, by chars4
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
		c.Points = append(c.Points, ListPoint{Context: n, Limit: limit, Form: at.Form, Tokens: at.Tokens()})
	}
	for _, need := range list.Needs() {
		c.Needs = append(c.Needs, ListNeed{need, leastContext(search, need.Tokens)})
	}
	return c
}

// leastContext returns the shortest context at which a list may take so many
// tokens, -1 where it may at none. The limit grows with the context, so that
// bisection finds it.
func leastContext(c config.ToolSearch, tokens int) int {
	enough := func(context int) bool { return ListingBudget(c, &context) >= tokens }
	low, high := 0, 1<<40 // not at low, or low is 0; enough at high
	if !enough(high) {
		return -1
	}
	for high-low > 1 {
		if middle := low + (high-low)/2; enough(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

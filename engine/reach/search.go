package reach

import (
	"caliper/config"
	"caliper/engine/lint"
	"caliper/engine/live"
	"caliper/model"
)

// The steps of a search: it finds the tool by its name, and by its description.

// searchable asks whether the search finds the tool by its own name.
func (c *chain) searchable() Step {
	switch {
	case c.Host.Grouped && c.local == "" && c.tool != nil: // of no server
		return c.search(c.tool.Name)
	case c.Host.Grouped:
		return c.search(c.local)
	}
	return c.search(c.called)
}

// found asks whether the search finds the tool by the first sentence of its description.
func (c *chain) found() Step {
	if c.tool == nil {
		return c.unlisted()
	}
	sentence := lint.SentenceQuery(c.tool)
	if c.deferred && sentence == "" {
		return Step{Verdict: Fail, Code: NoText}
	}
	return c.search(sentence)
}

// search asks whether the tool is within the limit of the answer to a query.
func (c *chain) search(words string) Step {
	switch {
	case c.tool == nil:
		return c.unlisted()
	case !c.deferred:
		return Step{Verdict: Skip, Code: InFull}
	}
	a := Ask(c.searcher, c.Host.Asked(words), []*model.Tool{c.tool})
	s := Step{Verdict: Fail, Rank: a.Rank, Limit: a.Limit, Text: words}
	switch a.CutBy {
	case CutNothing:
		s.Verdict, s.Code = Pass, RankedIn
	case CutChance:
		s.Verdict, s.Code = Unknown, ByChance
	case CutUntold:
		s.Verdict, s.Code, s.Names = Unknown, Untold, []string{c.Host.Untold}
	case CutLimit:
		s.Code = BelowLimit
		if c.reference() {
			s.Setting = live.Setting{Key: config.KeyLimit, File: c.Config}
		}
	case CutDirect:
		s.Code = OtherNamed
	default:
		s.Code = NoWords
	}
	return s
}

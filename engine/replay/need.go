package replay

import (
	"slices"
	"strings"

	"caliper/engine"
	"caliper/engine/retrieval"
	"caliper/engine/transcript"
	"caliper/model"
)

// needs walks the entries of one context in the order of the log and cuts them
// into needs. A need begins with the user's words, and after a successful call
// of a tool that the registry has and that is not a core tool. A call that is
// refused ends nothing.
type needs struct {
	run      *run
	words    string
	searches []string
	asked    map[string]bool // the words of the searches, from the second on
	hits     []*model.Tool   // of the last search, nil for a name of none; nil where the log does not say
	chain    Chain
	touched  bool // the chain has a search, a description or a refusal
	spends   []spend
	names    []*model.Tool // described in this need
	called   []*model.Tool // called in this need
	mades    []made        // room for one answer
}

// spend is an answer of a need, to decide later whether it led somewhere.
type spend struct {
	entry    int
	searches []int // numbers of its searches in the need
	names    []*model.Tool
	refused  bool
	useful   bool // it has a call that succeeded, or text alone
}

// made is one call of an answer, with what the need says of it.
type made struct {
	tool      *model.Tool // nil: in no registry
	query     string
	searches  []string
	words     string
	elsewhere bool // the last search was answered, and not with this tool
}

// user begins a need with the user's words.
func (n *needs) user(words string) []Chain {
	ended := n.end(nil)
	n.words = words
	return ended
}

// answer takes the calls of an answer in their order and returns what is known
// of each, until the next answer, and the chains that ended in it.
func (n *needs) answer(entry int, calls []transcript.Call) (of []made, ended []Chain) {
	s := spend{entry: entry}
	open := func() {
		if len(calls) > 0 && (len(n.spends) == 0 || n.spends[len(n.spends)-1].entry != entry) {
			n.spends = append(n.spends, s)
		}
	}
	open()
	of = n.mades[:0]
	last := func() *spend { return &n.spends[len(n.spends)-1] }
	for _, c := range calls {
		open()
		m := made{words: n.words}
		switch c.Kind {
		case transcript.Search:
			n.touched = true
			last().searches = append(last().searches, len(n.searches))
			n.search(c.Asked().Queries)
			n.hits = n.found(c.Asked().Hits)
		case transcript.Describe:
			n.touched = true
			n.chain.Describes++
			for _, name := range c.Asked().Names {
				if t := n.run.catalog.find(name); t != nil {
					n.names = append(n.names, t)
					last().names = append(last().names, t)
				}
			}
		default:
			m.tool = n.run.catalog.find(c.Tool)
			m.searches = slices.Clip(n.searches)
			m.query = n.words
			if len(n.searches) > 0 {
				m.query = n.searches[len(n.searches)-1]
				m.elsewhere = n.hits != nil && !slices.Contains(n.hits, m.tool)
			}
			if m.tool != nil {
				n.called = append(n.called, m.tool)
			}
			if c.Failed {
				n.touched = true
				n.chain.Refused++
				last().refused = true
			} else {
				last().useful = true
			}
			if c.Answered && !c.Failed && m.tool != nil && n.run.snapshot.Class(m.tool) != engine.Visible {
				ended = append(ended, n.end(m.tool)...)
			}
		}
		of = append(of, m)
	}
	n.mades = of
	return of, ended
}

// search counts the queries of one search.
func (n *needs) search(queries []string) {
	if len(n.searches) > 0 && n.asked == nil {
		n.asked = map[string]bool{wordsOf(n.searches[0]): true}
	}
	query := ""
	if len(queries) > 0 {
		switch {
		case n.asked != nil && n.asked[wordsOf(strings.Join(queries, "; "))]:
			n.chain.Repeated++
		case len(n.searches) > 0:
			n.chain.Reformulated++
		}
		query = queries[len(queries)-1]
	}
	if n.asked != nil {
		n.asked[wordsOf(query)] = true
	}
	n.searches = append(n.searches, query)
}

// wordsOf returns what two queries with the same words have in common.
func wordsOf(query string) string { return strings.Join(retrieval.Tokens(query), " ") }

// found returns the tools that a search was answered with, nil for a name of none; nil
// where the log does not say.
func (n *needs) found(hits []string) []*model.Tool {
	if hits == nil {
		return nil
	}
	tools := make([]*model.Tool, len(hits))
	for i, name := range hits {
		tools[i] = n.run.catalog.find(name)
	}
	return tools
}

// end ends a need by the call of a tool, or without one, and returns its chain
// if there is anything to say.
func (n *needs) end(by *model.Tool) []Chain {
	c := n.chain
	c.Searches, c.Words, c.Called = n.searches, n.words, by
	for _, t := range n.names {
		if !slices.Contains(n.called, t) {
			c.Idle++
		}
	}
	var ended []Chain
	if n.touched {
		c.First, c.Last = n.spends[0].entry, n.spends[len(n.spends)-1].entry
		c.Known = true
		for _, s := range n.spends {
			if n.wasted(s, by != nil) {
				tokens, known := n.run.paid(s.entry)
				c.Burnt += tokens
				c.Known = c.Known && known
			}
		}
		ended = []Chain{c}
	}
	n.searches, n.asked, n.hits, n.chain, n.touched = nil, nil, nil, Chain{Session: c.Session, Context: c.Context}, false
	clear(n.spends)
	n.spends, n.names, n.called = n.spends[:0], n.names[:0], n.called[:0]
	return ended
}

// wasted reports whether an answer led nowhere: all of its calls are searches
// before the last one, or in vain, descriptions of tools that were not called,
// or refused.
func (n *needs) wasted(s spend, reached bool) bool {
	if s.useful || !s.refused && len(s.searches) == 0 && len(s.names) == 0 {
		return false
	}
	for _, i := range s.searches {
		if reached && i == len(n.searches)-1 {
			return false
		}
	}
	return !slices.ContainsFunc(s.names, func(t *model.Tool) bool { return slices.Contains(n.called, t) })
}

package replay

import (
	"cmp"
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
// refused ends nothing. What was asked at once is for calls that are made at once: these
// share one need.
type needs struct {
	run      *run
	words    string
	lazy     bool // tools are deferred, so that words alone lead to none
	count    bool // its searches count in the report
	searches []string
	asked    map[string]bool // the words of the searches, from the second on
	answers  []answered      // of all searches since the user's words, in their order
	first    int             // number in answers of the first search of this need
	step     int             // number in searches of the first one of the last answer that asked for tools
	atOnce   int             // how many searches and names that answer has
	chain    Chain
	touched  bool // the chain has a search, a description or a refusal
	spends   []spend
	names    []*model.Tool        // described in this need
	called   []*model.Tool        // called in this need
	mades    []Call               // room for one answer
	loaded   map[*model.Tool]bool // found or described so far in the context
}

// spend is an answer of a need, to decide later whether it led somewhere.
type spend struct {
	entry    int
	searches []int // numbers of its searches in the need
	names    []*model.Tool
	refused  bool
	useful   bool // it has a call that succeeded, or text alone
}

// answered is a search and its logged answer.
type answered struct {
	query string        // "" where it asked for several things, so that the answer belongs to none
	tools []*model.Tool // nil: none of the registry, or the log does not say
	ranks []int         // of these, in the answer
	told  bool          // the log has the answer
	empty bool          // which has no tool, of no registry either
	step  int           // number in answers of the first search that was asked at once with it
}

// user begins a need with the user's words.
func (n *needs) user(words string) []Chain {
	ended := n.end(nil)
	n.words, n.answers, n.first = words, n.answers[:0], 0
	return ended
}

// use returns the call of a tool, which is one of some calls at once, with what the need tells:
// Tool, Query, Searches, Led, Own and Reworded.
func (n *needs) use(t *model.Tool, calls []transcript.Call) Call {
	has := func(a answered) bool { return t != nil && slices.Contains(a.tools, t) }
	rank := func(a answered) int { return a.ranks[slices.Index(a.tools, t)] }
	m := Call{Tool: t, Query: n.words}
	answers := n.answers[n.first:]
	named := slices.ContainsFunc(answers, has)
	told := !slices.ContainsFunc(answers, func(a answered) bool { return !a.told })
	beside := func(c transcript.Call) bool { // a call of what the searches found
		other := n.run.catalog.find(c.Tool)
		return c.Kind == transcript.Use && other != nil && slices.ContainsFunc(answers, func(a answered) bool { return slices.Contains(a.tools, other) })
	}
	others := told && !named && n.loaded[t] && slices.ContainsFunc(calls, beside)
	switch described := func(s spend) bool { return len(s.searches) > 0 && slices.Contains(s.names, t) }; {
	case others && !slices.Contains(n.names, t): // the model had it, and searched for others
	case n.step > 0 || named || !slices.ContainsFunc(n.spends, described):
		m.Searches = slices.Clip(n.searches) // which look for another tool where this one is named beside them
	}
	if last := len(m.Searches) - 1; last >= 0 {
		best := 0
		for i, a := range answers[n.step:] { // of searches at once the one that put it first
			if has(a) && (best == 0 || rank(a) <= best) {
				last, best = n.step+i, rank(a)
			}
		}
		m.Query = cmp.Or(n.searches[last], n.words) // a search of all tools has no words
		m.Own.Told = told
		if a := answers[last]; has(a) {
			m.Own.Rank = rank(a)
		}
	} else if !n.lazy {
		m.Led = n.words
	}
	var led answered
	for _, a := range n.answers {
		if has(a) {
			if m.Own.Found = true; a.query != "" && (led.tools == nil || a.step != led.step || rank(a) <= rank(led)) {
				m.Led, led = a.query, a
			}
		}
	}
	for i, a := range answers {
		if a.query == "" || !a.empty || !led.told || n.first+i >= led.step {
			continue
		}
		words, in := retrieval.Tokens(a.query), retrieval.Tokens(led.query)
		if len(words) > 0 && len(in) > len(words) && !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(in, w) }) {
			m.Reworded = append(m.Reworded, a.query)
		}
	}
	return m
}

// answer takes the calls of an answer in their order and returns each as use does, until the
// next answer, and the chains that ended in it.
func (n *needs) answer(entry int, calls []transcript.Call) (of []Call, ended []Chain) {
	s := spend{entry: entry}
	open := func() {
		if len(calls) > 0 && (len(n.spends) == 0 || n.spends[len(n.spends)-1].entry != entry) {
			n.spends = append(n.spends, s)
		}
	}
	open()
	of = n.mades[:0]
	last := func() *spend { return &n.spends[len(n.spends)-1] }
	var reached *model.Tool // the first tool whose call ends the need
	asks := false           // this answer asked for tools
	for _, c := range calls {
		if reached != nil && (c.Kind != transcript.Use || n.atOnce < 2) {
			ended, reached = append(ended, n.end(reached)...), nil
		}
		open()
		var m Call
		if c.Kind != transcript.Use && !asks {
			asks, n.step, n.atOnce = true, len(n.searches), 0
		}
		switch c.Kind {
		case transcript.Search:
			n.touched = true
			n.atOnce++
			last().searches = append(last().searches, len(n.searches))
			n.search(c.Asked())
			n.answers[len(n.answers)-1].step = n.first + n.step
		case transcript.Describe:
			n.touched = true
			n.atOnce += len(c.Asked().Names)
			for _, name := range c.Asked().Names {
				if t := n.run.catalog.find(name); t != nil {
					n.names, n.loaded[t] = append(n.names, t), true
					last().names = append(last().names, t)
				}
			}
		case transcript.Wrap:
			last().useful = !c.Failed // what it called stands behind it
		default:
			m = n.use(n.run.catalog.find(c.Tool), calls)
			if m.Tool != nil {
				n.called = append(n.called, m.Tool)
			}
			if c.Failed {
				n.touched = true
				n.chain.Refused++
				last().refused = true
			} else {
				last().useful = true
			}
			if reached == nil && c.Answered && !c.Failed && m.Tool != nil && n.run.snapshot.Class(m.Tool) != engine.Visible {
				reached = m.Tool
			}
		}
		of = append(of, m)
	}
	if reached != nil {
		ended = append(ended, n.end(reached)...)
	}
	n.mades = of
	return of, ended
}

// search takes one search: it counts its queries, and remembers what it was answered with.
func (n *needs) search(asked transcript.Lookup) {
	queries := asked.Queries
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
	told := asked.Told || len(asked.Hits) > 0
	a := answered{told: told, empty: told && len(asked.Hits) == 0}
	if len(queries) == 1 {
		a.query = query
	}
	for i, name := range asked.Hits {
		if t := n.run.catalog.find(name); t != nil {
			a.tools, a.ranks, n.loaded[t] = append(a.tools, t), append(a.ranks, i+1), true
		}
	}
	n.answers = append(n.answers, a)
}

// wordsOf returns what two queries with the same words have in common.
func wordsOf(query string) string { return strings.Join(retrieval.Tokens(query), " ") }

// end ends a need by the call of a tool, or without one, and returns its chain
// if there is anything to say.
func (n *needs) end(by *model.Tool) []Chain {
	c := n.chain
	c.Searches, c.Called = n.searches, by
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
			if !n.wasted(s, by != nil) {
				continue
			}
			l := n.run.at
			if at, ok := slices.BinarySearchFunc(l.requests, s.entry, func(q request, entry int) int { return q.entry - entry }); ok && l.requests[at].known {
				c.Burnt += l.requests[at].total + l.history.entries[s.entry].Request.Usage.Output
			} else {
				c.Known = false
			}
		}
		ended = []Chain{c}
	}
	if answers := n.answers[n.first:]; n.count && len(answers) > 0 {
		s := &n.run.report.Searching
		s.Needs++
		s.Searches += len(answers)
		s.ByCount[min(len(answers), LoopSearches)-1]++
		returned, used := false, false
		for _, a := range answers {
			if a.told {
				s.Told++
			}
			if a.empty {
				s.Empty++
			}
			for _, t := range a.tools {
				n.run.found[t]++
				returned, used = true, used || slices.Contains(n.called, t)
			}
		}
		if returned && !used {
			s.Uncalled++
		}
	}
	n.first, n.step, n.atOnce = len(n.answers), 0, 0
	n.searches, n.asked, n.chain, n.touched = nil, nil, Chain{Session: c.Session, Context: c.Context}, false
	clear(n.spends)
	n.spends, n.names, n.called = n.spends[:0], n.names[:0], n.called[:0]
	return ended
}

// wasted reports whether an answer led nowhere: all of its calls are searches
// that a later one repeated or that found none of the tools that were called, nor are the last before the call,
// descriptions of tools that were not called, or refused.
func (n *needs) wasted(s spend, reached bool) bool {
	if s.useful || !s.refused && len(s.searches) == 0 && len(s.names) == 0 {
		return false
	}
	answers := n.answers[n.first:]
	for _, i := range s.searches {
		led := func(t *model.Tool) bool { // the last search that found a tool is the one that led to its call
			return slices.Contains(answers[i].tools, t) && !slices.ContainsFunc(answers[i+1:], func(a answered) bool { return slices.Contains(a.tools, t) })
		}
		if reached && (i == len(n.searches)-1 || slices.ContainsFunc(n.called, led)) {
			return false
		}
	}
	return !slices.ContainsFunc(s.names, func(t *model.Tool) bool { return slices.Contains(n.called, t) })
}

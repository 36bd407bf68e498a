package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/words"
)

// The real searches of one session.
const (
	sampleSize   = 16   // tools of the index, and as many others
	sampleLimit  = 250  // hits of a search for one of these
	mostChanged  = 4096 // tools whose scope has changed
	changedLimit = 50   // hits of a search for one of these: what a model can get at most
	pieceOfWork  = 256  // tools between two calls of did, at most
)

// auditing is the audit of one session while it is made.
type auditing struct {
	SessionAudit
	snapshot *Snapshot
	earlier  *SessionAudit // of the same session; nil: none
	facts    []auditFacts  // by Tool.Index
	refused  []Denial      // by Tool.Index, on the way that a model would take; the zero value: it is not
	policy   []Denial      // by Tool.Index, whatever the session; nil: no rule refuses anything
	attempt  attempt       // memory

	// search is tool_search, which a test replaces by one that lies.
	search func(query string, limit int) ([]*model.Tool, *Fault)
	did    func(tools int) error // called after a piece of work, with the tools that are now asked for; an error ends the audit
}

// auditFacts are the facts of an audit about a tool.
type auditFacts uint16

const (
	factGranted auditFacts = 1 << iota
	factIndexed            // a document of the index is the tool
	factFound              // and its own name finds it
	factSample             // it is searched for, for the sample
	factChanged            // it is searched for, because its scope has changed
	factSearchable
	factDescribable
	factCallable
	factDirect
)

// newAuditing returns the audit of a snapshot before anything is asked.
func newAuditing(s *Snapshot) *auditing {
	return &auditing{
		SessionAudit: SessionAudit{Name: s.Session.Name},
		snapshot:     s,
		facts:        make([]auditFacts, len(s.Registry.Tools)),
		refused:      make([]Denial, len(s.Registry.Tools)),
		search:       s.bridgeSearch,
		did:          func(int) error { return nil },
	}
}

// audit asks all that Audit says.
func (a *auditing) audit() error {
	names := a.snapshot.facts.qualified()
	a.grants(names)
	// Which tool is each document of the index, and does its own name find it?
	s := a.snapshot
	if documents := s.index().Len(); documents != len(s.Catalog()) {
		return fmt.Errorf("session %s: an index of %d documents for a catalog of %d tools",
			safetext.Line(s.Session.Name), documents, len(s.Catalog()))
	}
	foreign := s.Active() && !s.lacks(GateScopeCatalog) // a foreign document is a violation
	for doc, t := range s.Catalog() {
		if doc%pieceOfWork == pieceOfWork-1 {
			if err := a.did(0); err != nil {
				return err
			}
		}
		known := a.knows(t)
		if foreign && (!known || a.facts[t.Index]&factGranted == 0) {
			a.violate(t, PathSearch)
		}
		if !known {
			continue
		}
		a.facts[t.Index] |= factIndexed
		// Finds reads the document alone, whatever else the query finds.
		if query := s.Host().Itself(t); s.Active() && words.Strip(query) != "" && s.index().Finds(query, doc) {
			a.facts[t.Index] |= factFound
		}
	}
	// Mark the tools of the sample.
	var indexed, others []*model.Tool
	for _, t := range names {
		if a.facts[t.Index]&factIndexed != 0 {
			indexed = append(indexed, t)
		} else {
			others = append(others, t)
		}
	}
	a.mark(indexed, sampleSize, factSample)
	a.mark(others, sampleSize, factSample)
	done, tools := 0, a.snapshot.Registry.Tools
	for i, t := range tools { // in their order in memory
		a.ask(t)
		searched := a.facts[t.Index]&(factSample|factChanged) != 0
		if asked := i + 1; searched || asked == done+pieceOfWork || asked == len(tools) {
			if err := a.did(asked - done); err != nil {
				return err
			}
			done = asked
		}
	}
	model.Sort(a.Violations, func(x, y Violation) int {
		return cmp.Or(strings.Compare(x.Tool, y.Tool), strings.Compare(x.Path, y.Path))
	})
	a.Violations = slices.Compact(a.Violations)
	a.Granted = a.list(names, factGranted)
	a.Direct = a.list(names, factDirect)
	a.Searchable = a.list(names, factSearchable)
	a.Describable = a.list(names, factDescribable)
	a.Callable = a.list(names, factCallable)
	for _, t := range names {
		if d := a.refused[t.Index]; d != (Denial{}) {
			d.Tool = t.Qualified
			a.Denied = append(a.Denied, d)
		}
	}
	return nil
}

// list returns the names of the tools of a fact, nil for none.
func (a *auditing) list(tools []*model.Tool, fact auditFacts) (names []string) {
	for _, t := range tools {
		if a.facts[t.Index]&fact != 0 {
			names = append(names, t.Qualified)
		}
	}
	return slices.Clone(names) // without room for more
}

// grants marks the tools that the session is granted, and those whose scope differs from
// the earlier audit.
func (a *auditing) grants(tools []*model.Tool) {
	s := a.snapshot
	for i, ok := range s.granted {
		if ok && s.class[i] != Dropped {
			a.facts[i] |= factGranted
		}
	}
	if a.earlier == nil {
		return
	}
	before := a.earlier.Granted
	var changed []*model.Tool
	for _, t := range tools {
		for len(before) > 0 && before[0] < t.Qualified {
			before = before[1:]
		}
		was, is := len(before) > 0 && before[0] == t.Qualified, a.facts[t.Index]&factGranted != 0
		if was != is {
			changed = append(changed, t)
		}
	}
	a.mark(changed, mostChanged, factChanged)
}

// knows reports whether a tool is of the registry.
func (a *auditing) knows(t *model.Tool) bool {
	all := a.snapshot.Registry.Tools
	return t.Index < len(all) && all[t.Index] == t
}

// mark marks at most so many of some tools, at equal distances.
func (a *auditing) mark(tools []*model.Tool, most int, fact auditFacts) {
	n := min(most, len(tools))
	for i := range n {
		a.facts[tools[i*len(tools)/n].Index] |= fact
	}
}

// violate records a violation.
func (a *auditing) violate(t *model.Tool, path string) {
	a.Violations = append(a.Violations, Violation{Tool: t.Qualified, Path: path})
}

// ask asks for one tool by every path.
func (a *auditing) ask(t *model.Tool) {
	s, name, facts := a.snapshot, t.Qualified, a.facts[t.Index]
	granted, searchable := facts&factGranted != 0, facts&factFound != 0
	if facts&factSample != 0 {
		searchable = a.really(t, searchable, sampleLimit)
	} else if facts&factChanged != 0 {
		searchable = a.really(t, searchable, changedLimit)
	}
	described, describable := s.passes(s.describeGates(), name, &a.attempt)
	gates := auditedBridge
	if s.later() {
		gates = auditedLater
	}
	called, callable := s.passes(gates, name, &a.attempt)
	behind := s.Active() && s.class[t.Index] == Deferrable
	if behind {
		a.refused[t.Index] = a.refusal(called, callable)
	}
	direct, sent := s.passes(auditedDirect, name, &a.attempt)
	if !behind {
		a.refused[t.Index] = a.refusal(direct, sent)
	}

	reaches := func(path string, yes bool, fact auditFacts) {
		if yes {
			a.facts[t.Index] |= fact
			if !granted {
				a.violate(t, path)
			}
		}
	}
	reaches(PathSearch, searchable, factSearchable)
	reaches(PathDescribe, describable && described == t, factDescribable)
	reaches(PathCall, callable, factCallable)
	reaches(PathDirect, sent && direct == t, factDirect)
	if granted && s.class[t.Index] == Deferrable && searchable && !callable {
		a.violate(t, PathCall)
	}
}

// Paths returns whether tool_describe answers for a tool, and why a call of it is refused
// that a model makes as it would, with arguments that fit; the zero value if none is.
func (s *Snapshot) Paths(t *model.Tool) (describable bool, d Denial) {
	a := newAuditing(s)
	a.policy = refusals(s.Config.Policy, s.Registry.Tools)
	a.ask(t)
	if d = a.refused[t.Index]; d != (Denial{}) {
		d.Tool = t.Qualified
	}
	return a.facts[t.Index]&factDescribable != 0, d
}

// refusal returns what refuses the attempt that was just made: a gate of the scope, or
// one of the policy when these passed the tool; the zero value if nothing does. The
// bridge's own names pass without a tool, and no rule is about them.
func (a *auditing) refusal(t *model.Tool, passed bool) Denial {
	switch {
	case !passed:
		return a.attempt.refused
	case t == nil || a.policy == nil:
		return Denial{}
	}
	return a.policy[t.Index]
}

// really reports whether tool_search finds a tool by its name, and checks all tools
// that it answers with. found is the answer of the index; it counts when the tool is not
// among as many hits as the limit.
func (a *auditing) really(t *model.Tool, found bool, limit int) bool {
	hits, f := a.search(a.snapshot.Host().Itself(t), limit)
	if f != nil {
		return false
	}
	has := false
	for _, h := range hits {
		has = has || h == t
		if !a.knows(h) || a.facts[h.Index]&(factGranted|factIndexed) == 0 {
			a.violate(h, PathSearch)
		}
	}
	return has || found && len(hits) == limit
}

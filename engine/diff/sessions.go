package diff

import (
	"cmp"
	"slices"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/labels"
	"caliper/engine/scope"
	"caliper/engine/tokens"
	"caliper/model"
)

// SessionSide is the tools that a session sends in one of two states.
type SessionSide struct {
	Active      bool
	SentTokens  int
	Measured    bool            // SentTokens are known: an agent's own bridge is not measured
	Listing     tokens.ListForm // empty where the generation lists nothing
	Deferred    int             // tools that are found by searching
	Unreachable int             // granted tools that nothing leads to
}

// SideOf returns what the session of a snapshot sends.
func SideOf(s *engine.Snapshot) SessionSide {
	b := s.Budget(false)
	side := SessionSide{Active: b.Active, SentTokens: b.AfterTokens, Measured: b.Measured(), Unreachable: b.Unreachable}
	if b.Active {
		side.Deferred = b.DeferredCount
	}
	if b.Listing != nil {
		side.Listing = b.Listing.Form
	}
	return side
}

// SessionChange is one session in two states. A side is nil where the state has no
// session of that name.
type SessionChange struct {
	Name     string
	Old, New *SessionSide
}

// SessionFact is something that a session has in two states.
type SessionFact struct {
	Key      string // as JSON names it
	Old, New any    // bool, int or string; nil for none
}

// Changes returns the facts of a session that differ, in a fixed order.
func (c SessionChange) Changes() []SessionFact {
	facts := func(s *SessionSide) []SessionFact {
		if s == nil {
			return make([]SessionFact, 5)
		}
		var form any
		if s.Listing != "" {
			form = string(s.Listing)
		}
		return []SessionFact{
			{Key: "active", New: s.Active}, {Key: "sent_tokens", New: s.SentTokens}, {Key: "listing", New: form},
			{Key: "deferred_tools", New: s.Deferred}, {Key: "unreachable_tools", New: s.Unreachable},
		}
	}
	old, now := facts(c.Old), facts(c.New)
	var changes []SessionFact
	for i := range now {
		if old[i].New != now[i].New {
			changes = append(changes, SessionFact{Key: cmp.Or(now[i].Key, old[i].Key), Old: old[i].New, New: now[i].New})
		}
	}
	return changes
}

// LabelledSession returns the name of the session that is granted tools of the most labelled
// queries: the one of a snapshot, unless another is granted more, then the first of those in
// the configuration. A session cannot lose a tool that it never had.
func LabelledSession(s *engine.Snapshot, queries []labels.Query) string {
	grants, best, most := scope.NewResolver(s.Registry), s.Session.Name, -1
	for _, session := range slices.Concat([]config.Session{s.Session}, s.Config.Sessions) {
		granted, n := grants.Grant(session, s.Config), 0
		for _, q := range queries {
			if grantsAny(s, func(t *model.Tool) bool { return granted[t.Index] }, q) {
				n++
			}
		}
		if n > most {
			best, most = session.Name, n
		}
	}
	return best
}

// grantsAny reports whether any tool that a labelled query expects is granted.
func grantsAny(s *engine.Snapshot, granted func(*model.Tool) bool, q labels.Query) bool {
	return slices.ContainsFunc(q.Relevant, func(name string) bool { return slices.ContainsFunc(s.Registry.Called(name), granted) })
}

package diff

import (
	"cmp"
	"context"
	"slices"

	"caliper/engine"
	"caliper/engine/hosts"
	"caliper/engine/labels"
	"caliper/engine/lint"
	"caliper/engine/reach"
	"caliper/model"
)

// DefaultAlpha is how often chance alone may do as much as what fails.
const DefaultAlpha = 0.05

// GateOptions are what a change is judged by.
type GateOptions struct {
	Alpha     float64       // 0 means DefaultAlpha
	Hosts     []*hosts.Host // agents that must find what they found; none a generation of the reference agent
	MaxTokens int           // the most that the session of the head may send; 0: any number
	Accept    []ReasonKind  // reasons of these kinds are intended, and do not fail

	// Progress, which may be nil, is called with how many of how many steps are done.
	Progress func(done, total int)
}

// ReasonKind is the subject of a reason.
type ReasonKind string

// The kinds of reasons, in the order in which they are listed.
const (
	KindScope      ReasonKind = "scope"
	KindSession    ReasonKind = "session"
	KindActivation ReasonKind = "activation"
	KindLint       ReasonKind = "lint"
	KindRemoved    ReasonKind = "removed"
	KindRecall     ReasonKind = "recall"
	KindHost       ReasonKind = "host"
	KindTokens     ReasonKind = "tokens"
)

// ReasonKinds returns every kind in order.
func ReasonKinds() []ReasonKind {
	return []ReasonKind{KindScope, KindSession, KindActivation, KindLint, KindRemoved, KindRecall, KindHost, KindTokens}
}

// How a session reaches what it must not, besides the paths of engine.Violation.
const (
	PathGranted = "granted" // its lists grant the tool, and the base's do not
	PathPolicy  = "policy"  // no rule denies a call of the tool or keeps it for approval, and one of the base does
	PathAsked   = "asked"   // rules keep a call of the tool for approval, and one of the base denies it
)

// Reason is why a change fails, as facts. Which fields are set depends on the kind.
type Reason struct {
	Kind    ReasonKind
	Session string      // that it is about; empty for lint
	Path    string      // of scope: of engine.Violation, PathGranted, PathPolicy or PathAsked
	Code    lint.Code   // of lint
	Tools   []string    // of scope and lint: qualified names, of removed: names as the labels have them; sorted
	On      bool        // of activation: tool search was switched on
	Host    *hosts.Host // of host
	Lost    int         // of host: needs that were met and are not
	Dropped int         // of recall: it is of so many labelled queries, about tools that the session no longer reaches; 0: of all

	Old, New float64 // of recall: its means; of host: needs that are met; of tokens: the bound and the tokens sent; of a tested lint error: the shares of tools that are found
	Tested   bool    // P counts
	P        float64 // how often chance alone does as much
}

// Recall is the recall of the labelled queries before and after a change.
type Recall struct {
	Old, New   float64 // means
	Difference float64 // mean of New less Old
	Low, High  float64 // the 95 % interval of Difference
	P          float64 // how often chance alone gives a difference as large; 1 without queries
	Needed     int     // queries that would tell a difference of this size; 0: none would
	Queries    int     // that it is of
}

// LostQuery is a need of a labelled query that was met and is not any more, by the ranking of the
// session or in an agent. What falls by chance is never lost in an agent.
type LostQuery struct {
	ID, Text         string
	Tool             string // that met it, as the label names it
	Wording          labels.WordClass
	OldRank, NewRank int    // 0: it is not found; core tools and those that are gone have none
	Gone             bool   // no tool of the head has the name
	Abstained        bool   // the head has too little confidence in what it finds: the model gets no hit
	LostTo           string // qualified name of the first hit that the label does not name; empty for none

	CutBy reach.Cut // in an agent
}

// Sizes is a number before and after a change.
type Sizes struct{ Old, New int }

// GateResult is the verdict on a change with its figures.
type GateResult struct {
	Reasons  []Reason // why it fails, in the order of their kinds
	Accepted []Reason // what would fail, and is intended

	Session          string // that the figures below are of; of the head where the names differ
	Alpha            float64
	Tokens           Sizes // sent in a turn
	OldActive        bool
	NewActive        bool
	ScopeViolations  int // new ones, tools of all sessions
	LintErrors       Sizes
	OldLimit         int
	NewLimit         int
	Compared         int          // labelled queries
	Recall           Recall       // of them
	Worded           [3]Recall    // the same by labels.WordClass, which explains it and fails nothing; a wording is by the names of the base, and by the head's where only that has the tool
	Queries          []LostQuery  // in the order of the labels
	Hosts            []HostChange // of the agents that were asked for
	Won              int          // needs that are met and were not
	Undescribed      []string     // tools that only the base describes, in the order of the head's registry; none fails
	Unknown          []string     // relevant names that neither registry has, sorted
	Unanswerable     int          // labelled queries without a tool in either registry
	Ungranted        int          // labelled queries whose tools are all kept from the session, before and after
	ComparedSessions int          // sessions that both sides have
}

// Passed reports whether nothing fails.
func (r *GateResult) Passed() bool { return len(r.Reasons) == 0 }

// Judge returns the verdict on the change from old to new, two snapshots without a
// message. The error is ctx's, or an audit's.
func Judge(ctx context.Context, b *engine.Builder, old, new *engine.Snapshot, queries []labels.Query, o GateOptions) (GateResult, error) {
	if o.Alpha == 0 {
		o.Alpha = DefaultAlpha
	}
	j := &judging{builder: b, old: old, new: new, queries: queries, o: o}
	// A Builder remembers the words of one registry at a time, so that each side is finished
	// before the other.
	steps := []func(context.Context) error{
		func(ctx context.Context) (err error) { j.was, err = j.study(ctx, old); return err },
		func(ctx context.Context) (err error) { j.is, err = j.study(ctx, new); return err },
		j.judgeSessions, j.judgeLint, j.judgeRecall, j.judgeHosts, j.judgeTokens,
	}
	for i, step := range steps {
		if err := step(ctx); err != nil {
			return GateResult{}, err
		}
		if o.Progress != nil {
			o.Progress(i+1, len(steps))
		}
	}
	// Tools that met a need, that are gone, and that no other tool replaces.
	var gone []string
	for _, q := range j.out.Queries {
		if q.Gone {
			gone = append(gone, q.Tool)
		}
	}
	slices.Sort(gone)
	if gone = slices.Compact(gone); len(gone) > 0 {
		j.fail(Reason{Kind: KindRemoved, Tools: gone})
	}
	model.Sort(j.reasons, func(a, b Reason) int {
		return cmp.Compare(slices.Index(ReasonKinds(), a.Kind), slices.Index(ReasonKinds(), b.Kind))
	})
	for _, r := range j.reasons {
		if slices.Contains(o.Accept, r.Kind) {
			j.out.Accepted = append(j.out.Accepted, r)
		} else {
			j.out.Reasons = append(j.out.Reasons, r)
		}
	}
	j.out.Session, j.out.Alpha = new.Session.Name, o.Alpha
	j.out.Compared = len(queries)
	for _, q := range queries {
		unknown := 0
		if !grantsAny(old, old.Granted, q) && !grantsAny(new, new.Granted, q) {
			j.out.Ungranted++
		}
		for _, name := range q.Relevant {
			if old.Registry.Called(name) == nil && new.Registry.Called(name) == nil {
				j.out.Unknown = append(j.out.Unknown, name)
				unknown++
			}
		}
		if unknown == len(q.Relevant) {
			j.out.Unanswerable++
			j.out.Ungranted--
		}
	}
	slices.Sort(j.out.Unknown)
	j.out.Unknown = slices.Compact(j.out.Unknown)
	j.out.OldLimit = engine.ClampLimit(old.Config.ToolSearch, old.Config.ToolSearch.DefaultLimit)
	j.out.NewLimit = engine.ClampLimit(new.Config.ToolSearch, new.Config.ToolSearch.DefaultLimit)
	return j.out, nil
}

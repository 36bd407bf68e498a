// Package changegate decides whether a change of a registry, of a configuration or of
// descriptions may be merged: it compares what stands before the change, the base, with
// what stands after it, the head, and says pass or fail with the reasons.
//
// # What fails
//
//   - Scope: a session reaches what it must not. That is a violation of the audit that
//     the base does not have, a tool that a session is granted and that the base would
//     not grant it, a call that the base's policy denies or keeps for approval and the
//     head's does neither, and one that the base's policy denies and the head's only
//     keeps for approval.
//   - Sessions: the head has no session of a name that the base has.
//   - Activation: tool search is switched on or off in a session.
//   - Lint: an error that the base does not have, of the same code about the same tool. One
//     of them is tested: see Unfindable tools.
//   - Removed: the head does not have a tool that met a need of a labelled query, and no
//     other tool of the label meets it.
//   - Recall: it falls, and by the paired test chance alone rarely does as much.
//   - Tokens: the session sends more than Options.MaxTokens, where that is given.
//
// A new tool in a toolset that a session is granted already is no violation: the lists
// of the base, read with the registry of the head, grant it too. A session that only
// the head has is compared with nothing.
//
// # Recall
//
// The recall of a labelled query is the share of its needs that are met. A need is met
// when one of its tools is within the limit of the configuration, or is sent in full
// because it is a core tool. A tool that the registry no longer has meets nothing. The
// limit is each side's own, so that a lower limit is a loss. So is min_confidence: a
// side that has too little confidence in what a query finds gives the model no hit, and
// core tools alone meet the needs of the query.
//
// Before and after are compared query by query with evaluation.Compare, the queries of
// one task together (Fisher's randomization test). Recall fails when the mean difference
// is below 0 and P is at most Options.Alpha. P has two sides and only losses fail, so
// that a change of nothing fails in at most half of Alpha.
//
// For example, 80 queries have a recall of 0.90 before. A change loses the tool of six
// and wins none: the difference is -6/80 = -0.075. Of the 2⁶ choices of signs of the six
// only two are as far from 0, so that P = 2/64 = 0.031, and the gate fails. With five
// lost P is 2/32 = 0.0625, and it passes: five of 80 may be chance.
//
// The queries are asked in one session. Every session that no longer reaches a tool at all,
// because it is not granted there any more or is gone, is asked the queries of such tools
// alone: what a dropped toolset costs is not to be lost in what its absence wins elsewhere.
// With m such sessions P is m times as large, at most 1 (Bonferroni), because each is one
// more chance of a false alarm.
//
// The recall of each wording (package wording) is told beside, with its interval, and decides
// nothing: a fall where no word of the name is in the query is a fall of meaning.
//
// A tool that met a need and that the head does not have is no matter of chance: the change
// fails, however few queries expect it, unless another tool of the label meets the need.
//
// # Unfindable tools
//
// Whether a tool is found by its own words depends on the words of all others, as ranks
// do: a new wording here makes a tool unfindable there. The error dark_tool is therefore
// tested as recall is, over the tools of both catalogs, each 1 where its own words find it
// and 0 where they do not. A tool that only the head has needs no test: the change brought
// its error.
//
// Invariants:
//   - a state compared with itself passes, and so does one whose files are only written
//     in another order or with other white space
//   - the order of the queries changes no verdict but where P is drawn at random (more
//     than 13 tasks that differ) and is within its error of Alpha
//   - a Result holds names and figures only, in a total order
//   - equal inputs give equal results
//
// Cost: two audits of all sessions, twice the errors of lint, and two searches for each
// labelled query.
//
// Non-goals: saying whether a change that passes is good; evaluation on sessions whose
// grants have not changed.
package changegate

import (
	"context"

	"caliper/engine"
	"caliper/engine/labels"
	"caliper/engine/lint"
	"caliper/engine/wording"
)

// DefaultAlpha is how often chance alone may do as much as what fails.
const DefaultAlpha = 0.05

// Options are what a change is judged by.
type Options struct {
	Alpha     float64 // 0 means DefaultAlpha
	MaxTokens int     // the most that the session of the head may send; 0: any number
	Accept    []Kind  // reasons of these kinds are intended, and do not fail

	// Progress, which may be nil, is called with how many of how many steps are done.
	Progress func(done, total int)
}

// Kind is the subject of a reason.
type Kind string

// The kinds of reasons, in the order in which they are listed.
const (
	KindScope      Kind = "scope"
	KindSession    Kind = "session"
	KindActivation Kind = "activation"
	KindLint       Kind = "lint"
	KindRemoved    Kind = "removed"
	KindRecall     Kind = "recall"
	KindTokens     Kind = "tokens"
)

// Kinds returns every kind in order.
func Kinds() []Kind {
	return []Kind{KindScope, KindSession, KindActivation, KindLint, KindRemoved, KindRecall, KindTokens}
}

// How a session reaches what it must not, besides the paths of engine.Violation.
const (
	PathGranted = "granted" // its lists grant the tool, and the base's do not
	PathPolicy  = "policy"  // no rule denies a call of the tool or keeps it for approval, and one of the base does
	PathAsked   = "asked"   // rules keep a call of the tool for approval, and one of the base denies it
)

// Reason is why a change fails, as facts. Which fields are set depends on the kind.
type Reason struct {
	Kind    Kind
	Session string    // that it is about; empty for lint
	Path    string    // of scope: of engine.Violation, PathGranted, PathPolicy or PathAsked
	Code    lint.Code // of lint
	Tools   []string  // of scope and lint: qualified names, of removed: names as the labels have them; sorted
	On      bool      // of activation: tool search was switched on
	Dropped int       // of recall: it is of so many labelled queries, about tools that the session no longer reaches; 0: of all

	Old, New float64 // of recall: its means; of tokens: the bound and the tokens sent; of a tested lint error: the shares of tools that are found
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
}

// Worded is the recall of the labelled queries of one wording before and after a change. It
// explains the recall, and fails nothing. The wording of a query is by the names of the
// base, and by the head's where only that has the tool.
type Worded struct {
	Queries int
	Recall
}

// LostQuery is a need of a labelled query that was met and is not any more.
type LostQuery struct {
	ID, Text         string
	Tool             string // that met it, as the label names it
	Wording          wording.Class
	OldRank, NewRank int    // 0: it is not found; core tools and those that are gone have none
	Gone             bool   // no tool of the head has the name
	Abstained        bool   // the head has too little confidence in what it finds: the model gets no hit
	LostTo           string // qualified name of the first hit that the label does not name; empty for none
}

// Sizes is a number before and after a change.
type Sizes struct{ Old, New int }

// Result is the verdict on a change with its figures.
type Result struct {
	Reasons  []Reason // why it fails, in the order of their kinds
	Accepted []Reason // what would fail, and is intended

	Session          string // that the figures below are of; of the head where the names differ
	Alpha            float64
	MaxTokens        int
	Tokens           Sizes // sent in a turn
	OldActive        bool
	NewActive        bool
	ScopeViolations  int // new ones, tools of all sessions
	LintErrors       Sizes
	OldLimit         int
	NewLimit         int
	Compared         int         // labelled queries
	Recall           Recall      // of them
	Worded           [3]Worded   // the same by wording.Class
	Queries          []LostQuery // in the order of the labels
	Won              int         // needs that are met and were not
	Unknown          []string    // relevant names that neither registry has, sorted
	Unanswerable     int         // labelled queries without a tool in either registry
	ComparedSessions int         // sessions that both sides have
}

// Passed reports whether nothing fails.
func (r *Result) Passed() bool { return len(r.Reasons) == 0 }

// Judge returns the verdict on the change from old to new, two snapshots without a
// message. The error is ctx's, or an audit's.
func Judge(ctx context.Context, b *engine.Builder, old, new *engine.Snapshot, queries []labels.Query, o Options) (Result, error) {
	if o.Alpha == 0 {
		o.Alpha = DefaultAlpha
	}
	j := &judging{builder: b, old: old, new: new, queries: queries, tasks: labels.Tasks(queries), o: o}
	steps := []func(context.Context) error{j.studyOld, j.studyNew, j.judgeSessions, j.judgeLint, j.judgeRecall, j.judgeTokens}
	for i, step := range steps {
		if err := step(ctx); err != nil {
			return Result{}, err
		}
		if o.Progress != nil {
			o.Progress(i+1, len(steps))
		}
	}
	return j.result(), nil
}

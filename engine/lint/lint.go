// Package lint looks for tools that nobody can find and for definitions that
// cost more than they say, and tries what would help.
//
// A tool of the session's catalog should be found by what people say of it:
// the words of its name, the first sentence of its description, the names of
// its parameters (survey.go). Every tool of the registry should have a name
// that providers take, a schema that holds together, and a description that
// tells it from others (the other files, one subject each).
//
// Goals:
//   - every rank and number of tokens beside a remedy was computed by making
//     the change and searching again, never estimated
//   - behind a remedy its finding is gone, and lint has looked again to say so
//   - the same snapshot gives the same findings in the same order
//   - whatever ranker the session has, it is asked through the snapshot
//
// Non-goals: writing the changes to a file, inventing descriptions that only
// the author of a tool could write, judging what a tool does.
package lint

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"caliper/engine"
	"caliper/model"
)

// Severity is how bad a finding is.
type Severity string

// The severities, the worst first.
const (
	Error   Severity = "error"   // the tool, or a request with it, does not work or is not found
	Warning Severity = "warning" // the model is led astray, or tokens are lost
	Info    Severity = "info"    // worth knowing when tuning
)

// Severities returns every severity, the worst first.
func Severities() []Severity { return []Severity{Error, Warning, Info} }

// AtLeast reports whether s is as bad as least, or worse.
func (s Severity) AtLeast(least Severity) bool {
	return slices.Index(Severities(), s) <= slices.Index(Severities(), least)
}

// Finding is one thing that is wrong.
type Finding struct {
	Code     Code
	Severity Severity
	Tool     *model.Tool // nil: about the catalog as a whole
	Message  string      // why, in one line that is safe for a terminal
	Remedy   *Remedy     // nil: none is known that helps, as the message says
}

// Remedy is a change, and what it does. The figures are those of the snapshot
// before and after the change alone. Behind it the finding is gone, and no other
// one as severe is found of the tool.
type Remedy struct {
	Change string // in one line that is safe for a terminal
	Edits  []engine.Edit

	Query      string      // that RankBefore and RankAfter are of; empty: none was asked
	Subject    *model.Tool // whose ranks they are; nil: none
	RankBefore int         // 0: the query does not score the subject
	RankAfter  int

	// Tokens of the definitions that are changed, together, counted by the
	// snapshot's Tokenizer.
	TokensBefore int
	TokensAfter  int
}

// Ranked reports whether the remedy is about a rank.
func (r *Remedy) Ranked() bool { return r.Subject != nil }

// Options are what a run is asked for.
type Options struct {
	// Keep tells which findings are wanted, before their remedies are
	// computed; nil keeps all. The Remedy of what it is given is nil.
	Keep func(Finding) bool
	// Progress, which may be nil, is told how much is done of what is known
	// to be to do; total grows once, when the remedies are counted. Calls come
	// one at a time.
	Progress func(done, total int)
	// MaxRanked bounds the findings whose remedies are tried in an index of
	// their own, the worst findings first, because an index costs as much as
	// the catalog is large. Zero means as many as take seconds: 400 at 10,000
	// tools, more in smaller catalogs, never fewer than 100.
	MaxRanked int
}

// The bound of remedies that are ranked, when Options name none: so many tools
// in all of their indexes, and no fewer indexes.
const (
	mostIndexed = 4_000_000
	leastRanked = 100
)

// Report is the outcome of a run.
type Report struct {
	Findings []Finding // the worst first, then by code, then in the order of the registry
	Reach    []Reach   // of every tool of the catalog, in catalog order
	Limit    int       // the cut line
	Untried  int       // findings beyond MaxRanked, whose remedies have no rank or are left out
}

// Counts returns how many findings there are of each severity.
func (r Report) Counts() map[Severity]int {
	counts := map[Severity]int{}
	for _, f := range r.Findings {
		counts[f.Severity]++
	}
	return counts
}

// Run looks for everything in a snapshot, which should be one of the builder.
// The snapshot is not changed. The error is ctx's.
func Run(ctx context.Context, b *engine.Builder, s *engine.Snapshot, o Options) (Report, error) {
	catalog, tools := s.Catalog(), s.Registry.Tools
	p := newProgress(o.Progress, len(catalog)+len(tools))
	reach, err := survey(ctx, s, p)
	if err != nil {
		return Report{}, err
	}
	c, err := newCheck(ctx, s)
	if err != nil {
		return Report{}, err
	}
	drafts := c.findability(reach)
	each := make([][]draft, len(tools))
	err = parallel(ctx, len(tools), func(i int) {
		each[i] = c.look(tools[i], c.attacks[tools[i]])
		p.step()
	})
	if err != nil {
		return Report{}, err
	}
	for _, list := range each {
		drafts = append(drafts, list...)
	}
	drafts = append(drafts, c.shared()...)
	drafts = append(drafts, c.duplicates(ctx)...)
	drafts = append(drafts, c.weightless()...)
	drafts = append(drafts, c.policy()...)
	c.remember(drafts)
	if o.Keep != nil {
		drafts = slices.DeleteFunc(drafts, func(d draft) bool { return !o.Keep(d.Finding) })
	}
	slices.SortStableFunc(drafts, compareDrafts)
	report := Report{Reach: reach, Limit: c.limit}
	most := cmp.Or(o.MaxRanked, max(leastRanked, mostIndexed/max(1, len(catalog))))
	report.Findings, report.Untried, err = c.remedy(ctx, b, drafts, most, p)
	if err != nil {
		return Report{}, err
	}
	return report, nil
}

// compareDrafts orders findings: severity, code, place of the tool, message.
func compareDrafts(a, b draft) int {
	place := func(t *model.Tool) int {
		if t == nil {
			return -1
		}
		return t.Index
	}
	return cmp.Or(
		cmp.Compare(slices.Index(Severities(), a.Severity), slices.Index(Severities(), b.Severity)),
		cmp.Compare(slices.Index(codes, a.Code), slices.Index(codes, b.Code)),
		cmp.Compare(place(a.Tool), place(b.Tool)),
		strings.Compare(a.Message, b.Message))
}

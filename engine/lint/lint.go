// Package lint looks for tools that no search finds and for definitions that waste
// tokens, and tries changes that would help.
//
// A tool of the session's catalog should be found by its own words: the words of its
// name, of the first sentence of its description, of the names of its parameters
// (findability.go). Every tool of the registry should have a name that providers
// take (names.go), a schema that holds together (schemas.go) and that they take
// (refusals.go, by the table of package export), and a description
// that distinguishes it from others (descriptions.go, duplicates.go) and gives a
// model no orders (texts.go). Findings about the catalog as a whole are in
// catalog.go. A remedy counts once it was tried (remedy.go).
//
// Two tools are near duplicates when the weighted Jaccard similarity of their
// shingles is 0.75 or more: the weight of what both have, divided by the weight
// of what either has. A shingle that df of n tools have weighs
// ln(1 + max(n, 1000)/df)²; see duplicates.go. Example: there are 1,000 tools. Two
// tools share two shingles that no other tool has (38.6 each), and one of them has
// one more (47.7): 77.2 / 124.9 = 0.62, so they are not near duplicates.
//
// Invariants:
//   - every rank and number of tokens beside a remedy was computed by making
//     the change and searching again, never estimated
//   - a remedy with edits removes its finding; lint has checked the changed tool
//   - the same snapshot gives the same findings in the same order
//   - whatever ranker the session has, it is asked through the snapshot
//
// Cost: a pass over every definition; for each tool of the catalog, whether three
// queries find it within the limit, and its ranks for those that a finding names; and
// for each of the first Options.MaxRanked remedies up to four ranks of a tool that is
// edited, which are counted in the index that is there (retrieval.Change); the ranker
// fielded needs an index of the edited catalog for them.
//
// Non-goals: writing the changes to a file, inventing descriptions that only
// the author of a tool could write, rating what a tool does.
//
// # Confusion
//
// MapConfusion maps which tools answer each other's queries, so that the model
// may take one for the other: pairs of twins and shadows, and servers that do the same
// as another.
//
// What it computes:
//
// The queries of a tool are the labelled queries that it is an answer to, and its own
// words: its name's, and the first sentence of its description (as lint asks).
// A tool without labels is known by its own words alone; the more labels a tool has, the
// less these count, so that one label is no verdict. Each query q of a tool a is searched
// in the session's catalog, and every other tool b among the first 100 hits (Bounds), that
// the label does not name too, is compared with a by their scores:
//
//	r(b, q) = min(1, score(b) / score(a))       score(a) is that of the first hit where a is not among these hits
//
// and 0 where b is not among them. The confusion of a with b, and how often b is above a
// among the hits that the model is shown, are the means over the queries of a:
//
//	c(a, b) = mean of r(b, q)
//	above(a, b) = share of q in which b ranks above a, and within the limit
//
// b answers the queries of a when c(a, b) is 0.8 or more. Two tools are twins when
// each answers the queries of the other; the confusion of the pair is the mean of both.
// b shadows a when it is above a in half of the queries of a, and they are no twins; the
// confusion of the pair is c(a, b).
//
// The formula is caliper's own: a confusion matrix that counts how near a tool came where
// the usual one counts how often it came first. Scores of different queries cannot be
// compared; their ratio within one query can.
//
// Example:
//
// send_mail and post_mail have no labels. For "send mail" the scores are send_mail 2.0 and
// post_mail 1.7, for "Send a letter to somebody" 4.0 and 3.8: c(send, post) is the mean of
// 0.85 and 0.95, 0.90. For the two queries of post_mail send_mail has 0.8 and 0.9 of the
// score: c(post, send) is 0.85. Both are at least 0.8, so they are twins with a confusion
// of 0.875, although each finds itself first.
//
// The order:
//
// Tools stand in an order in which similar ones are neighbours (seriation), by single
// linkage: pairs are joined from the most similar down, each joins two rows of tools at
// the two of their ends that are the most alike, and what remains are rows beside each other
// (confusion_order.go). Equal similarities are decided by name.
//
// Invariants:
//   - the order of the tools in the registry changes nothing
//   - Confusion is 0 to 1; two tools with the same words and no labels are twins
//   - equal inputs give equal maps, on any number of cores
//
// Large catalogs:
//
// What a search costs grows with the catalog, so that the searches for all tools of a
// catalog grow faster than it does. In a catalog of more than 20,000 tools the first 50
// hits of a query are compared, and a sentence is asked by its 12 rarest words: those that
// the fewest other sentences have. A tool that shares only frequent words with another, or
// that 50 others are nearer to, then counts as one that the query does not find. ConfusionMap.Bounds
// says which bounds a map has. With these bounds the map of 812 tools of real servers has
// all 519 pairs by bm25 and 158 of 161 by fielded, and the map of 100,000 synthetic tools all
// of its 158,019.
//
// Where many tools tie for a query, such as all with one description, the first by
// name are compared. In a large catalog only ConfusionBounds.Tied of them are, where they
// go on behind the hits that are compared. ConfusionMap.Crowded says for how many tools that leaves
// out some that answer a query.
//
// Cost: a search for each label of a tool, and two for its own words; memory for as many tools for each as are compared.
// Pairs that no search brings together cost nothing.
//
// Own words predict what labelled queries confuse: over nine public sets a pair that a query
// confuses had more confusion than one that none does with a probability of 0.65 by bm25 and
// 0.71 by fielded (AUC, 2026-11), of the pairs that own words bring together at all 0.71 and 0.75.
//
// Non-goals: judging which of two tools is the better one; meanings that share no word,
// unless the ranker knows them.
package lint

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"caliper/engine"
	"caliper/engine/whatif"
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
	Tool     *model.Tool       // nil: about the catalog as a whole
	Message  string            // why, in one line that is safe for a terminal
	Remedy   *Remedy           // nil: none is known that helps, as the message says
	At       *model.Diagnostic // of Options.Skills, where the finding is about one; else nil
}

// Remedy is a change and its effect. The figures are taken from the snapshot before and
// after this change alone. After the change the finding is gone, and the tool has no
// new finding that is as severe.
type Remedy struct {
	Change string        // in one line that is safe for a terminal
	Edits  []whatif.Edit // nil: it changes no definition, and there are no figures of tokens

	// Entry is the effect of the change on the rank of Subject among the hits of Query.
	whatif.Entry
	Query   string      // empty: none was asked
	Subject *model.Tool // nil: none
	ranker  bool        // of one to try: rank with what reads the letters of every script, instead of edits

	// Tokens of the definitions that are changed, together, counted by the
	// snapshot's Tokenizer.
	TokensBefore int
	TokensAfter  int
}

// Ranked reports whether the remedy is about a rank.
func (r *Remedy) Ranked() bool { return r.Subject != nil }

// Options are what a run is asked for.
type Options struct {
	// Keep reports which findings are wanted, before their remedies are
	// computed; nil keeps all. The Remedy of what it is given is nil.
	Keep func(Finding) bool
	// Skills are the faults of skills beside the tools. Each is a finding about no tool, of its
	// code, or SkillUnread.
	Skills []model.Diagnostic
	// Progress, which may be nil, is called with how much is done of all that is
	// to do: done grows by one from call to call up to total, which does not change.
	// Calls come one at a time.
	Progress func(done, total int)
	// MaxRanked bounds the findings whose remedies are tried by ranks in the
	// edited catalog, the worst findings first, because a rank costs more the
	// larger the catalog is. Zero means as many as take seconds: 400 at 10,000
	// tools, more in smaller catalogs, never fewer than 100. Above MapWithinBounds
	// tools, of the tools that one query does not find, ConfusionBounds.Tied have them tried.
	MaxRanked int
}

// The bound of remedies that are ranked, when Options name none: so many tools
// in all of their catalogs together, and no fewer catalogs.
const (
	mostIndexed = 4_000_000
	leastRanked = 100
)

// mostRanked returns how many remedies are ranked in a catalog of some tools.
func (o Options) mostRanked(tools int) int {
	return cmp.Or(o.MaxRanked, max(leastRanked, mostIndexed/max(1, tools)))
}

// Report is the result of Run.
type Report struct {
	Findings []Finding // the worst first, then by code, then in the order of the registry
	// Reach is how every tool of the catalog is found, in catalog order. A probe that
	// did not find its tool has a rank and shadows only when a finding is about it:
	// when the tool is dark, and for the name or the sentence that does not find it.
	// Survey asks for all of them.
	Reach   []Reach
	Limit   int // the cut line
	Untried int // findings beyond MaxRanked, whose remedies have no rank or are left out
}

// Counts returns how many findings there are of each severity.
func (r Report) Counts() map[Severity]int {
	counts := map[Severity]int{}
	for _, f := range r.Findings {
		counts[f.Severity]++
	}
	return counts
}

// Run returns all findings about a snapshot, with their remedies. It does not change
// the snapshot. The error is ctx's.
func Run(ctx context.Context, s *engine.Snapshot, o Options) (Report, error) {
	tools, catalog := s.Registry.Tools, len(s.Catalog())
	p := &counter{report: o.Progress, total: catalog + 2*len(tools)}
	c := newCheck(s)
	for _, t := range tools {
		if text := strings.TrimSpace(t.Description); text != "" {
			c.sameText[text] = append(c.sameText[text], t)
		}
	}
	each := make([][]draft, len(tools))
	err := parallel(ctx, len(tools), func(i int) {
		t := tools[i]
		each[i] = slices.Concat(c.name(t), c.description(t), c.texts(t), c.refused(t), c.schema(t))
		if t.TaskOnly {
			each[i] = append(each[i], found(TaskOnly, Warning, t, "execution.taskSupport is required: it runs only as a task, and its server refuses a plain call"))
		}
		p.step()
	})
	if err != nil {
		return Report{}, err
	}
	var shared []draft
	for _, t := range tools {
		if d, ok := c.sharing(t, t); ok {
			shared = append(shared, d)
		}
	}
	compared := slices.Concat(shared, c.duplicates(ctx), c.weightless(), c.requests(), c.policy(), skills(o.Skills))
	reach, err := survey(ctx, s, p, false)
	if err != nil {
		return Report{}, err
	}
	drafts := slices.Concat(c.findability(reach), slices.Concat(each...), compared)
	c.before = make([][]fault, len(tools))
	for _, d := range drafts {
		if d.Tool == nil {
			continue
		}
		if known := c.known(d.Tool, d.Code); known == nil {
			c.before[d.Tool.Index] = append(c.before[d.Tool.Index], fault{d.Code, d.Severity})
		} else if !known.severity.AtLeast(d.Severity) {
			known.severity = d.Severity
		}
	}
	if o.Keep != nil {
		drafts = slices.DeleteFunc(drafts, func(d draft) bool { return !o.Keep(d.Finding) })
	}
	// Findings that are alike in these stay in the order in which they were found.
	index := func(t *model.Tool) int {
		if t == nil {
			return -1
		}
		return t.Index
	}
	model.Sort(drafts, func(a, b draft) int {
		return cmp.Or(
			cmp.Compare(slices.Index(Severities(), a.Severity), slices.Index(Severities(), b.Severity)),
			cmp.Compare(slices.Index(codes, a.Code), slices.Index(codes, b.Code)),
			cmp.Compare(index(a.Tool), index(b.Tool)))
	})
	report := Report{Reach: reach, Limit: c.limit}
	report.Findings = make([]Finding, len(drafts))
	todo := make([]attempts, len(drafts))
	for i, d := range drafts {
		report.Findings[i], todo[i] = d.Finding, d.attempts
	}
	report.Untried, err = c.remedy(ctx, report.Findings, todo, o.mostRanked(catalog), p)
	if err != nil {
		return Report{}, err
	}
	return report, nil
}

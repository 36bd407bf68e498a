// Package doctor judges edits of a tool's description by labelled queries, and proposes
// some itself.
//
// Judge tells the effect of a description before anyone ships it: the ranks of every labelled
// query before and after, whom it hurts, recall within the limit, and what it costs.
// Propose makes descriptions: the tool's own and a list of words that people ask the tool
// with and its description lacks.
//
// # Words
//
// A word is proposed for one of three reasons:
//
//   - queries: labelled queries of the tool have it
//   - rival: a tool that ranks above it for one of its queries has it, and so has the
//     query
//   - lexicon: the lexicon relates it to words of the tool, and its queries have it, if
//     there are any
//
// It must be a word that belongs in a description, as package vocabulary says, and that
// the tool has not, in any form. Generic verbs such as "get" are left out. Forms of one
// stem are one word.
//
// A word of the queries is in n of the tool's N tasks, and in m of the M tasks of other
// tools. It belongs to the tool by its lift,
//
//	lift = (n+½)/(N+1) / ((m+½)/(M+1))
//
// which must be 2 or more: a word that other tools are asked for as often says nothing
// of this one. And n must be m or more: in each of the m tasks the tool would rise, and
// another one is needed there. That is how near twins are kept apart: a word that fits two
// tools is in tasks for both. Its weight is n·ln(lift). A word that
// one task alone has needs a second reason. A word of the queries that is written like a name
// is left out, and so is one that one task alone has, or that is written like a code, unless
// the catalog or the lexicon knows it: these are values, such as a city or a key.
//
// Example: 3 of the 4 tasks of a tool have "invoice", and 2 of 95 tasks of others. The
// lift is (3.5/5)/(2.5/96) = 26.9 and the weight 3·ln 26.9 = 9.9. The word "cheap", in 1 of
// the 4 and in 20 of the 95, has the lift (1.5/5)/(20.5/96) = 1.4 and is not proposed. A word
// in 3 of the 4 and in 7 of the 95 has the lift 9, but 3 is less than 7: it is not proposed
// either.
//
// # The list
//
// Four lists are tried: the first 1, 2 and 4 words, the weightiest of the queries first,
// and the first 3 that two tasks or more have. The description mentions them in
// brackets, as remedies do (vocabulary.Mention), and has no other word more: a word such as
// "covers" before the list draws queries, too, where the ranker knows no stop words.
//
// No sentence is built of them: whoever takes the words, or the request, writes it.
//
// # Claims
//
// Words from labelled queries fit those queries, so that the ranks which they give
// them say nothing about the next one. Therefore all tasks are dealt to folds, and each
// query of the tool is asked with the list that is made without its fold
// (cross-fitting: Chernozhukov and others, "Double/debiased machine learning", 2018,
// section 3). Queries of other tools propose no word: the judgement has what the list
// itself does to them. But words are left out because they have them, so that the next
// query loses more: an offer must hold also where they are asked without their
// fold. With the ranker learned, no query is asked with what it taught.
//
// Example: four tasks of a tool are four folds. Task 1 is asked with the words of tasks
// 2, 3 and 4. If it shares none of them, the claim is that it gains nothing, even where
// the proposed list has its words.
//
// The net harm of an edit is the loss of the queries of other tools by it: the sum of the
// shares of their needs that were found within the limit and are not any more, less those
// that are found now and were not. It is rare: a rank falls more often than it
// falls below the limit. What comes near to it is counted by the closeness of a rank r to
// the limit k,
//
//	closeness = 1 / (1 + exp((r-k-½)/1.5))
//
// a logistic step: with k = 5 it is 0.95 at rank 1, 0.58 at 5, 0.42 at 6 and 0.05 at 10.
//
// # Offers
//
// Propose offers an edit only when all of these hold, and often none does:
//
//   - the tool's own queries, each asked with what was made without it, find more of what
//     they need, and recall does not fall
//   - the net harm is not above 0
//   - the closeness that the needs of other tools' queries lose is 1 % of what the tool
//     gains in its own at most. What a query needs is a share of it each: of two needs each
//     counts a half. A need that comes nearer pays for none that falls
//   - the last two hold also where each query of another tool is asked with what was made
//     without it
//
// For a tool without labelled queries, which allow no claim, the net harm must
// not be above 0, and the closeness that is lost 0.005 at most.
//
// Example, with the limit 5: an edit lifts the tool from rank 8 to 1 in five of its queries,
// whose closeness goes from 0.159 to 0.953 each, or by 3.97 in all. One need of another query
// falls from rank 1 to 2: the net harm is 0, but 0.953 less 0.912, or 0.041, is more than 1 %
// of 3.97, and the edit is not offered. With a sixth such query it is, and so it is when the
// other query has a second need, which does not move: it loses 0.020 then.
//
// The needs that fall are not set off against those that rise, since both are common and
// only the next query tells which is chance: the longer a description is, the less bm25
// makes of each of its other words, and other tools rise.
//
// The bounds were chosen on one half of the queries of the development sets, dealt to two
// parts and to four again, where one measured and the others proposed (TestBounds).
// TestMisses has what they cost and gain on unseen queries.
//
// Invariants:
//   - the description of a tool itself changes no rank, and its verdict is cannot_tell
//   - judgements are in a total order, whatever the order of the descriptions
//   - a query of the tool changes nothing of the list that it is asked with
//   - a proposed description begins with the tool's own, and has no words besides that are
//     not of the kinds above or the tool's
//   - the same snapshot, queries and descriptions give the same judgements
//
// Cost: a description costs a draft.Text and one search for each expected tool of the
// queries. Propose makes at most 4 of them, and up to 5 more each for the folds.
//
// Non-goals: writing prose. Request has what a writer, person or model, needs; Judge says
// what the result is worth.
package doctor

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"caliper/engine"
	"caliper/engine/draft"
	"caliper/engine/labels"
	"caliper/engine/retrieval"
	"caliper/model"
)

// Judgement is the effect of a description on a tool.
type Judgement struct {
	Description  string
	Words        []Word // that the doctor added to the tool's own description; nil for a description that was given
	TokensBefore int    // of the tool's definition
	TokensAfter  int

	// Outcome is its effect on the labelled queries. Queries of the tool that Words come
	// from are asked with a list that is made without them.
	Outcome    draft.Outcome
	Low, High  float64              // the 95 % interval of Outcome.After
	Difference retrieval.Difference // of recall within the limit
	NetHarm    float64              // what queries of other tools lose, in queries; below 0: they win
}

// Word is a word that the doctor proposes.
type Word struct {
	Text    string // in lower case
	Reasons []Reason
	Queries []string // ids of the labelled queries that it comes from, in their order; nil for none
}

// Reason is why a word is proposed.
type Reason string

// The reasons.
const (
	FromQueries Reason = "queries" // labelled queries of the tool have it
	FromRival   Reason = "rival"   // a tool that ranks above it has it
	FromLexicon Reason = "lexicon" // it is related to words of the tool
)

// ProposedBy returns the ids of the labelled queries that the words come from, each once
// and sorted.
func (j Judgement) ProposedBy() []string {
	var ids []string
	for _, w := range j.Words {
		ids = append(ids, w.Queries...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// Verdict returns whether recall within the limit is better, worse, or neither can be
// said.
func (j Judgement) Verdict() retrieval.DifferenceVerdict { return j.Difference.Verdict() }

// Others returns what the queries of other tools lose and gain of what they need within
// the limit, in queries. NetHarm is the difference.
func (j Judgement) Others() (lost, gained float64) {
	for _, a := range j.Outcome.Asked {
		if !a.Own {
			lost += max(0, a.FoundBefore-a.FoundAfter)
			gained += max(0, a.FoundAfter-a.FoundBefore)
		}
	}
	return lost, gained
}

// Hurt returns the other tools that lose a rank, those that fall below the limit first.
func (j Judgement) Hurt(tool *model.Tool) []draft.Hurt {
	return slices.DeleteFunc(slices.Clone(j.Outcome.Hurt), func(h draft.Hurt) bool { return h.Tool == tool })
}

// Judge returns what descriptions do to a tool, the best first: the largest gain, then
// the least net harm, then the fewest tokens. Descriptions that are given twice are
// judged once. The error is ctx's, or tells why the tool cannot have a description.
func Judge(ctx context.Context, s *engine.Snapshot, tool *model.Tool, queries []labels.Query, descriptions []string) ([]Judgement, error) {
	before, err := draft.Measure(ctx, s, queries)
	if err != nil {
		return nil, err
	}
	var all []Judgement
	for i, d := range descriptions {
		if slices.Contains(descriptions[:i], d) {
			continue
		}
		text, err := draft.Of(ctx, s, tool, d)
		if err != nil {
			return nil, err
		}
		outcome, err := before.With(ctx, text)
		if err != nil {
			return nil, err
		}
		all = append(all, judgementOf(d, text, outcome))
	}
	slices.SortFunc(all, compareJudgements)
	return all, nil
}

// judgementOf completes the judgement of a description.
func judgementOf(description string, text *draft.Text, o draft.Outcome) Judgement {
	j := Judgement{Description: description, Outcome: o, Difference: o.Difference()}
	j.TokensBefore, j.TokensAfter = text.Tokens()
	j.Low, j.High = o.Interval()
	lost, gained := j.Others()
	j.NetHarm = lost - gained
	return j
}

// compareJudgements orders the better judgement first.
func compareJudgements(a, b Judgement) int {
	return cmp.Or(cmp.Compare(b.Difference.Mean, a.Difference.Mean), cmp.Compare(a.NetHarm, b.NetHarm),
		cmp.Compare(a.TokensAfter, b.TokensAfter), strings.Compare(a.Description, b.Description))
}

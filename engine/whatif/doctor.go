package whatif

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"caliper/engine"
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
	Outcome    Outcome
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

// Verdict returns whether recall within the limit is better, worse, or neither can be said.
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
func (j Judgement) Hurt(tool *model.Tool) []Hurt {
	return slices.DeleteFunc(slices.Clone(j.Outcome.Hurt), func(h Hurt) bool { return h.Tool == tool })
}

// Judge returns what descriptions do to a tool, the best first: the largest gain, then
// the least net harm, then the fewest tokens. Descriptions that are given twice are
// judged once. The error is ctx's, or tells why the tool cannot have a description.
func Judge(ctx context.Context, s *engine.Snapshot, tool *model.Tool, queries []labels.Query, descriptions []string) ([]Judgement, error) {
	before, err := Measure(ctx, s, queries)
	if err != nil {
		return nil, err
	}
	var all []Judgement
	for i, d := range descriptions {
		if slices.Contains(descriptions[:i], d) {
			continue
		}
		text, err := TryText(ctx, s, tool, d)
		if err != nil {
			return nil, err
		}
		outcome, err := before.With(ctx, text)
		if err != nil {
			return nil, err
		}
		all = append(all, judgementOf(d, text, outcome))
	}
	model.Sort(all, compareJudgements)
	return all, nil
}

// judgementOf completes the judgement of a description.
func judgementOf(description string, text *Trial, o Outcome) Judgement {
	before, after := o.found()
	j := Judgement{Description: description, Outcome: o, Difference: retrieval.ComparePaired(before, after, o.tasks)}
	j.TokensBefore, j.TokensAfter = text.Tokens()
	j.Low, j.High = retrieval.MeanInterval(after, o.tasks)
	lost, gained := j.Others()
	j.NetHarm = lost - gained
	return j
}

// compareJudgements orders the better judgement first.
func compareJudgements(a, b Judgement) int {
	return cmp.Or(cmp.Compare(b.Difference.Mean, a.Difference.Mean), cmp.Compare(a.NetHarm, b.NetHarm),
		cmp.Compare(a.TokensAfter, b.TokensAfter), strings.Compare(a.Description, b.Description))
}

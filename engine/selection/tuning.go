package selection

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/embed"
	"caliper/engine/labels"
	"caliper/engine/retrieval"
)

// Tune searches settings of tool search on labelled queries, and measures
// honestly what the settings that it finds are worth.
//
// Goals: the difference that is reported is that on queries which had no part in the
// choice; on labels that say nothing, nothing is recommended; no label measures a ranker
// that learned from it; the same inputs give the same result.
//
// Non-goals: settings that no label can judge, files, and words.
//
// # The comparison
//
// A candidate is one value for every setting that is searched. The values that are tried
// are in tuning_settings.go, the value in force always among them. The score of a candidate for
// a query is a metric of package retrieval:
//
//   - Without pre-selection it is the metric of the first hits of tool_search, as many as
//     the limit. Recall@5 with the limit 3 counts three.
//   - With a strategy of pre-selection it is the metric of the tools that are selected, K
//     of them: those that the message names, then the best ranked. Tools that are always
//     sent have no rank.
//
// Its tokens are what one turn costs, the mean over the queries:
//
//	without pre-selection  tokens(assembly) + tokens(answer of one search with limit hits)
//	                       or tokens(assembly) alone, where tool search is not active
//	with pre-selection     tokens(what is sent for the message, the bridge included)
//
// # How settings are chosen
//
// Choose(queries) takes the candidate with the largest mean score over some queries, and
// then prefers the candidate that is nearest to the settings in force among those that
// are not worse than it by more than the standard error of that difference (the rule of
// one standard error: Breiman and others, "Classification and Regression Trees", 1984,
// section 3.4.3):
//
//	mean(best) - mean(c) ≤ √( Σ (D(t) - d·n(t))² · T/(T-1) ) / n
//
// where D(t) is the sum of the differences of the queries of task t, n(t) how many these
// are, d the mean difference, n all queries and T all tasks. Nearest is the one that changes the
// fewest settings, then goes the fewest steps; then what scores more, then what costs
// less. So the settings in force stay unless something is better by more than its
// standard error.
//
// More hits never find less, so a limit or a K above the one in force is chosen only under
// a bound on tokens (TuningRequest.MaxTokens); the frontier has it always.
//
// # How the choice is measured
//
// The score of the best of many candidates on the queries by which it was chosen is too
// high. The queries are therefore dealt to folds, all of one task to one fold, and
//
//	chosen(q) = score(Choose(queries outside q's fold), q)
//
// This is nested cross-validation (Varma and Simon, "Bias in error estimation when using
// cross-validation for model selection", BMC Bioinformatics 7:91, 2006). Best.Score is
// the mean of chosen(q), Baseline.Score the mean with the settings in force, and Difference is
// retrieval.ComparePaired of the two, query by query: its 95 % interval is a paired bootstrap
// over tasks with a fixed seed. The queries of a fold have a part in the choices of the
// other folds, so that the folds are not independent (Nadeau and Bengio, "Inference for the
// generalization error", Machine Learning 52, 2003), and such an interval is too narrow: of
// simulated samples whose truth is known it holds the truth in 91 to 93 of 100. Both ends
// are therefore moved from the mean by the factor √(folds/(folds-1)), with which it is 94
// to 96 (TestIntervalsCover). The bootstrap knows too little of a few queries that all
// differ in one direction; where by the randomization test of Compare chance gives
// as much in more than one of twenty cases, the interval is extended to 0. Tuning.Best has the settings that Choose takes on all
// queries; Stability is the share of the folds that took these too.
//
// The verdict is better where the interval is above 0, worse where it is below 0, and
// otherwise that nothing can be told. It is never better where Choose keeps the settings in
// force.
//
// A ranker that learns has learned, for a query of the fold, nothing of that fold, and
// where the choice is made outside the fold, nothing of the fold and nothing of the query
// itself, its text or its task. Such a ranker may gain from knowing which tools are asked
// for often, whatever the words are, which shuffled labels tell as well. So each fold is
// also asked of one that learned from the same labels, each with the tools of another; a
// gain that is not told from 0 against that control is not told from 0 at all.
//
// Tuning.Worded has the difference of the queries of each wording (package wording), so
// that settings which gain only where a query repeats the name are seen to.
//
// # Example
//
// Four tasks of one query each are dealt to two folds, {1, 2} and {3, 4}. The candidate a
// is in force and scores 0, 0, 0, 1; b scores 1, 1, 1, 1. Outside the first fold b is
// better by (1+0)/2 = 0.5 with the standard error √((0.5²+0.5²)·2/1)/2 = 0.5, which is not
// less: a stays. Outside the second b is better by 1 with the standard error 0: b is
// chosen. So chosen is 0, 0, 1, 1, Best.Score is 0.5, and Difference.Mean is 0.5 - 0.25.
// On all queries b is better by 0.75 with the standard error √((3·0.25²+0.75²)·4/3)/4 =
// 0.25, so that Best has the settings of b, and Stability is ½.
//
// Invariants:
//   - A query has no part in the choice by which it is measured.
//   - Difference.Mean is Best.Score less Baseline.Score.
//   - Where only the settings in force can be chosen, every difference is 0.
//   - The frontier has no point that costs more than another and scores no more.
//   - Equal inputs give equal results: every order is total, every seed is fixed.
//
// Cost: each ranking (a ranker, with k1 and b) is asked every query once, and a ranker
// that learns once for each fold. All limits, thresholds and folds read those answers; a
// candidate costs a few sums over the queries. With pre-selection each ranking is fused
// once for every value of the weights, and cut for every K.

// TuningObjectives are the metrics that settings can be searched for, the default first. It must
// not be changed.
var TuningObjectives = []string{"recall@5", "ndcg@10", "mrr@10"}

// TuningFolds is the usual number of folds.
const TuningFolds = 5

// TuningRequest is the search that is asked for.
type TuningRequest struct {
	Snapshot *engine.Snapshot // the session with the settings in force, without a message
	Queries  []labels.Query

	Objective string   // of Objectives; empty: the first
	MaxTokens int      // of a turn, the most that the settings may cost; 0: no bound
	Over      []string // of Names; empty: those that matter and that a configuration file can hold
	Folds     int      // 2 or more; 0: TuningFolds. It is at most the number of tasks

	// Similarity computes the semantic ranking of the strategies of pre-selection that have one.
	// Where it is nil, Absent says why; it may be nil, too.
	Similarity embed.Similarity
	Absent     error

	// Progress is called with how many answers to queries there are, one call at a time; it
	// may be nil.
	Progress func(done, total int)
}

// TuningScore is the score and the cost of settings.
type TuningScore struct {
	Settings        []TunedSetting // in the order of Names
	Mean, Low, High float64        // with the 95 % interval
	Tokens          float64        // of a turn, the mean of the queries
}

// TuningPoint is a point of the frontier of tokens and score. Its score is over all queries:
// it is no measure of how well this choice does on others.
type TuningPoint struct {
	Settings []TunedSetting
	Score    float64
	Tokens   float64
}

// TuningEffect is the effect of one setting alone: the difference that comes from choosing it while
// the others stay, measured as for all settings.
type TuningEffect struct {
	Key             string
	Mean, Low, High float64
	Worded          [3]WordedTuning // as Tuning's
}

// WordedTuning is the worth of the choice on the queries of one wording.
type WordedTuning struct {
	Queries        int
	Baseline, Best float64 // means, as Tuning's
	Difference     retrieval.Difference
}

// Tuning is the result of a search.
type Tuning struct {
	Queries, Tasks int
	Objective      string
	Folds          int
	Strategy       Strategy // of the configuration
	Counted        int      // how many hits or tools a score counts at most with the settings in force: the limit, or K

	Baseline   TuningScore // the settings in force
	Best       TuningScore // the chosen settings; their score comes from the choices outside each fold
	Difference retrieval.Difference
	Verdict    retrieval.DifferenceVerdict

	Worded [3]WordedTuning // the difference by labels.WordClass; it decides nothing

	Frontier  []TuningPoint // the cheapest first
	Effects   []TuningEffect
	Stability float64 // share of the folds that chose the same as all queries, 0 to 1

	// Useless are the settings of Request.Over that change nothing for the session.
	Useless []string

	// Unteachable: the ranker learned was not tried, because there is nothing to
	// learn from.
	Unteachable bool
}

// Changes returns the settings of Best that differ from those in force.
func (r Tuning) Changes() []TunedSetting {
	var out []TunedSetting
	for i, s := range r.Best.Settings {
		if s != r.Baseline.Settings[i] {
			out = append(out, s)
		}
	}
	return out
}

// ErrTooFewQueries is the error that there are not two tasks to choose by and to measure on.
var ErrTooFewQueries = errors.New("want labelled queries of two tasks or more: one to choose by, one to measure on")

// ExpensiveTuningError is the error that all settings cost more than Request.MaxTokens.
type ExpensiveTuningError struct {
	Most  int
	Least float64 // tokens of the cheapest settings
}

// Error tells what the cheapest settings cost.
func (e *ExpensiveTuningError) Error() string {
	return fmt.Sprintf("no settings cost %d tokens a turn or less; the cheapest cost %.0f", e.Most, e.Least)
}

// Tune searches settings. The error is ctx's, ErrTooFewQueries, a *UselessSettingError, an
// *ExpensiveTuningError, or an index's.
func Tune(ctx context.Context, r TuningRequest) (Tuning, error) {
	searched, useless, err := axes(r.Snapshot, r.Over)
	if err != nil {
		return Tuning{}, err
	}
	if r.Objective == "" {
		r.Objective = TuningObjectives[0]
	}
	queries := labels.AsCalled(r.Snapshot.Registry, r.Queries)
	r.Queries = queries
	tasks := labels.Tasks(queries)
	count := 0
	for _, task := range tasks {
		count = max(count, task+1)
	}
	if count < 2 {
		return Tuning{}, ErrTooFewQueries
	}
	if r.Folds == 0 {
		r.Folds = TuningFolds
	}
	r.Folds = min(max(r.Folds, 2), count)
	m := &measuring{TuningRequest: r, axes: searched, list: combinations(searched, r.Snapshot.Config.ToolSearch.Ranker, r.Snapshot.Config.ToolSearch.LearnOver)}
	m.scores.folds = r.Folds
	for _, q := range queries {
		m.wordings = append(m.wordings, q.Wording(r.Snapshot.Registry))
	}
	m.scores.tasks, m.scores.fold = labels.Tasks(queries), labels.Deal(queries, r.Folds)
	if err := m.measure(ctx); err != nil {
		return Tuning{}, err
	}
	result, err := m.result()
	result.Tasks, result.Useless = count, useless
	return result, err
}

// result returns the conclusion from the scores and the tokens of all candidates, the first
// being the settings in force.
func (m *measuring) result() (Tuning, error) {
	s, list := &m.scores, m.list
	var affordable, choosable []int
	for i, c := range list {
		if m.MaxTokens > 0 && c.tokens > float64(m.MaxTokens) {
			continue
		}
		affordable = append(affordable, i)
		if m.MaxTokens > 0 || !c.rises {
			choosable = append(choosable, i)
		}
	}
	if len(affordable) == 0 {
		least := slices.MinFunc(list, func(a, b combination) int { return int(a.tokens - b.tokens) }).tokens
		return Tuning{}, &ExpensiveTuningError{m.MaxTokens, least}
	}
	counted := m.Snapshot.Config.ToolSearch.DefaultLimit
	if m.preselects() {
		counted = m.Snapshot.Config.PreSelection.TopK
	}
	x := Tuning{
		Queries: len(m.Queries), Objective: m.Objective, Folds: s.folds,
		Strategy: SettingsOf(m.Snapshot.Config).Strategy, Counted: counted,
	}
	if i := axisOf(m.axes, config.KeyRanker); i >= 0 {
		x.Unteachable = !slices.Contains(m.axes[i].values, any(config.RankerLearned))
	}
	best := s.choose(list, choosable, everywhere)
	chosen, byFold, d := s.worth(list, choosable)
	inForce := s.held[list[0].column]
	x.Baseline = m.scoreOf(0, inForce)
	x.Best = m.scoreOf(best, chosen)
	x.Difference = d
	x.Difference.Mean = x.Best.Mean - x.Baseline.Mean
	x.Verdict = x.Difference.Verdict()
	if x.Verdict == retrieval.Better && best == 0 {
		x.Verdict = retrieval.CannotTell
	}
	x.Worded = m.worded(inForce, chosen)
	means := make([]float64, len(s.held))
	for column := range means {
		means[column] = s.mean(column, everywhere)
	}
	// The frontier has the candidates that no other beats, the cheapest first: none that costs as little scores as
	// much. Of equal ones the nearest to the settings in force is there.
	slices.SortFunc(affordable, func(a, b int) int {
		return cmp.Or(cmp.Compare(list[a].tokens, list[b].tokens), cmp.Compare(means[list[b].column], means[list[a].column]), cmp.Compare(a, b))
	})
	for _, i := range affordable {
		if n := len(x.Frontier); n == 0 || means[list[i].column] > x.Frontier[n-1].Score {
			x.Frontier = append(x.Frontier, TuningPoint{list[i].settings(m.axes), means[list[i].column], list[i].tokens})
		}
	}
	for axis, a := range m.axes { // what each setting does alone
		allowed := []int{0}
		for _, i := range choosable {
			changed := list[i].values[axis] != a.base
			if changed && list[i].changed == 1 {
				allowed = append(allowed, i)
			}
		}
		chosen, _, d := s.worth(list, allowed)
		x.Effects = append(x.Effects, TuningEffect{Key: a.key, Mean: d.Mean, Low: d.Low, High: d.High, Worded: m.worded(inForce, chosen)})
	}
	same := 0
	for _, c := range byFold {
		if c == best {
			same++
		}
	}
	x.Stability = float64(same) / float64(len(byFold))
	return x, nil
}

// worded returns by wording the scores of the queries under the settings in force and under
// the chosen ones. The intervals of a wording are over its queries alone; none is
// corrected for what a ranker gains that learned from the wrong queries.
func (m *measuring) worded(inForce, chosen []float64) (out [3]WordedTuning) {
	for _, class := range labels.WordClasses {
		var before, after []float64
		var of []labels.Query
		for i, q := range m.Queries {
			if m.wordings[i] == class {
				before, after, of = append(before, inForce[i]), append(after, chosen[i]), append(of, q)
			}
		}
		part := scoreTable{tasks: labels.Tasks(of), folds: m.scores.folds}
		out[class] = WordedTuning{len(of), meanOf(before), meanOf(after), part.difference(before, after)}
	}
	return out
}

// scoreOf returns a candidate with the scores of the queries.
func (m *measuring) scoreOf(number int, values []float64) TuningScore {
	x := TuningScore{Settings: m.list[number].settings(m.axes), Tokens: m.list[number].tokens, Mean: meanOf(values)}
	x.Low, x.High = retrieval.MeanInterval(values, m.scores.tasks)
	return x
}

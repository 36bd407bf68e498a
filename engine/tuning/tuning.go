package tuning

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/embed"
	"caliper/engine/labels"
	"caliper/engine/retrieval"
	"caliper/engine/selection"
)

// Objectives are the metrics that settings can be searched for, the default first. It must
// not be changed.
var Objectives = []string{"recall@5", "ndcg@10", "mrr@10"}

// DefaultFolds is the usual number of folds.
const DefaultFolds = 5

// Request is the search that is asked for.
type Request struct {
	Snapshot *engine.Snapshot // the session with the settings in force, without a message
	Queries  []labels.Query

	Objective string   // of Objectives; empty: the first
	MaxTokens int      // of a turn, the most that the settings may cost; 0: no bound
	Over      []string // of Names; empty: those that matter and that a configuration file can hold
	Folds     int      // 2 or more; 0: DefaultFolds. It is at most the number of tasks

	// Similarity computes the semantic ranking, which strategies of pre-selection may
	// have; Absent is why there is none. Both may be nil.
	Similarity embed.Similarity
	Absent     error

	// Progress is called with how many answers to queries there are, one call at a time; it
	// may be nil.
	Progress func(done, total int)
}

// Score is the score and the cost of settings.
type Score struct {
	Settings        []Setting // in the order of Names
	Mean, Low, High float64   // with the 95 % interval
	Tokens          float64   // of a turn, the mean of the queries
}

// Point is a point of the frontier of tokens and score. Its score is over all queries:
// it is no measure of how well this choice does on others.
type Point struct {
	Settings []Setting
	Score    float64
	Tokens   float64
}

// Effect is the effect of one setting alone: the difference that comes from choosing it while
// the others stay, measured as for all settings.
type Effect struct {
	Key             string
	Mean, Low, High float64
	Worded          [3]Worded // as Result's
}

// Worded is the worth of the choice on the queries of one wording.
type Worded struct {
	Queries        int
	Baseline, Best float64 // means, as Result's
	Difference     retrieval.Difference
}

// Result is the result of a search.
type Result struct {
	Queries, Tasks int
	Objective      string
	Folds          int
	Strategy       selection.Strategy // of the configuration
	Counted        int                // how many hits or tools a score counts at most with the settings in force: the limit, or K

	Baseline   Score // the settings in force
	Best       Score // the chosen settings; their score comes from the choices outside each fold
	Difference retrieval.Difference
	Verdict    retrieval.DifferenceVerdict

	Worded [3]Worded // the difference by labels.WordClass; it decides nothing

	Frontier  []Point // the cheapest first
	Effects   []Effect
	Stability float64 // share of the folds that chose the same as all queries, 0 to 1

	// Useless are the settings of Request.Over that change nothing for the session.
	Useless []string

	// Unteachable: the ranker learned was not tried, because there is nothing to
	// learn from.
	Unteachable bool
}

// Changes returns the settings of Best that differ from those in force.
func (r Result) Changes() []Setting {
	var out []Setting
	for i, s := range r.Best.Settings {
		if s != r.Baseline.Settings[i] {
			out = append(out, s)
		}
	}
	return out
}

// ErrTooFew is the error that there are not two tasks to choose by and to measure on.
var ErrTooFew = errors.New("want labelled queries of two tasks or more: one to choose by, one to measure on")

// ExpensiveError is the error that all settings cost more than Request.MaxTokens.
type ExpensiveError struct {
	Most  int
	Least float64 // tokens of the cheapest settings
}

// Error tells what the cheapest settings cost.
func (e *ExpensiveError) Error() string {
	return fmt.Sprintf("no settings cost %d tokens a turn or less; the cheapest cost %.0f", e.Most, e.Least)
}

// Tune searches settings. The error is ctx's, ErrTooFew, a *UselessError, an
// *ExpensiveError, or an index's.
func Tune(ctx context.Context, r Request) (Result, error) {
	searched, useless, err := axes(r.Snapshot, r.Over)
	if err != nil {
		return Result{}, err
	}
	if r.Objective == "" {
		r.Objective = Objectives[0]
	}
	queries := labels.AsCalled(r.Snapshot.Registry, r.Queries)
	r.Queries = queries
	tasks := labels.Tasks(queries)
	count := 0
	for _, task := range tasks {
		count = max(count, task+1)
	}
	if count < 2 {
		return Result{}, ErrTooFew
	}
	if r.Folds == 0 {
		r.Folds = DefaultFolds
	}
	r.Folds = min(max(r.Folds, 2), count)
	m := &measuring{Request: r, axes: searched, list: candidates(searched, r.Snapshot.Config.ToolSearch.Ranker, r.Snapshot.Config.ToolSearch.LearnOver)}
	m.scores.folds = r.Folds
	for _, q := range queries {
		m.wordings = append(m.wordings, q.Wording(r.Snapshot.Registry))
	}
	m.scores.tasks, m.scores.fold = labels.Tasks(queries), labels.Deal(queries, r.Folds)
	if err := m.measure(ctx); err != nil {
		return Result{}, err
	}
	result, err := m.result()
	result.Tasks, result.Useless = count, useless
	return result, err
}

// result returns the conclusion from the scores and the tokens of all candidates, the first
// being the settings in force.
func (m *measuring) result() (Result, error) {
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
		least := slices.MinFunc(list, func(a, b candidate) int { return int(a.tokens - b.tokens) }).tokens
		return Result{}, &ExpensiveError{m.MaxTokens, least}
	}
	counted := m.Snapshot.Config.ToolSearch.DefaultLimit
	if m.preselects() {
		counted = m.Snapshot.Config.PreSelection.TopK
	}
	x := Result{
		Queries: len(m.Queries), Objective: m.Objective, Folds: s.folds,
		Strategy: selection.SettingsOf(m.Snapshot.Config).Strategy, Unteachable: m.unteachable(), Counted: counted,
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
	for _, i := range frontier(list, affordable, means) {
		x.Frontier = append(x.Frontier, Point{list[i].settings(m.axes), means[list[i].column], list[i].tokens})
	}
	for axis := range m.axes {
		x.Effects = append(x.Effects, m.effect(axis, choosable))
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
func (m *measuring) worded(inForce, chosen []float64) (out [3]Worded) {
	for _, class := range labels.WordClasses {
		var before, after []float64
		var of []labels.Query
		for i, q := range m.Queries {
			if m.wordings[i] == class {
				before, after, of = append(before, inForce[i]), append(after, chosen[i]), append(of, q)
			}
		}
		part := scores{tasks: labels.Tasks(of), folds: m.scores.folds}
		out[class] = Worded{len(of), mean(before), mean(after), part.difference(before, after)}
	}
	return out
}

// scoreOf returns a candidate with the scores of the queries.
func (m *measuring) scoreOf(number int, values []float64) Score {
	x := Score{Settings: m.list[number].settings(m.axes), Tokens: m.list[number].tokens}
	x.Mean, x.Low, x.High = m.scores.score(values)
	return x
}

// effect returns what the setting of an axis does alone.
func (m *measuring) effect(axis int, choosable []int) Effect {
	allowed := []int{0}
	for _, i := range choosable {
		if i > 0 && m.list[i].only(m.axes, axis) {
			allowed = append(allowed, i)
		}
	}
	chosen, _, d := m.scores.worth(m.list, allowed)
	return Effect{Key: m.axes[axis].key, Mean: d.Mean, Low: d.Low, High: d.High, Worded: m.worded(m.scores.held[m.list[0].column], chosen)}
}

// unteachable reports whether the ranker learned is left out of those that are tried.
func (m *measuring) unteachable() bool {
	i := indexOf(m.axes, config.KeyRanker)
	return i >= 0 && !slices.Contains(m.axes[i].values, any(config.RankerLearned))
}

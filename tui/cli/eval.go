package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/labels"
	"caliper/engine/retrieval"
	"caliper/tui/cli/runner"
	"caliper/tui/report"
)

// evaluating is the flags of eval.
type evaluating struct {
	run     *run
	rankers []string
	runFile string
	folds   int  // 0: no cross-validation
	sure    bool // what every min_confidence would do is measured
	floors  []floor
}

// floor is the least that a metric must reach.
type floor struct {
	metric string
	least  float64
}

// evalRow is `eval`: how well the session's search answers labelled
// queries.
func (r *run) evalRow() runner.Row {
	e := &evaluating{run: r}
	return runner.Row{
		Reads:    runner.OwnData,
		Args:     runner.ArgumentCount(1, 1, "one FILE of labelled queries"),
		Complete: runner.FilesOf(runner.LabelSuffixes),
		Flags: func(f runner.FlagSet) {
			f.Rankers(&e.rankers, "measure these rankers side by side, instead of the config's")
			f.Written(&e.runFile, "run", "OUT", "write what every query found, one {id, ranking} a line")
			f.Number(&e.folds, "folds", "N", "cross-validate what is learned, with 95 % intervals", "a number from 2 to 100", 2, 100)
			f.On(&e.sure, "confidence", "measure every min_confidence: false hits against false abstentions")
			f.Value("min", "METRIC=N", "the least a metric must be, such as recall@5=0.8; may be repeated", func(s string) error {
				metric, number, ok := strings.Cut(s, "=")
				if _, err := (retrieval.Metrics{}).Value(metric); err != nil {
					return err
				}
				least, err := strconv.ParseFloat(number, 64)
				if !ok || err != nil || !(least >= 0 && least <= 1) {
					return errors.New("want a number from 0 to 1 after =")
				}
				e.floors = append(e.floors, floor{metric, least})
				return nil
			})
		},
		Run: func(ctx context.Context, args []string) (*runner.Outcome, error) {
			switch {
			case e.runFile != "" && len(e.rankers) > 1:
				return nil, runner.Usagef("--run is for one ranker")
			case args[0] == "":
				return nil, runner.Usagef("FILE: want a value that is not empty")
			}
			return e.evaluate(ctx, args[0])
		},
	}
}

// evaluate measures the rankers.
func (e *evaluating) evaluate(ctx context.Context, file string) (*runner.Outcome, error) {
	queries, err := e.run.QueriesOf(file)
	if err != nil {
		return nil, err
	}
	states, err := e.run.LoadRanked(ctx, e.rankers)
	if err != nil {
		return nil, err
	}
	all := make([]labels.Evaluation, len(states))
	for i, st := range states {
		counts := e.run.Counts("queries by " + st.Snapshot.Config.ToolSearch.Ranker)
		if e.folds > 0 {
			all[i], err = labels.EvaluateFolds(ctx, st.Snapshot.Unasked(), queries, e.folds, counts)
		} else {
			all[i], err = labels.Evaluate(ctx, st.Snapshot.Unasked(), queries, counts)
		}
		if err != nil {
			return nil, err
		}
	}
	better, err := e.run.Bench.Better(ctx, states[0].Snapshot, all, e.run.Counts("queries by "+config.RankerHybrid))
	if err != nil {
		return nil, err
	}
	abstentions := make([]labels.Abstention, len(states)) // of each ranker, where they are asked for
	for i, st := range states {
		if !e.sure {
			break
		}
		if abstentions[i], err = labels.Abstain(ctx, st.Snapshot.Unasked(), queries, e.run.Counts("confidence by "+st.Snapshot.Config.ToolSearch.Ranker)); err != nil {
			return nil, err
		}
	}
	if e.runFile != "" {
		var out bytes.Buffer
		enc := json.NewEncoder(&out)
		enc.SetEscapeHTML(false)
		for _, a := range all[0].Answers {
			ranking := runner.Array(a.Hits, func(h engine.Hit) string { return h.Tool.Qualified })
			if err := enc.Encode(runner.Object{{"id", a.Query.ID}, {"ranking", ranking}}); err != nil {
				return nil, err
			}
		}
		if err := e.run.WriteFile(e.runFile, out.Bytes()); err != nil {
			return nil, err
		}
	}
	session := states[0].Snapshot.Session.Name
	e.notFindable(file, all[0])
	list := make([]runner.Object, len(all))
	for i, ev := range all {
		if list[i] = evaluationJSON(session, ev); e.sure {
			list[i] = append(list[i], runner.Member{"confidence", abstentionJSON(abstentions[i])})
		}
	}
	value := runner.Object{{"evaluations", list}}
	if len(all) == 1 {
		value = list[0]
	}
	value = withBetter(value, better)
	out := &runner.Outcome{Value: value, Page: report.Evaluation(session, all, better)}
	if e.sure {
		out.Page.Add(report.Abstentions(abstentions))
	}
	if err := e.run.Answer(out, nil); err != nil {
		return nil, err
	}
	return &runner.Outcome{No: e.below(all)}, nil
}

// abstentionJSON returns what every min_confidence would do for JSON.
func abstentionJSON(a labels.Abstention) runner.Object {
	point := func(p labels.AbstentionPoint) runner.Object {
		return runner.Object{{"min_confidence", p.MinConfidence}, {"false_hits", p.FalseHits}, {"false_abstentions", p.FalseAbstentions}}
	}
	out := runner.Object{
		{"queries", a.Queries},
		{"not_asked", a.LeftOut},
		{"auc", a.AUC},
		{"brier", a.Brier},
		{"best", point(a.Best())},
		{"points", runner.Array(a.Points, point)},
	}
	if a.Worded == nil {
		return out
	}
	worded := make([]runner.Object, len(a.Worded))
	for i, part := range a.Worded {
		worded[i] = append(runner.Object{{"class", labels.WordClass(i).String()}}, abstentionJSON(part)...)
	}
	return append(out, runner.Member{"wording", worded})
}

// below writes which metrics are too low, and reports whether any is.
func (e *evaluating) below(all []labels.Evaluation) (any bool) {
	for _, f := range e.floors {
		for _, ev := range all {
			if got, _ := ev.Metrics.Value(f.metric); got < f.least {
				any = true
				e.run.Complain(fmt.Sprintf("caliper: %s of %s is %s, below %v", f.metric, ev.Ranker, fraction(got), f.least))
			}
		}
	}
	return any
}

// notFindable writes which labels no search can satisfy.
func (e *evaluating) notFindable(file string, ev labels.Evaluation) {
	if len(ev.Unknown) > 0 {
		e.run.Complain(file + ": the registry has no " + report.FirstNames(ev.Unknown))
	}
	if len(ev.Sent) > 0 {
		e.run.Complain(file + ": core tools, which no search returns: " + report.FirstNames(ev.Sent) + "; with tools: {core: []} in the configuration they are searched too")
	}
}

// metricsJSON returns metrics for JSON.
func metricsJSON(m retrieval.Metrics) runner.Object {
	var out runner.Object
	for i, k := range retrieval.Cutoffs {
		out = append(out, runner.Member{"recall@" + strconv.Itoa(k), m.Recall[i]})
	}
	return append(out, runner.Member{"mrr@10", m.MRR}, runner.Member{"ndcg@10", m.NDCG})
}

// boundsJSON returns the bounds that folds give the metrics for JSON; nothing without folds.
func boundsJSON(ev labels.Evaluation) runner.Object {
	if ev.Folds == 0 {
		return nil
	}
	return runner.Object{{"low", metricsJSON(ev.Low)}, {"high", metricsJSON(ev.High)}}
}

// evaluationJSON returns an evaluation for JSON. A miss is a query whose best
// relevant tool is beyond the limit. With min_confidence it has for how many queries the
// model gets no hit, and for how many of them a relevant tool was within the limit.
func evaluationJSON(session string, ev labels.Evaluation) runner.Object {
	out := runner.Object{
		{"queries", len(ev.Answers)},
		{"ranker", ev.Ranker},
		{"session", session},
		{"left_out", ev.LeftOut},
		{"unlabelled", runner.Array(ev.Unlabelled, func(name string) string { return name })},
		{"metrics", metricsJSON(ev.Metrics)},
	}
	if ev.Folds > 0 {
		out = append(append(out, runner.Member{"folds", ev.Folds}), boundsJSON(ev)...)
	}
	wording := runner.ByWording(func(c labels.WordClass) (int, runner.Object) {
		part := ev.Worded(c)
		return len(part.Answers), metricsJSON(part.Metrics)
	})
	for i, c := range labels.WordClasses {
		part := ev.Worded(c)
		wording[i] = append(append(wording[i], runner.Member{"misses", len(part.Misses())}), boundsJSON(part)...)
	}
	out = append(out,
		runner.Member{"misses", runner.Array(ev.Misses(), func(a labels.Answer) runner.Object {
			return runner.Object{{"id", a.Query.ID}, {"query", a.Query.Text}, {"relevant", a.Query.Relevant}, {"best_rank", runner.OrNull(a.Best)}, {"wording", a.Wording.String()}}
		})},
		runner.Member{"wording", wording})
	if ev.MinConfidence > 0 {
		n, found := ev.Abstained()
		out = append(out, runner.Member{"abstained", n}, runner.Member{"abstained_found", found})
	}
	return out
}

// fraction returns a metric with four decimals, rounded down, so that one
// below its floor never reads as if it reached it.
func fraction(v float64) string { return strconv.FormatFloat(math.Floor(v*1e4)/1e4, 'f', 4, 64) }

// withBetter adds the ranker that is proven to find more, if there is one.
func withBetter(value runner.Object, b labels.Better) runner.Object {
	if b.Ranker == "" {
		return value
	}
	return append(value, runner.Member{"better", runner.Object{{"ranker", b.Ranker}, {"found", b.Found}, {"of", b.Of}, {"lost", b.Lost}}})
}

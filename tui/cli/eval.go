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

// evalRow is `eval`: how well the session's search answers labelled
// queries.
func (r *run) evalRow() runner.Row {
	var rankers, floored []string
	var least []float64 // of each metric that is floored
	var runFile string
	var folds int
	var sure bool
	return runner.Row{
		Reads:    runner.OwnData,
		Args:     runner.ArgumentCount(1, 1, "one FILE of labelled queries"),
		Complete: runner.FilesOf(runner.LabelSuffixes),
		Flags: func(f runner.FlagSet) {
			f.Rankers(&rankers, "measure these rankers side by side, instead of the config's")
			f.Written(&runFile, "run", "OUT", "write what every query found, one {id, ranking} a line")
			f.Number(&folds, "folds", "N", "cross-validate what is learned, with 95 % intervals", "a number from 2 to 100", 2, 100)
			f.On(&sure, "confidence", "measure every min_confidence: false hits against false abstentions")
			f.Value("min", "METRIC=N", "the least a metric must be, such as recall@5=0.8; may be repeated", func(s string) error {
				metric, number, ok := strings.Cut(s, "=")
				if _, err := (retrieval.Metrics{}).Value(metric); err != nil {
					return err
				}
				n, err := strconv.ParseFloat(number, 64)
				if !ok || err != nil || !(n >= 0 && n <= 1) {
					return errors.New("want a number from 0 to 1 after =")
				}
				floored, least = append(floored, metric), append(least, n)
				return nil
			})
		},
		Run: func(ctx context.Context, args []string) (*runner.Outcome, error) {
			switch {
			case runFile != "" && len(rankers) > 1:
				return nil, runner.Usagef("--run is for one ranker")
			case args[0] == "":
				return nil, runner.Usagef("FILE: want a value that is not empty")
			}
			all, out, err := r.evaluate(ctx, args[0], rankers, folds, sure, runFile)
			if err == nil {
				err = r.Answer(out, nil)
			}
			low := new(runner.Outcome)
			for i, metric := range floored {
				for _, ev := range all {
					if got, _ := ev.Metrics.Value(metric); err == nil && got < least[i] {
						low.No = true
						r.Complain(fmt.Sprintf("caliper: %s of %s is %s, below %v", metric, ev.Ranker, fraction(got), least[i]))
					}
				}
			}
			return low, err
		},
	}
}

// evaluate measures rankers on a file of labelled queries. With folds above 0 it
// cross-validates; sure measures every min_confidence too; a runFile gets what every
// query found.
func (r *run) evaluate(ctx context.Context, file string, rankers []string, folds int, sure bool, runFile string) ([]labels.Evaluation, *runner.Outcome, error) {
	queries, err := r.QueriesOf(file)
	if err != nil {
		return nil, nil, err
	}
	states, err := r.LoadRanked(ctx, rankers)
	if err != nil {
		return nil, nil, err
	}
	all := make([]labels.Evaluation, len(states))
	for i, st := range states {
		counts := r.Counts("queries by " + st.Snapshot.Config.ToolSearch.Ranker)
		if folds > 0 {
			all[i], err = labels.EvaluateFolds(ctx, st.Snapshot.Unasked(), queries, folds, counts)
		} else {
			all[i], err = labels.Evaluate(ctx, st.Snapshot.Unasked(), queries, counts)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	better, err := r.Bench.Better(ctx, states[0].Snapshot, all, r.Counts("queries by "+config.RankerHybrid))
	if err != nil {
		return nil, nil, err
	}
	abstentions := make([]labels.Abstention, len(states)) // of each ranker, where they are asked for
	for i, st := range states {
		if !sure {
			break
		}
		if abstentions[i], err = labels.Abstain(ctx, st.Snapshot.Unasked(), queries, r.Counts("confidence by "+st.Snapshot.Config.ToolSearch.Ranker)); err != nil {
			return nil, nil, err
		}
	}
	if runFile != "" {
		var out bytes.Buffer
		enc := json.NewEncoder(&out)
		enc.SetEscapeHTML(false)
		for _, a := range all[0].Answers {
			ranking := runner.Array(a.Hits, func(h engine.Hit) string { return h.Tool.Qualified })
			if err := enc.Encode(runner.Object{{"id", a.Query.ID}, {"ranking", ranking}}); err != nil {
				return nil, nil, err
			}
		}
		if err := r.WriteFile(runFile, out.Bytes()); err != nil {
			return nil, nil, err
		}
	}
	session := states[0].Snapshot.Session.Name
	if unknown := all[0].Unknown; len(unknown) > 0 {
		r.Complain(file + ": the registry has no " + report.FirstNames(unknown))
	}
	if sent := all[0].Sent; len(sent) > 0 {
		r.Complain(file + ": core tools, which no search returns: " + report.FirstNames(sent) + "; with tools: {core: []} in the configuration they are searched too")
	}
	list := make([]runner.Object, len(all))
	for i, ev := range all {
		if list[i] = evaluationJSON(session, ev); sure {
			list[i] = append(list[i], runner.Member{"confidence", abstentionJSON(abstentions[i])})
		}
	}
	value := runner.Object{{"evaluations", list}}
	if len(all) == 1 {
		value = list[0]
	}
	value = withBetter(value, better)
	out := &runner.Outcome{Value: value, Page: report.Evaluation(session, all, better)}
	if sure {
		out.Page.Add(report.Abstentions(abstentions))
	}
	return all, out, nil
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

// metricsJSON returns metrics for JSON.
func metricsJSON(m retrieval.Metrics) runner.Object {
	var out runner.Object
	for i, k := range retrieval.Cutoffs {
		out = append(out, runner.Member{"recall@" + strconv.Itoa(k), m.Recall[i]})
	}
	return append(out, runner.Member{"mrr@10", m.MRR}, runner.Member{"ndcg@10", m.NDCG})
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
	bounds := func(ev labels.Evaluation) runner.Object { // that folds give the metrics
		if ev.Folds == 0 {
			return nil
		}
		return runner.Object{{"low", metricsJSON(ev.Low)}, {"high", metricsJSON(ev.High)}}
	}
	if ev.Folds > 0 {
		out = append(append(out, runner.Member{"folds", ev.Folds}), bounds(ev)...)
	}
	wording := runner.ByWording(func(c labels.WordClass) (int, runner.Object) {
		part := ev.Worded(c)
		return len(part.Answers), metricsJSON(part.Metrics)
	})
	for i, c := range labels.WordClasses {
		part := ev.Worded(c)
		wording[i] = append(append(wording[i], runner.Member{"misses", len(part.Misses())}), bounds(part)...)
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

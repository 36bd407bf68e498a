package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"caliper/engine"
	"caliper/engine/evaluation"

	"github.com/spf13/cobra"
)

// evaluating is what the flags of eval ask for.
type evaluating struct {
	run     *run
	rankers rankers
	runFile string
	floors  []floor
}

// floor is the least that a metric must reach.
type floor struct {
	metric string
	least  float64
}

// evalCommand is `eval`: how well the session's search answers labelled
// queries.
func (r *run) evalCommand() *cobra.Command {
	e := &evaluating{run: r}
	cmd := &cobra.Command{
		Use:     "eval FILE",
		Short:   "Measure how well labelled queries find their tools.",
		GroupID: groupAudit,
		Example: `caliper eval queries.jsonl --registry tools.json --config config.yaml
caliper eval queries.jsonl --demo --ranker bm25,fielded
caliper eval queries.jsonl --demo --min recall@5=0.7 --min mrr@10=0.6`,
		Long: "FILE has one JSON object a line: id, query, relevant (all right tools), and optionally groups (needed " +
			"capabilities, each a list of tools) and grades. Ranks are looked at down to " + strconv.Itoa(engine.EvaluationDepth) +
			", whatever the limit; metrics count the first " + strconv.Itoa(evaluation.MaxRank) + ". A miss is a query whose best " +
			"right tool is beyond the limit. With --min exits with 1 when a metric of any ranker is below it.",
		Args: argumentCount(1, 1, "one FILE of labelled queries"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if e.runFile != "" && len(e.rankers) > 1 {
				return usageErrorf(cmd, "--run is for one ranker")
			}
			if args[0] == "" {
				return usageErrorf(cmd, "FILE: want a value that is not empty")
			}
			return e.evaluate(cmd.Context(), args[0])
		},
	}
	cmd.Flags().Var(&e.rankers, "ranker", "measure these rankers side by side, instead of the config's")
	cmd.Flags().Var(&checked{kind: "OUT", set: func(s string) error {
		e.runFile = s
		return notEmpty(s)
	}}, "run", "write what every query found, one {id, ranking} a line")
	cmd.Flags().Var(&checked{kind: "METRIC=N", set: e.floor}, "min", "the least a metric must be, such as recall@5=0.8; may be repeated")
	_ = cmd.RegisterFlagCompletionFunc("ranker", completeRankers)
	return cmd
}

// floor reads the least that a metric must reach.
func (e *evaluating) floor(s string) error {
	metric, number, ok := strings.Cut(s, "=")
	if _, err := (evaluation.Metrics{}).Value(metric); err != nil {
		return err
	}
	least, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || !(least >= 0 && least <= 1) {
		return errors.New("want a number from 0 to 1 behind =")
	}
	e.floors = append(e.floors, floor{metric, least})
	return nil
}

// evaluate measures and prints.
func (e *evaluating) evaluate(ctx context.Context, file string) error {
	queries, err := readQueries(file)
	if err != nil {
		return err
	}
	states, err := e.run.loadRanked(ctx, e.rankers)
	if err != nil {
		return err
	}
	all := make([]engine.Evaluation, len(states))
	for i, st := range states {
		p := e.run.progress("queries by " + st.Snapshot.Config.ToolSearch.Ranker)
		all[i], err = st.Unasked.Evaluate(ctx, queries, p.report)
		p.clear()
		if err != nil {
			return err
		}
	}
	if e.runFile != "" {
		if err := e.writeRun(all[0]); err != nil {
			return err
		}
	}
	session := states[0].Snapshot.Session.Name
	e.notFindable(file, all[0])
	switch {
	case !e.run.flags.json:
		e.text(session, all)
	case len(all) == 1:
		err = e.run.printJSON(evaluationOf(session, all[0]))
	default:
		side := make([]evaluationJSON, len(all))
		for i := range all {
			side[i] = evaluationOf(session, all[i])
		}
		err = e.run.printJSON(struct {
			Evaluations []evaluationJSON `json:"evaluations"`
		}{side})
	}
	if err == nil && e.below(all) {
		err = errNo
	}
	return err
}

// below says which metrics are too low.
func (e *evaluating) below(all []engine.Evaluation) (any bool) {
	for _, f := range e.floors {
		for _, ev := range all {
			if got, _ := ev.Metrics.Value(f.metric); got < f.least {
				any = true
				e.run.complain(fmt.Sprintf("caliper: %s of %s is %s, below %v", f.metric, ev.Ranker, fraction(got), f.least))
			}
		}
	}
	return any
}

// notFindable says which labels no search can satisfy.
func (e *evaluating) notFindable(file string, ev engine.Evaluation) {
	if len(ev.Unknown) > 0 {
		e.run.complain(file + ": the registry has no " + nameList(ev.Unknown))
	}
	if len(ev.Sent) > 0 {
		e.run.complain(file + ": core tools, which no search returns: " + nameList(ev.Sent))
	}
}

// writeRun writes what every query found.
func (e *evaluating) writeRun(ev engine.Evaluation) error {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	for _, a := range ev.Answers {
		line := struct {
			ID      string   `json:"id"`
			Ranking []string `json:"ranking"`
		}{a.Query.ID, make([]string, len(a.Hits))}
		for i, h := range a.Hits {
			line.Ranking[i] = h.Tool.Qualified
		}
		if err := enc.Encode(line); err != nil {
			return err
		}
	}
	if err := os.WriteFile(e.runFile, out.Bytes(), 0o644); err != nil {
		return inputError(e.runFile, innermost(err).Error())
	}
	return nil
}

// evaluationJSON is an evaluation for JSON.
type evaluationJSON struct {
	Queries int         `json:"queries"`
	Ranker  string      `json:"ranker"`
	Session string      `json:"session"`
	Metrics metricsJSON `json:"metrics"`
	Misses  []missJSON  `json:"misses"`
}

// metricsJSON are metrics for JSON.
type metricsJSON struct {
	Recall1  float64 `json:"recall@1"`
	Recall3  float64 `json:"recall@3"`
	Recall5  float64 `json:"recall@5"`
	Recall8  float64 `json:"recall@8"`
	Recall10 float64 `json:"recall@10"`
	Recall20 float64 `json:"recall@20"`
	MRR      float64 `json:"mrr@10"`
	NDCG     float64 `json:"ndcg@10"`
}

// missJSON is a query whose best relevant tool is beyond the limit.
type missJSON struct {
	ID       string   `json:"id"`
	Query    string   `json:"query"`
	Relevant []string `json:"relevant"`
	BestRank *int     `json:"best_rank"`
}

// evaluationOf returns an evaluation for JSON.
func evaluationOf(session string, ev engine.Evaluation) evaluationJSON {
	m := ev.Metrics
	out := evaluationJSON{
		Queries: len(ev.Answers), Ranker: ev.Ranker, Session: session,
		Metrics: metricsJSON{m.Recall[0], m.Recall[1], m.Recall[2], m.Recall[3], m.Recall[4], m.Recall[5], m.MRR, m.NDCG},
		Misses:  []missJSON{},
	}
	for _, a := range ev.Misses() {
		out.Misses = append(out.Misses, missJSON{a.Query.ID, a.Query.Text, a.Query.Relevant, rankOrNull(a.Best)})
	}
	return out
}

// fraction returns a metric with four decimals, rounded down, so that one
// below its floor never reads as if it reached it.
func fraction(v float64) string { return strconv.FormatFloat(math.Floor(v*1e4)/1e4, 'f', 4, 64) }

package cli

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"caliper/config"
	"caliper/engine/embed"
	"caliper/engine/labels"
	"caliper/engine/retrieval"
	"caliper/engine/selection"
	"caliper/model/words"
	"caliper/tui/cli/runner"
	"caliper/tui/demo"
	"caliper/tui/report"
	"caliper/tui/report/changes"
	"caliper/tui/workbench"
)

// tuneRow is `tune`: settings that labelled queries prove.
func (r *run) tuneRow() runner.Row {
	q := selection.TuningRequest{Objective: selection.TuningObjectives[0], Folds: selection.TuningFolds}
	var queries string // file; empty: those of the demo
	var apply bool
	return runner.Row{
		Reads: runner.OwnData,
		Flags: func(f runner.FlagSet) {
			f.Text(&queries, "queries", "FILE", "the labelled queries; else those of --demo")
			runner.SaysDefault(f.Value("objective", "METRIC", "what to raise: "+words.Or(selection.TuningObjectives), func(s string) error {
				q.Objective = s
				return runner.OneOf(s, selection.TuningObjectives...)
			}), q.Objective)
			f.Number(&q.MaxTokens, "max-tokens", "N", "discard settings with which a turn costs more tokens", "a number of tokens, 1 or more", 1, math.MaxInt)
			f.List(&q.Over, "over", "NAME[,NAME]", "settings to search, instead of all; also keys, as meaning_weight",
				"setting", "some of "+strings.Join(selection.TunedNames(), ", ")+", or their keys in the config", selection.TunedName)
			runner.SaysDefault(f.Number(&q.Folds, "folds", "N", "into how many folds the queries are dealt", "a number from 2 to 100", 2, 100), strconv.Itoa(q.Folds))
			f.On(&apply, "apply", "print the diff of what is better, and write it as config set does")
		},
		Run: func(ctx context.Context, _ []string) (*runner.Outcome, error) {
			if queries == "" {
				queries = r.Flags.Queries // of a demo's folder
			}
			switch {
			case queries == "" && r.Flags.OwnData():
				return nil, runner.Usagef("needs --queries and a FILE of labelled queries")
			case apply && r.Flags.Config == "":
				return nil, runner.Usagef("--apply needs --config and the file to change")
			case apply && (slices.Contains(q.Over, "k1") || slices.Contains(q.Over, "b")):
				return nil, runner.Usagef("--apply: no configuration file holds k1 and b")
			}
			out, err := r.tune(ctx, q, queries, apply)
			if useless := (*selection.UselessSettingError)(nil); errors.As(err, &useless) {
				return nil, runner.Usagef("--over: %s", useless)
			}
			return out, err
		},
	}
}

// tune searches the settings by the labelled queries of a file, and tells what it finds.
func (r *run) tune(ctx context.Context, q selection.TuningRequest, queriesFile string, apply bool) (_ *runner.Outcome, err error) {
	if queriesFile == "" {
		q.Queries, err = runner.ParseQueries(demo.QueriesFile, demo.Queries())
	} else {
		q.Queries, err = r.QueriesOf(queriesFile)
	}
	if err != nil {
		return nil, err
	}
	st, err := r.LoadGood(ctx)
	if err != nil {
		return nil, err
	}
	q.Snapshot = st.Snapshot.Unasked()
	if set := selection.SettingsOf(q.Snapshot.Config); len(q.Queries) > 0 && (set.Strategy == selection.Semantic || set.Strategy == selection.Hybrid) {
		selector, err := selection.New(ctx, q.Snapshot, set, nil, nil)
		if err != nil {
			return nil, err
		}
		var similarity embed.Similarity
		if similarity, q.Absent = r.SimilarityTo(ctx, q.Queries[0].Text, q.Snapshot.Config.PreSelection, selector.Candidates()); q.Absent == nil {
			q.Similarity = similarity
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	q.Progress = r.Counts("answers to queries")
	result, err := selection.Tune(ctx, q)
	var expensive *selection.ExpensiveTuningError
	switch {
	case errors.Is(err, selection.ErrTooFewQueries):
		return nil, runner.InputError(queriesFile, err.Error())
	case errors.As(err, &expensive):
		r.Complain("caliper: " + expensive.Error())
		return nil, runner.ErrNo
	case err != nil:
		return nil, err
	}
	notFindable(r.Run, queriesFile, q.Snapshot.Registry, q.Queries)
	out := &runner.Outcome{Value: tuningJSON(result), Page: changes.Tuning(result, q.Snapshot.Session.Name, q.MaxTokens),
		No: result.Verdict != retrieval.Better}
	if !apply {
		return out, nil
	}
	out.No = false
	if err := r.Answer(out, nil); err != nil {
		return nil, err
	}
	return nil, r.applyTuning(st, result)
}

// applyTuning prints the diff of a better setting and writes it to the config file.
func (r *run) applyTuning(st workbench.State, result selection.Tuning) error {
	name := r.Flags.Config
	if result.Verdict != retrieval.Better {
		r.Complain("caliper: " + name + " is as it was: nothing is written: the verdict is " + changes.TuningVerdictWord(result))
		return runner.ErrNo
	}
	var edits []config.Change
	for _, s := range result.Changes() {
		edits = append(edits, config.Change(s))
	}
	if st.Config.Config.ToolSearch.Learn == "" && slices.ContainsFunc(result.Best.Settings, func(s selection.TunedSetting) bool { return s.Value == config.RankerLearned }) { // the file names nothing to learn from
		r.Complain("caliper: ranker learned learns from --learn here, and the config file does not say so: caliper config set " + config.KeyLearn + " FILE")
	}
	for _, dryRun := range []bool{true, false} {
		unified, _, _, err := r.setInFile(dryRun, edits...)
		if err != nil {
			return runner.AsInputError(err)
		}
		if dryRun && unified != "" && !r.Flags.JSON {
			r.Say()
			r.Print(report.Unified(unified))
		}
	}
	if r.Flags.JSON {
		r.Complain("caliper: " + name + " is written")
		return nil
	}
	r.Say(name + " is written")
	return nil
}

// tuningJSON returns a search for JSON. needed_queries is null where no number of queries
// would tell.
func tuningJSON(t selection.Tuning) runner.Object {
	settingsJSON := func(settings []selection.TunedSetting) runner.Object {
		out := runner.Object{}
		for _, s := range settings {
			out = append(out, runner.Member{s.Key, s.Value})
		}
		return out
	}
	score := func(s selection.TuningScore) runner.Object {
		return runner.Object{{"settings", settingsJSON(s.Settings)}, {"score", s.Mean}, {"low", s.Low}, {"high", s.High}, {"tokens", s.Tokens}}
	}
	difference := func(d retrieval.Difference) runner.Object {
		return runner.Object{{"mean", d.Mean}, {"low", d.Low}, {"high", d.High}}
	}
	worded := func(list [3]selection.WordedTuning) []runner.Object {
		return runner.ByWording(func(c labels.WordClass) (int, runner.Object) {
			w := list[c]
			return w.Queries, runner.Object{{"baseline", w.Baseline}, {"best", w.Best}, {"difference", difference(w.Difference)}}
		})
	}
	return runner.Object{
		{"queries", t.Queries},
		{"groups", t.Tasks},
		{"objective", t.Objective},
		{"folds", t.Folds},
		{"baseline", score(t.Baseline)},
		{"best", score(t.Best)},
		{"difference", difference(t.Difference)},
		{"verdict", t.Verdict.String()},
		{"needed_queries", runner.OrNull(t.Difference.Needed)},
		{"frontier", runner.Array(t.Frontier, func(p selection.TuningPoint) runner.Object {
			return runner.Object{{"settings", settingsJSON(p.Settings)}, {"score", p.Score}, {"tokens", p.Tokens}}
		})},
		{"effects", runner.Array(t.Effects, func(e selection.TuningEffect) runner.Object {
			return runner.Object{{"setting", e.Key}, {"mean", e.Mean}, {"low", e.Low}, {"high", e.High}, {"wording", worded(e.Worded)}}
		})},
		{"stability", t.Stability},
		{"wording", worded(t.Worded)},
	}
}

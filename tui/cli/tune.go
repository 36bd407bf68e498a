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

// tuningFlags is what the flags of tune ask for.
type tuningFlags struct {
	run       *run
	queries   string // empty: those of the demo
	objective string
	maxTokens int // 0: no bound
	over      []string
	folds     int
	apply     bool
}

// tuneRow is `tune`: settings that labelled queries prove.
func (r *run) tuneRow() runner.Row {
	t := &tuningFlags{run: r, objective: selection.TuningObjectives[0], folds: selection.TuningFolds}
	return runner.Row{
		Reads: runner.OwnData,
		Flags: func(f runner.FlagSet) {
			f.Text(&t.queries, "queries", "FILE", "the labelled queries; else those of --demo")
			runner.SaysDefault(f.Value("objective", "METRIC", "what to raise: "+words.Or(selection.TuningObjectives), func(s string) error {
				t.objective = s
				return runner.OneOf(s, selection.TuningObjectives...)
			}), t.objective)
			f.Number(&t.maxTokens, "max-tokens", "N", "discard settings with which a turn costs more tokens", "a number of tokens, 1 or more", 1, math.MaxInt)
			f.List(&t.over, "over", "NAME[,NAME]", "settings to search, instead of all; also keys, as meaning_weight",
				"setting", "some of "+strings.Join(selection.TunedNames(), ", ")+", or their keys in the config", selection.TunedName)
			runner.SaysDefault(f.Number(&t.folds, "folds", "N", "into how many folds the queries are dealt", "a number from 2 to 100", 2, 100), strconv.Itoa(t.folds))
			f.On(&t.apply, "apply", "print the diff of what is better, and write it as config set does")
		},
		Run: func(ctx context.Context, _ []string) (*runner.Outcome, error) {
			if t.queries == "" {
				t.queries = r.Flags.Queries // of a demo's folder
			}
			switch {
			case t.queries == "" && r.Flags.OwnData():
				return nil, runner.Usagef("needs --queries and a FILE of labelled queries")
			case t.apply && r.Flags.Config == "":
				return nil, runner.Usagef("--apply needs --config and the file to change")
			case t.apply && (slices.Contains(t.over, "k1") || slices.Contains(t.over, "b")):
				return nil, runner.Usagef("--apply: no configuration file holds k1 and b")
			}
			out, err := t.tune(ctx)
			if useless := (*selection.UselessSettingError)(nil); errors.As(err, &useless) {
				return nil, runner.Usagef("--over: %s", useless)
			}
			return out, err
		},
	}
}

// tune searches the settings and tells what it finds.
func (f *tuningFlags) tune(ctx context.Context) (*runner.Outcome, error) {
	var queries []labels.Query
	var err error
	if f.queries == "" {
		queries, err = runner.ParseQueries(demo.QueriesFile, demo.Queries())
	} else {
		queries, err = f.run.QueriesOf(f.queries)
	}
	if err != nil {
		return nil, err
	}
	st, err := f.run.LoadGood(ctx)
	if err != nil {
		return nil, err
	}
	q := selection.TuningRequest{
		Snapshot: st.Snapshot.Unasked(), Queries: queries,
		Objective: f.objective, MaxTokens: f.maxTokens, Over: f.over, Folds: f.folds,
	}
	if set := selection.SettingsOf(q.Snapshot.Config); len(queries) > 0 && (set.Strategy == selection.Semantic || set.Strategy == selection.Hybrid) {
		selector, err := selection.New(ctx, q.Snapshot, set, nil, nil)
		if err != nil {
			return nil, err
		}
		var similarity embed.Similarity
		if similarity, q.Absent = f.run.SimilarityTo(ctx, queries[0].Text, q.Snapshot.Config.PreSelection, selector.Candidates()); q.Absent == nil {
			q.Similarity = similarity
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	q.Progress = f.run.Counts("answers to queries")
	result, err := selection.Tune(ctx, q)
	var expensive *selection.ExpensiveTuningError
	switch {
	case errors.Is(err, selection.ErrTooFewQueries):
		return nil, runner.InputError(f.queries, err.Error())
	case errors.As(err, &expensive):
		f.run.Complain("caliper: " + expensive.Error())
		return nil, runner.ErrNo
	case err != nil:
		return nil, err
	}
	notFindable(f.run.Run, f.queries, st.Snapshot.Unasked().Registry, queries)
	out := &runner.Outcome{Value: tuningJSON(result), Page: changes.Tuning(changes.Tuned{Tuning: result, Session: st.Snapshot.Unasked().Session.Name, MaxTokens: f.maxTokens}),
		No: result.Verdict != retrieval.Better}
	if !f.apply {
		return out, nil
	}
	out.No = false
	if err := f.run.Answer(out, nil); err != nil {
		return nil, err
	}
	return nil, f.write(st, result)
}

// write prints the diff of a better setting and writes it to the config file.
func (f *tuningFlags) write(st workbench.State, result selection.Tuning) error {
	name := f.run.Flags.Config
	if result.Verdict != retrieval.Better {
		f.run.Complain("caliper: " + name + " is as it was: " + "nothing is written: the verdict is " + changes.TuningVerdictWord(result))
		return runner.ErrNo
	}
	var edits []config.Change
	for _, s := range result.Changes() {
		edits = append(edits, config.Change{Key: s.Key, Value: s.Value})
	}
	if st.Config.Config.ToolSearch.Learn == "" && slices.ContainsFunc(result.Best.Settings, func(s selection.TunedSetting) bool { return s.Value == config.RankerLearned }) { // the file names nothing to learn from
		f.run.Complain("caliper: ranker learned learns from --learn here, and the config file does not say so: caliper config set " + config.KeyLearn + " FILE")
	}
	for _, dryRun := range []bool{true, false} {
		w, err := f.run.setInFile(dryRun, edits...)
		if err != nil {
			return runner.AsInputError(err)
		}
		if dryRun && w.unified != "" && !f.run.Flags.JSON {
			f.run.Say()
			f.run.Print(report.Unified(w.unified))
		}
	}
	if f.run.Flags.JSON {
		f.run.Complain("caliper: " + name + " is written")
		return nil
	}
	f.run.Say(name + " is written")
	return nil
}

// tuningJSON returns a search for JSON. needed_queries is null where no number of queries
// would tell.
func tuningJSON(t selection.Tuning) runner.Object {
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

// settingsJSON returns settings as an object by their keys.
func settingsJSON(settings []selection.TunedSetting) runner.Object {
	out := runner.Object{}
	for _, s := range settings {
		out = append(out, runner.Member{s.Key, s.Value})
	}
	return out
}

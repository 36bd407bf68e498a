package cli

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"caliper/config"
	"caliper/config/edit"
	"caliper/engine/embed"
	"caliper/engine/labels"
	"caliper/engine/retrieval"
	"caliper/engine/selection"
	"caliper/engine/tuning"
	"caliper/model"
	"caliper/model/words"
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
func (r *run) tuneRow() row {
	t := &tuningFlags{run: r, objective: tuning.Objectives[0], folds: tuning.DefaultFolds}
	return row{
		reads: ownData,
		flags: func(f flagSet) {
			f.text(&t.queries, "queries", "FILE", "the labelled queries; else those of --demo")
			saysDefault(f.value("objective", "METRIC", "what to raise: "+words.Or(tuning.Objectives), func(s string) error {
				t.objective = s
				return oneOf(s, tuning.Objectives...)
			}), t.objective)
			f.number(&t.maxTokens, "max-tokens", "N", "discard settings with which a turn costs more tokens", "a number of tokens, 1 or more", 1, math.MaxInt)
			f.list(&t.over, "over", "NAME[,NAME]", "settings to search, instead of all; also keys, as meaning_weight",
				"setting", "some of "+strings.Join(tuning.Names(), ", ")+", or their keys in the config", tuning.Named)
			saysDefault(f.number(&t.folds, "folds", "N", "into how many folds the queries are dealt", "a number from 2 to 100", 2, 100), strconv.Itoa(t.folds))
			f.on(&t.apply, "apply", "print the diff of what is better, and write it as config set does")
		},
		run: func(ctx context.Context, _ []string) (*outcome, error) {
			if err := t.check(); err != nil {
				return nil, err
			}
			out, err := t.tune(ctx)
			if useless := (*tuning.UselessError)(nil); errors.As(err, &useless) {
				return nil, usagef("--over: %s", useless)
			}
			return out, err
		},
	}
}

// check returns what is wrong with the flags together.
func (f *tuningFlags) check() error {
	if f.queries == "" {
		f.queries = f.run.flags.queries // of a demo's folder
	}
	switch {
	case f.queries == "" && f.run.flags.ownData():
		return usagef("needs --queries and a FILE of labelled queries")
	case f.apply && f.run.flags.config == "":
		return usagef("--apply needs --config and the file to change")
	case f.apply && (slices.Contains(f.over, "k1") || slices.Contains(f.over, "b")):
		return usagef("--apply: no configuration file holds k1 and b")
	}
	return nil
}

// labelled returns the labelled queries: those of the demo when it is asked for and no
// file is named.
func (f *tuningFlags) labelled() ([]labels.Query, error) {
	if f.queries == "" {
		return parseQueries(demo.QueriesFile, demo.Queries())
	}
	return f.run.queriesOf(f.queries)
}

// tune searches the settings and tells what it finds.
func (f *tuningFlags) tune(ctx context.Context) (*outcome, error) {
	queries, err := f.labelled()
	if err != nil {
		return nil, err
	}
	st, err := f.run.loadGood(ctx)
	if err != nil {
		return nil, err
	}
	q := tuning.Request{
		Snapshot: st.Snapshot.Unasked(), Queries: queries,
		Objective: f.objective, MaxTokens: f.maxTokens, Over: f.over, Folds: f.folds,
	}
	if err := f.embed(ctx, st, queries, &q); err != nil {
		return nil, err
	}
	q.Progress = f.run.counts("answers to queries")
	result, err := tuning.Tune(ctx, q)
	var expensive *tuning.ExpensiveError
	switch {
	case errors.Is(err, tuning.ErrTooFew):
		return nil, inputError(f.queries, err.Error())
	case errors.As(err, &expensive):
		f.run.complain("caliper: " + expensive.Error())
		return nil, errNo
	case err != nil:
		return nil, err
	}
	f.run.notFindable(f.queries, st.Snapshot.Unasked().Registry, queries)
	out := &outcome{value: tuningJSON(result), page: changes.Tuning(changes.Tuned{Result: result, Session: st.Snapshot.Unasked().Session.Name, MaxTokens: f.maxTokens}),
		no: result.Verdict != retrieval.Better}
	if !f.apply {
		return out, nil
	}
	out.no = false
	if err := f.run.answer(out, nil); err != nil {
		return nil, err
	}
	return nil, f.write(st, result)
}

// embed opens the semantic ranking where the strategy of pre-selection has one.
func (f *tuningFlags) embed(ctx context.Context, st workbench.State, queries []labels.Query, q *tuning.Request) error {
	set := selection.SettingsOf(st.Snapshot.Unasked().Config)
	if len(queries) == 0 || set.Strategy != selection.Semantic && set.Strategy != selection.Hybrid {
		return nil
	}
	selector, err := selection.New(ctx, st.Snapshot.Unasked(), set, nil, nil)
	if err != nil {
		return err
	}
	var similarity embed.Similarity
	if similarity, q.Absent = f.run.similarityTo(ctx, queries[0].Text, st.Snapshot.Unasked().Config.PreSelection, selector.Candidates()); q.Absent == nil {
		q.Similarity = similarity
	}
	return ctx.Err()
}

// write prints the diff of a better setting and writes it to the config file.
func (f *tuningFlags) write(st workbench.State, result tuning.Result) error {
	name := f.run.flags.config
	if result.Verdict != retrieval.Better {
		f.run.complain("caliper: " + name + " is as it was: " + changes.NotWritten(result))
		return errNo
	}
	var edits []edit.Change
	for _, s := range result.Changes() {
		edits = append(edits, edit.Change{Key: s.Key, Value: s.Value})
	}
	if f.learnsFromFlag(st, result) {
		f.run.complain("caliper: ranker learned learns from --learn here, and the config file does not say so: caliper config set " + config.KeyLearn + " FILE")
	}
	var d model.Diagnostic
	for _, dryRun := range []bool{true, false} {
		w, err := f.run.setInFile(dryRun, edits...)
		switch {
		case errors.As(err, &d):
			return inputErrors{d}
		case err != nil:
			return err
		}
		if unified := w.unified(name); dryRun && unified != "" && !f.run.flags.json {
			f.run.say()
			f.run.print(report.Unified(unified))
		}
	}
	if f.run.flags.json {
		f.run.complain("caliper: " + name + " is written")
		return nil
	}
	f.run.say(name + " is written")
	return nil
}

// learnsFromFlag reports whether what is written would learn from nothing that the file
// names.
func (f *tuningFlags) learnsFromFlag(st workbench.State, result tuning.Result) bool {
	return st.Config.Config.ToolSearch.Learn == "" && slices.ContainsFunc(result.Best.Settings, func(s tuning.Setting) bool {
		return s.Value == config.RankerLearned
	})
}

// tuningJSON returns a search for JSON. needed_queries is null where no number of queries
// would tell.
func tuningJSON(t tuning.Result) object {
	score := func(s tuning.Score) object {
		return object{{"settings", settingsJSON(s.Settings)}, {"score", s.Mean}, {"low", s.Low}, {"high", s.High}, {"tokens", s.Tokens}}
	}
	difference := func(d retrieval.Difference) object {
		return object{{"mean", d.Mean}, {"low", d.Low}, {"high", d.High}}
	}
	worded := func(list [3]tuning.Worded) []object {
		return array(labels.WordClasses, func(c labels.WordClass) object {
			w := list[c]
			out := object{{"class", c.String()}, {"queries", w.Queries}, {"baseline", nil}, {"best", nil}, {"difference", nil}}
			if w.Queries > 0 {
				out[2].value, out[3].value, out[4].value = w.Baseline, w.Best, difference(w.Difference)
			}
			return out
		})
	}
	return object{
		{"queries", t.Queries},
		{"groups", t.Tasks},
		{"objective", t.Objective},
		{"folds", t.Folds},
		{"baseline", score(t.Baseline)},
		{"best", score(t.Best)},
		{"difference", difference(t.Difference)},
		{"verdict", t.Verdict.String()},
		{"needed_queries", rankOrNull(t.Difference.Needed)},
		{"frontier", array(t.Frontier, func(p tuning.Point) object {
			return object{{"settings", settingsJSON(p.Settings)}, {"score", p.Score}, {"tokens", p.Tokens}}
		})},
		{"effects", array(t.Effects, func(e tuning.Effect) object {
			return object{{"setting", e.Key}, {"mean", e.Mean}, {"low", e.Low}, {"high", e.High}, {"wording", worded(e.Worded)}}
		})},
		{"stability", t.Stability},
		{"wording", worded(t.Worded)},
	}
}

// settingsJSON returns settings as an object by their keys.
func settingsJSON(settings []tuning.Setting) object {
	out := object{}
	for _, s := range settings {
		out = append(out, member{s.Key, s.Value})
	}
	return out
}

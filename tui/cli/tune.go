package cli

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"caliper/config"
	"caliper/config/edit"
	"caliper/engine/embed"
	"caliper/engine/evaluation"
	"caliper/engine/labels"
	"caliper/engine/selection"
	"caliper/engine/tuning"
	"caliper/engine/wording"
	"caliper/model"
	"caliper/model/words"
	"caliper/tui/demo"
	"caliper/tui/report"
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

// tuneCommand is `tune`: settings that labelled queries prove.
func (r *run) tuneCommand() *cobra.Command {
	f := &tuningFlags{run: r, objective: tuning.Objectives[0], folds: tuning.DefaultFolds}
	cmd := &cobra.Command{
		Use:         "tune --queries FILE",
		Short:       "Search the settings that your labelled queries prove to be better.",
		GroupID:     groupAudit,
		Annotations: onOwnData,
		Example: `caliper tune --demo --objective ndcg@10
caliper tune --queries queries.jsonl --registry tools.json
caliper tune --queries q.jsonl --registry r.json --config c.yaml --apply`,
		Long: "Settings are chosen on some folds of the labelled queries and measured on the others. " +
			"Better means that the 95 % interval of the difference from the active settings is above 0 (exit code 0), worse that it " +
			"is below (1); otherwise it cannot tell (1). Gains are split by wording.\n\n" +
			"Searched are ranker, limit, threshold and meaning (of hybrid), or with a strategy of pre-selection ranker, K, rrf_k and weights; k1 and b of bm25 " +
			"only when named. Ranker learned needs --learn, or the config's. " +
			"A larger limit or K always finds more, and is chosen only with --max-tokens.\n\n" +
			"Tokens are those of a turn: the definitions that are sent, and where tool search is active the answer of one search with " +
			"limit hits; with pre-selection all that is sent.",
		Args: argumentCount(0, 0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(cmd); err != nil {
				return err
			}
			err := f.tune(cmd.Context())
			var useless *tuning.UselessError
			if errors.As(err, &useless) {
				return usageErrorf(cmd, "--over: %s", useless)
			}
			return err
		},
	}
	textFlag(cmd.Flags(), &f.queries, "queries", "FILE", "the labelled queries; else those of --demo")
	saysDefault(valueFlag(cmd.Flags(), "objective", "METRIC", "what to raise: "+words.Or(tuning.Objectives), func(s string) error {
		f.objective = s
		return oneOf(s, tuning.Objectives...)
	}), f.objective)
	valueFlag(cmd.Flags(), "max-tokens", "N", "discard settings with which a turn costs more tokens", func(s string) (err error) {
		if f.maxTokens, err = strconv.Atoi(s); err != nil || f.maxTokens < 1 {
			return errors.New("want a number of tokens, 1 or more")
		}
		return nil
	})
	valueFlag(cmd.Flags(), "over", "NAME[,NAME]", "settings to search, instead of all; also keys, as meaning_weight", f.readOver)
	saysDefault(valueFlag(cmd.Flags(), "folds", "N", "into how many folds the queries are dealt", func(s string) (err error) {
		if f.folds, err = strconv.Atoi(s); err != nil || f.folds < 2 || f.folds > 100 {
			return errors.New("want a number from 2 to 100")
		}
		return nil
	}), strconv.Itoa(f.folds))
	cmd.Flags().BoolVar(&f.apply, "apply", false, "print the diff of what is better, and write it as config set does")
	return cmd
}

// readOver reads the settings to search, which go by the keys of the configuration, too.
func (f *tuningFlags) readOver(list string) error {
	f.over = nil
	for given := range strings.SplitSeq(list, ",") {
		name := tuning.Named(given)
		switch {
		case name == "":
			return errors.New("want some of " + strings.Join(tuning.Names(), ", ") + ", or their keys in the config")
		case slices.Contains(f.over, name):
			return errors.New("want every setting once")
		}
		f.over = append(f.over, name)
	}
	return nil
}

// completeOver completes the last of the settings to search.
func completeOver(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	return completeLast(tuning.Names(), typed), cobra.ShellCompDirectiveNoFileComp
}

// check returns what is wrong with the flags together.
func (f *tuningFlags) check(cmd *cobra.Command) error {
	if f.queries == "" {
		f.queries = f.run.flags.queries // of a demo's folder
	}
	switch {
	case f.queries == "" && f.run.flags.ownData():
		return usageErrorf(cmd, "needs --queries and a FILE of labelled queries")
	case f.apply && f.run.flags.config == "":
		return usageErrorf(cmd, "--apply needs --config and the file to change")
	case f.apply && (slices.Contains(f.over, "k1") || slices.Contains(f.over, "b")):
		return usageErrorf(cmd, "--apply: no configuration file holds k1 and b")
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

// tune searches the settings and prints what it finds.
func (f *tuningFlags) tune(ctx context.Context) error {
	queries, err := f.labelled()
	if err != nil {
		return err
	}
	st, err := f.run.loadGood(ctx)
	if err != nil {
		return err
	}
	q := tuning.Request{
		Snapshot: st.Snapshot.Unasked(), Queries: queries,
		Objective: f.objective, MaxTokens: f.maxTokens, Over: f.over, Folds: f.folds,
	}
	if err := f.embed(ctx, st, queries, &q); err != nil {
		return err
	}
	p := f.run.progress("answers to queries")
	q.Progress = p.report
	result, err := tuning.Tune(ctx, q)
	p.clear()
	var expensive *tuning.ExpensiveError
	switch {
	case errors.Is(err, tuning.ErrTooFew):
		return inputError(f.queries, err.Error())
	case errors.As(err, &expensive):
		f.run.complain("caliper: " + expensive.Error())
		return errNo
	case err != nil:
		return err
	}
	f.notFindable(st, queries)
	err = f.run.answer(tuningJSON(result), report.Tuning(report.Tuned{Result: result, Session: st.Snapshot.Unasked().Session.Name, MaxTokens: f.maxTokens}))
	if err != nil || !f.apply {
		return noWhen(result.Verdict != evaluation.Better, err)
	}
	return f.write(st, result)
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

// notFindable writes which labels are the name of no tool.
func (f *tuningFlags) notFindable(st workbench.State, queries []labels.Query) {
	var unknown []string
	for _, q := range queries {
		for _, name := range q.Relevant {
			if len(st.Snapshot.Unasked().Registry.Called(name)) == 0 {
				unknown = append(unknown, name)
			}
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		f.run.complain(f.queries + ": the registry has no " + report.FirstNames(slices.Compact(unknown)))
	}
}

// write prints the diff of a better setting and writes it to the config file.
func (f *tuningFlags) write(st workbench.State, result tuning.Result) error {
	name := f.run.flags.config
	if result.Verdict != evaluation.Better {
		f.run.complain("caliper: " + name + " is as it was: " + report.NotWritten(result))
		return errNo
	}
	var changes []edit.Change
	for _, s := range result.Changes() {
		changes = append(changes, edit.Change{Key: s.Key, Value: s.Value})
	}
	if f.learnsFromFlag(st, result) {
		f.run.complain("caliper: ranker learned learns from --learn here, and the config file does not say so: caliper config set " + config.KeyLearn + " FILE")
	}
	var d model.Diagnostic
	for _, dryRun := range []bool{true, false} {
		w, err := f.run.setInFile(dryRun, changes...)
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
	difference := func(d evaluation.Difference) object {
		return object{{"mean", d.Mean}, {"low", d.Low}, {"high", d.High}}
	}
	worded := func(list [3]tuning.Worded) []object {
		return array(wording.Classes, func(c wording.Class) object {
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

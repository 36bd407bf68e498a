package report

import (
	"path/filepath"
	"strconv"
	"strings"

	"caliper/engine/retrieval"
	"caliper/engine/tuning"
)

// Tuned is a search of settings, with what it was asked.
type Tuned struct {
	tuning.Result
	Session   string
	MaxTokens int // 0: no bound
}

// Tuning returns the report of a search of settings.
func Tuning(t Tuned) *Report {
	r := new(Report)
	title := LabelledQueries(t.Queries)
	r.Head(title, "%s; session %s, %s, %s", Count(t.Tasks, "task"), Name(t.Session), t.Objective, Count(t.Folds, "fold"))
	r.Blank()
	r.Line(Strong("%s", TuningVerdict(t.Result)))
	for _, note := range TuningNotes(t.Result, t.MaxTokens) {
		r.Say("%s", note)
	}
	r.Blank()
	tried := Columns("setting", ">now", ">best")
	for i, s := range t.Baseline.Settings {
		chosen := "same"
		if best := t.Best.Settings[i].Value; best != s.Value {
			chosen = settingValue(best)
		}
		tried.Row(Name(s.Key), settingValue(s.Value), chosen)
	}
	tried.Row(t.Objective, interval(t.Baseline), interval(t.Best))
	tried.Row("tokens of a turn", wholeTokens(t.Baseline.Tokens), wholeTokens(t.Best.Tokens))
	r.Table(tried)
	wordedTuning(r, t.Result)
	r.Blank()
	r.Head("what each setting does alone", "while the others stay; points of %s with the 95 %% interval, then by wording", t.Objective)
	r.Table(tuningEffects(t.Result))
	r.Blank()
	r.Head("tokens against "+t.Objective, "none costs no more and scores as much; on all queries, so no promise for others")
	frontier := Columns(">tokens", ">"+t.Objective, "setting…")
	for _, p := range t.Frontier {
		frontier.Row(wholeTokens(p.Tokens), Tenths(100*p.Score), TunedSettings(t.Result, p.Settings))
	}
	r.Table(frontier)
	r.Blank()
	r.Say("%s", TuningStability(t.Result))
	if changes := t.Changes(); t.Verdict == retrieval.Better && len(changes) > 0 {
		r.Blank()
		for _, s := range changes {
			if s.Written() {
				r.Line("  ", Faint("caliper config set %s %s --config FILE", s.Key, settingValue(s.Value)))
			}
		}
	}
	return r
}

// tuningEffects returns what each setting does alone.
func tuningEffects(t tuning.Result) *Table {
	effects := Columns("setting", ">change", ">interval", ">none", ">some", ">all")
	for _, e := range t.Effects {
		effects.Row(Name(e.Key), Points(e.Mean), Textf("%s to %s", Points(e.Low), Points(e.High)),
			Points(e.Worded[0].Difference.Mean), Points(e.Worded[1].Difference.Mean), Points(e.Worded[2].Difference.Mean))
	}
	return effects
}

// TuningEffects returns what each setting does alone, how far the folds agree, and what else
// there is to know.
func TuningEffects(t tuning.Result) *Report {
	r := new(Report)
	r.Table(tuningEffects(t))
	r.Say("%s", TuningStability(t))
	for _, note := range TuningNotes(t, 0) {
		r.Say("%s", note)
	}
	r.Say("The scores of the points are of the queries that chose them, and no promise for others.")
	return r
}

// Tuning returns the report of a search of settings for an issue. file has the labelled
// queries.
func (c Case) Tuning(t Tuned, file string) *Report {
	return c.issue("caliper tune", Tuning(t), c.command("tune", "--queries", filepath.Base(file)))
}

// TuningVerdictWord returns the verdict of a search in a word or two.
func TuningVerdictWord(t tuning.Result) string {
	return strings.ReplaceAll(t.Verdict.String(), "_", " ")
}

// TuningVerdict returns in one line what a search of settings found.
func TuningVerdict(t tuning.Result) Text {
	change := Textf("%s %s, 95 %% interval %s to %s", t.Objective, Points(t.Difference.Mean), Points(t.Difference.Low), Points(t.Difference.High))
	switch {
	case t.Verdict == retrieval.Better:
		return Textf("better: %s on queries that had no part in the choice", change)
	case t.Verdict == retrieval.Worse:
		return Textf("worse: %s on queries that had no part in the choice", change)
	case len(t.Changes()) == 0:
		return TextOf("cannot tell: no settings are better than the active ones by more than their standard error")
	}
	return Textf("cannot tell: %s", change)
}

// TuningNotes returns what else there is to know about the verdict of a search.
func TuningNotes(t tuning.Result, maxTokens int) []Text {
	var notes []Text
	if n := t.Difference.Needed; n > 0 && t.Verdict == retrieval.CannotTell {
		notes = append(notes, Textf("A difference of this size takes some %s to tell.", LabelledQueries(n)))
	}
	if note := GainsByWords(t); note != nil {
		notes = append(notes, note)
	}
	if maxTokens > 0 && t.Baseline.Tokens > float64(maxTokens) {
		notes = append(notes, Textf("The active settings cost more than %d tokens a turn, and were not among those to choose from.", maxTokens))
	}
	if maxTokens == 0 {
		notes = append(notes, TextOf("A larger limit or K always finds more, and is chosen only under a bound on tokens."))
	}
	notes = append(notes, TextOf("Tokens of a turn: the tools that are sent, and the answer to one search where search is on; the mean of the queries."))
	if note := cutShort(t); note != nil {
		notes = append(notes, note)
	}
	if len(t.Useless) > 0 {
		notes = append(notes, Textf("Not searched, because they change nothing with this strategy and ranker: %s.", strings.Join(t.Useless, ", ")))
	}
	if t.Unteachable {
		notes = append(notes, TextOf("Ranker learned was not tried: there is nothing to learn from. --learn names a file of labelled queries."))
	}
	return notes
}

// cutShort tells that a metric of the first hits counts fewer of them here than caliper eval
// does, so that the two differ; nil where it counts as many.
func cutShort(t tuning.Result) Text {
	_, cutoff, _ := strings.Cut(t.Objective, "@")
	if n, err := strconv.Atoi(cutoff); err != nil || n <= t.Counted {
		return nil
	}
	counts := Textf("%s counts here what the model is shown, with the active settings %d", t.Objective, t.Counted)
	if t.Strategy.Ranks() {
		return Textf("%s tools (K).", counts)
	}
	return Textf("%s hits (the limit); caliper eval counts %s whatever the limit.", counts, cutoff)
}

// TuningStability tells how far the folds agree.
func TuningStability(t tuning.Result) Text {
	agreed := Textf("%d of %s chose the same settings as all queries together", same(t), Count(t.Folds, "fold"))
	if same(t) < t.Folds {
		return Textf("%s; the best score is of each fold's own.", agreed)
	}
	return Textf("%s.", agreed)
}

// same returns how many folds chose what all queries choose.
func same(t tuning.Result) int { return int(t.Stability*float64(t.Folds) + 0.5) }

// TunedSettings returns the settings of a point by their short names, those that differ
// from the ones in force.
func TunedSettings(t tuning.Result, settings []tuning.Setting) Text {
	var parts []string
	for i, s := range settings {
		if s.Value != t.Baseline.Settings[i].Value {
			parts = append(parts, tuning.NameOf(s.Key)+" "+settingValue(s.Value))
		}
	}
	if len(parts) == 0 {
		return TextOf("active")
	}
	return Name(strings.Join(parts, ", "))
}

// interval returns a score in percent with its interval.
func interval(s tuning.Score) Text {
	return Textf("%.1f%%  %.1f to %.1f", 100*s.Mean, 100*s.Low, 100*s.High)
}

// wholeTokens returns tokens without a fraction.
func wholeTokens(n float64) int { return int(n + 0.5) }

// NotWritten tells why nothing is written.
func NotWritten(t tuning.Result) string {
	return "nothing is written: the verdict is " + TuningVerdictWord(t)
}

package changes

import (
	"strconv"
	"strings"

	"caliper/engine/labels"
	"caliper/engine/retrieval"
	"caliper/engine/selection"
	"caliper/tui/report"
)

// Tuning returns the report of a search of settings, in a session, that cost at most so many
// tokens; 0: without a bound.
func Tuning(t selection.Tuning, session string, maxTokens int) *report.Report {
	r := new(report.Report)
	title := report.LabelledQueries(t.Queries)
	r.Head(title, "%s; session %s, %s, %s", report.Count(t.Tasks, "task"), report.Name(session), t.Objective, report.Count(t.Folds, "fold"))
	r.Blank()
	r.Line(report.Strong("%s", TuningVerdict(t)))
	for _, note := range TuningNotes(t, maxTokens) {
		r.Say("%s", note)
	}
	r.Blank()
	tried := report.Columns("setting", ">now", ">best")
	for i, s := range t.Baseline.Settings {
		chosen := "same"
		if best := t.Best.Settings[i].Value; best != s.Value {
			chosen = report.SettingValue(best)
		}
		tried.Row(report.Name(s.Key), report.SettingValue(s.Value), chosen)
	}
	tried.Row(t.Objective, interval(t.Baseline), interval(t.Best))
	tried.Row("tokens of a turn", wholeTokens(t.Baseline.Tokens), wholeTokens(t.Best.Tokens))
	r.Table(tried)
	worded := report.Columns("wording", ">labelled", ">now", ">best", ">change", ">interval")
	for i, w := range t.Worded {
		class := labels.WordClass(i).String()
		if w.Queries == 0 {
			worded.Row(class, 0, "", "", "", "")
			continue
		}
		d := w.Difference
		worded.Row(class, w.Queries, report.Tenths(100*w.Baseline), report.Tenths(100*w.Best), report.Points(d.Mean), report.Textf("%s to %s", report.Points(d.Low), report.Points(d.High)))
	}
	r.Blank()
	r.Head("by wording", "how many words of the expected tool's name the query has; %s", t.Objective)
	r.Table(worded)
	r.Blank()
	r.Head("what each setting does alone", "while the others stay; points of %s with the 95 %% interval, then by wording", t.Objective)
	r.Table(tuningEffects(t))
	r.Blank()
	r.Head("tokens against "+t.Objective, "none costs no more and scores as much; on all queries, so no promise for others")
	frontier := report.Columns(">tokens", ">"+t.Objective, "setting…")
	for _, p := range t.Frontier {
		frontier.Row(wholeTokens(p.Tokens), report.Tenths(100*p.Score), TunedSettings(t, p.Settings))
	}
	r.Table(frontier)
	r.Blank()
	r.Say("%s", tuningStability(t))
	if changes := t.Changes(); t.Verdict == retrieval.Better && len(changes) > 0 {
		r.Blank()
		for _, s := range changes {
			if s.Written() {
				r.Line("  ", report.Faint("caliper config set %s %s --config FILE", s.Key, report.SettingValue(s.Value)))
			}
		}
	}
	return r
}

// tuningEffects returns what each setting does alone.
func tuningEffects(t selection.Tuning) *report.Table {
	effects := report.Columns("setting", ">change", ">interval", ">none", ">some", ">all")
	for _, e := range t.Effects {
		effects.Row(report.Name(e.Key), report.Points(e.Mean), report.Textf("%s to %s", report.Points(e.Low), report.Points(e.High)),
			report.Points(e.Worded[0].Difference.Mean), report.Points(e.Worded[1].Difference.Mean), report.Points(e.Worded[2].Difference.Mean))
	}
	return effects
}

// TuningEffects returns what each setting does alone, how far the folds agree, and what else
// there is to know.
func TuningEffects(t selection.Tuning) *report.Report {
	r := new(report.Report)
	r.Table(tuningEffects(t))
	r.Say("%s", tuningStability(t))
	for _, note := range TuningNotes(t, 0) {
		r.Say("%s", note)
	}
	r.Say("The scores of the points are of the queries that chose them, and no promise for others.")
	return r
}

// TuningVerdictWord returns the verdict of a search in a word or two.
func TuningVerdictWord(t selection.Tuning) string {
	return strings.ReplaceAll(t.Verdict.String(), "_", " ")
}

// TuningVerdict returns in one line what a search of settings found.
func TuningVerdict(t selection.Tuning) report.Text {
	change := report.Textf("%s %s, 95 %% interval %s to %s", t.Objective, report.Points(t.Difference.Mean), report.Points(t.Difference.Low), report.Points(t.Difference.High))
	switch {
	case t.Verdict == retrieval.Better:
		return report.Textf("better: %s on queries that had no part in the choice", change)
	case t.Verdict == retrieval.Worse:
		return report.Textf("worse: %s on queries that had no part in the choice", change)
	case len(t.Changes()) == 0:
		return report.TextOf("cannot tell: no settings are better than the active ones by more than their standard error")
	}
	return report.Textf("cannot tell: %s", change)
}

// TuningNotes returns what else there is to know about the verdict of a search.
func TuningNotes(t selection.Tuning, maxTokens int) []report.Text {
	var notes []report.Text
	if n := t.Difference.Needed; n > 0 && t.Verdict == retrieval.CannotTell {
		notes = append(notes, report.Textf("A difference of this size takes some %s to tell.", report.LabelledQueries(n)))
	}
	if note := report.GainsByWords(t); note != nil {
		notes = append(notes, note)
	}
	if maxTokens > 0 && t.Baseline.Tokens > float64(maxTokens) {
		notes = append(notes, report.Textf("The active settings cost more than %d tokens a turn, and were not among those to choose from.", maxTokens))
	}
	if maxTokens == 0 {
		notes = append(notes, report.TextOf("A larger limit or K always finds more, and is chosen only under a bound on tokens."))
	}
	notes = append(notes, report.TextOf("Tokens of a turn: the tools that are sent, and the answer to one search where search is on; the mean of the queries."))
	_, cutoff, _ := strings.Cut(t.Objective, "@")
	if n, err := strconv.Atoi(cutoff); err == nil && n > t.Counted { // fewer than caliper eval counts
		note := report.Textf("%s counts here what the model is shown, with the active settings %d", t.Objective, t.Counted)
		if t.Strategy.Ranks() {
			note = report.Textf("%s tools (K).", note)
		} else {
			note = report.Textf("%s hits (the limit); caliper eval counts %s whatever the limit.", note, cutoff)
		}
		notes = append(notes, note)
	}
	if len(t.Useless) > 0 {
		notes = append(notes, report.Textf("Not searched, because they change nothing with this strategy and ranker: %s.", strings.Join(t.Useless, ", ")))
	}
	if t.Unteachable {
		notes = append(notes, report.TextOf("Ranker learned was not tried: there is nothing to learn from. --learn names a file of labelled queries."))
	}
	return notes
}

// tuningStability tells how far the folds agree.
func tuningStability(t selection.Tuning) report.Text {
	same := int(t.Stability*float64(t.Folds) + 0.5)
	agreed := report.Textf("%d of %s chose the same settings as all queries together", same, report.Count(t.Folds, "fold"))
	if same < t.Folds {
		return report.Textf("%s; the best score is of each fold's own.", agreed)
	}
	return report.Textf("%s.", agreed)
}

// TunedSettings returns the settings of a point by their short names, those that differ
// from the ones in force.
func TunedSettings(t selection.Tuning, settings []selection.TunedSetting) report.Text {
	var parts []string
	for i, s := range settings {
		if s.Value != t.Baseline.Settings[i].Value {
			parts = append(parts, selection.TunedKey(s.Key)+" "+report.SettingValue(s.Value))
		}
	}
	if len(parts) == 0 {
		return report.TextOf("active")
	}
	return report.Name(strings.Join(parts, ", "))
}

// interval returns a score in percent with its interval.
func interval(s selection.TuningScore) report.Text {
	return report.Textf("%.1f%%  %.1f to %.1f", 100*s.Mean, 100*s.Low, 100*s.High)
}

// wholeTokens returns tokens without a fraction.
func wholeTokens(n float64) int { return int(n + 0.5) }

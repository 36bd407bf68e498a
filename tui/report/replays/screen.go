package replays

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"caliper/engine/replay"
	"caliper/engine/transcript"
	"caliper/model"
	"caliper/model/words"
	"caliper/tui/report"
)

// ReplayVerdict returns the verdict of a replay with its boundary, and what each strategy
// costs, in the words of the command.
func ReplayVerdict(rep *replay.Report) *report.Report {
	r := new(report.Report)
	replayTop(r, Replayed{Report: rep}, "enter shows which, caliper replay --unused the change of the client's configuration")
	r.Say("All %v.", countedBy(rep))
	return r
}

// ReplaySession tells of one session what was logged, what is recomputed for the strategy
// that it really used, and the day of its price; of unknown figures why.
func ReplaySession(s replay.Session) string {
	text := "logged input unknown: " + gapWords[s.Gap]
	if s.Logged != nil {
		text = fmt.Sprintf("logged input %s, of it cached %s, written %s; ", words.Thousands(s.Logged.Total()), words.Thousands(s.Logged.CacheRead), words.Thousands(s.Logged.CacheWrite))
		if s.Gap == replay.OtherTools || s.Gap == replay.OtherNames {
			text += "recomputed unknown: " + gapWords[s.Gap] + ", so that it was another registry"
		} else if s.ErrorPct != nil {
			guess := ""
			if s.Sending == replay.Guessed {
				guess = " (a guess)"
			}
			text += fmt.Sprintf("recomputed for %s%s %s, %.2f%% off", s.Used, guess, words.Thousands(*s.Recomputed), *s.ErrorPct)
		} else {
			text += "recomputed unknown: only sums are logged, and no other session has this agent, model and strategy"
		}
	}
	if s.Price == nil {
		return text + "; no price is known of this model"
	}
	return text + "; price as of " + report.Name(s.Price.AsOf).String()
}

// ReplayRest returns the calibrated tokenizers of a replay, the names that are
// in no registry, what was skipped file by file, and the day of the prices.
func ReplayRest(rep *replay.Report) *report.Report {
	r := new(report.Report)
	if len(rep.Calibration) == 0 {
		r.Say("No tokenizer could be calibrated: no model has enough requests whose usage is known.")
	}
	without := *rep
	without.Skipped = nil
	replayRest(r, Replayed{Report: &without})
	if len(rep.Skipped) > 0 {
		r.Blank()
		r.Line(report.Strong("Lines of the logs without a part of a conversation"))
		at, files := map[string]int{}, map[string]int{}
		var kinds []transcript.Skipped // the lines of a kind, with the first file that has it
		for _, s := range rep.Skipped {
			if files[s.What]++; files[s.What] == 1 {
				at[s.What], kinds = len(kinds), append(kinds, s)
			} else {
				kinds[at[s.What]].Count += s.Count
			}
		}
		model.Sort(kinds, func(a, b transcript.Skipped) int { // the unknown ones first, the most lines first
			if a.Known != b.Known {
				return map[bool]int{true: 1, false: -1}[a.Known]
			}
			return cmp.Or(b.Count-a.Count, strings.Compare(a.What, b.What))
		})
		report.Rows(r, report.Columns("kind", "known", ">lines", ">files", "first in"), kinds, len(kinds), func(k transcript.Skipped) []any {
			known := "no"
			if k.Known {
				known = "yes"
			}
			return []any{report.Name(k.What), known, words.Thousands(k.Count), words.Thousands(files[k.What]), report.Name(filepath.Base(k.File))}
		})
	}
	r.Blank()
	r.Line(pricesNote(rep))
	return r
}

// ReplayCost returns what a row of a replay costs: its tokens of input where
// no price is known.
func ReplayCost(rep *replay.Report, row replay.Row) string {
	if row.Cost == nil {
		return words.Thousands(row.Tokens.Input) + " tok"
	}
	return money(rep, *row.Cost)
}

// ReplaySaving returns what a tool saves when it is kept eager, in money or,
// where no session has a price, in tokens.
func ReplaySaving(rep *replay.Report, e replay.Eager) string {
	if rep.Eager.Priced {
		return money(rep, e.Saving)
	}
	return words.Thousands(WholeTokens(e.SavingTokens)) + " tokens"
}

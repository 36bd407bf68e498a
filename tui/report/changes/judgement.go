package changes

import (
	"strconv"
	"strings"

	"caliper/engine/retrieval"
	"caliper/engine/whatif"
	"caliper/model"
	"caliper/model/words"
	"caliper/tui/report"
)

// NoProposal is why the doctor proposes nothing.
const NoProposal = "No words are proven to help without harm to other tools"

// shownMoved is how many labelled queries that move, and how many tools that are hurt, a
// terminal is shown of one description. JSON has all of them.
const shownMoved = 10

// Judgements returns the report of what descriptions do to a tool, the best first.
// proposed: the doctor made them; tasks is how many tasks of labelled queries need
// the tool.
func Judgements(tool *model.Tool, all []whatif.Judgement, proposed bool, tasks int) *report.Report {
	r := new(report.Report)
	if len(all) == 0 {
		r.Head(report.Name(tool.Qualified), "the doctor proposes nothing")
		r.Say(NoProposal + ": words of its labelled queries, of the tools above it and of the lexicon were tried on queries that did not propose them.")
		r.Say("%s. --markdown prints a request for a writer, whose text try then judges.", TasksFor(tasks))
		return r
	}
	first := all[0].Outcome
	r.Head(report.Name(tool.Qualified), "%s, %s, limit %d", report.Count(len(all), "description"), report.LabelledQueries(first.Queries), first.Limit)
	if proposed {
		r.Say("Proposed by the doctor. Each query of the tool was asked with the words that are chosen without its task; queries of other tools proposed no word. The words are added in brackets, to be measured: --markdown prints a request for who writes the sentence, and try then judges it.")
	}
	for i, j := range all {
		r.Blank()
		o, d := j.Outcome, j.Difference
		recall := report.Textf("recall@%d %.1f%% → %.1f%%, %s (95 %%: %s to %s)", o.Limit, 100*o.Before, 100*o.After, report.PointsBetween(o.Before, o.After), report.Points(d.Low), report.Points(d.High))
		if j.Verdict() == retrieval.CannotTell && d.Needed > 0 {
			recall = report.Textf("%s; about %s would tell", recall, report.LabelledQueries(d.Needed))
		}
		r.Head(report.Textf("%d. %s", i+1, VerdictText(j.Verdict())), "%s", recall)
		if split, _ := report.SplitChange(j.Outcome.Worded()); split != "" {
			r.Line("  ", report.Faint("by wording: %s", split))
		}
		r.Quote(j.Description)
		lost, gained := j.Others()
		r.Line("  ", report.Faint("tokens %d → %d", j.TokensBefore, j.TokensAfter))
		r.Line("  ", report.Faint("net harm %s: within the first %d, queries of other tools lose %s of their needs and gain %s", short(j.NetHarm), j.Outcome.Limit, short(lost), short(gained)))
		if len(j.Words) > 0 {
			var list []string
			for _, w := range j.Words {
				list = append(list, w.Text)
			}
			r.Line("  ", report.Faint("words %s", strings.Join(list, ", ")))
		}
		t := report.Columns(">before", ">after", "query…")
		moved := 0
		for _, a := range j.Outcome.Asked {
			before, after := a.Ranks()
			if !a.Own && before == after {
				continue
			}
			if moved++; moved <= shownMoved {
				t.Row(report.OrNone(before, "none"), report.OrNone(after, "none"), report.Name(a.Query.Text))
			}
		}
		if !t.Empty() {
			r.Table(t)
		}
		if moved > shownMoved {
			r.Line("  ", report.Faint("%d more; --json lists them all", moved-shownMoved))
		}
		list, out := j.Hurt(tool), 0 // those that fall out of the limit come first
		if len(list) == 0 {
			r.Line("  ", "no other tool falls where it is expected")
			continue
		}
		for _, h := range list {
			if h.Below {
				out++
			}
		}
		r.Line("  ", report.Faint("ranks of other tools that fall: %d, of which %d leave the first %d; the rest count as no harm", len(list), out, o.Limit))
		hurt := report.Columns(">before", ">after", "hurt", "query…")
		for _, h := range list[:min(len(list), shownMoved)] {
			hurt.Row(h.Before, report.OrNone(h.After, "none"), report.Name(h.Tool.Qualified), report.Name(h.Query.Text))
		}
		r.Table(hurt)
		if more := len(list) - shownMoved; more > 0 {
			r.Line("  ", report.Faint("%d more; --json lists them all", more))
		}
	}
	return r
}

// TasksFor returns in words how many tasks of labelled queries need a tool, and what that
// means for the doctor.
func TasksFor(tasks int) report.Text {
	switch tasks {
	case 0:
		return report.TextOf("No labelled query asks for it, so that no gain can be claimed")
	case 1:
		return report.TextOf("1 labelled task needs it, and a second one is needed to prove a word")
	}
	return report.Textf("%d labelled tasks need it; with more of them more can be proposed", tasks)
}

// short returns a number of needs, such as "0.5".
func short(x float64) string { return words.Minus(strconv.FormatFloat(x, 'g', 3, 64)) }

// VerdictText returns a verdict in words.
func VerdictText(v retrieval.DifferenceVerdict) string {
	if v == retrieval.CannotTell {
		return "cannot tell"
	}
	return v.String()
}

// WritersRequest returns a request for a writer, person or model, to describe a tool
// better.
func WritersRequest(q whatif.Request) *report.Report {
	r := new(report.Report)
	r.Heading(3, "Describe %s so that requests for it find it", report.Name(q.Tool.Qualified))
	r.Say("Its description now:")
	if strings.TrimSpace(q.Tool.Description) == "" {
		r.Say("(none)")
	} else {
		r.Fence("", q.Tool.Description)
	}
	r.Say("A shadow below is the best tool above it, with the words of the query that it alone has.")
	r.Say("It is expected by %s. Not within the first %d: %d.", report.LabelledQueries(q.Asked), q.Limit, len(q.Misses))
	if len(q.Misses) > 0 {
		t := report.Columns(">rank", "query…", "shadow")
		for _, m := range q.Misses[:min(len(q.Misses), report.MaxRows)] {
			above := any("none")
			if m.Above != nil {
				above = report.Name(m.Above.Qualified)
			}
			if len(m.Shared) > 0 {
				above = report.Textf("%s: %s", report.Name(m.Above.Qualified), report.Name(strings.Join(m.Shared, ", ")))
			}
			t.Row(report.OrNone(m.Rank, "none"), report.Name(m.Query.Text), above)
		}
		r.Table(t)
	}
	if len(q.Words) > 0 {
		r.Say("Words that it lacks, the weightiest first:")
		t := report.Columns("word", ">requests", "why")
		for _, w := range q.Words {
			var why []string
			for _, reason := range w.Reasons {
				why = append(why, reasonText[reason])
			}
			t.Row(report.Name(w.Text), len(w.Queries), strings.Join(why, "; "))
		}
		r.Table(t)
	}
	r.Say("Write one description of two or three plain sentences. Say what the tool does, when it is used and, where another tool above is close to it, how they differ. Use the words that fit, claim nothing that the tool does not do, and list no keywords. Then: caliper try --tool %s --description @new.txt", report.Name(q.Tool.Qualified))
	return r
}

// reasonText has the reasons why a word is named.
var reasonText = map[whatif.Reason]string{
	whatif.FromQueries: "its queries have it",
	whatif.FromRival:   "a tool above it has it",
	whatif.FromLexicon: "it goes with words of the tool",
}

package explore

import (
	"strconv"
	"strings"

	"caliper/engine/whatif"
	"caliper/model/safetext"
	"caliper/tui/report"
	"caliper/tui/ui"
)

// draftFacts is the lines of facts below a draft, without names of queries and tools.
const draftFacts = 4

// draftFacts returns at most h lines about the draft: rank, recall, who is hurt, tokens.
func (s *Screen) draftFacts(t *ui.Theme, w, h int) []string {
	d := &s.draft
	f := factLines{t: t, w: w}
	if err := d.trying.Err; err != nil {
		f.line("draft", ui.Phrase{Style: t.Bad, Text: safetext.Line(err.Error())})
		return f.out
	}
	spare := max(0, h-draftFacts) // lines for names
	pushed := spare > 0 && d.answer != nil && len(d.answer.hits.Fallen) > 0
	if pushed {
		spare--
	}
	faint := func(text string) ui.Phrase { return ui.Phrase{Style: f.t.Faint, Text: text} }
	_, searched := s.state.Snapshot.Document(d.tool)
	switch a := d.answer; {
	case !searched:
		f.line("rank", faint("no search returns it here: "+report.ToolStatus(s.state.Snapshot, d.tool)))
	case s.hits.browsing:
		f.line("rank", faint("no query"))
	case a == nil:
		f.line("rank", faint(f.t.Ellipsis))
	case a.hits.Before.Rank == 0 && a.hits.After.Rank == 0:
		f.line("rank", faint("the query does not find it"))
	default:
		b, n := a.hits.Before, a.hits.After
		phrases := f.rankPhrases(b.Rank, n.Rank)
		score := func(p whatif.Place) string {
			if p.Rank == 0 {
				return ui.NoRank
			}
			return strconv.FormatFloat(p.Score, 'f', 3, 64)
		}
		f.line("rank", f.also(phrases, faint("score "+score(b)+" → "+score(n)))...)
	}
	if pushed {
		var names []string
		for _, t := range d.answer.hits.Fallen {
			names = append(names, t.ShownName)
		}
		f.line("pushed out", ui.Phrase{Style: f.t.Removed, Text: strings.Join(names, ", ")})
	}
	f.recall(s)
	if o := d.outcome; o != nil {
		third := spare / 3
		f.asked(t.Added, "found", o.Won, spare-2*third)
		f.asked(t.Removed, "lost", o.Lost, third)
		f.hurt(o, third)
	} else {
		f.pending("hurt", s)
	}
	a := s.draft.answer
	if a == nil {
		f.line("tokens", ui.Phrase{Style: f.t.Faint, Text: f.t.Ellipsis})
	} else {
		style, change := f.t.Faint, f.t.Same
		switch more := a.after - a.before; {
		case more > 0:
			style, change = f.t.Removed, "+"+ui.Thousands(more)
		case more < 0:
			style, change = f.t.Added, ui.Thousands(more)
		}
		phrases := []ui.Phrase{{Style: f.t.Number, Text: ui.Thousands(a.before) + " → " + ui.Thousands(a.after)}, {Style: style, Text: change}}
		f.line("tokens", f.also(phrases, ui.Phrase{Style: f.t.Faint, Text: "definition, " + string(s.state.Snapshot.Tokenizer)})...)
	}
	if d.outcome != nil {
		if long, short := report.SplitChange(d.outcome.Worded()); long != "" {
			f.line("by wording", ui.Phrase{Style: t.Faint, Text: ui.Longest(w-1-factCells, long, short)})
		}
	}
	return f.out[:min(len(f.out), h)]
}

// factLines are lines of facts about a draft, each with a label.
type factLines struct {
	t   *ui.Theme
	w   int
	out []string
}

// factCells is the width of the labels.
const factCells = 11

// also adds a phrase to a fact's if the line has room for it.
func (f *factLines) also(phrases []ui.Phrase, p ui.Phrase) []ui.Phrase {
	used := 1 + factCells
	for _, other := range phrases {
		used += ui.Width(other.Text) + 2
	}
	if used+ui.Width(p.Text) > f.w {
		return phrases
	}
	return append(phrases, p)
}

// line adds a fact. What does not fit is cut.
func (f *factLines) line(label string, phrases ...ui.Phrase) {
	l := ui.StartLine(f.w, 1)
	l.Cell(f.t.Faint, label, factCells)
	for _, p := range phrases {
		l.Text(p.Style, ui.Truncate(p.Text, l.Room()))
		l.Gap(min(2, l.Room()))
	}
	f.out = append(f.out, l.End())
}

// rankPhrases compare two ranks; 0 is none.
func (f *factLines) rankPhrases(before, after int) []ui.Phrase {
	style, change := ui.RankChange(f.t, before, after)
	return []ui.Phrase{{Style: f.t.Number, Text: rankOrNone(before) + " → " + rankOrNone(after)}, {Style: style, Text: change}}
}

// rankOrNone returns a rank as text.
func rankOrNone(rank int) string {
	if rank == 0 {
		return ui.NoRank
	}
	return ui.Thousands(rank)
}

// recall adds the recall over the labelled queries.
func (f *factLines) recall(s *Screen) {
	o := s.draft.outcome
	if o == nil {
		f.pending("recall", s)
		return
	}
	style := f.t.Number
	switch {
	case o.After > o.Before:
		style = f.t.Added
	case o.After < o.Before:
		style = f.t.Removed
	}
	change := f.t.Same
	if o.After != o.Before {
		change = report.PointsBetween(o.Before, o.After) + " points"
	}
	phrases := []ui.Phrase{{Style: f.t.Number, Text: ui.Percent(100*o.Before) + " → " + ui.Percent(100*o.After)}, {Style: style, Text: change}}
	f.line("recall@"+strconv.Itoa(o.Limit), f.also(phrases, ui.Phrase{Style: f.t.Faint, Text: ui.LabelledQueries(o.Queries)})...)
}

// pending adds a fact about labelled queries that is not known.
func (f *factLines) pending(label string, s *Screen) {
	text := "measuring"
	switch d := &s.draft; {
	case len(s.state.Queries) == 0 && label == "recall":
		text = "no labelled queries: a adds the first one"
	case len(s.state.Queries) == 0:
		text = "known with labelled queries"
	case d.measuring.Err != nil || d.asking.Err != nil:
		text = "not known"
	}
	f.line(label, ui.Phrase{Style: f.t.Faint, Text: text})
}

// asked adds labelled queries whose recall the draft changes, in at most h lines.
func (f *factLines) asked(style ui.Style, label string, list []whatif.Asked, h int) {
	for i, a := range list {
		if i == h-1 && len(list) > h || h == 0 {
			if h > 0 {
				f.line(label, ui.Phrase{Style: f.t.Faint, Text: ui.Thousands(len(list)-i) + " more"})
			}
			return
		}
		text := safetext.Line(ui.OneLine(a.Query.Text))
		f.line(label, append(f.rankPhrases(a.Before, a.After), ui.Phrase{Style: style, Text: text})...)
		label = ""
	}
}

// hurt adds how many expected tools lose ranks, and their names in at most h more lines.
func (f *factLines) hurt(o *whatif.Outcome, h int) {
	if len(o.Hurt) == 0 {
		f.line("hurt", ui.Phrase{Style: f.t.Ok, Text: "no expected tool falls"})
		return
	}
	below := 0
	for _, hurt := range o.Hurt {
		if hurt.Below {
			below++
		}
	}
	summary := ui.Count(len(o.Hurt), "expected tool") + " fall"
	if len(o.Hurt) == 1 {
		summary += "s"
	}
	style, leaves := f.t.Text, ", none leaves the limit"
	if below > 0 {
		style, leaves = f.t.Removed, ", "+ui.Thousands(below)+" below the limit"
	}
	if h == 0 {
		first := o.Hurt[0]
		f.line("hurt", append([]ui.Phrase{{Style: style, Text: ui.FitName(first.Tool.ShownName, max(8, f.w-factCells-16))}}, f.rankPhrases(first.Before, first.After)...)...)
		return
	}
	f.line("hurt", ui.Phrase{Style: style, Text: summary + leaves})
	for i, hurt := range o.Hurt {
		if i == h-1 && len(o.Hurt) > h {
			f.line("", ui.Phrase{Style: f.t.Faint, Text: ui.Thousands(len(o.Hurt)-i) + " more"})
			return
		}
		name := ui.Phrase{Style: f.t.Text, Text: ui.FitName(hurt.Tool.ShownName, max(8, f.w/2))}
		query := ui.Phrase{Style: f.t.Faint, Text: safetext.Line(ui.OneLine(hurt.Query.Text))}
		f.line("", append(f.rankPhrases(hurt.Before, hurt.After), name, query)...)
	}
}

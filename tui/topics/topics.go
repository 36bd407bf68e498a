// Package topics has the pages of `caliper help TOPIC`: what stands behind the
// commands and the screens, such as the rankers, the gates and the settings.
//
// A page is a report. What the code knows, such as which rankers there are, what
// a setting takes and in which order gates are asked, is taken from the code; a
// page adds what each means. A test fails when the code has one that a page does
// not explain, and when a page explains one that is gone.
//
// Measured figures are on the page figures, beside what measures them; README has
// only how every command grows.
//
// Non-goals: the flags of commands, which are on their help pages.
package topics

import (
	"cmp"

	"caliper/tui/glossary"
	"caliper/tui/report"
)

// Topic is one page.
type Topic struct {
	Name  string // one word, in lower case
	Title string // what the page is about, in a few words
	write func(*report.Report)
}

// All are the topics, in the order in which they are listed. It must not be
// changed.
var All = []Topic{
	{"glossary", "what every label means", glossaryPage},
	{"basics", "how tool search works, in one page", basicsPage},
	{"explorer", "the screens and their keys, and what the explorer opens on", explorerPage},
	{"commands", "a command for each question", commandsPage},
	{"rankers", "how hits are ordered, and which ranker to take", rankersPage},
	{"gates", "what a call must pass, and what each refusal means", gatesPage},
	{"selection", "choosing tools before the model is called", selectionPage},
	{"rescue", "results that are too long for the context", rescuePage},
	{"queries", "labelled queries and what is measured with them", queriesPage},
	{"logs", "what replay reads of your own sessions, and what it keeps", logsPage},
	{"serving", "a real agent: what is executed, reached and recorded", servingPage},
	{"configuration", "every setting, what it takes and its default", configurationPage},
	{"formats", "which files and clients tools can be read from, and written for", formatsPage},
	{"reference", "where caliper differs from the reference agent on purpose", referencePage},
	{"speed", "what takes long, what is kept for the next time", speedPage},
	{"figures", "what was measured: rankers, selection, rescue, speed", figuresPage},
}

// Names returns the names of all topics.
func Names() []string {
	names := make([]string, len(All))
	for i, t := range All {
		names[i] = t.Name
	}
	return names
}

// Find returns the topic of a name; false when there is none.
func Find(name string) (Topic, bool) {
	for _, t := range All {
		if t.Name == name {
			return t, true
		}
	}
	return Topic{}, false
}

// Page returns the page of a topic.
func (t Topic) Page() *report.Report {
	r := new(report.Report)
	r.Head(t.Name, "%s", t.Title)
	t.write(r)
	return r
}

// section adds a title with an empty line before it.
func section(r *report.Report, title string) {
	r.Blank()
	r.Heading(3, "%s", title)
}

// say adds a paragraph with an empty line before it.
func say(r *report.Report, text string) {
	r.Blank()
	r.Say("%s", text)
}

// meanings adds a table of words with their meanings. A word without one is
// printed as undescribed, which a test refuses.
func meanings(r *report.Report, words []string, of map[string]string) {
	pairs := make([][]string, len(words))
	for i, w := range words {
		pairs[i] = []string{w, cmp.Or(of[w], undescribed)}
	}
	r.Table(report.Listed(pairs...))
}

// undescribed stands for the meaning of a word that a page does not explain.
const undescribed = "(not described)"

// commands adds the commands that show what a page is about.
func commands(r *report.Report, lines ...string) {
	section(r, "Commands")
	for _, l := range lines {
		r.Line("  " + l)
	}
}

// glossaryPage lists every term.
func glossaryPage(r *report.Report) {
	for _, s := range glossary.Sections {
		section(r, s.Title)
		var pairs [][]string
		for _, term := range s.Terms {
			pairs = append(pairs, []string{term.Word, term.Meaning})
		}
		r.Table(report.Listed(pairs...))
	}
}

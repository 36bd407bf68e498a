// Package topics has what caliper explains: the pages of `caliper help TOPIC`, which
// explain the ideas behind the commands and the screens, such as the rankers, the gates and
// the settings; the glossary; and the tour.
//
// A page is a file of pages, in Markdown, and becomes a report. What a setting takes, in
// which order gates are asked and the like are values of the code that the page names. A
// test fails when the code has a ranker, a strategy or the like that a page does not
// explain, and when a page explains one that is gone.
//
// Measured figures are on the page figures, beside what measures them; README has
// only how every command grows.
//
// Non-goals: the flags of commands, which are on their help pages.
//
// # Glossary
//
// The glossary has the meaning of every label that a screen or a command prints and that
// needs an explanation, in one or two sentences each. It is the one source: `caliper help
// glossary`, the table in README and the explorer print the tables of terms.md and
// settings.md.
//
//   - A reader who knows LLM agents, and not caliper, understands each meaning.
//   - One word has one meaning; a word that a meaning uses in a special sense is a term
//     too.
//
// How a thing is computed is on the pages.
//
// # Tour
//
// The tour computes six steps on the demo: find, why not, fix, threshold, prove, meaning.
// The command prints them and the explorer walks through them, so that both tell the same.
// Every figure is computed from the input that is handed in, and the command of a step
// shows the answer of the step.
package topics

import "caliper/tui/report"

// Topic is one page.
type Topic struct {
	Name  string // one word, in lower case
	Title string // what the page is about, in a few words
}

// All are the topics, in the order in which they are listed. It must not be
// changed.
var All = []Topic{
	{"glossary", "what every label means"},
	{"basics", "how tool search works, in one page"},
	{"explorer", "the screens and their keys, and what the explorer opens on"},
	{"commands", "a command for each question"},
	{"rankers", "how hits are ordered, and which ranker to take"},
	{"gates", "what a call must pass, and what each refusal means"},
	{"selection", "choosing tools before the model is called"},
	{"rescue", "results that are too long for the context"},
	{"queries", "labelled queries and what is measured with them"},
	{"logs", "what replay reads of your own sessions, and what it keeps"},
	{"serving", "a real agent: what is executed, reached and recorded"},
	{"configuration", "every setting, what it takes and its default"},
	{"formats", "which files and clients tools can be read from, and written for"},
	{"reference", "where caliper differs from the reference agent on purpose"},
	{"speed", "what takes long, what is kept for the next time"},
	{"figures", "what was measured: rankers, selection, rescue, speed"},
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
	add(r, source(t.Name+".md"))
	return r
}

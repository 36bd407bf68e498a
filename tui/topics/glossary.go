package topics

import (
	_ "embed"
	"strings"
	"sync"
)

// termsTable has a table for each section: the word, its other labels, whether README has it, and
// its meaning. settingsTable has the keys of the configuration.
var (
	//go:embed terms.md
	termsTable string
	//go:embed settings.md
	settingsTable string
)

// Term is one word of the glossary.
type Term struct {
	Word    string
	Meaning string   // sentences that end with a full stop
	Also    []string // other labels of the same thing; may be nil
	Basic   bool     // a newcomer needs it first: README has it
}

// Section is a group of terms that belong together.
type Section struct {
	Title string
	Terms []Term
}

// GatePrefix begins the words of the gates of a call, before their names.
const GatePrefix = "gate "

// Glossary returns all terms, in the order in which a reader meets them. They must not be
// changed.
var Glossary = sync.OnceValue(func() []Section {
	var all []Section
	for _, part := range strings.Split(termsTable, "## ")[1:] {
		title, table, _ := strings.Cut(part, "\n")
		s := Section{Title: title}
		for _, row := range tableRows(table) {
			t := Term{Word: row[0], Basic: row[2] != "", Meaning: row[3]}
			if row[1] != "" {
				t.Also = strings.Split(row[1], ", ")
			}
			s.Terms = append(s.Terms, t)
		}
		all = append(all, s)
	}
	return all
})

// Setting returns what a setting of the configuration does, in one sentence, by its key; empty
// for a key that is no setting. What it takes is in package config.
func Setting(key string) string { return meanings()[key] }

var meanings = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for _, row := range tableRows(settingsTable) {
		all[row[0]] = row[1]
	}
	return all
})

// tableRows returns the cells of a table in Markdown, without its titles.
func tableRows(table string) [][]string {
	var all [][]string
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, "|") {
			all = append(all, cellsOf(strings.TrimSpace(line)))
		}
	}
	return all[2:]
}

// TermOf returns the term of a label, which is its word or one of its other
// labels, whatever the case of its letters. The result is false for a label
// that is not explained.
func TermOf(label string) (Term, bool) {
	t, ok := terms()[strings.ToLower(strings.ToUpper(label))]
	return t, ok
}

// terms are the terms of the glossary by their words and other names, whatever the case; of two with
// one name the first.
var terms = sync.OnceValue(func() map[string]Term {
	all := map[string]Term{}
	for _, s := range Glossary() {
		for _, t := range s.Terms {
			for _, label := range append([]string{t.Word}, t.Also...) {
				label = strings.ToLower(strings.ToUpper(label))
				if _, taken := all[label]; !taken {
					all[label] = t
				}
			}
		}
	}
	return all
})

// Package glossary has the meaning of every label that a screen or a command
// prints and that needs an explanation, in one or two sentences each. It is the
// one source: `caliper help glossary`, the table in README and the explorer
// print the tables of terms.md and settings.md.
//
// Goals:
//   - a reader who knows LLM agents, and not caliper, understands each meaning
//   - one word has one meaning; a word that a meaning uses in a special sense is
//     a term too
//
// Non-goals: how a thing is computed, which is on the pages of package topics,
// and the syntax of commands.
package glossary

import (
	_ "embed"
	"strings"
	"sync"
)

// terms has a table for each section: the word, its other labels, whether README has it, and
// its meaning. settings has the keys of the configuration.
var (
	//go:embed terms.md
	terms string
	//go:embed settings.md
	settings string
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

// Gate begins the words of the gates of a call, before their names.
const Gate = "gate "

// Sections returns all terms, in the order in which a reader meets them. They must not be
// changed.
var Sections = sync.OnceValue(func() []Section {
	var all []Section
	for _, part := range strings.Split(terms, "## ")[1:] {
		title, table, _ := strings.Cut(part, "\n")
		s := Section{Title: title}
		for _, row := range rows(table) {
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
	for _, row := range rows(settings) {
		all[row[0]] = row[1]
	}
	return all
})

// rows returns the cells of a table in Markdown, without its titles.
func rows(table string) [][]string {
	var all [][]string
	for line := range strings.Lines(table) {
		if cells := strings.Split(line, "|"); len(cells) > 2 {
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			all = append(all, cells[1:len(cells)-1])
		}
	}
	return all[2:]
}

// Lookup returns the term of a label, which is its word or one of its other
// labels, whatever the case of its letters. The result is false for a label
// that is not explained.
func Lookup(label string) (Term, bool) {
	for _, s := range Sections() {
		for _, t := range s.Terms {
			if strings.EqualFold(t.Word, label) {
				return t, true
			}
			for _, other := range t.Also {
				if strings.EqualFold(other, label) {
					return t, true
				}
			}
		}
	}
	return Term{}, false
}

// Table returns the basic terms as a Markdown table, as README has them.
func Table() string {
	var b strings.Builder
	b.WriteString("| word | meaning |\n|---|---|\n")
	for _, s := range Sections() {
		for _, t := range s.Terms {
			if t.Basic {
				b.WriteString("| " + t.Word + " | " + t.Meaning + " |\n")
			}
		}
	}
	return b.String()
}

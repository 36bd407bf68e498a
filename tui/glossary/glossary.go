// Package glossary has the meaning of every label that a screen or a command
// prints and that needs an explanation, in one or two sentences each. It is the
// one source: `caliper help glossary`, the table in README and the explorer
// print what is here.
//
// Goals:
//   - a reader who knows LLM agents, and not caliper, understands each meaning
//   - one word has one meaning; a word that a meaning uses in a special sense is
//     a term too
//
// Non-goals: how a thing is computed, which is on the pages of package topics,
// and the syntax of commands.
package glossary

import "strings"

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

// Lookup returns the term of a label, which is its word or one of its other
// labels, whatever the case of its letters. The result is false for a label
// that is not explained.
func Lookup(label string) (Term, bool) {
	for _, s := range Sections {
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
	for _, s := range Sections {
		for _, t := range s.Terms {
			if t.Basic {
				b.WriteString("| " + t.Word + " | " + t.Meaning + " |\n")
			}
		}
	}
	return b.String()
}

package doctor

import (
	"cmp"
	"slices"
)

// recipe says how a sentence is made from evidence.
type recipe struct {
	most   int // words of the sentence
	choose func(e *evidence) []choice
}

// sentence returns the sentence of a recipe, and the words that it has.
func (r recipe) sentence(e *evidence) (string, []Word) { return e.sentence(r.choose(e), r.most) }

// choice is a word that is chosen, and why.
type choice struct {
	stem    string
	word    string // set where no query has the word
	weight  float64
	reasons []Reason
	queries []int // of the tool that have it, where they are a reason
}

// recipes are the ways to make a sentence, of which Propose tries each.
var recipes = []recipe{
	{2, (*evidence).fromAll},
	{4, (*evidence).fromAll},
	{6, (*evidence).fromAll},
	{4, func(e *evidence) []choice { return e.repeated(e.fromRivals()) }},
	{4, func(e *evidence) []choice { return e.repeated(e.fromLexicon()) }},
}

// fromAll returns the words for all reasons: those of the queries, then those that rivals
// have, then those of the lexicon.
func (e *evidence) fromAll() []choice {
	return e.repeated(merged(e.fromQueries(), e.fromRivals(), e.fromLexicon()))
}

// repeated returns choices of which at least half come from two tasks of the tool or more,
// in their order, without the last ones that one task alone has. For a tool that no task
// needs it returns them all.
func (e *evidence) repeated(list []choice) []choice {
	if e.ownTasks == 0 {
		return list
	}
	once := func(c choice) bool { return e.uses[c.stem].own < 2 }
	room := 0 // choices of one task that may stay: as many as come from more
	for _, c := range list {
		if !once(c) {
			room++
		}
	}
	var kept []choice
	for _, c := range list {
		if once(c) {
			if room--; room < 0 {
				continue
			}
		}
		kept = append(kept, c)
	}
	return kept
}

// first returns the first n choices, or all where there are fewer.
func first(list []choice, n int) []choice { return list[:min(n, len(list))] }

// fromQueries returns the words that the tool's queries have and those of others have
// not, the weightiest first.
func (e *evidence) fromQueries() []choice {
	var out []choice
	for _, u := range e.uses {
		word := e.form(u)
		if u.own == 0 || !e.lacks(u.stem, word) || e.contested(u) {
			continue
		}
		if e.value(u, word) {
			continue
		}
		if weight := e.weight(u); weight > 0 {
			out = append(out, choice{u.stem, "", weight, []Reason{FromQueries}, u.queries})
		}
	}
	e.sort(out)
	return out
}

// fromRivals returns the words that a missed query of the tool and the tools above it
// have, those of the most tasks first.
func (e *evidence) fromRivals() []choice {
	var out []choice
	for _, u := range e.uses {
		if word := e.form(u); u.rivals == 0 || !e.lacks(u.stem, word) || e.value(u, word) || e.contested(u) {
			continue
		}
		out = append(out, choice{u.stem, "", float64(u.rivals), []Reason{FromRival}, u.queries})
	}
	e.sort(out)
	return out
}

// fromLexicon returns the words that the lexicon relates to the tool and that its queries
// have, those of the most tasks first, without contested ones. Where no task needs the
// tool, its queries need not have them.
func (e *evidence) fromLexicon() []choice {
	var out []choice
	for _, r := range e.related {
		c := choice{stem: r.stem, word: r.word, weight: float64(r.links), reasons: []Reason{FromLexicon}}
		u := e.uses[r.stem]
		switch {
		case e.contested(u), e.ownTasks > 0 && (u == nil || u.own == 0):
			continue
		case u != nil && u.own > 0:
			c.queries = u.queries
			c.weight += 100 * float64(u.own)
		}
		out = append(out, c)
	}
	e.sort(out)
	return out
}

// sort orders choices: the weightiest first, then the word that fewer tools have, then by
// its stem.
func (e *evidence) sort(list []choice) {
	slices.SortFunc(list, func(a, b choice) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(e.catalog.Tools(a.stem), e.catalog.Tools(b.stem)), cmp.Compare(a.stem, b.stem))
	})
}

// merged returns the choices of all lists, each word once with all its reasons.
func merged(lists ...[]choice) []choice {
	var out []choice
	for _, c := range slices.Concat(lists...) {
		at := slices.IndexFunc(out, func(o choice) bool { return o.stem == c.stem })
		if at < 0 {
			out = append(out, c)
			continue
		}
		o := &out[at]
		o.reasons = append(slices.Clone(o.reasons), c.reasons...)
		if o.queries == nil {
			o.queries = c.queries
		}
	}
	return out
}

// form returns the word that the tool's queries have most often for a stem, of equally
// frequent ones the first by letters.
func (e *evidence) form(u *use) string {
	times := map[string]int{}
	for _, i := range u.queries {
		for _, t := range e.texts[i] {
			if t.stem == u.stem && t.word != "" {
				times[t.word]++
			}
		}
	}
	best := ""
	for word, n := range times {
		if best == "" || n > times[best] || n == times[best] && word < best {
			best = word
		}
	}
	return best
}

package whatif

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"caliper/engine"
	"caliper/engine/labels"
	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/words"
)

// words returns the words of choices.
func (e *evidence) words(list []choice) []Word {
	var out []Word
	for _, c := range list {
		w := Word{Text: c.word, Reasons: c.reasons}
		if w.Text == "" {
			w.Text = e.form(e.uses[c.stem])
		}
		for _, q := range c.queries {
			w.Queries = append(w.Queries, e.queries[q].ID)
		}
		out = append(out, w)
	}
	return out
}

// withWords returns the tool's description with words mentioned.
func (p *patient) withWords(list []Word) string {
	if len(list) == 0 {
		return p.tool.Description
	}
	var texts []string
	for _, w := range list {
		texts = append(texts, w.Text)
	}
	return Mention(p.tool.Description, strings.Join(texts, " "))
}

// choice is a word that is chosen, and why.
type choice struct {
	stem    string
	word    string // set where no query has the word
	weight  float64
	reasons []Reason
	queries []int // of the tool that have it, where they are a reason
}

// recipes are the ways to choose words. Propose tries each.
var recipes = []func(e *evidence) []choice{
	func(e *evidence) []choice { return first(e.all(), 1) },
	func(e *evidence) []choice { return first(e.all(), 2) },
	func(e *evidence) []choice { return first(e.all(), 4) },
	func(e *evidence) []choice { return first(e.repeated(), 3) },
}

// all returns the words for all reasons: the queries', then those that rivals
// have, then the lexicon's. A word that one task alone has may be chance: it needs
// two reasons.
func (e *evidence) all() []choice {
	return slices.DeleteFunc(merged(e.fromQueries(), e.fromRivals(), e.fromLexicon()), func(c choice) bool {
		return e.ownTasks > 0 && e.uses[c.stem].own < 2 && len(c.reasons) < 2
	})
}

// repeated returns the words of all that two tasks of the tool or more have.
func (e *evidence) repeated() []choice {
	return slices.DeleteFunc(e.all(), func(c choice) bool {
		u := e.uses[c.stem]
		return u == nil || u.own < 2
	})
}

// first returns the first n choices, or all where there are fewer.
func first(list []choice, n int) []choice { return list[:min(n, len(list))] }

// fromQueries returns words of the tool's queries that others' have not, the weightiest first.
func (e *evidence) fromQueries() []choice {
	var out []choice
	for _, u := range e.uses {
		word := e.form(u)
		if u.own == 0 || !e.lacks(u.stem, word) || e.contested(u) || e.value(u, word) {
			continue
		}
		if lift := e.lift(u); lift >= leastLift {
			out = append(out, choice{u.stem, "", float64(u.own) * math.Log(lift), []Reason{FromQueries}, u.queries})
		}
	}
	e.sort(out)
	return out
}

// fromRivals returns words that a missed query and the tools above have, the most asked first.
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
// have, the words of the most tasks first, without contested ones. Where no task needs the
// tool, its queries need not have them.
func (e *evidence) fromLexicon() []choice {
	var out []choice
	for _, c := range e.related {
		u := e.uses[c.stem]
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

// sort orders choices: the weightiest first, then the rarer word, then by stem.
func (e *evidence) sort(list []choice) {
	model.Sort(list, func(a, b choice) int {
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
		o.reasons = slices.Clone(o.reasons)
		for _, reason := range c.reasons {
			if !slices.Contains(o.reasons, reason) {
				o.reasons = append(o.reasons, reason)
			}
		}
		if o.queries == nil {
			o.queries = c.queries
		}
	}
	return out
}

// form returns the most frequent word of a stem in the tool's queries, of equals the first.
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

// AskedWords returns a function of a tool and of texts that should find it: the words of the
// texts that the tool has not and that belong in its description, those of the most texts first,
// then those that the fewest of the tools have. Forms of one stem are other words, since not
// every search knows stems.
func AskedWords(tools []*model.Tool) func(t *model.Tool, texts []string) []string {
	stems := stemmer{}
	v := retrieval.NewVocabulary(tools, stems.of)
	return func(t *model.Tool, texts []string) []string {
		own, times := words.Set(strings.Join(retrieval.ToolWords(t), " ")), map[string]int{}
		for _, text := range texts {
			for _, w := range slices.Compact(slices.Sorted(words.Each(text))) {
				if !own[w] && mayDescribe(w) && !v.Common(w) && (v.Known(w) || lexiconStems()[stems.of(w)] && !v.Slip(w)) {
					times[w]++
				}
			}
		}
		return slices.SortedFunc(maps.Keys(times), func(a, b string) int {
			return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(v.Tools(a), v.Tools(b)), cmp.Compare(a, b))
		})
	}
}

// Request is the facts that a writer, person or model, needs to describe a tool better.
type Request struct {
	Tool   *model.Tool
	Limit  int    // the ranks that count as found
	Asked  int    // labelled queries of the tool
	Misses []Miss // those that do not find it within the limit, in their order
	Words  []Word // that its description lacks: those that a proposal would have first, then the words of the most tasks
}

// Miss is a labelled query that does not find its tool within the limit.
type Miss struct {
	Query  labels.Query
	Rank   int         // of the tool, 0 for none
	Above  *model.Tool // the best tool above it that the query does not expect; nil for none
	Shared []string    // words of the query that Above has and the tool lacks, in their order
}

// mostLacking is how many words a request names.
const mostLacking = 16

// RequestFor returns the request for a tool. The error is ctx's.
func RequestFor(ctx context.Context, s *engine.Snapshot, tool *model.Tool, queries []labels.Query) (Request, error) {
	queries = labels.AsCalled(s.Registry, queries)
	before, err := Measure(ctx, s, queries)
	if err != nil {
		return Request{}, err
	}
	p := newPatient(s, tool, queries, before)
	r := Request{Tool: tool, Limit: before.Limit()}
	for i, q := range queries {
		if !p.own[i] {
			continue
		}
		r.Asked++
		rank := before.Rank(i, tool)
		if rank > 0 && rank <= r.Limit {
			continue
		}
		m := Miss{Query: q, Rank: rank}
		if len(p.rivals[i]) > 0 {
			above := p.rivals[i][0]
			m.Above = above.tool
			for _, t := range p.texts[i] {
				if t.word != "" && above.has[t.stem] && p.lacks(t.stem, t.word) && !slices.Contains(m.Shared, t.word) {
					m.Shared = append(m.Shared, t.word)
				}
			}
		}
		r.Misses = append(r.Misses, m)
	}
	e := p.evidenceOf(func(int) bool { return true })
	// Also words that queries of other tools have as often: a writer can tell what they mean here.
	var out []choice
	for _, u := range e.uses {
		if word := e.form(u); u.own > 0 && e.lacks(u.stem, word) && u.named <= u.plain+u.mixed {
			out = append(out, choice{stem: u.stem, weight: float64(u.own), reasons: []Reason{FromQueries}, queries: u.queries})
		}
	}
	e.sort(out)
	r.Words = e.words(first(merged(e.fromQueries(), e.fromRivals(), e.fromLexicon(), out), mostLacking))
	return r, ctx.Err()
}

package whatif

import (
	"context"
	"slices"

	"caliper/engine"
	"caliper/engine/labels"
	"caliper/model"
)

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

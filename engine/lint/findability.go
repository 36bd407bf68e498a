package lint

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"caliper/engine"
	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/words"
)

// findability returns what a survey found.
func (c *check) findability(survey []Reach) []draft {
	var out []draft
	for _, r := range survey {
		switch {
		case r.Dark():
			query, parts := "", []string{} // what the remedy should find it by, and what does not
			for i, what := range []string{fmt.Sprintf("its name (%q)", r.Name.Query), "its first sentence", "its parameters"} {
				if p := []Probe{r.Name, r.Sentence, r.Parameters}[i]; p.Query != "" {
					query = cmp.Or(query, p.Query)
					parts = append(parts, "a query of "+what+" "+finds(p))
				}
			}
			missed := cmp.Or(strings.Join(parts, ", "), "it has no words that a query could have")
			out = append(out, c.sought(found(DarkTool, Error, r.Tool, "%s%s%s", missed, c.unread(query), shadowed(r.Shadows())), query))
		case r.Name.Query != "" && !r.Name.Found:
			out = append(out, c.sought(found(NameNotFound, Warning, r.Tool, "its name as a query, %q, %s%s%s",
				r.Name.Query, finds(r.Name), c.unread(r.Name.Query), shadowed(r.Name.Shadows)), r.Name.Query))
		case r.Sentence.Query != "" && !r.Sentence.Found:
			out = append(out, c.sought(found(SentenceNotFound, Warning, r.Tool, "its first sentence as a query %s%s%s",
				finds(r.Sentence), c.unread(r.Sentence.Query), shadowed(r.Sentence.Shadows)), r.Sentence.Query))
		}
	}
	return out
}

// unread returns a text about the part of a query that the ranker does not read, and what
// its author can do about it.
func (c *check) unread(query string) string {
	unread, of := c.s.Unread(query)
	if unread == 0 {
		return ""
	}
	return fmt.Sprintf(": %s reads ASCII letters and digits only, and %d of the %d in it are others; it reads English words in the description", c.s.Config.ToolSearch.Ranker, unread, of)
}

// finds returns a text that says whether a probe finds its tool, and at which rank.
func finds(p Probe) string {
	if p.Rank == 0 {
		return "does not find it"
	}
	return fmt.Sprintf("finds it at rank %d", p.Rank)
}

// shadowed returns a text that lists the tools that rank above a tool.
func shadowed(by []*model.Tool) string {
	if len(by) == 0 {
		return ""
	}
	var names []string
	for _, t := range by {
		names = append(names, t.ShownName)
	}
	return "; above it: " + strings.Join(names, ", ")
}

// sought adds plans to a finding about a query that does not find its tool, the smallest
// change first: the description mentions the rarest word of the query that the tool lacks,
// or the rarest few, or repeats those that it has. The last is the ranker that reads letters which the snapshot's does not.
func (c *check) sought(d draft, query string) draft {
	if query == "" {
		return d
	}
	t := d.Tool
	d.seek = query
	d.plans = func() []Remedy {
		var plans []Remedy
		missing, _ := c.s.Vocabulary().Missing(t, query)
		for _, list := range [][]string{missing, c.s.Vocabulary().Subjects(query)} {
			for _, n := range []int{1, maxAdded} {
				if n = min(n, len(list)); n > 0 {
					plans = append(plans, mentioning(t, retrieval.InOrder(list[:n], query)))
				}
			}
		}
		if unread, _ := c.s.Unread(query); unread > 0 {
			plans = append(plans, Remedy{Change: "rank with fielded (tools.tool_search.ranker)", ranker: true})
		}
		for i := range plans {
			plans[i].Query, plans[i].Subject = query, t
		}
		return plans
	}
	return d
}

// maxAdded is how many words a remedy adds: more would be a second
// description.
const maxAdded = 4

// Probe is one way to ask for a tool by its own words.
type Probe struct {
	Query   string        // empty: the tool has no such words, and nothing was asked
	Rank    int           // of the tool; 0: the query does not score it, or the rank was not asked for (see Report.Reach)
	Found   bool          // within the limit
	Shadows []*model.Tool // the best ranked others, at most MaxShadows, when it is not found
}

// MaxShadows is the largest number of tools that Probe.Shadows lists.
const MaxShadows = 3

// Reach is how a tool of the catalog is found.
type Reach struct {
	Tool       *model.Tool
	Name       Probe // by the words of its name, without its server's
	Sentence   Probe // by the first sentence of its description
	Parameters Probe // by the names of its top-level parameters
}

// Dark reports whether none of the tool's own words find it.
func (r Reach) Dark() bool { return !r.Name.Found && !r.Sentence.Found && !r.Parameters.Found }

// Shadows returns the tools that rank above the tool, at most MaxShadows: those that
// do so in most probes first, then in the order of the probes and ranks.
func (r Reach) Shadows() []*model.Tool {
	count := map[*model.Tool]int{}
	var all []*model.Tool
	for _, p := range []Probe{r.Name, r.Sentence, r.Parameters} {
		for _, t := range p.Shadows {
			if count[t]++; count[t] == 1 {
				all = append(all, t)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *model.Tool) int { return cmp.Compare(count[b], count[a]) })
	return all[:min(len(all), MaxShadows)]
}

// Survey asks for every tool of the session's catalog by its own words, in
// catalog order. progress, which may be nil, is called with how many tools are
// done, one call at a time. The error is ctx's.
func Survey(ctx context.Context, s *engine.Snapshot, progress func(done, total int)) ([]Reach, error) {
	return survey(ctx, s, &counter{report: progress, total: len(s.Catalog())}, true)
}

// Dark returns the dark tools of a survey, in its order.
func Dark(survey []Reach) []Reach {
	var dark []Reach
	for _, r := range survey {
		if r.Dark() {
			dark = append(dark, r)
		}
	}
	return dark
}

// survey is Survey. Unless all ranks are wanted, it leaves out those that no finding
// names; see Report.Reach.
func survey(ctx context.Context, s *engine.Snapshot, p *counter, all bool) ([]Reach, error) {
	a, out, err := prepared(ctx, s)
	if err != nil {
		return nil, err
	}
	return out, parallel(ctx, len(out), func(i int) {
		r := &out[i]
		a.ask(i, &r.Name)
		a.ask(i, &r.Sentence)
		a.ask(i, &r.Parameters)
		if all || r.Dark() || r.Name.missed() {
			a.explain(i, &r.Name)
		}
		if all || r.Dark() || r.Sentence.missed() {
			a.explain(i, &r.Sentence)
		}
		if all || r.Dark() {
			a.explain(i, &r.Parameters)
		}
		p.step()
	})
}

// probesOf returns the queries of a tool's probes.
func probesOf(t *model.Tool) Reach {
	return Reach{Tool: t, Name: Probe{Query: NameQuery(t)}, Sentence: Probe{Query: SentenceQuery(t)}, Parameters: Probe{Query: ParameterQuery(t)}}
}

// prepared returns the tools of the catalog with the queries of their probes, and an
// asker for these. The error is ctx's.
func prepared(ctx context.Context, s *engine.Snapshot) (*asker, []Reach, error) {
	index, err := s.IndexOver(ctx, s.Catalog())
	if err != nil {
		return nil, nil, err
	}
	out := make([]Reach, len(s.Catalog()))
	for i, t := range s.Catalog() {
		out[i] = probesOf(t)
	}
	a := &asker{s: s, index: index, limit: engine.ClampLimit(s.Config.ToolSearch, s.Config.ToolSearch.DefaultLimit), shared: map[string]func() ([]retrieval.Hit, map[int]int){}}
	asking := map[string][]int{} // the documents that ask a query
	for i, r := range out {
		for _, p := range []Probe{r.Name, r.Sentence, r.Parameters} {
			query := words.Strip(p.Query)
			asking[query] = append(asking[query], i)
		}
	}
	for query, docs := range asking {
		if len(docs) < sharedBy {
			continue
		}
		a.shared[query] = sync.OnceValues(func() ([]retrieval.Hit, map[int]int) {
			hits, ranks := index.Search(query, len(out)).Hits, make(map[int]int, len(docs))
			for _, doc := range docs {
				ranks[doc] = 0
			}
			for i, h := range hits {
				if _, asks := ranks[h.Doc]; asks {
					ranks[h.Doc] = i + 1
				}
			}
			return slices.Clone(hits[:min(len(hits), max(a.limit, MaxShadows))]), ranks
		})
	}
	return a, out, nil
}

// sharedBy: a query that so many tools ask is ranked once for all of them; they are more than a search
// shows. Equal texts would otherwise cost the square of their number.
const sharedBy = 64

// asker searches for the tools of a catalog by their own words.
type asker struct {
	s      *engine.Snapshot
	index  retrieval.Ranker                                            // of the catalog
	limit  int                                                         // the cut line
	shared map[string]func() (best []retrieval.Hit, ranks map[int]int) // of the queries that many tools ask: the rank of each of these, 0 when it is not found
}

// ask searches by a probe for the tool that is a document. Rank is set if it is found.
func (a *asker) ask(doc int, p *Probe) {
	if p.Query == "" {
		return
	}
	hits := a.best(words.Strip(p.Query), a.limit)
	at := slices.IndexFunc(hits, func(h retrieval.Hit) bool { return h.Doc == doc })
	if p.Found = at >= 0; p.Found {
		p.Rank = at + 1
	}
}

// best returns the best hits of a query, at most n, which is the cut line or MaxShadows.
func (a *asker) best(query string, n int) []retrieval.Hit {
	if shared := a.shared[query]; shared != nil {
		hits, _ := shared()
		return hits[:min(len(hits), n)]
	}
	return a.index.Search(query, n).Hits
}

// explain sets Rank and Shadows of a probe that did not find the tool.
func (a *asker) explain(doc int, p *Probe) {
	if !p.missed() {
		return
	}
	plain := words.Strip(p.Query)
	for _, h := range a.best(plain, min(a.limit, MaxShadows)) {
		p.Shadows = append(p.Shadows, a.s.Catalog()[h.Doc])
	}
	if shared := a.shared[plain]; shared != nil {
		_, ranks := shared()
		p.Rank = ranks[doc]
		return
	}
	p.Rank, _, _ = a.index.Rank(plain, doc)
}

// missed reports whether the probe was asked and did not find the tool.
func (p Probe) missed() bool { return p.Query != "" && !p.Found }

package lint

import (
	"cmp"
	"context"
	"slices"

	"caliper/engine"
	"caliper/model"
)

// Probe is one way to ask for a tool by its own words.
type Probe struct {
	Query   string        // empty: the tool has no such words, and nothing was asked
	Rank    int           // of the tool; 0: the query does not score it
	Found   bool          // within the limit
	Shadows []*model.Tool // the best ranked others, at most MaxShadows, when it is not found
}

// MaxShadows is how many of the tools that shadow one are told.
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

// Shadows returns the tools that stand before it, those first that shadow it
// in most probes, then in the order of the probes and ranks; at most
// MaxShadows.
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
// catalog order. progress, which may be nil, is told how many tools are done,
// one call at a time. The error is ctx's.
func Survey(ctx context.Context, s *engine.Snapshot, progress func(done, total int)) ([]Reach, error) {
	return survey(ctx, s, newProgress(progress, len(s.Catalog())))
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

func survey(ctx context.Context, s *engine.Snapshot, p *progress) ([]Reach, error) {
	catalog := s.Catalog()
	out := make([]Reach, len(catalog))
	err := parallel(ctx, len(catalog), func(i int) {
		t := catalog[i]
		out[i] = Reach{
			Tool:       t,
			Name:       ask(s, t, NameQuery(t)),
			Sentence:   ask(s, t, SentenceQuery(t)),
			Parameters: ask(s, t, ParameterQuery(t)),
		}
		p.step()
	})
	return out, err
}

// ask searches for a tool.
func ask(s *engine.Snapshot, t *model.Tool, query string) Probe {
	p := Probe{Query: query}
	if query == "" {
		return p
	}
	found := s.Search(query, 0, 0)
	for _, h := range found.Hits {
		if h.Tool == t {
			p.Rank, p.Found = h.Rank, h.Within
			return p
		}
	}
	for _, h := range found.Hits[:min(len(found.Hits), MaxShadows)] {
		p.Shadows = append(p.Shadows, h.Tool)
	}
	p.Rank, _, _ = s.Rank(query, t)
	return p
}

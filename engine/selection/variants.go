package selection

import (
	"context"

	"caliper/engine/labels"
	"caliper/model"
)

// Sent is the tools sent with one message.
type Sent struct {
	Ranking []*model.Tool // the chosen tools besides the core: those that the message names, then the best ranked, K together
	Tokens  int           // of all that is sent
}

// Variants returns the tools sent for labelled queries, each under each of some settings, which
// differ from the Selector's in K, RRFK and the weights. A query is ranked once, by
// nothing that it taught. Ranking stops at K also where all candidates are sent. progress
// and error are Compare's.
func (s *Selector) Variants(ctx context.Context, queries []labels.Query, settings []Settings, progress func(done, total int)) ([][]Sent, error) {
	most, keyword, semantic := 0, false, false
	for _, set := range settings {
		most = max(most, set.K)
		x := s.With(set)
		keyword, semantic = keyword || x.settings.wantsKeywords(), semantic || x.settings.wantsSimilarity()
	}
	out := make([][]Sent, len(queries))
	err := each(ctx, len(queries), progress, func(i int) error {
		q := queries[i]
		l, err := s.untaught(q).ask(ctx, q.Text, keyword, semantic)
		if err == nil {
			out[i] = s.variants(q, l, settings, most)
		}
		return err
	})
	return out, err
}

// variants returns what one query is sent; most is the largest K.
func (s *Selector) variants(q labels.Query, l rankings, settings []Settings, most int) []Sent {
	named, _ := s.named(q.Text)
	out := make([]Sent, len(settings))
	f := &fusion{}
	for i, set := range settings {
		x := s.With(set)
		if i == 0 || set.RRFK != settings[i-1].RRFK || set.Keyword != settings[i-1].Keyword || set.Semantic != settings[i-1].Semantic {
			f.free()
			f = x.fuse(l, most+len(named))
		}
		out[i].Tokens, _ = s.scope.snapshot.Tokens(x.assembly(x.cut(named, f)))
		for _, p := range x.best(named, f).picks {
			out[i].Ranking = append(out[i].Ranking, s.scope.Candidates[p.doc])
		}
	}
	f.free()
	return out
}

package retrieval

import (
	"math"
	"slices"
	"strings"

	"caliper/model"
)

// reference is the ranking by definition: every document and every token of
// the query, one after another.
type reference struct {
	params Params
	tools  []*model.Tool
	bags   []map[string]int
	dl     []int
	df     map[string]int
	avgdl  float64
}

func newReference(tools []*model.Tool, p Params) *reference {
	r := &reference{params: p, tools: tools, df: map[string]int{}}
	total := 0
	for _, t := range tools {
		bag := map[string]int{}
		tokens := Tokens(t.Name + " " + t.Description + " " + strings.Join(t.PropertyNames(), " "))
		for _, token := range tokens {
			if bag[token]++; bag[token] == 1 {
				r.df[token]++
			}
		}
		r.bags, r.dl, total = append(r.bags, bag), append(r.dl, len(tokens)), total+len(tokens)
	}
	r.avgdl = float64(total) / float64(len(tools))
	return r
}

// search returns all hits, best first.
func (r *reference) search(query string) (hits []Hit, fallback bool) {
	tokens, n, p := Tokens(query), float64(len(r.tools)), r.params
	for i := range r.tools {
		score := 0.0
		norm := p.K1 * (1 - p.B + float64(p.B*float64(r.dl[i]))/r.avgdl)
		for _, token := range tokens {
			if tf, df := float64(r.bags[i][token]), float64(r.df[token]); tf > 0 {
				contribution := math.Log(1+(n-df+0.5)/(df+0.5)) * (float64(tf*(p.K1+1)) / (tf + norm))
				score += contribution
			}
		}
		if score > 0 {
			hits = append(hits, Hit{i, score})
		}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int {
		if a.Score == b.Score {
			return 0
		} else if a.Score > b.Score {
			return -1
		}
		return 1
	})
	if len(hits) > 0 || len(tokens) == 0 {
		return hits, false
	}
	for i, t := range r.tools {
		if strings.Contains(strings.ToLower(t.Name), strings.ToLower(strings.TrimSpace(query))) {
			hits = append(hits, Hit{i, FallbackScore})
		}
	}
	return hits, len(hits) > 0
}

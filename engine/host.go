package engine

import (
	"cmp"
	"context"
	"math"
	"slices"

	"caliper/config"
	"caliper/engine/hosts"
	"caliper/engine/retrieval"
	"caliper/model"
)

// Every host but the generations of the reference agent is a ranker, called as the host is. A
// snapshot of such a host has it for its ranker.
func init() {
	for _, h := range hosts.All {
		if h.Generation == "" {
			rankers[h.Name] = rankerKind{indexer: func() indexer {
				return func(ctx context.Context, catalog []*model.Tool, _ ranking) (retrieval.Ranker, error) {
					// The host has the tools in the order of the registry.
					x := &hosted{tools: catalog, docs: make(map[*model.Tool]int, len(catalog))}
					for doc, t := range catalog {
						x.docs[t] = doc
					}
					listed := slices.Clone(catalog)
					slices.SortStableFunc(listed, func(a, b *model.Tool) int { return cmp.Compare(a.Index, b.Index) })
					x.index = hosts.New(h, listed)
					return x, ctx.Err()
				}
			}}
		}
	}
}

// mostAsked is the most hits that a model may ask of a host without a greatest limit.
const mostAsked = 1000

// as returns a configuration with what its host decides: the ranker, the limit, that every
// tool is deferrable but those that its files always send, that search is on, and that
// nothing is selected before it. For a generation of the reference agent it is unchanged.
func as(c config.Config) config.Config {
	if h := hosts.Configured(&c); h.Generation == "" {
		c.ToolSearch.Ranker, c.ToolSearch.DefaultLimit, c.ToolSearch.MaxLimit = h.Name, h.Limit, mostAsked
		c.ToolSearch.Enabled, c.ToolSearch.MinConfidence, c.Selection = config.On, 0, config.SelectToolSearch
		c.Core, c.Defer = c.Always, c.Never
	}
	return c
}

// Under returns a configuration under a ranker, or under a host that is called so.
func Under(c config.Config, ranker string) config.Config {
	c.Host, c.ToolSearch.Ranker = "", ranker
	if h := hosts.Named(ranker); h != nil {
		c.Host = ranker
	}
	return c
}

// Host returns the agent whose search the snapshot simulates.
func (s *Snapshot) Host() *hosts.Host { return hosts.Configured(&s.Config) }

// hosted ranks a catalog by the rules of a host.
type hosted struct {
	index *hosts.Index
	tools []*model.Tool
	docs  map[*model.Tool]int
}

// all returns all that the host finds, its own tools among them. A host that takes a pattern
// is asked for the words of the query as alternatives.
func (x *hosted) all(query string) []hosts.Hit {
	return x.index.Search(x.index.Host().Asked(query), -1)
}

// Len is of retrieval.Ranker, and so are the methods below.
func (x *hosted) Len() int { return len(x.tools) }

// Search returns the best tools of the catalog. The host's own tools are left out.
func (x *hosted) Search(query string, k int) retrieval.Result { return x.SearchInto(nil, query, k) }

// SearchInto is Search, but appends the hits to dst.
func (x *hosted) SearchInto(dst []retrieval.Hit, query string, k int) retrieval.Result {
	for _, h := range x.all(query) {
		if k <= 0 {
			break
		}
		if h.Tool != nil {
			dst, k = append(dst, retrieval.Hit{Doc: x.docs[h.Tool], Score: h.Score}), k-1
		}
	}
	return retrieval.Result{Hits: dst}
}

// Scored returns how many tools of the catalog are found.
func (x *hosted) Scored(query string) int { return len(x.Search(query, len(x.tools)).Hits) }

// Rank returns the rank of a tool among all that the host finds, its own tools among them.
func (x *hosted) Rank(query string, doc int) (rank int, score float64, ok bool) {
	all := x.all(query)
	i := slices.IndexFunc(all, func(h hosts.Hit) bool { return h.Tool != nil && x.docs[h.Tool] == doc })
	if i < 0 {
		return 0, 0, false
	}
	return i + 1, all[i].Score, true
}

// Finds reports whether the host finds a tool.
func (x *hosted) Finds(query string, doc int) bool {
	return doc >= 0 && doc < len(x.tools) && x.index.Finds(x.index.Host().Asked(query), x.tools[doc])
}

// Explain returns what each word of the query gives, and one more leaf where the rest of the
// score does not come from a single word.
func (x *hosted) Explain(query string, doc int) retrieval.Explanation {
	_, score, ok := x.Rank(query, doc)
	e := retrieval.Explanation{Value: score, Message: x.index.Host().Called()}
	if !ok || score == 0 { // what a query names has no score
		return e
	}
	sum := 0.0
	x.index.Explain(x.index.Host().Asked(query), x.tools[doc], func(word string, given float64) {
		e.Children = append(e.Children, retrieval.Explanation{Value: given, Component: word})
		sum += given
	})
	switch rest, n := score-sum, len(e.Children); {
	case rest == 0:
	case n > 0 && math.Abs(rest) < 1e-6*score: // the host rounds
		e.Children[n-1].Value += rest
	default:
		e.Children = append(e.Children, retrieval.Explanation{Value: rest, Component: "whole query", Message: "what no single word gives"})
	}
	return e
}

package fielded

import (
	"slices"

	"caliper/model"
)

// A server that has one tool for what a query asks is likely to have the others, too.
// So a candidate gains a share of the best score of its toolset, which is the server for
// the tools of MCP servers. One that has only verbs of the query, such as "list", gains
// nothing, so that a noun still outweighs its verb (weights.go).

// aloneOnServer is the number of the server of a tool without a toolset.
const aloneOnServer = 0

// numberServers returns the number of the toolset of each tool, and how many numbers
// there are. Tools without a toolset have aloneOnServer.
func numberServers(tools []*model.Tool) (servers []uint32, count int) {
	numbers := map[string]uint32{model.NoToolset: aloneOnServer}
	servers = make([]uint32, len(tools))
	for i, t := range tools {
		if i > 0 && t.Toolset == tools[i-1].Toolset {
			servers[i] = servers[i-1]
			continue
		}
		number, ok := numbers[t.Toolset]
		if !ok {
			number = uint32(len(numbers))
			numbers[t.Toolset] = number
		}
		servers[i] = number
	}
	return servers, len(numbers)
}

// supportServers sets serverSupport of the candidates from their scores without it and
// without pin, and adds both to their scores.
func (s *searcher) supportServers() {
	s.serverBest = slices.Grow(s.serverBest[:0], s.x.serverCount)[:s.x.serverCount]
	best := s.serverBest // of the candidates of each server
	clear(best)
	for i := range s.candidates {
		c := &s.candidates[i]
		server := s.x.servers[c.doc]
		best[server] = max(best[server], c.score)
	}
	for i := range s.candidates {
		c := &s.candidates[i]
		// It needs a content word of the query, or an expansion of one; without content words in the query all count.
		if !s.anyContent || slices.ContainsFunc(s.hitsOf(&c.scanned), func(h hit) bool { return s.terms[h.term].content }) {
			most := c.score
			if server := s.x.servers[c.doc]; server != aloneOnServer {
				most = best[server]
			}
			c.values[serverSupport] = s.x.recipe.ServerSupport * most
		}
		c.score += c.values[serverSupport]
		c.score += c.values[pin]
	}
}

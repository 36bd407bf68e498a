package fielded

import "caliper/model"

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

// serverScores has the best score of a candidate of each server. The memory is used
// again by the next query, and is 0 between queries.
type serverScores struct{ best []float64 }

// supportServers sets serverSupport of the candidates from their scores without it and
// without pin, and adds both to their scores.
func (s *searcher) supportServers() {
	m, weight := &s.serverScores, s.x.recipe.ServerSupport
	if len(m.best) < s.x.serverCount {
		m.best = make([]float64, s.x.serverCount)
	}
	for i := range s.candidates {
		c := &s.candidates[i]
		server := s.x.servers[c.doc]
		m.best[server] = max(m.best[server], c.score)
	}
	for i := range s.candidates {
		c := &s.candidates[i]
		if !s.hasContent(c) {
			continue
		}
		best := c.score
		if server := s.x.servers[c.doc]; server != aloneOnServer {
			best = m.best[server]
		}
		c.values[serverSupport] = weight * best
	}
	for i := range s.candidates {
		c := &s.candidates[i]
		m.best[s.x.servers[c.doc]] = 0
		c.score += c.values[serverSupport]
		c.score += c.values[pin]
	}
}

// hasContent reports whether a candidate has a content word of the query or an expansion
// of one. Where the query has no content word, every candidate counts.
func (s *searcher) hasContent(c *candidate) bool {
	if !s.anyContent {
		return true
	}
	for _, h := range s.hitsOf(&c.scanned) {
		if s.terms[h.term].content {
			return true
		}
	}
	return false
}

package reach

import (
	"cmp"
	"context"
	"slices"

	"caliper/engine"
	"caliper/engine/hosts"
	"caliper/engine/labels"
	"caliper/model"
)

// Searcher is the tools of a session as one host searches them.
type Searcher interface {
	Host() *hosts.Host
	Limit() int                                 // hits in an answer that the model asks no number of
	Search(query string, limit int) []hosts.Hit // at most limit; 0: Limit; negative: all
	Active() bool                               // whether its tool search is on for these tools, as far as the tools decide
	Holds(t *model.Tool) bool                   // whether it is among the tools that are searched
	Refused() []string                          // servers whose tools it does not take
	Untold(query string) bool                   // what it finds cannot be told, for the host's Untold
}

// Agent is a host, or nil for the ranker of a snapshot of the reference agent.
type Agent struct {
	Host     *hosts.Host
	Snapshot *engine.Snapshot // of the session under it
}

// Searchers returns what agents search.
func Searchers(agents []Agent) []Searcher {
	out := make([]Searcher, len(agents))
	for i, a := range agents {
		if out[i] = Ranked(a.Snapshot); a.Host != nil {
			out[i] = Of(a.Host, a.Snapshot)
		}
	}
	return out
}

// Of returns what a host searches of a snapshot: a host of the reference agent searches the
// catalog, and the snapshot must be of its generation; another one searches every tool that
// the session is granted, since it has no setting of the reference agent.
func Of(h *hosts.Host, s *engine.Snapshot) Searcher {
	if h.Generation != "" {
		return reference{h, s}
	}
	return hosts.New(h, GrantedTools(s))
}

// Ranked returns a ranker of caliper's own, by which a snapshot of the reference agent ranks.
// No agent has it: it stands beside them, and does not count among them.
func Ranked(s *engine.Snapshot) Searcher {
	return reference{&hosts.Host{Name: s.Config.ToolSearch.Ranker, Title: s.Config.ToolSearch.Ranker, Package: "caliper", Ranker: true, Generation: s.Config.ToolSearch.Generation, On: s.Host().On}, s}
}

// Limited is a searcher that answers Most hits where the model asks no number.
type Limited struct {
	Searcher
	Most int
}

// Limit returns the other limit.
func (l Limited) Limit() int { return l.Most }

// GrantedTools returns the tools that the session of a snapshot is granted, in the order of the
// registry.
func GrantedTools(s *engine.Snapshot) (tools []*model.Tool) {
	for i, granted := range s.Grant(s.Session) {
		if granted {
			tools = append(tools, s.Registry.Tools[i])
		}
	}
	return tools
}

// reference is the reference agent.
type reference struct {
	host     *hosts.Host
	snapshot *engine.Snapshot
}

// Host returns the host.
func (r reference) Host() *hosts.Host { return r.host }

// Limit returns the configured number.
func (r reference) Limit() int { return r.snapshot.Config.ToolSearch.DefaultLimit }

// Active reports whether the bridge is in the assembly.
func (r reference) Active() bool { return r.snapshot.Assembly().Bridge }

// Untold returns false: the rules of the reference agent are known.
func (r reference) Untold(string) bool { return false }

// Refused returns nothing: the reference agent takes every server.
func (r reference) Refused() []string { return nil }

// Holds reports whether a tool is in the catalog.
func (r reference) Holds(t *model.Tool) bool { return holdsTool(r.snapshot.Catalog(), t) }

// Search returns what tool_search finds, whether or not the bridge is active.
func (r reference) Search(query string, limit int) []hosts.Hit {
	depth := 0
	if limit < 0 {
		depth = len(r.snapshot.Catalog())
	}
	return hitsOf(r.snapshot.Search(query, max(limit, 0), depth))
}

// hitsOf returns what tool_search finds as hits.
func hitsOf(found engine.Results) []hosts.Hit {
	out := make([]hosts.Hit, len(found.Hits))
	for i, h := range found.Hits {
		out[i] = hosts.Hit{Tool: h.Tool, Name: h.Tool.Name, Score: h.Score, Best: i + 1, Worst: i + 1}
	}
	return out
}

// Cut is why a host's answer lacks a tool.
type Cut string

// The reasons.
const (
	CutNothing Cut = ""       // it has the tool
	CutLimit   Cut = "limit"  // others are before it
	CutChance  Cut = "chance" // as many others are equal, and chance decides which are answered
	CutUntold  Cut = "untold" // whether it is answered cannot be told, for the host's Untold
	CutWords   Cut = "words"  // its texts have none of the query's words
	CutServer  Cut = "server" // the host does not take the tools of its server
	CutTool    Cut = "tool"   // the host leaves the tool out, for its name or a parameter's
	CutDirect  Cut = "direct" // the query is the name of other tools
	CutAbsent  Cut = "absent" // the host does not search it: the session does not grant it, or it is always sent
)

// Answer is the answer of one host to a query.
type Answer struct {
	Host   *hosts.Host
	Active bool
	Limit  int
	Hits   []hosts.Hit // within the limit
	Rank   int         // of the first expected tool among all hits, from 1; 0: it is not found, or none is expected
	Chance bool        // the rank is by chance, or cannot be told
	CutBy  Cut         // why no expected tool is among the hits
	Untold bool        // whether each expected tool is among them, or without an expectation what they are, cannot be told
}

// Ask returns what a host answers to a query in which some tools are expected; none for no
// expectation.
func Ask(s Searcher, query string, expected []*model.Tool) Answer {
	limit, all := s.Limit(), s.Search(query, -1)
	a := Answer{Host: s.Host(), Active: s.Active(), Limit: limit, Hits: all[:min(limit, len(all))], Untold: s.Untold(query)}
	for i, hit := range all {
		switch {
		case len(expected) == 0:
			a.Untold = a.Untold || i < limit && s.Host().Untold != "" && hit.Best != hit.Worst
			continue
		case hit.Tool == nil || !holdsTool(expected, hit.Tool):
			continue
		}
		cut := cutOf(s, hit)
		if a.Untold = a.Untold || cut == CutUntold; a.Rank == 0 {
			a.Rank, a.Chance, a.CutBy = i+1, hit.Best != hit.Worst, cut
		}
	}
	switch {
	case len(expected) == 0 || a.Rank > 0:
	case a.Untold:
		a.CutBy = CutUntold
	case slices.ContainsFunc(expected, s.Holds):
		if a.CutBy = CutWords; len(all) > 0 && all[0].Score == 0 { // what a query names has no score
			a.CutBy = CutDirect
		}
	case slices.ContainsFunc(expected, func(t *model.Tool) bool { return slices.Contains(s.Refused(), hosts.ServerOf(t)) }):
		a.CutBy = CutServer
	case slices.ContainsFunc(expected, s.Host().LeavesOut):
		a.CutBy = CutTool
	default:
		a.CutBy = CutAbsent
	}
	return a
}

// cutOf returns what cuts a hit of an answer. Where equal hits cross the limit, chance decides.
func cutOf(s Searcher, hit hosts.Hit) Cut {
	switch limit := s.Limit(); {
	case hit.Worst <= limit:
		return CutNothing
	case hit.Best > limit:
		return CutLimit
	case s.Host().Untold != "":
		return CutUntold
	}
	return CutChance
}

// holdsTool reports whether a tool is among others, which may be of a registry that was read
// another time.
func holdsTool(tools []*model.Tool, t *model.Tool) bool {
	return slices.ContainsFunc(tools, func(o *model.Tool) bool { return o.Qualified == t.Qualified })
}

// Depends is how labelled queries fare in several hosts.
type Depends struct {
	Queries int      // asked: those of which the session has a tool
	Hosts   []Fared  // in the order of the searchers, caliper's own rankers among them
	All     int      // found in all hosts, rankers left out
	None    int      // found in none of them
	Lost    []Unseen // tools that some host finds for none of the queries that expect them: those of the most hosts first
}

// Fared is how one host fares.
type Fared struct {
	Host   *hosts.Host
	Limit  int
	Found  int     // queries with an expected tool in the answer
	Chance int     // queries whose first expected tool is in the answer by chance, which are not found
	Untold int     // queries of which that cannot be told: they are in none of the host's figures
	Recall float64 // mean share of the needed capabilities in the answer, 0 to 1
	Worded labels.WordSplit
}

// Unseen is a tool that hosts do not find.
type Unseen struct {
	Tool      *model.Tool
	Hosts     []string
	Rewording *Rewording // set by Reword
}

// Depending returns the number of queries that some hosts find and others do not.
func (d Depends) Depending() int { return d.Queries - d.All - d.None }

// Compare asks labelled queries about tools of a registry in hosts. Progress, which may be nil, is told
// how many queries are done of how many.
func Compare(ctx context.Context, searchers []Searcher, registry *model.Registry, tools []*model.Tool, queries []labels.Query, progress func(done, all int)) (Depends, error) {
	d := Depends{Hosts: make([]Fared, len(searchers))}
	seen := map[*model.Tool][]int{} // how many queries that expect a tool found it, by host
	for i, s := range searchers {
		d.Hosts[i].Host, d.Hosts[i].Limit = s.Host(), s.Limit()
	}
	for at, q := range queries {
		if err := ctx.Err(); err != nil {
			return Depends{}, err
		}
		if progress != nil {
			progress(at, len(queries))
		}
		var expected []*model.Tool
		for _, t := range tools {
			if q.Wants(t) {
				expected = append(expected, t)
			}
		}
		if len(expected) == 0 {
			continue
		}
		d.Queries++
		found, agents := 0, 0
		for i, s := range searchers {
			ranker := s.Host().Ranker
			a := Ask(s, s.Host().Asked(q.Text), expected)
			sure := slices.DeleteFunc(slices.Clone(a.Hits), func(h hosts.Hit) bool { return h.Worst > a.Limit }) // no chance takes them from the answer
			within := func(t *model.Tool) bool {
				return slices.ContainsFunc(sure, func(h hosts.Hit) bool { return h.Tool != nil && h.Tool.Qualified == t.Qualified })
			}
			for _, t := range expected {
				if seen[t] == nil {
					seen[t] = make([]int, len(searchers))
				}
				if within(t) || ranker || a.Untold {
					seen[t][i]++
				}
			}
			f := &d.Hosts[i]
			if a.Untold {
				f.Untold++
				continue
			}
			recall := share(q.Needs(), sure)
			f.Recall += recall
			f.Worded.Add(q.Wording(registry), recall)
			if !ranker {
				agents++
			}
			switch a.CutBy {
			case CutNothing:
				f.Found++
				if !ranker {
					found++
				}
			case CutChance:
				f.Chance++
			}
		}
		switch {
		case agents == 0: // none can be told
		case found == agents:
			d.All++
		case found == 0:
			d.None++
		}
	}
	for i := range d.Hosts {
		d.Hosts[i].Worded.Means()
		d.Hosts[i].Recall /= float64(max(1, d.Queries-d.Hosts[i].Untold))
	}
	for t, counts := range seen {
		var lacking []string
		for i, n := range counts {
			if n == 0 {
				lacking = append(lacking, searchers[i].Host().Name)
			}
		}
		if len(lacking) > 0 {
			d.Lost = append(d.Lost, Unseen{Tool: t, Hosts: lacking})
		}
	}
	model.Sort(d.Lost, func(a, b Unseen) int {
		return cmp.Or(cmp.Compare(len(b.Hosts), len(a.Hosts)), cmp.Compare(a.Tool.Index, b.Tool.Index))
	})
	return d, nil
}

// share returns the share of needed capabilities of which a tool is among hits.
func share(needed [][]string, hits []hosts.Hit) float64 {
	n := 0
	for _, group := range needed {
		if slices.ContainsFunc(hits, func(h hosts.Hit) bool {
			return h.Tool != nil && (slices.Contains(group, h.Tool.Name) || slices.Contains(group, h.Tool.Qualified))
		}) {
			n++
		}
	}
	return float64(n) / float64(max(1, len(needed)))
}

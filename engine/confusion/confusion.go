// Package confusion maps which tools answer each other's queries, so that the model
// may take one for the other: pairs of twins and shadows, and servers that do the same
// as another.
//
// # What it computes
//
// The queries of a tool are the labelled queries that it is an answer to, and its own
// words: its name's, and the first sentence of its description (as lint asks).
// A tool without labels is known by its own words alone; the more labels a tool has, the
// less these count, so that one label is no verdict. Each query q of a tool a is searched
// in the session's catalog, and every other tool b among the first 100 hits (Bounds), that
// the label does not name too, is compared with a by their scores:
//
//	r(b, q) = min(1, score(b) / score(a))       score(a) is that of the first hit where a is not among these hits
//
// and 0 where b is not among them. The confusion of a with b, and how often b is above a
// among the hits that the model is shown, are the means over the queries of a:
//
//	c(a, b) = mean of r(b, q)
//	above(a, b) = share of q in which b ranks above a, and within the limit
//
// b answers the queries of a when c(a, b) is Answers or more. Two tools are twins when
// each answers the queries of the other; the confusion of the pair is the mean of both.
// b shadows a when it is above a in half of the queries of a, and they are no twins; the
// confusion of the pair is c(a, b).
//
// The formula is caliper's own: a confusion matrix that counts how near a tool came where
// the usual one counts how often it came first. Scores of different queries cannot be
// compared; their ratio within one query can.
//
// # Example
//
// send_mail and post_mail have no labels. For "send mail" the scores are send_mail 2.0 and
// post_mail 1.7, for "Send a letter to somebody" 4.0 and 3.8: c(send, post) is the mean of
// 0.85 and 0.95, 0.90. For the two queries of post_mail send_mail has 0.8 and 0.9 of the
// score: c(post, send) is 0.85. Both are at least 0.8, so they are twins with a confusion
// of 0.875, although each finds itself first.
//
// # The order
//
// Tools stand in an order in which similar ones are neighbours (seriation), by single
// linkage: pairs are joined from the most similar down, each joins two rows of tools at
// the two of their ends that are the most alike, and what remains are rows beside each other
// (order.go). Equal similarities are decided by name.
//
// Invariants:
//   - the order of the tools in the registry changes nothing
//   - Confusion is 0 to 1; two tools with the same words and no labels are twins
//   - equal inputs give equal maps, on any number of cores
//
// # Large catalogs
//
// What a search costs grows with the catalog, so that the searches for all tools of a
// catalog grow faster than it does. In a catalog of more than Large tools the first 50
// hits of a query are compared, and a sentence is asked by its 12 rarest words: those that
// the fewest other sentences have. A tool that shares only frequent words with another, or
// that 50 others are nearer to, then counts as one that the query does not find. Map.Bounds
// says which bounds a map has. With these bounds the map of 812 tools of real servers has
// all 519 pairs by bm25 and 158 of 161 by fielded, and the map of 100,000 synthetic tools all
// of its 158,019.
//
// Where many tools tie for a query, such as all with one description, the first by
// name are compared. In a large catalog only Bounds.Tied of them are, where they
// go on behind the hits that are compared. Map.Crowded says for how many tools that leaves
// out some that answer a query.
//
// Cost: a search for each label of a tool, and two for its own words; the ones that
// several tools have are searched once; memory for as many tools for each as are compared.
// Pairs that no search brings together cost nothing.
//
// Own words predict what labelled queries confuse: over nine public sets a pair that a query
// confuses has more confusion than one that none does with a probability of 0.65 by bm25 and
// 0.71 by fielded (AUC), of the pairs that own words bring together at all 0.71 and 0.75
// (development_test.go).
//
// Non-goals: judging which of two tools is the better one; meanings that share no word,
// unless the ranker knows them.
package confusion

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"caliper/engine"
	"caliper/engine/labels"
)

const (
	// Answers is the confusion from which on a tool answers the queries of another.
	Answers = 0.8
	// Duplicates is the share of the tools of a server from which on another server that
	// answers their queries duplicates it.
	Duplicates = 0.5
	// outranked is the share of queries from which on a tool shadows another.
	outranked = 0.5
	// leastAnswered is how many tools of a server another must answer to duplicate it: one
	// is a pair.
	leastAnswered = 2
)

// Kind is the relation of two tools.
type Kind string

// The kinds of pairs.
const (
	Twin   Kind = "twin"   // each answers the queries of the other
	Shadow Kind = "shadow" // the first ranks above the second on the queries of the second
)

// Tool is one tool of a map.
type Tool struct {
	Name     string // qualified
	Shown    string // name for a screen
	Toolset  string
	Tokens   int // of its definition
	Labelled int // queries that it is an answer to; 0: it is known by its own words alone
}

// Link is how a tool is confused with another: by the hits of its queries. It is small, since
// each of 100,000 equal tools has a hundred.
type Link struct {
	To        int32 // position of the other tool
	Above     int32 // in how many queries the other is above, and within the limit
	Confusion float64
}

// Pair is two tools that are confused. Of a shadow A is above B.
type Pair struct {
	A, B      int // positions
	Confusion float64
	Kind      Kind
}

// ServerPair is two toolsets where B does nearly what A does.
type ServerPair struct {
	A, B        string
	Overlap     float64 // the share of the tools of B whose queries a tool of A answers
	Saved       int     // tokens of the tools of B
	Lost        []int   // positions of the tools of B whose queries nothing outside of B answers
	LostQueries int     // labelled queries of these
}

// Map is which tools of a session are confused. Positions are indexes of Tools.
type Map struct {
	Session string
	Ranker  string
	Bounds  Bounds
	Crowded int          // tools with a query that finds more others that answer it than are compared
	Tools   []Tool       // similar ones beside each other
	Pairs   []Pair       // the most confused first, then twins before shadows, then by name
	Servers []ServerPair // the largest overlap first, then the most saved, then by name

	links   [][]Link // by position, sorted by To
	catalog []int    // by position: the index in the catalog
	asked   []int    // by position: how many queries were asked
}

// Link returns how the tool at a position is confused with another one; zero but for To
// when its queries do not find that.
func (m *Map) Link(from, to int) Link {
	if l := find(m.links[from], to); l != nil {
		return *l
	}
	return Link{To: int32(to)}
}

// Links returns how the tool at a position is confused with others, by position. It must
// not be changed.
func (m *Map) Links(from int) []Link { return m.links[from] }

// Above returns the share of the queries of the tool at a position that have another above it,
// and within the limit.
func (m *Map) Above(from, to int) float64 { return m.above(from, m.Link(from, to)) }

// above is Above for a link of the tool.
func (m *Map) above(from int, l Link) float64 {
	return float64(l.Above) / float64(max(1, m.asked[from]))
}

// Similarity returns the mean confusion of two tools, in both directions.
func (m *Map) Similarity(a, b int) float64 {
	return (m.Link(a, b).Confusion + m.Link(b, a).Confusion) / 2
}

// Of returns the map of the session's catalog. It calls progress, which may be nil, with
// how many tools are done, one call at a time. The error is ctx's.
func Of(ctx context.Context, s *engine.Snapshot, queries []labels.Query, progress func(done, total int)) (*Map, error) {
	for _, w := range []engine.Work{engine.WorkCounting, engine.WorkIndexing} {
		if err := s.Prepare(ctx, w); err != nil {
			return nil, err
		}
	}
	a := newAsking(s, queries)
	links, asked := make([][]Link, len(a.tools)), make([]int, len(a.tools))
	var next atomic.Int64
	var mu sync.Mutex
	var wait sync.WaitGroup
	done, crowded := 0, 0
	for range min(runtime.GOMAXPROCS(0), len(a.tools)) {
		wait.Go(func() {
			sums := newSums(len(a.tools))
			for i := int(next.Add(1)) - 1; i < len(a.tools) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				links[i], asked[i] = a.ask(i, sums)
				mu.Lock()
				if sums.crowded {
					crowded++
				}
				if done++; progress != nil {
					progress(done, len(a.tools))
				}
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m := &Map{Session: s.Session.Name, Ranker: s.Config.ToolSearch.Ranker, Bounds: a.bounds, Crowded: crowded}
	m.arrange(a, links, asked)
	m.pair()
	m.compareServers(a)
	return m, nil
}

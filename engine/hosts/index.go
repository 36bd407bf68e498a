package hosts

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/words"
)

// Index is the tools of a catalog as a host searches them, with the host's own. It never
// changes and may be searched by many goroutines.
type Index struct {
	host    *Host
	entries []*entry
	total   int                  // words of the texts of bm25
	joined  int                  // of these, by which a dictionary may have fewer
	average float64              // words, a tool; 0 only where none has any, and no score asks for it
	holders map[string][]holding // by word: the tools that have it, in their order, before one was reworded
	refused []string             // servers

	before   *Index // before a tool was reworded; nil: none was
	reworded int    // the entry
}

// holding is a tool that has a word in bm25's text, or in another that gives for a whole word.
type holding struct{ at, often int } // often: in bm25's text

// entry is a tool as a host's search reads it.
type entry struct {
	tool                *model.Tool // nil for one of the host's own
	at                  int
	wire, server, local string // the name that the model sees, the MCP server, the name there
	description         string
	hint                string         // words that only Claude Code searches
	text                string         // of one of the host's own
	name                string         // wire as a query is compared with it; empty where the host compares none
	counts              map[string]int // how often bm25's text has a word, 0 for one of the other texts; nil: holders have it
	length              int
	joined              int        // words of these by which a dictionary may have fewer
	whole               []string   // the words that add every idf of a query which has them all
	cut                 [][]string // the words of the texts of the rules, in their order
}

// Hit is a tool that a host finds.
type Hit struct {
	Tool  *model.Tool // nil: one of the host's own
	Name  string      // as the model sees it
	Score float64     // in the host's own measure; of Copilot CLI the tier: 3 name, 2 description, 1 parameters

	// Best and Worst are the ranks between which it stands, from 1. They differ where the host
	// leaves the order to chance, or where the order cannot be told; Worst is Nowhere for a hit
	// that may be none.
	Best, Worst int
}

// Nowhere is the rank of a tool that is not found.
const Nowhere = math.MaxInt

// New returns the index of tools, which are in the order of their source.
func New(h *Host, tools []*model.Tool) *Index {
	x := &Index{host: h, holders: map[string][]holding{}}
	refused := map[string]bool{}
	for _, t := range tools {
		if server := ServerOf(t); h.Refuses(t) && !refused[server] {
			refused[server] = true
			x.refused = append(x.refused, server)
		}
	}
	listed := slices.DeleteFunc(slices.Clone(tools), func(t *model.Tool) bool { return refused[ServerOf(t)] || h.LeavesOut(t) })
	names := h.Names(listed)
	for i, t := range listed {
		x.entries = append(x.entries, h.entryOf(t, names[i]))
	}
	var own map[string][]map[string]string
	if err := json.Unmarshal(ownText, &own); err != nil {
		panic(err) // a fault of the build
	}
	for _, t := range own[h.Name] {
		x.entries = append(x.entries, &entry{wire: t["name"], local: t["name"], description: t["description"], hint: t["hint"], text: t["text"]})
	}
	for at, e := range x.entries {
		e.at = at
		x.read(e)
		x.total += e.length
		x.joined += e.joined
		for w, n := range e.counts {
			x.holders[w] = append(x.holders[w], holding{at, n})
		}
		e.counts = nil
	}
	x.average = float64(x.total) / float64(len(x.entries))
	return x
}

// Reworded returns the index in which a tool has the name and the description of another
// definition of it. Hits have the tool as it was. The name must be no other's, and not so
// long that the host cuts it, and no other tool of the index may be reworded.
func (x *Index) Reworded(t, as *model.Tool) *Index {
	i := slices.IndexFunc(x.entries, func(e *entry) bool { return e.tool != nil && e.tool.Qualified == t.Qualified })
	if i < 0 {
		return x
	}
	y, was := *x, x.entries[i]
	y.entries, y.before, y.reworded = slices.Clone(x.entries), x, i
	now := x.host.entryOf(as, was.wire)
	now.tool, now.at = was.tool, was.at
	if now.local != was.local {
		now.wire = x.host.FullName(as)
	}
	y.entries[i] = now
	y.read(now)
	y.total += now.length - was.length
	y.joined += now.joined - was.joined
	y.average = float64(y.total) / float64(len(y.entries))
	return &y
}

// Alike reports whether a query finds the same in the same order as before a tool was
// reworded. It may be wrong where it says no.
func (x *Index) Alike(query string) bool {
	if x.before == nil {
		return true
	}
	r, was, now := x.host.rules, x.before.entries[x.reworded], x.entries[x.reworded]
	if r.bm25 != nil || was.wire != now.wire {
		return false
	}
	if r.tiers {
		pattern := patternOf(query)
		return pattern == nil || tierOf(was, pattern) == tierOf(now, pattern)
	}
	if x.host.direct != nil {
		if _, ok := x.host.direct(x, query); ok {
			return false
		}
	}
	q := x.readQuery(query)
	a, found := x.before.scoreOf(was, q, nil)
	b, finds := x.scoreOf(now, q, nil)
	return found == finds && a.score == b.score && a.covered == b.covered && a.first == b.first
}

// Names returns the names that a model sees of tools, which are in the order of their source.
func (h *Host) Names(tools []*model.Tool) []string {
	if h.names != nil {
		return h.names(h, tools)
	}
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = h.FullName(t)
	}
	return names
}

// FullName returns the name that a model sees of a tool where it is not too long.
func (h *Host) FullName(t *model.Tool) string {
	if h.naming == nil {
		return t.Name
	}
	return h.naming(ServerOf(t), h.localName(t))
}

// Itself returns the query by which a tool's own name finds it: the reference agent's qualified
// name, else the name that a model sees, or the one at the server where the host has the two apart.
func (h *Host) Itself(t *model.Tool) string {
	switch {
	case h.Generation != "":
		return t.Qualified
	case h.Grouped:
		return h.localName(t)
	}
	return h.FullName(t)
}

// localName returns the name of a tool at its server, as the host reads it.
func (h *Host) localName(t *model.Tool) string { return h.clean(cmp.Or(t.OriginalName, t.Name)) }

// clean returns a text as the host reads it.
func (h *Host) clean(text string) string {
	if h.cleaned == nil {
		return text
	}
	return h.cleaned(text)
}

// entryOf returns a tool with its name as a host's search reads it.
func (h *Host) entryOf(t *model.Tool, name string) *entry {
	return &entry{tool: t, wire: name, server: ServerOf(t), local: h.localName(t), description: h.clean(t.Description), hint: lower(words.CutUnits(t.Hint, 4096))}
}

// LeavesOut reports whether the host takes the tools of a server, but not this one: for its
// name or for that of a parameter.
func (h *Host) LeavesOut(t *model.Tool) bool { return h.leaves != nil && h.leaves(h.FullName(t), t) }

// Host returns the host.
func (x *Index) Host() *Host { return x.host }

// Limit returns the host's number of hits in an answer.
func (x *Index) Limit() int { return x.host.Limit }

// Active reports whether the host's tool search is on for these tools.
func (x *Index) Active() bool { return x.host.Searches(len(x.entries)) }

// Searches reports whether the host's tool search is on for n tools, as far as their number
// decides.
func (h *Host) Searches(n int) bool { return n > h.above }

// Holds reports whether a tool is searched.
func (x *Index) Holds(t *model.Tool) bool {
	return slices.ContainsFunc(x.entries, func(e *entry) bool { return e.tool != nil && e.tool.Qualified == t.Qualified })
}

// Called reports whether a tool that is searched has one of some names, as the model sees it.
func (x *Index) Called(names ...string) bool {
	return slices.ContainsFunc(x.entries, func(e *entry) bool { return slices.Contains(names, e.wire) })
}

// Refused returns the servers whose tools the host does not list, for a schema that its
// client does not take.
func (x *Index) Refused() []string { return x.refused }

// ServerOf returns the server of a tool, or the toolset of a tool without one.
func ServerOf(t *model.Tool) string { return cmp.Or(t.Server, t.Toolset) }

// read cuts the texts of a tool.
func (x *Index) read(e *entry) {
	r := x.host.rules
	e.counts = map[string]int{}
	if r.bm25 != nil {
		for _, w := range r.words(r.bm25.of(e)) {
			e.counts[w]++
			e.length++
		}
		if r.joined != nil {
			e.joined = min(r.joined(r.bm25.of(e)), max(0, e.length-1))
		}
	}
	if r.whole != nil {
		e.whole = r.whole(e)
	}
	switch {
	case slices.Contains(r.order, byExactName):
		e.name = piName(e.wire)
	case x.host.direct != nil:
		e.name = lower(e.wire)
	}
	for i, t := range r.texts {
		e.cut = append(e.cut, t.of(e))
		if t.equal > 0 && r.rescored == 0 {
			for _, w := range e.cut[i] {
				e.counts[w] += 0
			}
		}
	}
}

// Search returns what the host answers to a query, best first: at most limit hits, the
// host's own number for 0, all for a negative limit.
func (x *Index) Search(query string, limit int) []Hit {
	switch {
	case limit == 0:
		limit = x.host.Limit
	case limit < 0:
		limit = math.MaxInt
	}
	if x.host.direct != nil {
		if found, ok := x.host.direct(x, query); ok {
			out := make([]Hit, len(found))
			for i, e := range found {
				out[i] = Hit{e.tool, e.wire, 0, i + 1, i + 1}
			}
			return out[:min(limit, len(out))]
		}
	}
	var found []scored
	if !x.host.rules.tiers {
		found = x.score(query)
	} else if pattern := patternOf(query); pattern != nil {
		for _, e := range x.entries {
			if tier := tierOf(e, pattern); tier > 0 {
				found = append(found, scored{entry: e, score: tier})
			}
		}
	}
	slices.SortFunc(found, x.compare)
	out := make([]Hit, len(found))
	for i := 0; i < len(found); {
		j := i + 1
		for x.host.rules.chance && j < len(found) && found[j].score == found[i].score {
			j++
		}
		for k := i; k < j; k++ {
			out[k] = Hit{found[k].tool, found[k].wire, found[k].score, i + 1, j}
		}
		i = j
	}
	if x.joined > 0 {
		x.bound(query, found, out)
	}
	return out[:min(limit, len(out))]
}

// compare orders hits by the keys of the host, and equal ones as the tools are.
func (x *Index) compare(a, b scored) int { return cmp.Or(x.byKeys(a, b), cmp.Compare(a.at, b.at)) }

// byKeys orders hits by the keys of the host.
func (x *Index) byKeys(a, b scored) int {
	for _, k := range x.host.rules.order {
		c := 0
		switch k {
		case byExactName:
			c = falseLast(a.exact, b.exact)
		case byCovered:
			c = cmp.Compare(b.covered, a.covered)
		case byScore:
			c = cmp.Compare(b.score, a.score)
		case byFirst:
			c = cmp.Compare(a.first, b.first)
		case byServer:
			c = cmp.Or(strings.Compare(a.server, b.server), strings.Compare(a.wire, b.wire))
		case byLetters:
			c = cmp.Or(falseLast(a.tool == nil, b.tool == nil), words.CompareLetters(a.wire, b.wire))
		case byName:
			c = strings.Compare(a.wire, b.wire)
		}
		if c != 0 {
			return c
		}
	}
	return 0
}

// falseLast orders true before false.
func falseLast(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// Refuses reports whether the host takes no tool of a server that lists the tool.
func (h *Host) Refuses(t *model.Tool) bool { return h.refuses != nil && h.refuses(t) }

// ownText has the tools of the hosts' own that take places in answers, as words that are
// sorted: what their searches count of them. Those of Claude Code have their marks, since a
// query may have them.
//
//go:embed own.json
var ownText []byte

package engine

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/words"
)

// maxSuggestions bounds what a fault offers the model instead.
const maxSuggestions = 3

// Thresholds of the likeness of names, 0 to 1. They were set by trying misspelled,
// invented and unrelated names on the tools of real servers.
const (
	leastLike  = 0.7 // the least likeness of a suggestion
	nearWord   = 0.9 // the share of a word's weight that counts when it is one letter off
	mostBehind = 0.2 // how much lower than the first likeness the others may be
)

// Sizes in bytes. A suffix shorter than leastSuffix is in too many names to count,
// and comparing names longer than maxMeant costs too much.
const (
	leastSuffix = 3
	maxMeant    = 256
)

// Suggest returns names that the model may have meant, at most maxSuggestions, the
// most similar first and equal ones by name. It returns none when no name has the
// least likeness. See likeness.
//
// SECURITY: only names in the session's scope are read, so that no other name can be
// suggested or influence the choice.
func (s *Snapshot) Suggest(name string) []string {
	asked := splitName(name)
	if asked.folded == "" || len(name) > maxMeant {
		return nil
	}
	var candidates []candidate
	for _, t := range s.facts.byName() {
		if s.granted[t.Index] && s.class[t.Index] != Dropped && len(t.Name) <= maxMeant {
			candidates = append(candidates, s.candidate(t))
		}
	}
	weights := map[string]float64{}
	for _, c := range candidates {
		for i, w := range c.words {
			if !slices.Contains(c.words[:i], w) {
				weights[w]++
			}
		}
	}
	total := float64(len(candidates))
	for w, names := range weights {
		weights[w] = math.Log1p(total / names)
	}
	weights[""] = math.Log1p(total)
	for i := range candidates {
		candidates[i].likeness = asked.likeness(&candidates[i], weights)
	}
	candidates = slices.DeleteFunc(candidates, func(c candidate) bool { return c.likeness == 0 })
	model.Sort(candidates, func(a, b candidate) int { return cmp.Compare(b.likeness, a.likeness) })
	var out []string
	for _, c := range candidates[:min(len(candidates), maxSuggestions)] {
		if c.likeness > candidates[0].likeness-mostBehind {
			out = append(out, s.ModelName(c.tool))
		}
	}
	return out
}

// nameParts is a name cut into its words.
type nameParts struct {
	folded string   // its letters and digits, lower-cased
	words  []string // the same where they stand apart
}

// candidate is a tool whose name may have been meant.
type candidate struct {
	nameParts
	tool     *model.Tool
	server   []string // words of its server's name, which may begin its own
	likeness float64
}

// splitName cuts a name into its words.
func splitName(name string) nameParts {
	return nameParts{strings.Map(words.FoldRune, name), strings.Fields(strings.Map(func(r rune) rune {
		if r = words.FoldRune(r); r < 0 {
			return ' '
		}
		return r
	}, name))}
}

// candidate cuts a tool's name into its words.
func (s *Snapshot) candidate(t *model.Tool) candidate {
	server := strings.TrimPrefix(t.Toolset, "mcp-")
	if ts, ok := s.Registry.Toolset(t.Toolset); ok && ts.Server != "" {
		server = ts.Server
	}
	return candidate{nameParts: splitName(t.Name), tool: t, server: splitName(server).words}
}

// bare returns the words of a name without the server prefix: "mcp", and the
// words of the server behind it.
func (n nameParts) bare(server []string) []string {
	rest := n.words
	if len(rest) > 1 && rest[0] == "mcp" {
		rest = rest[1:]
	}
	if len(rest) > len(server) && slices.Equal(rest[:len(server)], server) {
		rest = rest[len(server):]
	}
	return rest
}

// likeness returns the similarity of a tool's name and the name asked for. It is 1
// for names that differ only in case, punctuation or server prefix, and 0 below
// leastLike. It is the larger of two similarities, by edited letters and by shared
// words. Both compare names without the server prefix, which would make all names
// of a server alike. A tool's name that ends in the name asked for has at least
// (1 + leastLike)/2.
func (n nameParts) likeness(c *candidate, weights map[string]float64) float64 {
	mine, theirs := n.bare(c.server), c.bare(c.server)
	a, b := strings.Join(mine, ""), strings.Join(theirs, "")
	best := max(spelling(a, b, len(b)), spelling(n.folded, c.folded, len(b)))
	if shared := sharedWords(mine, theirs, weights); shared >= leastLike {
		best = max(best, shared)
	}
	if len(n.folded) >= leastSuffix && strings.HasSuffix(c.folded, n.folded) {
		best = max(best, (1+leastLike)/2)
	}
	return best
}

// spelling returns 1 - d/size, where d is the number of letters to insert, remove,
// replace or swap to make b of a. It returns 0 when that is below leastLike.
func spelling(a, b string, size int) float64 {
	most := int(float64(size) * (1 - leastLike))
	edits := words.Alignment([]byte(a), []byte(b), most)
	if edits > most {
		return 0
	}
	return 1 - float64(edits)/float64(max(size, 1))
}

// sharedWords returns twice the weight of the words that two names share, divided by
// the weight of all words of both (Dice's coefficient). A longer word that is one
// letter off, such as a plural, counts nearWord of its weight.
func sharedWords(a, b []string, weights map[string]float64) float64 {
	weigh := func(w string) float64 {
		if known := weights[w]; known > 0 {
			return known
		}
		return weights[""]
	}
	shared, all := 0.0, 0.0
	for _, w := range b {
		all += weigh(w)
	}
	for _, w := range a {
		if slices.Contains(b, w) {
			all += weigh(w)
			shared += 2 * weigh(w)
			continue
		}
		near := slices.IndexFunc(b, func(o string) bool {
			return min(len(w), len(o)) > leastSuffix && words.Levenshtein([]byte(w), []byte(o), 1) <= 1
		})
		if near < 0 {
			all += weigh(w)
			continue
		}
		all += weigh(b[near])
		shared += 2 * nearWord * weigh(b[near])
	}
	if all == 0 {
		return 0
	}
	return shared / all
}

// ModelName returns the name by which the session's model calls a granted tool:
// its own, unless the session is granted another tool of that name; then the
// qualified one, which only the bridge takes, as a value in its arguments.
// Providers refuse a slash in the name of a tool, so that no definition is ever
// sent under a qualified name.
func (s *Snapshot) ModelName(t *model.Tool) string {
	if t.Qualified == t.Name {
		return t.Name
	}
	for _, other := range s.Registry.Lookup(t.Name) {
		if other != t && s.granted[other.Index] {
			return t.Qualified
		}
	}
	return t.Name
}

// bearers returns the tools that a name stands for in this session, raw or
// qualified: those that it is granted, else the first of those that it is not,
// which a scope gate then stops.
func (s *Snapshot) bearers(name string) []*model.Tool {
	all := s.Registry.Lookup(name)
	if len(all) < 2 {
		return all
	}
	granted := slices.DeleteFunc(slices.Clone(all), func(t *model.Tool) bool { return !s.granted[t.Index] })
	if len(granted) > 0 {
		return granted
	}
	return all[:1]
}

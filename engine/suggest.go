package engine

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"caliper/model"
)

// maxSuggestions bounds what a fault offers the model instead.
const maxSuggestions = 3

// The floor below which a name is not like enough to be meant, and what else
// says how like is enough: shares of 1, set by trying misspelt, invented and
// unrelated names on the tools of real servers.
const (
	leastLike  = 0.7
	nearWord   = 0.9 // of what a word is worth when it is one letter off
	mostBehind = 0.2 // how much less like than the first one others may be
)

// The sizes of names that suggestions are made for, in bytes: shorter ends say
// nothing, and the likeness of longer names costs too much.
const (
	leastSuffix = 3
	maxMeant    = 256
)

// suggest returns names that the model may have meant, the likest first and
// those as like by name; none when nothing is like enough. See likeness.
//
// SECURITY: only names in the session's scope are ever looked at, so that no
// other can be offered, and none weighs in the choice.
func (s *Snapshot) suggest(name string) []string {
	asked := splitName(name)
	if asked.folded == "" || len(name) > maxMeant {
		return nil
	}
	var candidates []candidate
	for _, t := range s.facts.byName {
		if s.granted[t.Index] && s.class[t.Index] != Dropped && len(t.Name) <= maxMeant {
			candidates = append(candidates, s.candidate(t))
		}
	}
	weights := wordWeights(candidates)
	for i := range candidates {
		candidates[i].likeness = asked.likeness(&candidates[i], weights)
	}
	candidates = slices.DeleteFunc(candidates, func(c candidate) bool { return c.likeness == 0 })
	slices.SortStableFunc(candidates, func(a, b candidate) int { return cmp.Compare(b.likeness, a.likeness) })
	var out []string
	for _, c := range candidates[:min(len(candidates), maxSuggestions)] {
		if c.likeness > candidates[0].likeness-mostBehind {
			out = append(out, s.ModelName(c.tool))
		}
	}
	return out
}

// nameParts is a name in its parts.
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

// splitName returns the parts of a name.
func splitName(name string) nameParts {
	return nameParts{folded(name), strings.Fields(strings.Map(func(r rune) rune {
		if r = foldRune(r); r < 0 {
			return ' '
		}
		return r
	}, name))}
}

// candidate returns the parts of a tool's name.
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
	words := n.words
	if len(words) > 1 && words[0] == "mcp" {
		words = words[1:]
	}
	if len(words) > len(server) && slices.Equal(words[:len(server)], server) {
		words = words[len(server):]
	}
	return words
}

// bareName returns a tool's name without its server prefix.
func (s *Snapshot) bareName(t *model.Tool) string {
	c := s.candidate(t)
	return strings.Join(c.bare(c.server), "_")
}

// likeness returns how like a tool's name is to the one asked for, from 1 for
// names that differ in case, punctuation or the server prefix alone, to 0 for
// those below the floor. What counts is what the tool is called beside its
// server, because the prefix makes all names of a server alike: the letters to
// change in that, or the words shared, whichever is the more like. A name that
// ends in the one asked for is half-way between the floor and 1.
func (n nameParts) likeness(c *candidate, weights map[string]float64) float64 {
	mine, theirs := n.bare(c.server), c.bare(c.server)
	a, b := strings.Join(mine, ""), strings.Join(theirs, "")
	best := max(spelling(a, b, len(b)), spelling(n.folded, c.folded, len(b)))
	if best < leastLike {
		best = 0
	}
	if shared := sharedWords(mine, theirs, weights); shared >= leastLike {
		best = max(best, shared)
	}
	if len(n.folded) >= leastSuffix && strings.HasSuffix(c.folded, n.folded) {
		best = max(best, (1+leastLike)/2)
	}
	return best
}

// spelling returns 1 less the letters to insert, remove, replace or swap in a
// name, as a share of size letters; 0 when that is clearly below the floor.
func spelling(a, b string, size int) float64 {
	most := int(float64(size) * (1 - leastLike))
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return 0
	}
	return 1 - float64(editDistance(a, b))/float64(max(size, 1))
}

// editDistance returns the optimal string alignment distance of a and b in
// bytes: insertions, removals, replacements and swaps of neighbours.
func editDistance(a, b string) int {
	rows := make([]int, 3*(len(b)+1))
	before, above, row := rows[:len(b)+1], rows[len(b)+1:2*len(b)+2], rows[2*len(b)+2:]
	for j := range above {
		above[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(above[j+1]+1, row[j]+1, above[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}

// wordWeights returns what the words of names are worth: the more, the fewer
// names have them, so that two names are not alike for a "get" or a "tool". A
// word of no name is worth the most, which stands under "".
func wordWeights(candidates []candidate) map[string]float64 {
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
	return weights
}

// sharedWords returns what the words of two names have in common, in weight:
// twice the words of a that b has too, of all words of both. A longer word that
// is one letter off, a plural for example, is nearly the same.
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
		near := slices.IndexFunc(b, func(o string) bool { return min(len(w), len(o)) > leastSuffix && oneEdit(w, o) })
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

// folded returns the letters and digits of a name, lower-cased.
func folded(name string) string { return strings.Map(foldRune, name) }

// foldRune returns a letter or digit, lower-cased, and -1 for everything else.
// What is beyond ASCII counts as a letter.
func foldRune(r rune) rune {
	switch {
	case r >= 'A' && r <= 'Z':
		return r + 'a' - 'A'
	case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r >= 0x80:
		return r
	}
	return -1
}

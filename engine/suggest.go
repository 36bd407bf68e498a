package engine

import (
	"slices"
	"strings"

	"caliper/model"
)

// maxSuggestions bounds what a fault offers the model instead.
const maxSuggestions = 3

// leastSuffix is how many letters the end of a name must have to say anything.
const leastSuffix = 3

// suggest returns names that the model may have meant, best first: those that
// differ only in case, punctuation or a left-out server prefix, then what a
// search for the name's words finds.
//
// SECURITY: only names in the session's scope are ever offered.
func (s *Snapshot) suggest(name string) []string {
	var out []string
	add := func(t *model.Tool) {
		if len(out) < maxSuggestions && s.granted[t.Index] && s.class[t.Index] != Dropped && !slices.Contains(out, t.Qualified) {
			out = append(out, t.Qualified)
		}
	}
	if bare := folded(name); len(bare) >= leastSuffix {
		for _, t := range s.facts.byName {
			if len(out) == maxSuggestions {
				return out
			}
			if s.granted[t.Index] && strings.HasSuffix(folded(t.Name), bare) {
				add(t)
			}
		}
	}
	for _, h := range s.index.Search(name, maxSuggestions).Hits {
		add(s.catalog[h.Doc])
	}
	return out
}

// folded returns the letters and digits of a name, lower-cased.
func folded(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r >= 0x80:
			return r
		}
		return -1
	}, name)
}

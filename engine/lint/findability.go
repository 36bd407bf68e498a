package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"caliper/model"
)

// findability returns what a survey found.
func (c *check) findability(survey []Reach) []draft {
	var out []draft
	for _, r := range survey {
		switch {
		case r.Dark():
			p := firstAsked(r)
			out = append(out, c.sought(found(DarkTool, Error, r.Tool, "%s%s", missed(r), shadowed(r.Shadows())), p.Query))
		case r.Name.Query != "" && !r.Name.Found:
			out = append(out, c.sought(found(NameNotFound, Warning, r.Tool, "%q finds it %s%s",
				r.Name.Query, place(r.Name), shadowed(r.Name.Shadows)), r.Name.Query))
		case r.Sentence.Query != "" && !r.Sentence.Found:
			out = append(out, c.sought(found(SentenceNotFound, Warning, r.Tool, "its first sentence finds it %s%s",
				place(r.Sentence), shadowed(r.Sentence.Shadows)), r.Sentence.Query))
		}
	}
	return out
}

// firstAsked returns the probe that a dark tool is to be brought in for.
func firstAsked(r Reach) Probe {
	for _, p := range []Probe{r.Name, r.Sentence, r.Parameters} {
		if p.Query != "" {
			return p
		}
	}
	return Probe{}
}

// missed says by what a dark tool was asked for.
func missed(r Reach) string {
	var parts []string
	for _, p := range []struct {
		what string
		Probe
	}{
		{fmt.Sprintf("its name (%q)", r.Name.Query), r.Name},
		{"its first sentence", r.Sentence}, {"its parameters", r.Parameters},
	} {
		if p.Query != "" {
			parts = append(parts, p.what+" "+place(p.Probe))
		}
	}
	if len(parts) == 0 {
		return "it has no words to ask for"
	}
	return "found by " + strings.Join(parts, ", by ")
}

// place says where a query finds a tool.
func place(p Probe) string {
	if p.Rank == 0 {
		return "not at all"
	}
	return fmt.Sprintf("at rank %d", p.Rank)
}

// shadowed says what stands before a tool.
func shadowed(by []*model.Tool) string {
	if len(by) == 0 {
		return ""
	}
	return "; before it: " + names(by)
}

// sought gives a finding about a query that does not find its tool the changes
// of the description that may help, the smallest first: the rarest words of
// the query that the tool lacks, then its rarest words once more, then all of a
// name, then a description of one sentence, which weighs its words more.
func (c *check) sought(d draft, query string) draft {
	if query == "" {
		return d
	}
	t := d.Tool
	d.seek = true
	d.plans = func() []plan {
		var plans []plan
		words := c.byRarity(query)
		lacking := slices.DeleteFunc(slices.Clone(words), func(w string) bool {
			_, has := slices.BinarySearch(c.words[t.Index], w)
			return has
		})
		seen := map[string]bool{t.Description: true}
		try := func(text, change string) {
			if text != "" && !seen[text] {
				seen[text] = true
				plans = append(plans, plan{change: model.Sanitize(change), edits: description(t, text), query: query, subject: t})
			}
		}
		first := strings.TrimSpace(t.Description[:sentenceEnd(t.Description)])
		add := func(text, prefix string, words []string) {
			if len(words) > 0 {
				sentence := about("", inOrder(words, query))
				try(behind(text, sentence), fmt.Sprintf(`%sadd %q to the description`, prefix, sentence))
			}
		}
		name := lower(nameWords(ownName(t)))
		addName := func(text, prefix string) {
			if len(name) > 0 {
				sentence := inShort("", name)
				try(behind(text, sentence), fmt.Sprintf(`%sadd %q to the description`, prefix, sentence))
			}
		}
		const firstAnd = "keep only the first sentence and "
		add(t.Description, "", lacking[:min(1, len(lacking))])
		add(t.Description, "", lacking[:min(maxAdded, len(lacking))])
		add(t.Description, "", words[:min(1, len(words))])
		addName(t.Description, "")
		add(t.Description, "", words[:min(maxAdded, len(words))])
		try(first, "keep only the first sentence of the description")
		addName(first, firstAnd)
		add(first, firstAnd, words[:min(maxAdded, len(words))])
		if text := described(t); text != "" {
			try(behind(text, first), fmt.Sprintf("describe it as %q and its first sentence", text))
			try(text, fmt.Sprintf("describe it as %q", text))
		}
		return plans
	}
	return d
}

// maxAdded is how many words a remedy adds: more would be a second
// description.
const maxAdded = 4

// byRarity returns the distinct words of a query that carry a subject, those
// first that the fewest tools of the catalog hold; the others only when there
// is nothing else.
func (c *check) byRarity(query string) []string {
	var words []string
	for _, w := range textWords(query) {
		if !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	subjects := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return functionWords[w] })
	if len(subjects) > 0 {
		words = subjects
	}
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(c.df[a], c.df[b]) })
	return words
}

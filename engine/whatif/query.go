package whatif

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"caliper/engine/retrieval"
	"caliper/model/words"
)

// WithWords returns a query with missing words appended as remedies append them: after one space,
// or alone if the text is blank.
func WithWords(text, missing string) string {
	if text = words.Strip(text); text == "" {
		return missing
	}
	return text + " " + missing
}

// wordUse is how common a word is in the session's catalog.
type wordUse struct {
	word  string
	tools int // that hold it
	here  int // times that the tool in question holds it
	place int // in the text, among other words
}

// uses returns how common words are, each once, in the order given. The words
// must be tokens.
func (r *remedies) uses(words []string) []wordUse {
	seen := map[string]bool{}
	var out []wordUse
	for _, w := range words {
		if !seen[w] {
			seen[w] = true
			out = append(out, wordUse{word: w, place: len(out)})
		}
	}
	explained, _ := r.snapshot.Explain(joined(out), r.asked.Tool)
	parts := explained.Children
	if len(parts) < len(out) || slices.ContainsFunc(parts[:len(out)], func(e retrieval.Explanation) bool { return e.Token == "" }) {
		return r.counted(out) // a literal fallback, or a ranker that does not count words one by one
	}
	for i := range out {
		out[i].tools, out[i].here = parts[i].DF, parts[i].TF
	}
	return out
}

// counted is uses by the text alone: of all tools of the registry.
func (r *remedies) counted(uses []wordUse) []wordUse {
	own := Words(r.asked.Tool)
	for i, u := range uses {
		uses[i].tools = r.known().Tools(u.word)
		for _, w := range own {
			if w == u.word {
				uses[i].here++
			}
		}
	}
	return uses
}

// known returns how many tools of the registry have each word.
func (r *remedies) known() *Vocabulary {
	if r.words == nil {
		r.words = NewVocabulary(r.snapshot.Registry.Tools, nil)
	}
	return r.words
}

// byWorth sorts words by how useful they are to add: words that few tools have
// first, fillers last. Equal words stay in the order of the text.
func byWorth(uses []wordUse) {
	slices.SortStableFunc(uses, func(a, b wordUse) int {
		switch {
		case Filler(a.word) == Filler(b.word):
			return cmp.Compare(a.tools, b.tools)
		case Filler(b.word):
			return -1
		}
		return 1
	})
}

// joined returns the words with a space between two.
func joined(uses []wordUse) string {
	return strings.Join(singles(uses), " ")
}

// singles returns the words.
func singles(uses []wordUse) []string {
	out := make([]string, len(uses))
	for i, u := range uses {
		out[i] = u.word
	}
	return out
}

// queryWord offers a word of the tool to add to the query. It tries the words in the
// order in which people are likely to know them: words of the name, words repeated
// in the description, other words of the description, words of the parameters,
// fillers. Among words of one kind it offers the one that raises the tool most, and
// of equal ones the rarest. If no single word is enough, it offers two: the best two
// of the name, or else the first two in this order that are enough.
func (r *remedies) queryWord(ctx context.Context) error {
	groups := r.ownWords()
	left := maxWordTrials
	for _, group := range groups {
		group = group[:min(len(group), left)]
		left -= len(group)
		if done, err := r.best(ctx, singles(group), false); done || err != nil {
			return err
		}
	}
	name := groups[0]
	for _, group := range groups[1:] {
		r.inOrderOfText(group)
	}
	all := slices.Concat(groups...)
	if done, err := r.best(ctx, pairs(name[:min(len(name), maxPairWords)]), false); done || err != nil {
		return err
	}
	_, err := r.best(ctx, pairs(all[:min(len(all), maxPairWords)]), true)
	return err
}

// inOrderOfText sorts words in the order of the text, because a text begins with the
// purpose of the tool. Words that very many tools have, like "get", come last.
func (r *remedies) inOrderOfText(uses []wordUse) {
	common := func(u wordUse) bool { return Common(u.tools, len(r.snapshot.Catalog())) }
	slices.SortFunc(uses, func(a, b wordUse) int {
		switch {
		case common(a) == common(b):
			return cmp.Compare(a.place, b.place)
		case common(b):
			return -1
		}
		return 1
	})
}

// ownWords returns the words of the tool that the query does not have, each
// once, the plainest kind first and the rarest of each kind first: the words of its
// name, those repeated in its description, the words of its description, of its
// parameters, and the fillers of all but the name.
func (r *remedies) ownWords() [][]wordUse {
	t := r.asked.Tool
	known := map[string]bool{}
	for _, w := range retrieval.Tokens(r.asked.Query) {
		known[w] = true
	}
	description, parameters := retrieval.Tokens(t.Description), retrieval.Tokens(strings.Join(t.PropertyNames(), " "))
	texts := [][]string{retrieval.Tokens(t.Name), repeated(description), description, parameters}
	groups := make([][]wordUse, len(texts)+1)
	for i, text := range texts {
		before := len(known)
		fresh := slices.DeleteFunc(text, func(w string) bool { return known[w] })
		groups[i] = r.uses(fresh)
		for j := range groups[i] {
			groups[i][j].place += before
		}
		byWorth(groups[i])
		for _, w := range fresh {
			known[w] = true
		}
	}
	for i, group := range groups[1:len(texts)] {
		worthy := slices.IndexFunc(group, func(u wordUse) bool { return Filler(u.word) })
		if worthy >= 0 {
			groups[len(texts)] = append(groups[len(texts)], group[worthy:]...)
			groups[1+i] = group[:worthy]
		}
	}
	return groups
}

// repeated returns the words that stand in a text more than once.
func repeated(text []string) []string {
	times := map[string]int{}
	for _, w := range text {
		times[w]++
	}
	return slices.DeleteFunc(slices.Clone(text), func(w string) bool { return times[w] < 2 })
}

// pairs returns every two of the words, in the order in which the text has
// them, the pairs of early words first.
func pairs(uses []wordUse) []string {
	var out []string
	for i, later := range uses {
		for _, u := range uses[:i] {
			if later.place < u.place {
				out = append(out, later.word+" "+u.word)
			} else {
				out = append(out, u.word+" "+later.word)
			}
		}
	}
	return out
}

// best offers the change of the query with which the tool has the best rank, the
// first of equal ones, if that rank is within the limit. When first is set, it
// offers the first change that raises the tool to within the limit. It tries fewer
// changes when the query is long.
func (r *remedies) best(ctx context.Context, changes []string, first bool) (done bool, err error) {
	best, bestRank := "", r.asked.Limit+1
	most := max(minTrials, maxTrialText/(len(r.asked.Query)+1))
	for _, change := range changes[:min(len(changes), most)] {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		rank, _, ok := r.snapshot.Rank(WithWords(r.asked.Query, change), r.asked.Tool)
		if ok && rank < bestRank {
			if best, bestRank = change, rank; first {
				break
			}
		}
	}
	if best == "" {
		return false, nil
	}
	rank, ok := r.within(r.snapshot, WithWords(r.asked.Query, best), r.asked.Limit)
	if ok {
		r.offer(RemedyQueryWord, best, rank)
	}
	return ok, nil
}

package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"caliper/engine/retrieval"
)

// WithWords returns a query or a description with words appended, as remedies
// mean it: behind one space, or alone where there was nothing but white space.
func WithWords(text, words string) string {
	if text = trim(text); text == "" {
		return words
	}
	return text + " " + words
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
	for i, part := range explained.Children {
		if part.Token != "" { // of a literal fallback there is one part, for the whole query
			out[i].tools, out[i].here = part.DF, part.TF
		}
	}
	return out
}

// byWorth puts the words first that are worth adding: fillers last, and among
// the others those that the fewest tools hold first. What is as common stays in
// the order of the text.
func byWorth(uses []wordUse) {
	slices.SortStableFunc(uses, func(a, b wordUse) int {
		switch {
		case fillers[a.word] == fillers[b.word]:
			return cmp.Compare(a.tools, b.tools)
		case fillers[b.word]:
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

// queryWord offers the best word of the tool to add to the query. Any word of
// its name is better than one of its description, that than one of its
// parameters, and a filler is the worst: people say the first, and hardly
// anybody knows the names of parameters. Among words of one kind the best
// brings the tool furthest up; of several, it is the rarest. Two words are
// offered when no single one works.
func (r *remedies) queryWord(ctx context.Context) error {
	groups := r.ownWords()
	left := maxWordTrials
	for _, group := range groups {
		group = group[:min(len(group), left)]
		left -= len(group)
		if done, err := r.best(ctx, singles(group)); done || err != nil {
			return err
		}
	}
	for _, words := range [][]wordUse{groups[0], slices.Concat(groups...)} {
		if done, err := r.best(ctx, pairs(words[:min(len(words), maxPairWords)])); done || err != nil {
			return err
		}
	}
	return nil
}

// ownWords returns the words of the tool's name, of its description, of its
// parameters, and the fillers of these two, that the query does not have: each
// word once and the rarest of each kind first.
func (r *remedies) ownWords() [][]wordUse {
	t := r.asked.Tool
	known := map[string]bool{}
	for _, w := range retrieval.Tokens(r.asked.Query) {
		known[w] = true
	}
	texts := []string{t.Name, t.Description, strings.Join(t.PropertyNames(), " ")}
	groups := make([][]wordUse, len(texts)+1)
	for i, text := range texts {
		before := len(known)
		fresh := slices.DeleteFunc(retrieval.Tokens(text), func(w string) bool { return known[w] })
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
		worthy := slices.IndexFunc(group, func(u wordUse) bool { return fillers[u.word] })
		if worthy >= 0 {
			groups[len(texts)] = append(groups[len(texts)], group[worthy:]...)
			groups[1+i] = group[:worthy]
		}
	}
	return groups
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

// best offers the words that bring the tool furthest up when they are added to
// the query, the first of several, if that is within the limit. It tries fewer
// when the query is long.
func (r *remedies) best(ctx context.Context, changes []string) (done bool, err error) {
	best, bestRank := "", r.asked.Limit+1
	most := max(minTrials, maxTrialText/(len(r.asked.Query)+1))
	for _, change := range changes[:min(len(changes), most)] {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		rank, _, ok := r.snapshot.Rank(WithWords(r.asked.Query, change), r.asked.Tool)
		if ok && rank < bestRank {
			best, bestRank = change, rank
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

package whatif

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"
	"unicode/utf8"

	"caliper/engine/retrieval"
)

// descriptionWords offers the fewest words of the query that raise the tool to
// within the limit when they are added to its description, or records what it tried.
func (r *remedies) descriptionWords(ctx context.Context) error {
	lacking, slips := r.lacking()
	done, err := r.fewest(ctx, lacking)
	if !done {
		r.asked.Tried, r.asked.Slips = singles(lacking), singles(slips)
	}
	return err
}

// fewest tries each word alone and every two; where neither is enough, all together
// and then the choices between, at most maxIndexes of them and one of each size, those
// of the first words first.
func (r *remedies) fewest(ctx context.Context, lacking []wordUse) (done bool, err error) {
	for n := 1; n <= min(smallChange, len(lacking)); n++ {
		if done, _, err := r.chosen(ctx, lacking, n, math.MaxInt); done || err != nil {
			return done, err
		}
	}
	if len(lacking) <= smallChange {
		return false, nil
	}
	// If all words together do not raise the tool enough, the choices between hardly will.
	every := inOrder(lacking)
	all, ok, err := r.described(ctx, every)
	if !ok || err != nil {
		return false, err
	}
	left := maxIndexes
	for n := smallChange + 1; n < len(lacking); n++ {
		done, tried, err := r.chosen(ctx, lacking, n, max(1, left))
		if done || err != nil {
			return done, err
		}
		left -= tried
	}
	return true, r.offerDescribed(ctx, every, all)
}

// chosen offers the first of the choices of n words that raises the tool to within
// the limit, of the first most choices, and returns how many it tried in vain.
func (r *remedies) chosen(ctx context.Context, lacking []wordUse, n, most int) (done bool, tried int, err error) {
	for i, choice := range choices(lacking, n) {
		if i >= most {
			break
		}
		words := inOrder(choice)
		rank, ok, err := r.described(ctx, words)
		if err != nil {
			return false, tried, err
		}
		if ok {
			return true, tried, r.offerDescribed(ctx, words, rank)
		}
		tried++
	}
	return false, tried, nil
}

// offerDescribed offers words for the description, and finds out which tool they
// push behind the limit.
func (r *remedies) offerDescribed(ctx context.Context, words string, rank int) error {
	r.offer(RemedyDescriptionWords, words, rank)
	edited, err := r.withDescription(ctx, words)
	if err != nil {
		return err
	}
	after, err := edited.Search(ctx, r.asked.Query, r.asked.Limit)
	if fallen := Fallen(r.snapshot.Search(r.asked.Query, r.asked.Limit, 0), after, r.asked.Limit); len(fallen) > 0 {
		r.asked.Remedies[len(r.asked.Remedies)-1].Displaced = fallen[0]
	}
	return err
}

// lacking returns the words of the query that the tool does not have and that can be
// added to a description, at most maxLackingWords: those that other tools have in the
// order of byWorth, then those that no tool has, in the order of the query. It leaves
// out fillers, common words and single letters. Slips are the words that no tool has,
// but for one edit: nobody should write them into a description.
func (r *remedies) lacking() (lacking, slips []wordUse) {
	var foreign []wordUse
	for _, u := range r.uses(retrieval.Tokens(r.asked.Query)) {
		switch {
		case u.here > 0 || Filler(u.word) || Common(u.tools, len(r.snapshot.Catalog())):
		case u.tools > 0 || r.known().Known(u.word):
			lacking = append(lacking, u)
		case utf8.RuneCountInString(u.word) == 1:
		case r.known().Slip(u.word):
			slips = append(slips, u)
		default:
			foreign = append(foreign, u)
		}
	}
	byWorth(lacking)
	lacking = append(lacking, foreign...)
	return lacking[:min(len(lacking), maxLackingWords)], slips
}

// inOrder returns the words as the query has them, with a space between two.
func inOrder(words []wordUse) string {
	words = slices.Clone(words)
	slices.SortFunc(words, func(a, b wordUse) int { return cmp.Compare(a.place, b.place) })
	return joined(words)
}

// described searches the session's catalog for the query with words that the tool's
// description mentions, and returns the tool's rank when it is within the
// limit. The error is ctx's.
func (r *remedies) described(ctx context.Context, words string) (rank int, ok bool, err error) {
	edited, err := r.withDescription(ctx, words)
	if err != nil {
		return 0, false, err
	}
	rank, _, err = edited.Rank(ctx, r.asked.Query, r.asked.Tool)
	return rank, rank > 0 && rank <= r.asked.Limit, err
}

// withDescription tries the tool's description with words that it mentions. The error is
// ctx's.
func (r *remedies) withDescription(ctx context.Context, words string) (*Trial, error) {
	return TryText(ctx, r.snapshot, r.asked.Tool, Mention(r.asked.Tool.Description, words))
}

// choices yields every choice of n of the words with its number, those made of
// early words first. A choice is valid until the next one.
func choices(words []wordUse, n int) iter.Seq2[int, []wordUse] {
	return func(yield func(int, []wordUse) bool) {
		places := make([]int, n)
		for i := range places {
			places[i] = i
		}
		choice := make([]wordUse, n)
		for number := 0; ; number++ {
			for i, p := range places {
				choice[i] = words[p]
			}
			if !yield(number, choice) {
				return
			}
			i := n - 1
			for i >= 0 && places[i] == len(words)-n+i {
				i--
			}
			if i < 0 {
				return
			}
			for next := places[i] + 1; i < n; i, next = i+1, next+1 {
				places[i] = next
			}
		}
	}
}

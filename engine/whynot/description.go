package whynot

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"caliper/engine/retrieval"
	"caliper/engine/trial"
	"caliper/engine/vocabulary"
)

// descriptionWords offers the fewest words of the query that raise the tool to
// within the limit when they are added to its description. It prefers rare words
// and takes no fillers. It searches an index for every choice of words; when there
// are too many choices of one size, it tries only the rarest words, which weigh most.
func (r *remedies) descriptionWords(ctx context.Context) error {
	lacking := r.lacking()
	if len(lacking) == 0 {
		return nil
	}
	// If all words together do not raise the tool enough, fewer will not either.
	every := inOrder(lacking)
	all, ok, err := r.described(ctx, every)
	if !ok || err != nil {
		return err
	}
	tried := 1
	for n := 1; n < len(lacking); n++ {
		for i, choice := range choices(lacking, n) {
			if i > 0 && tried >= maxIndexes {
				break
			}
			words := inOrder(choice)
			rank, ok, err := r.described(ctx, words)
			if err != nil {
				return err
			}
			if ok {
				return r.offerDescribed(ctx, words, rank)
			}
			tried++
		}
	}
	return r.offerDescribed(ctx, every, all)
}

// offerDescribed offers words for the description, and finds out which tool they
// push behind the limit.
func (r *remedies) offerDescribed(ctx context.Context, words string, rank int) error {
	r.offer(RemedyDescriptionWords, words, rank)
	edited, err := r.withDescription(ctx, words)
	if err != nil {
		return err
	}
	for _, h := range r.snapshot.Search(r.asked.Query, r.asked.Limit, 0).Hits {
		_, ok, err := edited.Within(ctx, r.asked.Query, h.Tool, r.asked.Limit)
		if err != nil {
			return err
		}
		if h.Within && !ok {
			r.asked.Remedies[len(r.asked.Remedies)-1].Displaced = h.Tool
			break
		}
	}
	return nil
}

// lacking returns the words of the query that the tool does not have, in the order
// of byWorth, at most maxLackingWords. It leaves out words that do not belong in a
// description, as package vocabulary says.
func (r *remedies) lacking() []wordUse {
	uses := r.uses(retrieval.Tokens(r.asked.Query))
	uses = slices.DeleteFunc(uses, func(u wordUse) bool {
		return u.here > 0 || vocabulary.Filler(u.word) || vocabulary.Common(u.tools, len(r.snapshot.Catalog())) ||
			u.tools == 0 && !r.known().Known(u.word)
	})
	byWorth(uses)
	return uses[:min(len(uses), maxLackingWords)]
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
	return edited.Within(ctx, r.asked.Query, r.asked.Tool, r.asked.Limit)
}

// withDescription tries the tool's description with words that it mentions. The error is
// ctx's.
func (r *remedies) withDescription(ctx context.Context, words string) (*trial.Trial, error) {
	text := WithMention(r.asked.Tool.Description, words)
	return trial.Try(ctx, r.snapshot, trial.Edit{Tool: r.asked.Tool, Description: &text})
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

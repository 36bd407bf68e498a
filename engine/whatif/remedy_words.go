package whatif

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"caliper/engine"
	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/words"
)

// The bounds of the words that are tried.
const (
	maxWordTrials   = 256     // single words added to the query
	maxPairWords    = 24      // words that are added two at a time
	maxTrialText    = 1 << 22 // bytes of the queries tried in one go, unless that is fewer than minTrials
	minTrials       = 8
	maxMissingWords = 8 // words of the query that are added to the description
)

// WithWords returns a query with words behind it, after a space unless it is blank.
func WithWords(text, missing string) string {
	if text = words.Strip(text); text == "" {
		return missing
	}
	return text + " " + missing
}

// Mention returns a description that mentions words: in brackets at the end of its last
// sentence, or alone if the text is blank. A ranker reads the same words as behind a space.
//
// Example: "Mark a page as reviewed." with confirm is "Mark a page as reviewed (confirm)."
func Mention(description, missing string) string {
	text := words.Strip(description)
	if text == "" {
		return missing
	}
	end := ""
	if n := len(text) - 1; text[n] == '.' {
		text, end = text[:n], "."
	}
	return text + " (" + missing + ")" + end
}

// descriptionWords offers the fewest words of the query that raise the tool to within the
// limit when its description mentions them, or records what it tried: each word alone, every
// two, and the first three and more.
func (r *remedies) descriptionWords(ctx context.Context) error {
	missing, slips := r.snapshot.Vocabulary().Missing(r.answer.Tool, r.answer.Query)
	missing = slices.DeleteFunc(missing, r.unread)
	missing = missing[:min(len(missing), maxMissingWords)]
	var lists [][]string
	for _, w := range missing {
		lists = append(lists, []string{w})
	}
	lists = append(lists, pairs(missing)...)
	for n := 3; n <= len(missing); n++ {
		lists = append(lists, missing[:n])
	}
	for _, list := range lists {
		mention := strings.Join(retrieval.InOrder(list, r.answer.Query), " ")
		tried, err := TryText(ctx, r.snapshot, r.answer.Tool, Mention(r.answer.Tool.Description, mention))
		if err != nil {
			return err
		}
		e, err := tried.Entry(ctx, r.answer.Query, r.answer.Tool, r.answer.Limit)
		if err != nil {
			return err
		}
		if e.Enters {
			r.add(Remedy{Kind: RemedyDescriptionWords, Change: mention, NewRank: e.RankAfter, Displaced: e.Displaced})
			return nil
		}
	}
	r.answer.Tried, r.answer.Slips = missing, slips
	return nil
}

// unread reports whether the ranker does not read all of a word.
func (r *remedies) unread(word string) bool {
	unread, _ := r.snapshot.Unread(word)
	return unread > 0
}

// queryWord offers a word of the tool to add to the query. It tries the words in the
// order in which people are likely to know them: words of the name, words repeated
// in the description, other words of the description, words of the parameters,
// fillers. Among words of one kind it offers the one that raises the tool most, and
// of equal ones the rarest. If no single word is enough, it offers two: the best two
// of the name, or else the first two in this order that are enough.
func (r *remedies) queryWord(ctx context.Context) error {
	kinds := r.ownWords()
	left := maxWordTrials
	for _, kind := range kinds {
		rare := slices.SortedStableFunc(slices.Values(kind), func(a, b string) int {
			return cmp.Compare(r.snapshot.Vocabulary().Tools(a), r.snapshot.Vocabulary().Tools(b))
		})
		rare = rare[:min(len(rare), left)]
		left -= len(rare)
		if done, err := r.best(ctx, rare, false); done || err != nil {
			return err
		}
	}
	for i, of := range [][]string{kinds[0], slices.Concat(kinds...)} {
		var changes []string
		for _, pair := range pairs(of[:min(len(of), maxPairWords)]) {
			changes = append(changes, strings.Join(pair, " "))
		}
		if done, err := r.best(ctx, changes, i > 0); done || err != nil {
			return err
		}
	}
	return nil
}

// ownWords returns the words of the tool that the query does not have, each once, the
// plainest kind first: those of its name, those repeated in its description, others of its
// description, those of its parameters, and the fillers of all but the name. A kind is in the
// order of the text, because a text begins with the purpose of the tool; words that very many
// tools have, like "get", come last.
func (r *remedies) ownWords() [][]string {
	t := r.answer.Tool
	times := map[string]int{}
	for w := range words.Each(t.Description) {
		times[w]++
	}
	asked, named := map[string]bool{}, map[string]bool{}
	for w := range words.Each(r.answer.Query) {
		asked[w] = true
	}
	for w := range words.Each(t.Name) {
		named[w] = true
	}
	var kinds, common [5][]string
	for _, w := range words.Distinct(slices.Values(retrieval.ToolWords(t))) {
		kind := 3
		switch {
		case asked[w] || r.unread(w):
			continue
		case named[w]:
			kind = 0
		case retrieval.Filler(w):
			kind = 4
		case times[w] > 1:
			kind = 1
		case times[w] == 1:
			kind = 2
		}
		if r.snapshot.Vocabulary().Common(w) {
			common[kind] = append(common[kind], w)
		} else {
			kinds[kind] = append(kinds[kind], w)
		}
	}
	for kind := range kinds {
		kinds[kind] = append(kinds[kind], common[kind]...)
	}
	return kinds[:]
}

// pairs returns every two of the words, those of early words first.
func pairs(list []string) [][]string {
	var out [][]string
	for i, later := range list {
		for _, w := range list[:i] {
			out = append(out, []string{w, later})
		}
	}
	return out
}

// best offers the change of the query with which the tool has the best rank, the
// first of equal ones, if that rank is within the limit. When first is set, it
// offers the first change that raises the tool to within the limit. It tries fewer
// changes when the query is long.
func (r *remedies) best(ctx context.Context, changes []string, first bool) (done bool, err error) {
	best, bestRank := "", r.answer.Limit+1
	most := max(minTrials, maxTrialText/(len(r.answer.Query)+1))
	for _, change := range changes[:min(len(changes), most)] {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		rank, _, ok := r.snapshot.Rank(WithWords(r.answer.Query, change), r.answer.Tool)
		if ok && rank < bestRank {
			if best, bestRank = change, rank; first {
				break
			}
		}
	}
	if best == "" {
		return false, nil
	}
	rank, ok := r.within(r.snapshot, WithWords(r.answer.Query, best), r.answer.Limit)
	if ok {
		r.add(Remedy{Kind: RemedyQueryWord, Change: best, NewRank: rank})
	}
	return ok, nil
}

// Entry is the effect of a change on a tool's rank among the hits, and who pays for it.
type Entry struct {
	RankBefore, RankAfter int         // of the tool, 0 for none
	Enters                bool        // it is within the limit after the change and was not before
	Displaced             *model.Tool // the best ranked tool that falls below the limit for that; nil for none
}

// Entry returns what the edits do to the place of a tool. The error is ctx's.
func (t *Trial) Entry(ctx context.Context, query string, tool *model.Tool, limit int) (Entry, error) {
	after, _, err := t.Rank(ctx, query, tool)
	if err != nil {
		return Entry{}, err
	}
	return entry(t.snapshot, query, tool, limit, after, func() (engine.Results, error) { return t.Search(ctx, query, limit) })
}

// EntryBy returns what another snapshot of the registry does to the place of a tool.
func EntryBy(s, other *engine.Snapshot, query string, tool *model.Tool, limit int) Entry {
	after, _, _ := other.Rank(query, tool)
	e, _ := entry(s, query, tool, limit, after, func() (engine.Results, error) { return other.Search(query, limit, 0), nil })
	return e
}

// entry compares the rank of a tool before and after a change; hits only where it enters.
func entry(s *engine.Snapshot, query string, tool *model.Tool, limit, after int, search func() (engine.Results, error)) (Entry, error) {
	e := Entry{RankAfter: after}
	e.RankBefore, _, _ = s.Rank(query, tool)
	within := func(rank int) bool { return rank > 0 && rank <= limit }
	if e.Enters = within(e.RankAfter) && !within(e.RankBefore); !e.Enters {
		return e, nil
	}
	found, err := search()
	if left := fallen(s.Search(query, limit, 0), found, limit); len(left) > 0 {
		e.Displaced = left[0]
	}
	return e, err
}

// fallen returns the tools that are within a limit before a change and not after it, the
// best first.
func fallen(before, after engine.Results, limit int) []*model.Tool {
	var out []*model.Tool
	left := after.Hits[:min(len(after.Hits), limit)]
	for _, h := range before.Hits[:min(len(before.Hits), limit)] {
		if !slices.ContainsFunc(left, func(l engine.Hit) bool { return l.Tool == h.Tool }) {
			out = append(out, h.Tool)
		}
	}
	return out
}

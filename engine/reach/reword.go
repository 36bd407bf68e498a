package reach

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"caliper/engine/hosts"
	"caliper/engine/labels"
	"caliper/engine/whatif"
	"caliper/model"
)

// Rewording is a change of a tool's words by which hosts find it that did not. It is judged by
// the queries that it is made of, which says less of the next one.
type Rewording struct {
	Name        string   // at its server; empty: as it is
	Words       []string // that the description mentions besides; none: it is as it is
	Description string   // with them
	Helped      []string // hosts that find more of the queries that expect the tool, and none fewer
	Lacking     int      // hosts that do not find all of these
}

// The bounds of the search for a rewording.
const (
	mostWords   = 4  // of queries, in all changes of one tool
	mostJudged  = 3  // changes that are asked all queries
	longestName = 64 // characters, the least of the hosts
)

// outcome tells whether a host's answer meets a need of a query.
type outcome int

const (
	nowhere  outcome = iota
	byChance         // chance decides whether it is met
	met
)

// rewording finds changes of words.
type rewording struct {
	searchers []Searcher // whose search is on, rankers left out
	queries   []labels.Query
	expected  [][][]*model.Tool // by query and need
	before    [][][]outcome     // by searcher, query and need
}

// Reword puts into the first most of the unseen tools the change of words that helps in most
// of the hosts which do not find all of their queries: in more than half of them, and in no
// host does a need of any query fall. Of equal changes it is the least. A need that chance
// decides is not met. Progress, which may be nil, is told how many tools are done of how many.
// The error is ctx's.
func Reword(ctx context.Context, searchers []Searcher, tools []*model.Tool, queries []labels.Query, unseen []Unseen, most int, progress func(done, all int)) error {
	unseen = unseen[:min(most, len(unseen))]
	r, words := rewording{queries: queries}, whatif.AskedWords(tools)
	for _, s := range searchers {
		if !s.Host().Ranker && s.Active() {
			r.searchers = append(r.searchers, s)
		}
	}
	if len(unseen) == 0 || len(r.searchers) == 0 {
		return nil
	}
	for _, q := range queries {
		var needs [][]*model.Tool
		for _, names := range q.Needs() {
			needs = append(needs, slices.DeleteFunc(slices.Clone(tools), func(t *model.Tool) bool {
				return !slices.Contains(names, t.Name) && !slices.Contains(names, t.Qualified)
			}))
		}
		r.expected = append(r.expected, needs)
	}
	for _, s := range r.searchers {
		var places [][]outcome
		for q := range queries {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			places = append(places, r.ask(s, q))
		}
		r.before = append(r.before, places)
	}
	for i := range unseen {
		if progress != nil {
			progress(i, len(unseen))
		}
		var err error
		if unseen[i].Rewording, err = r.best(ctx, unseen[i].Tool, words); err != nil {
			return err
		}
	}
	return nil
}

// ask returns the places of a query's needs in a host's answer.
func (r *rewording) ask(s Searcher, query int) []outcome {
	all := s.Search(s.Host().Asked(r.queries[query].Text), -1)
	out := make([]outcome, len(r.expected[query]))
	for n, expected := range r.expected[query] {
		for _, hit := range all {
			if hit.Tool == nil || !holdsTool(expected, hit.Tool) {
				continue
			}
			switch cutOf(s, hit) {
			case CutNothing:
				out[n] = met
			case CutChance, CutUntold:
				out[n] = max(out[n], byChance)
			}
		}
	}
	return out
}

// best returns the best change of a tool's words, of those that words returns for the queries; nil for none.
func (r *rewording) best(ctx context.Context, t *model.Tool, words func(t *model.Tool, texts []string) []string) (*Rewording, error) {
	var own []int
	var texts []string
	for i, q := range r.queries {
		if q.Wants(t) {
			own, texts = append(own, i), append(texts, q.Text)
		}
	}
	// The changes that are tried, the least first: of the description, of the name, of both.
	var changes []Rewording
	asked := words(t, texts)
	asked = asked[:min(mostWords, len(asked))]
	local := cmp.Or(t.OriginalName, t.Name)
	described := func(name string, words ...string) {
		changes = append(changes, Rewording{Name: name, Words: words, Description: whatif.Mention(t.Description, strings.Join(words, " "))})
	}
	for _, w := range asked {
		described("", w)
	}
	for n := 2; n <= len(asked); n++ {
		described("", asked[:n]...)
	}
	for _, w := range asked {
		changes = append(changes, Rewording{Name: withWord(local, w), Description: t.Description})
	}
	if len(asked) > 1 {
		described(withWord(local, asked[0]), asked[1:]...)
	}
	var tried []Rewording
	for _, w := range changes {
		if err := r.help(ctx, t, own, &w); err != nil {
			return nil, err
		}
		if 2*len(w.Helped) > w.Lacking {
			tried = append(tried, w)
		}
	}
	model.Sort(tried, func(a, b Rewording) int { return len(b.Helped) - len(a.Helped) })
	for _, w := range tried[:min(mostJudged, len(tried))] {
		if hurts, err := r.hurts(ctx, t, w); !hurts || err != nil {
			return &w, err
		}
	}
	return nil, nil
}

// withWord returns a name with one more word, written as the name is.
func withWord(name, word string) string {
	switch {
	case strings.Contains(name, "_"):
		return name + "_" + word
	case strings.Contains(name, "-"):
		return name + "-" + word
	case strings.ContainsFunc(name, unicode.IsUpper):
		return name + strings.ToUpper(word[:1]) + word[1:]
	}
	return name + "_" + word
}

// help finds the hosts which a change helps with the queries that expect the tool.
func (r *rewording) help(ctx context.Context, t *model.Tool, own []int, w *Rewording) error {
	for i, s := range r.searchers {
		all, better, worse := true, false, false
		changed, err := with(ctx, s, t, *w)
		if err != nil || changed == nil {
			w.Helped = nil
			return err
		}
		for _, q := range own {
			for n, now := range r.ask(changed, q) {
				was := r.before[i][q][n]
				if !holdsTool(r.expected[q][n], t) {
					continue
				}
				all = all && was == met
				better, worse = better || now == met && was != met, worse || now < was
			}
		}
		if !all {
			w.Lacking++
		}
		if better && !worse {
			w.Helped = append(w.Helped, s.Host().Name)
		}
	}
	return nil
}

// hurts reports whether a need of some query falls in some host by a change.
func (r *rewording) hurts(ctx context.Context, t *model.Tool, w Rewording) (bool, error) {
	for i, s := range r.searchers {
		changed, err := with(ctx, s, t, w)
		if err != nil {
			return true, err
		}
		for q := range r.queries {
			if err := ctx.Err(); err != nil {
				return true, err
			}
			if x, ok := changed.(*hosts.Index); ok && x.Alike(s.Host().Asked(r.queries[q].Text)) {
				continue
			}
			for n, now := range r.ask(changed, q) {
				if now < r.before[i][q][n] {
					return true, nil
				}
			}
		}
	}
	return false, nil
}

// with returns what a host searches once a tool has other words; nil where the tool cannot
// have the name.
func with(ctx context.Context, s Searcher, t *model.Tool, w Rewording) (Searcher, error) {
	switch s := s.(type) {
	case Limited:
		inner, err := with(ctx, s.Searcher, t, w)
		if inner == nil {
			return nil, err
		}
		return Limited{inner, s.Most}, err
	case reference:
		own := s.snapshot.Registry.Lookup(t.Qualified)
		if len(own) != 1 {
			return s, nil
		}
		edit, ok := w.edit(own[0])
		if !ok || edit.Name != nil && len(s.snapshot.Registry.Lookup(*edit.Name)) > 0 {
			return nil, nil
		}
		trial, err := whatif.Try(ctx, s.snapshot, edit)
		return tried{s, trial}, err
	case *hosts.Index:
		as := *t
		edit, ok := w.edit(t)
		if !ok {
			return nil, nil
		}
		if as.Description = w.Description; edit.Name != nil {
			if as.Name, as.OriginalName = *edit.Name, w.Name; s.Called(as.Name, s.Host().FullName(&as)) || len(s.Host().FullName(&as)) > longestName {
				return nil, nil
			}
		}
		return s.Reworded(t, &as), nil
	}
	return s, nil
}

// edit returns the change of a tool's definition. ok is false when its name does not end with
// the name at its server, so that nobody knows how the new one is made.
func (w Rewording) edit(t *model.Tool) (e whatif.Edit, ok bool) {
	e.Tool = t
	if w.Description != t.Description {
		e.Description = &w.Description
	}
	if w.Name != "" {
		before, ends := strings.CutSuffix(t.Name, cmp.Or(t.OriginalName, t.Name))
		name := before + w.Name
		if !ends || len(name) > longestName {
			return e, false
		}
		e.Name = &name
	}
	return e, true
}

// tried is the reference agent once a tool has other words.
type tried struct {
	reference
	trial *whatif.Trial
}

// Search returns what tool_search finds; nothing of an edit that failed, or was called off.
func (t tried) Search(query string, limit int) []hosts.Hit {
	depth := limit
	if limit < 0 {
		depth = len(t.snapshot.Catalog())
	}
	found, _ := t.trial.Search(context.Background(), query, depth)
	return hitsOf(found)
}

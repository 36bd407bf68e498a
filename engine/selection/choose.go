package selection

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"caliper/engine"
	"caliper/model"
)

// maxMissed is how many of the next best tools a Selection lists as missed.
const maxMissed = 5

// choice is the tools that a message selects besides the core, before send makes a Selection
// of it.
type choice struct {
	picks  []pick // in the order in which they are sent
	missed []ranked
	notes  []Note
	scores []float64 // similarities of the candidates, if the strategy goes by them
	floor  float64
}

// pick is a candidate that was chosen.
type pick struct {
	ranked
	reason Reason
}

// chosen returns the choice for a message and its rankings. It takes the tools that
// the message names, all of them, and then the best ranked until there are K
// tools. Tools of the history are added to these K.
func (s *Selector) chosen(message string, history []string, l rankings) choice {
	var c choice
	var past []int
	if s.settings.Sticky {
		past = s.scope.remembered(history)
	}
	if s.takesAll() {
		c = s.cut(nil, &fusion{})
		c.notes = []Note{{NoteFewCandidates, fmt.Sprintf("%d candidates for %d places: all are selected", len(c.picks), s.settings.K)}}
		s.arrange(c.picks, past)
		return c
	}
	f := s.fuse(l, s.settings.K+len(l.named)+len(past)+maxMissed)
	c = s.cut(l.named, f)
	keyword, semantic := s.settings.weights(l)
	if semantic > 0 {
		c.scores, c.floor = l.scores, l.floor
	}
	if s.settings.Strategy.usesSimilarity() && (s.settings.Strategy == Semantic || s.settings.Semantic > 0) {
		c.notes = slices.Clone(l.notes)
	}
	if l.excluded != nil {
		c.notes = append(c.notes, Note{NoteExcluded, l.excluded.ShownName + " is named, but excluded"})
	}
	switch {
	case keyword <= 0 && semantic <= 0:
		c.notes = append(c.notes, Note{NoteNoWeight, "both weights are 0: nothing is ranked"})
	case len(f.listed) == 0 && strings.TrimSpace(message) == "":
		c.notes = append(c.notes, Note{NoteNothingFound, "there is no message: nothing is ranked"})
	case len(f.listed) == 0:
		c.notes = append(c.notes, Note{NoteNothingFound, "no tool is like the message: nothing is ranked"})
	case keyword > 0 && semantic > 0 && len(l.semantic) == 0:
		c.notes = append(c.notes, Note{NoteNoneSimilar, fmt.Sprintf("keywords only: no tool is above the floor of %s, %.2f", s.similarity.name(), l.floor)})
	case keyword > 0 && semantic > 0 && len(l.keyword) == 0:
		c.notes = append(c.notes, Note{NoteNoKeyword, s.similarity.name() + " only: no tool has a word of the message"})
	}
	taken := make(map[int]bool, len(c.picks)+len(past))
	for _, p := range c.picks {
		taken[p.doc] = true
	}
	for _, doc := range past {
		if !taken[doc] {
			taken[doc] = true
			c.picks = append(c.picks, pick{f.of(doc), Sticky})
		}
	}
	c.missed = slices.DeleteFunc(slices.Clone(c.missed), func(r ranked) bool { return taken[r.doc] })
	c.missed = c.missed[:min(len(c.missed), maxMissed)]
	s.arrange(c.picks, past)
	return c
}

// cut returns the choice of the named candidates and then of the best ranked, K
// together. It takes all candidates when there are no more than K.
func (s *Selector) cut(named []int, f *fusion) choice {
	var c choice
	if s.takesAll() {
		for doc := range s.scope.Candidates {
			c.picks = append(c.picks, pick{ranked{doc: doc}, All})
		}
		return c
	}
	return s.best(named, f)
}

// best is cut where not all candidates are taken.
func (s *Selector) best(named []int, f *fusion) choice {
	var c choice
	for _, doc := range named {
		c.picks = append(c.picks, pick{f.of(doc), Mentioned})
	}
	for i, r := range f.best {
		if len(c.picks) >= s.settings.K {
			c.missed = f.best[i:]
			break
		}
		if !slices.Contains(named, r.doc) {
			c.picks = append(c.picks, pick{r, Ranked})
		}
	}
	return c
}

// named returns the indexes of the candidates that the message names, by rule 3, in the
// order in which it names them, and the first excluded tool that it names, if any.
func (s *Selector) named(message string) (docs []int, excluded *model.Tool) {
	if s.settings.IgnoreNames {
		return nil, nil
	}
	for _, t := range s.scope.names.find(message) {
		if number := s.scope.numbers[t.Index]; number > 0 {
			docs = append(docs, number-1)
		} else if excluded == nil {
			excluded = t
		}
	}
	return docs, excluded
}

// arrange sorts picks in the order in which they are sent: first the tools of the
// history in its order, then the others in registry order.
func (s *Selector) arrange(picks []pick, past []int) {
	position := make(map[int]int, len(past))
	for i, doc := range past {
		position[doc] = i - len(past) // negative; the others have 0
	}
	slices.SortFunc(picks, func(a, b pick) int {
		return cmp.Or(cmp.Compare(position[a.doc], position[b.doc]), cmp.Compare(s.scope.Candidates[a.doc].Index, s.scope.Candidates[b.doc].Index))
	})
}

// Message is a user's message with the rankings of the candidates for it. It never
// changes.
type Message struct {
	text     string
	rankings rankings
}

// Rank returns a message, ranked for Brief under some strategies, whatever the strategy of the
// settings is. Each ranking is made once, however many strategies want it. The error is
// ctx's.
func (s *Selector) Rank(ctx context.Context, message string, strategies ...Strategy) (m Message, err error) {
	m.text = message
	if s.takesAll() || !slices.ContainsFunc(strategies, Strategy.Ranks) {
		return m, ctx.Err()
	}
	keyword, semantic := false, false
	set := s.settings
	for _, set.Strategy = range strategies {
		keyword, semantic = keyword || set.wantsKeywords(), semantic || set.wantsSimilarity()
	}
	m.rankings, err = s.ask(ctx, message, keyword, semantic)
	return m, err
}

// Brief is a Selection in short: what decides on the bytes that are sent, and on the next
// selection of the session.
type Brief struct {
	Assembly engine.Assembly
	History  []string // as Selection.History returns it
	Notes    []Note   // on the rankings
}

// Brief returns what Select returns for a message that was ranked for the strategy of the
// settings, which is one that ranks. The message must come from a selector of the same
// snapshot, scope and settings but for the strategy.
func (s *Selector) Brief(m Message, history []string) Brief {
	l := m.rankings
	if !s.settings.wantsSimilarity() { // another strategy did
		l.semantic, l.similarityFailed, l.notes = nil, false, nil
	}
	c := s.chosen(m.text, history, l)
	b := Brief{Assembly: s.assembly(c), Notes: c.notes}
	if len(c.picks) > 0 {
		b.History = make([]string, len(c.picks))
	}
	for i, p := range c.picks {
		b.History[i] = s.scope.Candidates[p.doc].Qualified
	}
	return b
}

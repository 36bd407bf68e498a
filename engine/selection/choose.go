package selection

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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
	c.notes = s.notesOf(message, l, f)
	if _, semantic := s.settings.weights(l); semantic > 0 {
		c.scores, c.floor = l.scores, l.floor
	}
	s.remember(&c, f, past)
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

// remember adds the tools of the history to a choice, and shortens missed to the
// first maxMissed that are not selected.
func (s *Selector) remember(c *choice, f *fusion, past []int) {
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
	rest := c.missed
	c.missed = nil
	for _, r := range rest {
		if len(c.missed) == maxMissed {
			break
		}
		if !taken[r.doc] {
			c.missed = append(c.missed, r)
		}
	}
}

// named returns the candidates that the message names, by rule 3, and an excluded
// tool that it names, if any.
func (s *Selector) named(message string) ([]int, *model.Tool) {
	if s.settings.IgnoreNames {
		return nil, nil
	}
	return s.scope.mentioned(message)
}

// notesOf returns the notes on a choice that was ranked.
func (s *Selector) notesOf(message string, l rankings, f *fusion) []Note {
	var notes []Note
	if s.settings.Strategy.usesSimilarity() && (s.settings.Strategy == Semantic || s.settings.Semantic > 0) {
		notes = slices.Clone(l.notes)
	}
	if l.excluded != nil {
		notes = append(notes, Note{NoteExcluded, l.excluded.ShownName + " is named, but excluded"})
	}
	switch keyword, semantic := s.settings.weights(l); {
	case keyword <= 0 && semantic <= 0:
		notes = append(notes, Note{NoteNoWeight, "both weights are 0: nothing is ranked"})
	case len(f.listed) == 0 && strings.TrimSpace(message) == "":
		notes = append(notes, Note{NoteNothingFound, "there is no message: nothing is ranked"})
	case len(f.listed) == 0:
		notes = append(notes, Note{NoteNothingFound, "no tool is like the message: nothing is ranked"})
	case keyword > 0 && semantic > 0 && len(l.semantic) == 0:
		notes = append(notes, Note{NoteNoneSimilar, fmt.Sprintf("keywords only: no tool is above the floor of %s, %.2f", s.similarity.name(), l.floor)})
	case keyword > 0 && semantic > 0 && len(l.keyword) == 0:
		notes = append(notes, Note{NoteNoKeyword, s.similarity.name() + " only: no tool has a word of the message"})
	}
	return notes
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

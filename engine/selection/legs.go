package selection

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"caliper/engine/embed"
	"caliper/engine/retrieval"
	"caliper/model"
)

// legs are what the two rankings say of a message. Documents are places in the
// scope's candidates.
type legs struct {
	keyword  []retrieval.Hit // of a positive score, best first, ties by name
	semantic []retrieval.Hit // above the floor, likewise

	similarityFailed bool // it was asked, and the reason is in notes
	notes            []Note

	keywordTook, semanticTook, bothTook time.Duration
}

// took returns the time of the legs that a strategy needs.
func (l legs) took(s Strategy) time.Duration {
	switch {
	case s == Keyword:
		return l.keywordTook
	case s == Semantic && !l.similarityFailed:
		return l.semanticTook
	}
	return l.bothTook
}

// maxStuck is how many calls of an embedder may have been given up without
// having returned. Beyond it the embedder is not asked until some return, so
// that one that heeds no context costs a bounded number of goroutines.
const maxStuck = 4

// similarity is the semantic leg, or why there is none.
type similarity struct {
	embed.Similarity
	absent error
	stuck  atomic.Int32 // calls given up that have not returned
}

// call is one call of a similarity, which runs in a goroutine.
type call struct {
	reply chan answer
	done  atomic.Bool // it was given up, or it has returned, whichever was first
}

// answer is what a similarity returned.
type answer struct {
	scores []float64
	err    error
	took   time.Duration
}

// ask asks the legs. The keyword leg is asked for a failed semantic one too.
// The error is ctx's: an embedder's is a note.
func (s *Selector) ask(ctx context.Context, message string, keyword, semantic bool) (legs, error) {
	var l legs
	start := s.settings.Now()
	waiting, stop := context.WithTimeout(ctx, s.settings.Timeout)
	defer stop()
	var asked *call
	if semantic {
		if note, ok := s.similarity.usable(); ok {
			asked = s.similarity.begin(waiting, s.settings.Now, message, s.scope.Candidates)
		} else {
			l.fail(note)
		}
	}
	if keyword || l.similarityFailed {
		s.askKeywords(&l, message)
	}
	if asked != nil {
		s.await(ctx, waiting, &l, asked)
		if l.similarityFailed && !keyword {
			s.askKeywords(&l, message)
		}
	}
	l.bothTook = s.settings.Now().Sub(start)
	return l, ctx.Err()
}

// askKeywords fills the keyword leg.
func (s *Selector) askKeywords(l *legs, message string) {
	start := s.settings.Now()
	l.keyword = s.ranker.Search(message, s.ranker.Len()).Hits
	l.keywordTook = s.settings.Now().Sub(start)
}

// fail notes that the semantic leg is missing, and why.
func (l *legs) fail(n Note) {
	l.similarityFailed = true
	l.notes = append(l.notes, n)
}

// usable reports whether the similarity can be asked, and else why not.
func (s *similarity) usable() (Note, bool) {
	switch {
	case s.Similarity == nil && s.absent != nil:
		return Note{NoteNoEmbedder, "keywords only: " + model.Sanitize(s.absent.Error())}, false
	case s.Similarity == nil:
		return Note{NoteNoEmbedder, "keywords only: there is no embedder"}, false
	case s.stuck.Load() >= maxStuck:
		return Note{NoteEmbedderStuck, fmt.Sprintf("keywords only: %s has %d calls that do not return", s.name(), maxStuck)}, false
	}
	return Note{}, true
}

// name returns the embedder's identity, safe for a terminal.
func (s *similarity) name() string { return model.Sanitize(s.Identity().String()) }

// begin asks the similarity in a goroutine, which may be given up.
func (s *similarity) begin(ctx context.Context, now func() time.Time, message string, tools []*model.Tool) *call {
	c := &call{reply: make(chan answer, 1)}
	go func() {
		start := now()
		scores, err := s.Scores(ctx, message, tools)
		c.reply <- answer{scores, err, now().Sub(start)}
		if !c.done.CompareAndSwap(false, true) {
			s.stuck.Add(-1)
		}
	}()
	return c
}

// giveUp stops waiting for a call.
func (s *similarity) giveUp(c *call) {
	s.stuck.Add(1)
	if !c.done.CompareAndSwap(false, true) {
		s.stuck.Add(-1)
	}
}

// await takes the answer of the similarity, or gives it up when waiting ends,
// which it does with ctx.
func (s *Selector) await(ctx, waiting context.Context, l *legs, asked *call) {
	var a answer
	select {
	case a = <-asked.reply:
	case <-waiting.Done():
		s.similarity.giveUp(asked)
		l.fail(s.slow())
		return
	}
	l.semanticTook = a.took
	switch {
	case a.err != nil && waiting.Err() != nil:
		l.fail(s.slow())
	case a.err != nil:
		l.fail(Note{NoteEmbedderFailed, fmt.Sprintf("keywords only: %s: %s", s.similarity.name(), model.Sanitize(a.err.Error()))})
	case len(a.scores) != len(s.scope.Candidates):
		l.fail(Note{NoteEmbedderFailed, fmt.Sprintf("keywords only: %s scored %d of %d tools", s.similarity.name(), len(a.scores), len(s.scope.Candidates))})
	default:
		l.semantic = above(a.scores, s.similarity.Floor())
	}
}

// slow is the note of an embedder that did not answer in time.
func (s *Selector) slow() Note {
	return Note{NoteEmbedderSlow, fmt.Sprintf("keywords only: %s did not answer within %v", s.similarity.name(), s.settings.Timeout)}
}

// above returns the documents whose score is above a floor, best first, equal
// ones in their order.
func above(scores []float64, floor float64) []retrieval.Hit {
	var hits []retrieval.Hit
	for doc, score := range scores {
		if score > floor {
			hits = append(hits, retrieval.Hit{Doc: doc, Score: score})
		}
	}
	slices.SortFunc(hits, func(a, b retrieval.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Doc, b.Doc))
	})
	return hits
}

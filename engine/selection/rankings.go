package selection

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"caliper/engine/embed"
	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/safetext"
)

// rankings are the keyword and the semantic ranking of the candidates for a
// message, and what it names. A document is an index in the scope's candidates.
type rankings struct {
	keyword  []retrieval.Hit // hits with a positive score, best first, ties by name
	whole    float64         // the whole that keyword scores are shares of: the best, or the score of a tool with each word once, if that is more
	semantic []retrieval.Hit // hits with a score above the floor, best first, ties by name
	scores   []float64       // by similarity, of all candidates; nil without a semantic ranking
	floor    float64         // of scores

	named    []int       // candidates that the message names, by rule 3
	excluded *model.Tool // an excluded tool that it names; nil: none

	similarityFailed bool // there is no semantic ranking, for the reason in notes
	notes            []Note

	keywordTook, semanticTook, bothTook time.Duration
}

// took returns the time of the rankings that a strategy needs.
func (l rankings) took(s Strategy) time.Duration {
	switch {
	case s == Keyword:
		return l.keywordTook
	case s == Semantic && !l.similarityFailed:
		return l.semanticTook
	}
	return l.bothTook
}

// maxStuck is the largest number of abandoned calls of an embedder that have not
// returned. When there are so many, the embedder is not called until one returns.
// So an embedder that ignores its context costs a bounded number of goroutines.
const maxStuck = 4

// similarity computes the semantic ranking; absent is the reason where none can be asked.
type similarity struct {
	embed.Similarity
	absent error
	stuck  atomic.Int32 // abandoned calls that have not returned
}

// call is one call of a similarity, which runs in a goroutine.
type call struct {
	reply chan answer
	done  atomic.Bool // set when it is abandoned or has returned, whichever is first
}

// answer is the result of a similarity.
type answer struct {
	scores []float64
	err    error
	took   time.Duration
}

// ask returns the rankings of a message that are wanted. When the semantic one
// fails, it computes the keyword ranking instead. The error is ctx's; an error of
// the embedder becomes a note.
func (s *Selector) ask(ctx context.Context, message string, keyword, semantic bool) (rankings, error) {
	var l rankings
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
		s.await(ctx, waiting, &l, asked, message)
		if l.similarityFailed && !keyword {
			s.askKeywords(&l, message)
		}
	}
	l.bothTook = s.settings.Now().Sub(start)
	l.named, l.excluded = s.named(message)
	return l, ctx.Err()
}

// askKeywords sets the keyword ranking.
func (s *Selector) askKeywords(l *rankings, message string) {
	start := s.settings.Now()
	l.keyword = s.ranker.Search(message, s.ranker.Len()).Hits
	if len(l.keyword) > 0 {
		l.whole = l.keyword[0].Score
	}
	if x, ok := s.ranker.(*retrieval.Index); ok { // the scores of the others are shares already
		l.whole = max(l.whole, x.Whole(message))
	}
	l.keywordTook = s.settings.Now().Sub(start)
}

// fail notes that the semantic ranking is missing, and why.
func (l *rankings) fail(n Note) {
	l.similarityFailed = true
	l.notes = append(l.notes, n)
}

// usable reports whether the similarity can be called; if not, the note has the reason.
func (s *similarity) usable() (Note, bool) {
	switch {
	case s.Similarity == nil && s.absent != nil:
		return Note{NoteNoEmbedder, "keywords only: " + safetext.Line(s.absent.Error())}, false
	case s.Similarity == nil:
		return Note{NoteNoEmbedder, "keywords only: there is no embedder"}, false
	case s.stuck.Load() >= maxStuck:
		return Note{NoteEmbedderStuck, fmt.Sprintf("keywords only: %s has %d calls that do not return", s.name(), maxStuck)}, false
	}
	return Note{}, true
}

// name returns the embedder's identity, safe for a terminal.
func (s *similarity) name() string { return safetext.Line(s.Identity().String()) }

// begin calls the similarity in a goroutine, which giveUp can abandon.
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

// giveUp abandons a call.
func (s *similarity) giveUp(c *call) {
	s.stuck.Add(1)
	if !c.done.CompareAndSwap(false, true) {
		s.stuck.Add(-1)
	}
}

// await sets the semantic ranking from the answer of the similarity. It abandons
// the call when waiting ends, which is at the latest when ctx ends.
func (s *Selector) await(ctx, waiting context.Context, l *rankings, asked *call, message string) {
	var a answer
	select {
	case a = <-asked.reply:
	case <-waiting.Done():
		s.similarity.giveUp(asked)
		l.fail(s.slow(ctx, message))
		return
	}
	l.semanticTook = a.took
	switch {
	case errors.Is(a.err, embed.ErrWaking), a.err != nil && waiting.Err() != nil:
		l.fail(s.slow(ctx, message))
	case a.err != nil:
		l.fail(Note{NoteEmbedderFailed, fmt.Sprintf("keywords only: %s: %s", s.similarity.name(), safetext.Line(a.err.Error()))})
	case len(a.scores) != len(s.scope.Candidates):
		l.fail(Note{NoteEmbedderFailed, fmt.Sprintf("keywords only: %s scored %d of %d tools", s.similarity.name(), len(a.scores), len(s.scope.Candidates))})
	default:
		l.scores, l.floor = a.scores, s.similarity.Floor(a.scores, s.settings.Floor)
		l.semantic = above(l.scores, l.floor)
	}
}

// slow returns the note about an embedder that did not answer in time. If that may be
// because its model is not loaded, the model is loaded from now on, beside the message.
func (s *Selector) slow(ctx context.Context, message string) Note {
	if v, ok := s.similarity.Similarity.(*embed.Vectors); ok && ctx.Err() == nil && v.Wake(ctx, message) {
		return Note{NoteEmbedderWaking, fmt.Sprintf("keywords only: waking %s, which did not embed the message within %v", s.similarity.name(), s.settings.Timeout)}
	}
	return Note{NoteEmbedderSlow, fmt.Sprintf("keywords only: %s did not answer within %v", s.similarity.name(), s.settings.Timeout)}
}

// above returns the documents whose score is above a floor, best first, equal
// ones in their order.
func above(scores []float64, floor float64) (hits []retrieval.Hit) {
	for doc, score := range scores {
		if score > floor {
			hits = append(hits, retrieval.Hit{Doc: doc, Score: score})
		}
	}
	slices.SortFunc(hits, func(a, b retrieval.Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), a.Doc-b.Doc) })
	return hits
}

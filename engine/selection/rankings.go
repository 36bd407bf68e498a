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

// ask returns the rankings of a message that are wanted. When the semantic one
// fails, it computes the keyword ranking instead. The error is ctx's; an error of
// the embedder becomes a note.
func (s *Selector) ask(ctx context.Context, message string, keyword, semantic bool) (rankings, error) {
	var l rankings
	now := s.settings.Now
	start := now()
	waiting, stop := context.WithTimeout(ctx, s.settings.Timeout)
	defer stop()
	x := s.similarity
	switch {
	case !semantic:
	case x.Similarity == nil && x.absent != nil:
		l.fail(NoteNoEmbedder, safetext.Line(x.absent.Error()))
	case x.Similarity == nil:
		l.fail(NoteNoEmbedder, "there is no embedder")
	case x.stuck.Load() >= maxStuck:
		l.fail(NoteEmbedderStuck, fmt.Sprintf("%s has %d calls that do not return", x.name(), maxStuck))
	}
	answered, abandoned := make(chan struct{}), make(chan struct{})
	var scores []float64 // these are read behind answered
	var failed error
	var took time.Duration
	asked := semantic && !l.similarityFailed
	if asked {
		go func() {
			begun := now()
			scores, failed = x.Scores(waiting, message, s.scope.Candidates)
			took = now().Sub(begun)
			select {
			case answered <- struct{}{}:
			case <-abandoned:
				x.stuck.Add(-1)
			}
		}()
	}
	if keyword || l.similarityFailed {
		s.askKeywords(&l, message)
	}
	if asked {
		select {
		case <-answered:
			l.semanticTook = took
			switch {
			case errors.Is(failed, embed.ErrWaking), failed != nil && waiting.Err() != nil:
				s.slow(ctx, &l, message)
			case failed != nil:
				l.fail(NoteEmbedderFailed, x.name()+": "+safetext.Line(failed.Error()))
			case len(scores) != len(s.scope.Candidates):
				l.fail(NoteEmbedderFailed, fmt.Sprintf("%s scored %d of %d tools", x.name(), len(scores), len(s.scope.Candidates)))
			default:
				l.scores, l.floor = scores, x.Floor(scores, s.settings.Floor)
				for doc, score := range scores {
					if score > l.floor {
						l.semantic = append(l.semantic, retrieval.Hit{Doc: doc, Score: score})
					}
				}
				slices.SortFunc(l.semantic, func(a, b retrieval.Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), a.Doc-b.Doc) })
			}
		case <-waiting.Done(): // at the latest when ctx ends
			x.stuck.Add(1)
			close(abandoned)
			s.slow(ctx, &l, message)
		}
		if l.similarityFailed && !keyword {
			s.askKeywords(&l, message)
		}
	}
	l.bothTook = now().Sub(start)
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
func (l *rankings) fail(code, why string) {
	l.similarityFailed = true
	l.notes = append(l.notes, Note{code, "keywords only: " + why})
}

// slow notes that the embedder did not answer in time. If that may be
// because its model is not loaded, the model is loaded from now on, beside the message.
func (s *Selector) slow(ctx context.Context, l *rankings, message string) {
	name, limit := s.similarity.name(), s.settings.Timeout
	if v, ok := s.similarity.Similarity.(*embed.Vectors); ok && ctx.Err() == nil && v.Wake(ctx, message) {
		l.fail(NoteEmbedderWaking, fmt.Sprintf("waking %s, which did not embed the message within %v", name, limit))
	} else {
		l.fail(NoteEmbedderSlow, fmt.Sprintf("%s did not answer within %v", name, limit))
	}
}

// name returns the embedder's identity, safe for a terminal.
func (s *similarity) name() string { return safetext.Line(s.Identity().String()) }

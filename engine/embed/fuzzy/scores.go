package fuzzy

import (
	"bytes"
	"context"
	"unicode/utf8"

	"caliper/engine/retrieval/lexicon"
	"caliper/model"
)

// Scores returns how like the message each of tools is, 0 to below 1, by its
// place in tools. A tool that New was not given has 0, and so has any tool for a
// message without words. Of a message, 128 different words count at most; of one
// longer than 8 KB, the first 64 and all of its last 256 bytes. The only error
// is that of ctx.
func (x *Index) Scores(ctx context.Context, message string, tools []*model.Tool) ([]float64, error) {
	s := x.memory.Get().(*searcher)
	if err := s.read(ctx, x, message); err != nil {
		x.memory.Put(s)
		return nil, err
	}
	scores := make([]float64, len(tools))
	for i, t := range tools {
		row := uint32(i)
		if i >= len(x.tools) || x.tools[i] != t {
			known := false
			if row, known = x.rows[t]; !known {
				continue
			}
		}
		scores[i] = s.sums[row] / (1 + s.sums[row])
	}
	s.forget()
	x.memory.Put(s)
	return scores, nil
}

// searcher adds up what the words of a message tell. Its memory is used again by
// the next message.
type searcher struct {
	lexicon *lexicon.Lexicon
	room    cutter
	compare comparer
	sums    []float64 // of each tool; 0 between messages
	best    []float64 // of each tool, for the current word; 0 between words
	touched []uint32  // tools with a best
	summed  []uint32  // tools with a sum
	seen    wordSet
}

func newSearcher(x *Index) *searcher {
	return &searcher{
		lexicon: lexicon.English(),
		compare: comparer{cosines: make([]float32, x.words.words.Len())},
		sums:    make([]float64, len(x.tools)),
		best:    make([]float64, len(x.tools)),
	}
}

// read adds up the words of a message, each once. When ctx ends, it forgets them.
func (s *searcher) read(ctx context.Context, x *Index, message string) error {
	s.seen.clear()
	head, tail := bounded(message)
	most := maxWords
	if tail != "" {
		most /= 2
	}
	err := s.words(ctx, x, head, most)
	if err == nil && tail != "" {
		err = s.words(ctx, x, tail, maxWords+most)
	}
	if err != nil {
		s.forget()
	}
	return err
}

// words adds up the words of a part of a message, until it has most different ones.
func (s *searcher) words(ctx context.Context, x *Index, part string, most int) error {
	s.room.each(part, func(word []byte) bool {
		kind := s.lexicon.Kind(word)
		if kind == lexicon.Stop || !s.seen.add(word) {
			return true
		}
		weight := 1.0
		switch {
		case smallTalk[string(word)]:
			weight = smallTalkWeight
		case kind == lexicon.Request:
			weight = requestWeight
		}
		s.word(x, word, weight)
		return s.seen.len() < most && ctx.Err() == nil
	})
	return ctx.Err()
}

// word adds what a word tells of the tools: of each, the best of its words.
func (s *searcher) word(x *Index, word []byte, weight float64) {
	for _, w := range s.compare.similar(x.words, word) {
		for e := x.from[w.word]; e < x.from[w.word+1]; e++ {
			row, tells := x.rowOf[e], w.alike*float64(x.weight[e])
			if s.best[row] == 0 {
				s.touched = append(s.touched, row)
			}
			s.best[row] = max(s.best[row], tells)
		}
	}
	for _, row := range s.touched {
		if s.sums[row] == 0 {
			s.summed = append(s.summed, row)
		}
		s.sums[row] += float64(weight * s.best[row])
		s.best[row] = 0
	}
	s.touched = s.touched[:0]
}

// forget makes the searcher ready for the next message.
func (s *searcher) forget() {
	for _, row := range s.summed {
		s.sums[row] = 0
	}
	s.summed = s.summed[:0]
}

// wordSet is a small set of words, in memory that is used again.
type wordSet struct {
	text []byte
	ends []int
}

func (s *wordSet) clear()   { s.text, s.ends = s.text[:0], s.ends[:0] }
func (s *wordSet) len() int { return len(s.ends) }

// add adds a word, and tells whether it was not there.
func (s *wordSet) add(word []byte) bool {
	from := 0
	for _, end := range s.ends {
		if bytes.Equal(s.text[from:end], word) {
			return false
		}
		from = end
	}
	s.text = append(s.text, word...)
	s.ends = append(s.ends, len(s.text))
	return true
}

// bounded returns the parts of a message that are read, the second empty when the
// first is all. What is wanted stands
// before or behind a text that was pasted.
func bounded(message string) (head, tail string) {
	if len(message) <= maxHead+maxTail {
		return message, ""
	}
	from, to := maxHead, len(message)-maxTail
	for !utf8.RuneStart(message[from]) && from > maxHead-utf8.UTFMax {
		from--
	}
	for !utf8.RuneStart(message[to]) && to < len(message)-1 {
		to++
	}
	return message[:from], message[to:]
}

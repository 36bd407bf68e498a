package embed

import (
	"context"
	"unicode/utf8"

	"caliper/engine/retrieval"
	"caliper/model"
)

// Scores returns how like the message each of tools is, 0 to below 1, by its
// place in tools. A tool that New was not given has 0, and so has any tool for a
// message without words. Of a message, 128 different words count at most; of one
// longer than 8 KB, the first 64 and all of its last 256 bytes. The only error
// is ctx's.
func (x *FuzzyIndex) Scores(ctx context.Context, message string, tools []*model.Tool) ([]float64, error) {
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
	lexicon *retrieval.Lexicon
	room    cutter
	compare comparer
	sums    []float64 // of each tool; 0 between messages
	best    []float64 // of each tool, for the current word; 0 between words
	touched []uint32  // tools with a best
	summed  []uint32  // tools with a sum

	// What words tell is remembered, because most words stand in many messages.
	numbers  map[string]int // of the words in words
	words    []messageWord
	gains    []gain // of all words, one after another
	messages int    // how many were read
}

// messageWord is a word of a message. What it tells of the tools begins at from, and ends
// where the next word begins.
type messageWord struct {
	from    int
	stop    bool // it tells nothing, and does not count as a word
	message int  // the last one that had it
}

// gain is the addition of a word of a message to the sum of a tool.
type gain struct {
	row  uint32
	adds float64
}

// The most that a searcher remembers between messages: words, and what they tell.
const (
	maxKnown = 1 << 12
	maxGains = 1 << 17
)

func newSearcher(x *FuzzyIndex) *searcher {
	return &searcher{
		lexicon: retrieval.EnglishLexicon(),
		compare: comparer{cosines: make([]float32, x.words.words.Len())},
		sums:    make([]float64, len(x.tools)),
		best:    make([]float64, len(x.tools)),
		numbers: map[string]int{},
	}
}

// read adds up the words of a message, each once. When ctx ends, it forgets them.
func (s *searcher) read(ctx context.Context, x *FuzzyIndex, message string) error {
	s.messages++
	if len(s.words) > maxKnown || len(s.gains) > maxGains {
		clear(s.numbers)
		s.words, s.gains = s.words[:0], s.gains[:0]
	}
	head, tail := boundedParts(message)
	most, read := maxWords, 0
	if tail != "" {
		most /= 2
	}
	err := s.add(ctx, x, head, &read, most)
	if err == nil && tail != "" {
		err = s.add(ctx, x, tail, &read, maxWords+most)
	}
	if err != nil {
		s.forget()
	}
	return err
}

// add adds up the words of a part of a message, until read is most: how many different
// ones the message had.
func (s *searcher) add(ctx context.Context, x *FuzzyIndex, part string, read *int, most int) error {
	s.room.each(part, func(word []byte) bool {
		n, known := s.numbers[string(word)]
		if !known {
			n = s.learn(x, word)
		}
		w := &s.words[n]
		if w.stop || w.message == s.messages {
			return true
		}
		w.message = s.messages
		*read++
		for _, t := range s.gainsOf(n) {
			if s.sums[t.row] == 0 {
				s.summed = append(s.summed, t.row)
			}
			s.sums[t.row] += t.adds
		}
		return *read < most && ctx.Err() == nil
	})
	return ctx.Err()
}

// gainsOf returns what a word adds to the sums of tools.
func (s *searcher) gainsOf(n int) []gain {
	if n+1 < len(s.words) {
		return s.gains[s.words[n].from:s.words[n+1].from]
	}
	return s.gains[s.words[n].from:]
}

// learn remembers a word of a message, and returns its number.
func (s *searcher) learn(x *FuzzyIndex, word []byte) int {
	n := len(s.words)
	s.numbers[string(word)] = n
	kind := s.lexicon.Kind(word)
	s.words = append(s.words, messageWord{from: len(s.gains), stop: kind == retrieval.StopWord})
	if kind == retrieval.StopWord {
		return n
	}
	weight := 1.0
	switch {
	case retrieval.SmallTalk(string(word)):
		weight = smallTalkWeight
	case kind == retrieval.RequestWord:
		weight = requestWeight
	}
	s.addGains(x, word, weight)
	return n
}

// addGains appends what a word tells of the tools: of each, the best of its words.
func (s *searcher) addGains(x *FuzzyIndex, word []byte, weight float64) {
	for _, w := range s.compare.similar(x.words, word) {
		for e := x.from[w.word]; e < x.from[w.word+1]; e++ {
			row, adds := x.rowOf[e], w.alike*float64(x.weight[e])
			if s.best[row] == 0 {
				s.touched = append(s.touched, row)
			}
			s.best[row] = max(s.best[row], adds)
		}
	}
	for _, row := range s.touched {
		s.gains = append(s.gains, gain{row, float64(weight * s.best[row])})
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

// boundedParts returns the parts of a message that are read, the second empty when the
// first is all. The request stands
// before or behind a text that was pasted.
func boundedParts(message string) (head, tail string) {
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

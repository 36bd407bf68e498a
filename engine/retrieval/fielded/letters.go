package fielded

import "math"

// letters compares the trigrams of a query with those of names. Its memory is
// used again by the next query.
type letters struct {
	trigrams   trigrams
	gramPlaces places
	gramCounts []gramCount
}

// gramCount is a trigram of the query.
type gramCount struct {
	gram   uint32
	count  float64
	weight float64 // with the idf
}

// readLetters reads the trigrams of the query's words, repeats counted.
func (s *searcher) readLetters() {
	l := &s.letters
	l.gramPlaces.clear()
	l.gramCounts = l.gramCounts[:0]
	for i := range s.tokens {
		t := &s.tokens[i]
		if t.uncut {
			continue
		}
		l.trigrams.cut(s.words[t.from:t.to])
		for trigram := l.trigrams.next(); trigram != nil; trigram = l.trigrams.next() {
			gram, ok := s.x.numbers.grams.Find(trigram)
			if !ok || int(gram) >= len(s.x.gramIDF) {
				continue
			}
			place := l.gramPlaces.find(gram)
			if place < 0 {
				place = len(l.gramCounts)
				l.gramCounts = append(l.gramCounts, gramCount{gram: gram})
				l.gramPlaces.enter(gram, place)
			}
			l.gramCounts[place].count++
		}
	}
	for i := range l.gramCounts {
		g := &l.gramCounts[i]
		g.weight = s.x.gramIDF[g.gram]
		if g.count > 1 {
			g.weight *= 1 + math.Log(g.count)
		}
	}
}

// cosine returns the cosine of the trigrams of a document's names and of the
// query, times the length of the query's vector.
func (s *searcher) cosine(doc uint32) float64 {
	length := s.x.facts[doc].letters
	if length == 0 {
		return 0
	}
	sum := 0.0
	for _, g := range s.x.documents[doc].record.trigrams() {
		gram := g >> gramShift
		if !s.gramPlaces.mayHold(gram) {
			continue
		}
		if place := s.gramPlaces.find(gram); place >= 0 {
			sum += s.x.gramWeigh[g&gramCounts] * s.x.gramIDF[gram] * s.gramCounts[place].weight
		}
	}
	return sum / length
}

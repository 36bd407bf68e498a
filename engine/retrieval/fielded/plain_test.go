package fielded

import (
	"math"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/internal/fixture"
	"caliper/engine/retrieval"
)

// plain scores every tool of an index by the formulas of the package comment. It
// takes the terms and weights of a query from a searcher, and computes all else from
// the records: without postings, bounds, tables or memory of other queries. It adds
// in the order that the package comment promises, so that its scores equal a
// search's to the last bit. The oracle is the ranking from the texts of the tools; plain
// is for what makes a search fast.
type plain struct {
	x     *Index
	terms []map[uint32]tally // of each document
}

// plainTool is one tool while a query is answered.
type plainTool struct {
	doc         uint32
	saturations []float64 // of each term of the query; 0 when the tool has it not
	tallies     []tally
	bm25f       float64
	values      [components]float64
	sentences   []float64
	full, score float64 // without and with what better ranks take
}

func newPlain(x *Index) *plain {
	p := &plain{x: x}
	for _, d := range x.documents {
		terms := map[uint32]tally{}
		for _, t := range d.record.once() {
			var once tally
			once[t>>fieldShift] = 1
			terms[t&termMask] = once
		}
		for i, t := range d.record.often() {
			terms[t] = x.vocabulary.tallies.list[d.record.tallies()[i]]
		}
		p.terms = append(p.terms, terms)
	}
	return p
}

// search returns all tools that a query finds, best first.
func (p *plain) search(query string) []retrieval.Hit {
	s := newSearcher(p.x)
	s.parse(query)
	s.findPins()
	var all []*plainTool
	for doc := range p.x.documents {
		if t := p.scan(s, uint32(doc)); t.bm25f > 0 || slices.Contains(s.pinned, t.doc) {
			all = append(all, t)
			s.largest = max(s.largest, t.bm25f)
		}
	}
	for _, t := range all {
		t.score = s.scoreBehind(t.bm25f)
	}
	slices.SortFunc(all, comparePlain)
	var candidates, rest []*plainTool
	for i, t := range all {
		if i < p.x.recipe.Candidates || slices.Contains(s.pinned, t.doc) {
			candidates = append(candidates, t)
		} else {
			rest = append(rest, t)
		}
	}
	p.score(s, candidates)
	var hits []retrieval.Hit
	for _, t := range append(p.cover(s, candidates), rest...) {
		hits = append(hits, retrieval.Hit{Doc: int(t.doc), Score: t.score})
	}
	return hits
}

func comparePlain(a, b *plainTool) int { return compare(a.score, b.score, a.doc, b.doc) }

// norm returns the norm of a document.
func (p *plain) norm(doc uint32) float64 {
	r := &p.x.recipe
	return r.lengthNorm(p.x.documents[doc].record.length(&r.Fields), p.x.average)
}

// scan computes BM25F.
func (p *plain) scan(s *searcher, doc uint32) *plainTool {
	t := &plainTool{doc: doc, saturations: make([]float64, len(s.terms)), tallies: make([]tally, len(s.terms))}
	for i := range s.terms {
		of, ok := p.terms[doc][s.terms[i].term]
		if !ok {
			continue
		}
		frequency := 0.0
		for f, n := range of {
			for range n {
				frequency += p.x.recipe.Fields[f]
			}
		}
		t.tallies[i], t.saturations[i] = of, p.x.recipe.saturation(frequency, p.norm(doc))
		t.bm25f += float64(s.terms[i].idfWeight * t.saturations[i])
	}
	return t
}

// score computes the components of the candidates.
func (p *plain) score(s *searcher, candidates []*plainTool) {
	r, most := &p.x.recipe, maxima{}
	for _, t := range candidates {
		t.values[descriptionCoverage] = r.DescriptionCoverage * p.coverage(s, t, Description)
		t.values[nameCoverage] = r.NameCoverage * p.coverage(s, t, Name)
		t.values[nameLetters] = p.letters(s, t.doc)
		t.values[neighbourPairs] = p.pairs(s, t)
		if given := bits.OnesCount8(uint8(s.given)); given > 0 {
			taken := bits.OnesCount8(uint8(s.given & p.x.documents[t.doc].takes))
			t.values[argumentKinds] = r.Arguments * (float64(taken) / float64(given))
		}
		t.values[pin] = p.pin(s, t)
		for sentence := range s.sentences {
			sum := 0.0
			for i, weight := range s.sentenceWeights(sentence) {
				sum += float64(weight * t.saturations[i])
			}
			t.sentences = append(t.sentences, sum)
			most.sentences[sentence] = max(most.sentences[sentence], sum)
		}
		most.letters = max(most.letters, t.values[nameLetters])
		most.pairs = max(most.pairs, t.values[neighbourPairs])
	}
	for _, t := range candidates {
		t.values[bm25f] = ratio(t.bm25f, s.largest)
		t.values[nameLetters] = r.Letters * ratio(t.values[nameLetters], most.letters)
		t.values[neighbourPairs] = r.Pairs * ratio(t.values[neighbourPairs], most.pairs)
		for sentence, v := range t.sentences {
			t.values[bestSentence] = max(t.values[bestSentence], r.Sentence*ratio(v, most.sentences[sentence]))
		}
		for _, v := range t.values[:serverSupport] {
			t.full += v
		}
	}
	p.support(s, candidates)
}

// support adds what a candidate gains for the best of its toolset, and for its name.
func (p *plain) support(s *searcher, candidates []*plainTool) {
	best := map[uint32]float64{}
	for _, t := range candidates {
		server := p.x.servers[t.doc]
		best[server] = max(best[server], t.full)
	}
	for _, t := range candidates {
		if !p.hasContent(s, t) {
			t.full += t.values[pin]
			t.score = t.full
			continue
		}
		most := t.full
		if server := p.x.servers[t.doc]; server != aloneOnServer {
			most = best[server]
		}
		t.full += float64(p.x.recipe.ServerSupport * most)
		t.full += t.values[pin]
		t.score = t.full
	}
}

// hasContent reports whether a tool has a content word, or one that it is expanded to, if
// the query has such words.
func (p *plain) hasContent(s *searcher, t *plainTool) bool {
	any := false
	for i, w := range s.queryWords {
		any = any || w.content
		if w.content && w.term >= 0 && t.saturations[w.term] > 0 {
			return true
		}
		for _, b := range s.expansions {
			if w.content && b.word == uint32(i) && t.saturations[b.term] > 0 {
				return true
			}
		}
	}
	return !any
}

// coverage returns how much of the name or the description the query covers.
func (p *plain) coverage(s *searcher, t *plainTool, f Field) float64 {
	covered, whole, seen := 0.0, 0.0, map[uint32]bool{}
	for i := range s.terms {
		if t.tallies[i][f] > 0 && (f != Name || s.terms[i].word >= 0) {
			covered += s.terms[i].idfWeight
		}
	}
	for _, id := range p.tokens(t.doc, f) {
		if !seen[id] {
			whole += p.x.idf[id]
		}
		seen[id] = true
	}
	return ratio(covered, whole)
}

// tokens returns the terms of a field, in the order of its text.
func (p *plain) tokens(doc uint32, f Field) []uint32 {
	r := p.x.documents[doc].record
	from, to := r.span(f)
	tokens := slices.Clone(r.tokens()[from:to])
	for i := range tokens {
		tokens[i] &= termMask
	}
	return tokens
}

func (p *plain) letters(s *searcher, doc uint32) float64 {
	counts := map[uint32]float64{}
	for i := range s.tokens {
		if t := &s.tokens[i]; !t.uncut {
			for _, gram := range oracleGrams(string(s.query.words[t.from:t.to])) {
				if id, ok := p.x.vocabulary.grams.Find([]byte(gram)); ok && int(id) < len(p.x.gramIDF) {
					counts[id]++
				}
			}
		}
	}
	sum, squares := 0.0, 0.0
	for _, g := range p.x.documents[doc].record.trigrams() {
		idf := p.x.gramIDF[g>>gramShift]
		weight := p.x.gramWeights[g&gramCounts] * idf
		squares += float64(weight * weight)
		asked := idf
		if n := counts[g>>gramShift]; n > 1 {
			asked *= 1 + math.Log(n)
		} else if n == 0 {
			continue
		}
		sum += weight * asked
	}
	return ratio(sum, math.Sqrt(squares))
}

func (p *plain) pairs(s *searcher, t *plainTool) float64 {
	sum := 0.0
	for _, pair := range s.pairs {
		first, second := &s.terms[pair.first], &s.terms[pair.second]
		v := 0.0
		for f := range ParameterNames {
			tokens := p.tokens(t.doc, f)
			for i := 1; i < len(tokens); i++ {
				if tokens[i-1] == first.term && tokens[i] == second.term {
					v += p.x.recipe.Fields[f]
				}
			}
		}
		if v /= p.norm(t.doc); v > 0 {
			sum += (first.idf + second.idf) * (v / (p.x.recipe.K1 + v))
		}
	}
	return sum
}

func (p *plain) pin(s *searcher, t *plainTool) float64 {
	value, why := s.pinOf(&candidate{scanned: scanned{doc: t.doc}})
	for i := range s.terms {
		word := s.terms[i].word
		if why > exactName && t.tallies[i][Toolset] > 0 && word >= 0 && s.queryWords[word].content &&
			!strings.Contains(p.x.documents[t.doc].original, s.stemOf(&s.terms[i])) {
			return value + float64(value*p.x.recipe.ServerWord)
		}
	}
	return value
}

// cover ranks candidates; better ones take from those that cover the same.
func (p *plain) cover(s *searcher, left []*plainTool) (ranked []*plainTool) {
	adds := func(t *plainTool, i int) float64 { return s.terms[i].idfWeight * t.saturations[i] }
	covered := make([]float64, len(s.terms))
	for {
		for _, t := range left {
			sum := 0.0
			for i := range s.terms {
				sum += float64(adds(t, i)) * covered[i]
			}
			t.score = t.full - float64(t.full*float64(s.maxPenalty()*min(1, ratio(sum, t.bm25f))))
		}
		slices.SortFunc(left, comparePlain)
		if len(left) == 0 || len(ranked) == p.x.recipe.Covering || s.maxPenalty() == 0 {
			return append(ranked, left...)
		}
		for i := range s.terms {
			most := 0.0
			for _, t := range slices.Concat(ranked, left) {
				most = max(most, adds(t, i))
			}
			if most > 0 {
				covered[i] = max(covered[i], adds(left[0], i)/most)
			}
		}
		ranked, left = append(ranked, left[0]), left[1:]
	}
}

// checkPlain compares searches with the plain one, to the last bit.
func checkPlain(t rapid.TB, x *Index, p *plain, query string) {
	t.Helper()
	want := p.search(query)
	for _, k := range []int{1, 3, 20, 130, x.Len() + 1} {
		if got := x.Search(query, k).Hits; !slices.Equal(got, want[:min(k, len(want))]) {
			t.Fatalf("Search(%q, %d) = %v, want %v", query, k, got, want[:min(k, len(want))])
		}
	}
}

// TestSearchEqualsPlain: a search finds what scoring every tool finds, with the same
// scores to the last bit, whatever was asked before.
func TestSearchEqualsPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tools := drawCatalog(60).Draw(t, "catalog")
		x := index(t, NewCorpus(), tools, toolsets, drawRecipe().Draw(t, "recipe"))
		p := newPlain(x)
		for range 4 {
			checkPlain(t, x, p, drawQuery(tools).Draw(t, "query"))
		}
	})
}

// TestSearchEqualsPlainLarge: the same where most tools are left out.
func TestSearchEqualsPlainLarge(t *testing.T) {
	tools := fixture.Tools(3000, 11)
	tools = append(tools, tools[500:700]...)
	x := mustIndex(t, NewCorpus(), tools)
	p := newPlain(x)
	for _, kind := range fixture.Kinds {
		queries := fixture.Queries(kind, 6, 5, tools)
		for i, query := range queries {
			checkPlain(t, x, p, query)
			checkPlain(t, x, p, query+". "+queries[(i+1)%len(queries)]+"; and issues")
		}
	}
}

// TestSearchEqualsPlainReal: the same for real requests: some, and with -slow all.
func TestSearchEqualsPlainReal(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: long, in one goroutine")
	}
	for _, name := range requestSets {
		t.Run(name, func(t *testing.T) {
			s := fixture.ReadSet(t, name)
			x := index(t, NewCorpus(), s.Registry.Tools, s.Toolset, Default)
			p, step := newPlain(x), 1
			if !*slow {
				step += len(s.Queries) / 5
			}
			for i := 0; i < len(s.Queries); i += step {
				checkPlain(t, x, p, s.Queries[i].Query)
			}
		})
	}
}

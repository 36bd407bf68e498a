package fetch

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"caliper/engine/rescue"
	"caliper/engine/retrieval"
	"caliper/model/words"
)

const (
	// A passage ends with the first line that ends after shortPassage bytes,
	// or without one before longPassage bytes.
	shortPassage = 600
	longPassage  = 1200
	// shownPassage bounds the shown part of a passage, in code points.
	shownPassage = 600
	mostTerms    = 32
)

// ranking holds the passages of a blob that hold any term of a query.
type ranking struct {
	terms    [][]byte
	starts   [256]uint64 // by first byte: a bit for each length of a term, of 63 at most
	passages []passage
	freqs    []uint8 // len(terms) for each passage
	df       []int
	all      int   // passages, also those without a term
	tokens   int64 // of all passages
}

type passage struct{ off, size, tokens int }

// search answers mode search: the passages that BM25 (Robertson and
// Zaragoza, 2009) ranks highest for the query, with Lucene's idf
// ln(1 + (n-df+0.5)/(df+0.5)). Ties go to the earlier passage.
func search(x *text, q Request, l rescue.Limits) (Answer, error) {
	k, err := newRanking(q.Query)
	if err != nil {
		return Answer{}, err
	}
	k.scan(x.data)
	a := Answer{Mode: Search, From: q.Start, To: q.Start - 1, Total: int64(len(k.passages)), Unit: Passages}
	if q.Start > max(1, a.Total) {
		hold := words.Count(a.Total, "passage") + " hold"
		if a.Total == 1 {
			hold += "s"
		}
		return a, faultf(CodePastEnd, "start is %d and %s a word of the query", q.Start, hold)
	}
	if a.Total == 0 {
		a.Text = words.Clip(fmt.Sprintf("no passage of the blob holds any of the words: %s\n", bytes.Join(k.terms, []byte(" "))), l.FetchMaxChars-1)
		return a, nil
	}
	var b strings.Builder
	room := l.FetchMaxChars
	for _, s := range k.scored()[q.Start-1:] {
		text := k.show(x, k.passages[s.i], a.To+1, s.score)
		n := utf8.RuneCountInString(text)
		if n > room && a.To < a.From {
			text = words.Clip(text, room-2) + "\n"
			n = utf8.RuneCountInString(text)
		}
		if n > room || q.Count > 0 && a.To-a.From+1 == q.Count {
			break
		}
		room -= n
		b.WriteString(text)
		a.To++
	}
	a.Text = b.String()
	if a.To < a.Total {
		q.Start = a.To + 1
		a.Next = &q
	}
	return a, nil
}

func newRanking(query string) (*ranking, error) {
	k := &ranking{}
	for _, t := range retrieval.Tokens(query) {
		if len(k.terms) < mostTerms && !slices.ContainsFunc(k.terms, func(u []byte) bool { return string(u) == t }) {
			k.terms = append(k.terms, []byte(t))
			k.starts[t[0]] |= 1 << min(len(t), 63)
		}
	}
	if len(k.terms) == 0 {
		return nil, faultf(CodeNoQuery, "mode search needs a query with a word of ASCII letters or digits; for other text use grep")
	}
	k.df = make([]int, len(k.terms))
	return k, nil
}

// scan cuts the blob into passages and counts the terms in each.
func (k *ranking) scan(data []byte) {
	freq := make([]uint8, len(k.terms))
	for off := 0; off < len(data); {
		n := passageEnd(data[off:])
		tokens, hit := k.count(data[off:off+n], freq)
		k.all++
		k.tokens += int64(tokens)
		if hit {
			k.passages = append(k.passages, passage{off, n, tokens})
			k.freqs = append(k.freqs, freq...)
			for i, f := range freq {
				if f > 0 {
					k.df[i]++
				}
			}
			clear(freq)
		}
		off += n
	}
}

// passageEnd returns how many bytes of b the first passage takes.
func passageEnd(b []byte) int {
	if len(b) <= shortPassage {
		return len(b)
	}
	most := min(len(b), longPassage)
	// One byte more tells whether a \r at the end is half a break.
	at, size := rescue.NextBreak(b[shortPassage-1 : min(len(b), most+1)])
	if end := shortPassage - 1 + at + size; size > 0 && end <= most {
		return end
	}
	if most == len(b) {
		return most
	}
	// Without a line's end, not inside a word if it can be helped.
	for n := most; n > most-100; n-- {
		if folded[b[n-1]] == 0 && aligned(b, n) == n {
			return n
		}
	}
	return aligned(b, most)
}

// count counts the tokens of b, and into freq each term's.
func (k *ranking) count(b []byte, freq []uint8) (tokens int, hit bool) {
	for i := 0; i < len(b); {
		first := folded[b[i]]
		if first == 0 {
			i++
			continue
		}
		start := i
		for i++; i < len(b) && folded[b[i]] != 0; i++ {
		}
		tokens++
		if k.starts[first]>>min(i-start, 63)&1 == 0 {
			continue
		}
		for t, term := range k.terms {
			if len(term) == i-start && ends(b[start:i], string(term)) {
				freq[t] = uint8(min(255, int(freq[t])+1))
				hit = true
				break
			}
		}
	}
	return tokens, hit
}

type scored struct {
	score float64
	i     int
}

// scored returns all passages, the best first.
func (k *ranking) scored() []scored {
	idf := make([]float64, len(k.terms))
	for t, df := range k.df {
		idf[t] = math.Log(1 + (float64(k.all)-float64(df)+0.5)/(float64(df)+0.5))
	}
	params := retrieval.Reference
	mean := float64(k.tokens) / float64(k.all)
	out := make([]scored, len(k.passages))
	for i, p := range k.passages {
		norm := params.K1 * (1 - params.B + float64(params.B*float64(p.tokens))/mean)
		sum := 0.0
		for t, f := range k.freqs[i*len(idf) : (i+1)*len(idf)] {
			if f > 0 {
				sum += float64(idf[t] * (float64(float64(f)*(params.K1+1)) / (float64(f) + norm)))
			}
		}
		out[i] = scored{sum, i}
	}
	slices.SortFunc(out, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.i, b.i))
	})
	return out
}

// show writes a passage with the range that reads it.
func (k *ranking) show(x *text, p passage, rank int64, score float64) string {
	end := p.off + p.size
	b := x.data[p.off:end]
	char, line := x.place(p.off)
	var where string
	if x.begins(p.off) && x.begins(end) {
		n := int64(rescue.CountLines(b))
		where = fmt.Sprintf("lines %d-%d, score %.2f: range start %d count %d", line, line+n-1, score, line, n)
	} else {
		n := int64(rescue.CountChars(b))
		where = fmt.Sprintf("chars %d-%d, score %.2f: range start %d count %d unit chars", char, char+n-1, score, char, n)
	}
	return fmt.Sprintf("%d. %s\n%s\n", rank, where, k.excerpt(b))
}

// excerpt returns the shown part of a passage: all, or the text around the first
// term.
func (k *ranking) excerpt(b []byte) string {
	for len(rescue.TrimEnding(b)) < len(b) {
		b = rescue.TrimEnding(b)
	}
	from := 0
	if first := k.first(b); utf8.RuneCount(b) > shownPassage && first > shownPassage/2 {
		from = suffix(b[:first], shownPassage/4)
	}
	size, _ := prefix(b[from:], shownPassage)
	text := []byte(dots(from > 0) + shown(b[from:from+size]) + dots(from+size < len(b)))
	// SECURITY: marked, no line of the blob can pass for the head of a passage.
	var out strings.Builder
	for {
		at, size := rescue.NextBreak(text)
		out.WriteString("| ")
		out.Write(text[:at+size])
		if size == 0 {
			return out.String()
		}
		text = text[at+size:]
	}
}

// first returns where the first term in b begins.
func (k *ranking) first(b []byte) int {
	freq := make([]uint8, len(k.terms))
	for i := 0; i < len(b); {
		start := i
		for ; i < len(b) && folded[b[i]] != 0; i++ {
		}
		if _, hit := k.count(b[start:i], freq); hit {
			return start
		}
		if i == start {
			i++
		}
	}
	return 0
}

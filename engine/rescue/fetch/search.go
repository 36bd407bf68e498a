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
	"caliper/model"
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
	passages []passage
	all      int // passages, also those without a term
}

type passage struct {
	off, size, tokens int
	freq              []uint8 // of each term
	score             float64
}

// search answers mode search: the passages that BM25 (Robertson and
// Zaragoza, 2009) ranks highest for the query, with Lucene's idf
// ln(1 + (n-df+0.5)/(df+0.5)). Ties go to the earlier passage.
func search(x *text, q Request, l rescue.Limits) (Answer, error) {
	k := &ranking{}
	for _, t := range retrieval.Tokens(q.Query) {
		if len(k.terms) < mostTerms && !slices.ContainsFunc(k.terms, func(u []byte) bool { return string(u) == t }) {
			k.terms = append(k.terms, []byte(t))
		}
	}
	if len(k.terms) == 0 {
		return Answer{}, rescue.Errorf(CodeNoQuery, "mode search needs a query with a word of ASCII letters or digits; for other text use grep")
	}
	k.rank(x.data)
	a := Answer{Mode: Search, From: q.Start, To: q.Start - 1, Total: int64(len(k.passages)), Unit: Passages}
	if q.Start > max(1, a.Total) {
		hold := words.CountOf(a.Total, "passage holds", "passages hold")
		return a, rescue.Errorf(CodePastEnd, "start is %d and %s a word of the query", q.Start, hold)
	}
	if a.Total == 0 {
		a.Text = words.Clip(fmt.Sprintf("no passage of the blob holds any of the words: %s\n", bytes.Join(k.terms, []byte(" "))), l.FetchMaxChars-1)
		return a, nil
	}
	var b strings.Builder
	room := l.FetchMaxChars
	for _, p := range k.passages[q.Start-1:] {
		text := k.show(x, p, a.To+1)
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

// rank cuts the blob into passages, and sorts those with a term by their scores, the best first.
func (k *ranking) rank(data []byte) {
	df, tokens := make([]int, len(k.terms)), int64(0) // of all passages
	for off := 0; off < len(data); {
		n := passageEnd(data[off:])
		p := passage{off: off, size: n, freq: make([]uint8, len(k.terms))}
		hit := false
		p.tokens, hit = k.count(data[off:off+n], p.freq)
		k.all++
		tokens += int64(p.tokens)
		if hit {
			k.passages = append(k.passages, p)
			for i, f := range p.freq {
				if f > 0 {
					df[i]++
				}
			}
		}
		off += n
	}
	idf := make([]float64, len(k.terms))
	for t, n := range df {
		idf[t] = math.Log(1 + (float64(k.all)-float64(n)+0.5)/(float64(n)+0.5))
	}
	params := retrieval.Reference
	mean := float64(tokens) / float64(k.all)
	for i := range k.passages {
		p := &k.passages[i]
		norm := params.K1 * (1 - params.B + float64(params.B*float64(p.tokens))/mean)
		for t, f := range p.freq {
			if f > 0 {
				p.score += float64(idf[t] * (float64(float64(f)*(params.K1+1)) / (float64(f) + norm)))
			}
		}
	}
	model.Sort(k.passages, func(a, b passage) int { return cmp.Compare(b.score, a.score) })
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
		if folded[b[i]] == 0 {
			i++
			continue
		}
		start := i
		for i++; i < len(b) && folded[b[i]] != 0; i++ {
		}
		tokens++
		for t, term := range k.terms {
			if len(term) == i-start && bytes.EqualFold(b[start:i], term) {
				freq[t] = uint8(min(255, int(freq[t])+1))
				hit = true
				break
			}
		}
	}
	return tokens, hit
}

// show writes a passage with the range that reads it.
func (k *ranking) show(x *text, p passage, rank int64) string {
	end := p.off + p.size
	b := x.data[p.off:end]
	char, line := x.charAndLine(p.off)
	var where string
	if x.begins(p.off) && x.begins(end) {
		n := int64(rescue.CountLines(b))
		where = fmt.Sprintf("lines %d-%d, score %.2f: range start %d count %d", line, line+n-1, p.score, line, n)
	} else {
		n := int64(utf8.RuneCount(b))
		where = fmt.Sprintf("chars %d-%d, score %.2f: range start %d count %d unit chars", char, char+n-1, p.score, char, n)
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

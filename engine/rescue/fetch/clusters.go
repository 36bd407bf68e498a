package fetch

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"caliper/engine/rescue"
	"caliper/model/words"
)

// clusters groups lines that look like errors by their shape: the line with
// every word that holds a digit replaced.
type clusters struct {
	next    func(b []byte, i, upTo int) (int, string) // of rescue.NextError
	byShape map[string]*cluster
	order   []*cluster
	lines   int64
	other   int64 // lines of shapes past mostShapes
	shape   []byte
}

type cluster struct {
	first, last, lines int64
	text               string
}

const (
	mostShapes   = 500
	listedShapes = 60
	shapeBytes   = 160
)

// newClusters returns clusters of lines with one of the patterns, as rescue.NextError finds
// them.
func newClusters(patterns []string) clusters {
	return clusters{next: rescue.NextError(patterns), byShape: map[string]*cluster{}}
}

// add takes the lines of b, whose first is line, into the clusters.
func (c *clusters) add(b []byte, line int64) {
	counted := 0
	for at := 0; at < len(b); {
		n, _ := c.next(b, at, len(b))
		if n < 0 {
			return
		}
		begin := rescue.LineStart(b, at, n)
		end, _ := rescue.NextBreak(b[n:])
		end += n
		line += int64(rescue.CountBreaks(b[counted:begin]))
		counted = begin
		if end-begin > 4*shapeBytes {
			begin = max(begin, n-shapeBytes)
		}
		c.put(b[begin:end], line)
		at = end
	}
}

func (c *clusters) put(text []byte, line int64) {
	c.lines++
	c.shape = shape(c.shape[:0], text)
	k := c.byShape[string(c.shape)]
	if k == nil {
		if len(c.order) >= mostShapes {
			c.other++
			return
		}
		k = &cluster{first: line, text: oneLine(text)}
		c.byShape[string(c.shape)] = k
		c.order = append(c.order, k)
	}
	k.last = line
	k.lines++
}

// shape appends text with # for every word that holds a digit.
func shape(out, text []byte) []byte {
	text = text[:min(len(text), shapeBytes)]
	for i := 0; i < len(text); {
		if folded[text[i]] == 0 {
			out = append(out, text[i])
			i++
			continue
		}
		from, digit := i, false
		for ; i < len(text) && folded[text[i]] != 0; i++ {
			digit = digit || text[i] <= '9'
		}
		if digit {
			out = append(out, '#')
		} else {
			out = append(out, text[from:i]...)
		}
	}
	return out
}

// list appends the clusters, the largest first.
func (c *clusters) list(out []string) []string {
	if c.lines == 0 {
		return out
	}
	out = append(out, fmt.Sprintf("lines that look like errors: %d, of %s", c.lines, words.Count(len(c.order), "shape")))
	order := slices.Clone(c.order)
	slices.SortStableFunc(order, func(a, b *cluster) int { return cmp.Compare(b.lines, a.lines) })
	for _, k := range order[:min(len(order), listedShapes)] {
		where := fmt.Sprintf("line %d", k.first)
		if k.lines > 1 {
			where = fmt.Sprintf("%d in lines %d-%d", k.lines, k.first, k.last)
		}
		out = append(out, "  "+where+": "+strings.TrimSpace(k.text))
	}
	if left := len(order) - listedShapes; left > 0 || c.other > 0 {
		out = append(out, fmt.Sprintf("  %s and %s of others are left out", words.Count(max(0, left), "shape"), words.Count(c.other, "line")))
	}
	return out
}

// ends reports whether a word ends in the given lower-case text.
func ends(w []byte, text string) bool {
	at := len(w) - len(text)
	if at < 0 {
		return false
	}
	for i := range len(text) {
		if folded[w[at+i]] != text[i] {
			return false
		}
	}
	return true
}

// folded maps a byte of a token to its lower case and others to 0, as package
// retrieval cuts tokens.
var folded = func() (t [256]byte) {
	for c := range 256 {
		switch b := byte(c); {
		case '0' <= b && b <= '9', 'a' <= b && b <= 'z':
			t[c] = b
		case 'A' <= b && b <= 'Z':
			t[c] = lower(b)
		}
	}
	return t
}()

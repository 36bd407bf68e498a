package fetch

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"caliper/engine/rescue"
	"caliper/model/words"
)

// clusters are lines that look like errors grouped by their shape: the line with
// every word that holds a digit replaced.
type clusters struct {
	order []*cluster
	lines int64
	other int64 // lines of shapes past mostShapes
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

// clustersOf groups the lines of b with one of the patterns, as rescue.NextError finds them.
func clustersOf(b []byte, patterns []string) (c clusters) {
	next, byShape := rescue.NextError(patterns), map[string]*cluster{}
	line, counted := int64(1), 0
	for at := 0; at < len(b); {
		n, _ := next(b, at, len(b))
		if n < 0 {
			break
		}
		begin := rescue.LineStart(b, at, n)
		end, _ := rescue.NextBreak(b[n:])
		end += n
		line += int64(rescue.CountBreaks(b[counted:begin]))
		counted, at = begin, end
		if end-begin > 4*shapeBytes {
			begin = max(begin, n-shapeBytes)
		}
		c.lines++
		text := shape(b[begin:end])
		k := byShape[text]
		if k == nil {
			if len(c.order) >= mostShapes {
				c.other++
				continue
			}
			k = &cluster{first: line, text: oneLine(b[begin:end])}
			byShape[text] = k
			c.order = append(c.order, k)
		}
		k.last = line
		k.lines++
	}
	return c
}

// shape returns a text with # for every word that holds a digit.
func shape(text []byte) string {
	text = text[:min(len(text), shapeBytes)]
	var out []byte
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
	return string(out)
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

// folded maps a byte of a token to its lower case and others to 0, as package
// retrieval cuts tokens.
var folded = func() (t [256]byte) {
	for c := range 256 {
		switch b := byte(c); {
		case '0' <= b && b <= '9', 'a' <= b && b <= 'z':
			t[c] = b
		case 'A' <= b && b <= 'Z':
			t[c] = b | 0x20
		}
	}
	return t
}()

package picture

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// rect is a filled rectangle in drawing units, which are whole numbers, so that neighbours share
// an edge exactly.
type rect struct {
	x, y, w, h int
	fill       RGB
}

// merge joins rectangles of one colour that touch or overlap, first along rows, then along
// columns. The result covers the same area and is in reading order within each colour, colours in
// numeric order.
func merge(rects []rect) []rect {
	rects = slices.DeleteFunc(slices.Clone(rects), func(r rect) bool { return r.w <= 0 || r.h <= 0 })
	rects = transposed(joined(transposed(joined(rects))))
	slices.SortFunc(rects, func(a, b rect) int {
		return cmp.Or(cmp.Compare(a.fill, b.fill), cmp.Compare(a.y, b.y), cmp.Compare(a.x, b.x))
	})
	return rects
}

// joined joins rectangles of one colour and the same rows that touch or overlap.
func joined(rects []rect) []rect {
	slices.SortFunc(rects, func(a, b rect) int {
		return cmp.Or(cmp.Compare(a.fill, b.fill), cmp.Compare(a.y, b.y), cmp.Compare(a.h, b.h),
			cmp.Compare(a.x, b.x), cmp.Compare(a.w, b.w))
	})
	join := func(a *rect, b rect) bool {
		if a.fill != b.fill || a.y != b.y || a.h != b.h || b.x > a.x+a.w {
			return false
		}
		a.w = max(a.w, b.x+b.w-a.x)
		return true
	}
	var out []rect
	for _, r := range rects {
		if len(out) == 0 || !join(&out[len(out)-1], r) {
			out = append(out, r)
		}
	}
	return out
}

// transposed swaps the axes of rectangles, in place.
func transposed(rects []rect) []rect {
	for i, r := range rects {
		rects[i] = rect{x: r.y, y: r.x, w: r.h, h: r.w, fill: r.fill}
	}
	return rects
}

// writeRects draws merged rectangles, one path per colour.
func writeRects(b *strings.Builder, rects []rect) {
	rects = merge(rects)
	for i, r := range rects {
		if i == 0 || rects[i-1].fill != r.fill {
			if i > 0 {
				b.WriteString("\"/>\n")
			}
			fmt.Fprintf(b, "<path fill=\"%s\" d=\"", r.fill)
		}
		fmt.Fprintf(b, "M%d %dh%dv%dh%dz", r.x, r.y, r.w, r.h, -r.w)
	}
	if len(rects) > 0 {
		b.WriteString("\"/>\n")
	}
}

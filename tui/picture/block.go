package picture

// Block elements, U+2580 to U+259F, and Braille patterns, U+2800 to U+28FF, as rectangles. Edges
// are rounded to whole units, so that blocks of neighbouring cells meet.

// blockRects returns the area of a block element relative to its cell, and how many percent of
// ink it holds: less than 100 for the three shades.
func blockRects(r rune) (rects []rect, ink RGB) {
	const w, h = CellWidth, CellHeight
	switch {
	case r == '▀':
		return []rect{{w: w, h: h - eighths(h, 4)}}, 100
	case r >= '▁' && r <= '█':
		n := eighths(h, int(r-'▁')+1)
		return []rect{{y: h - n, w: w, h: n}}, 100
	case r >= '▉' && r <= '▏':
		return []rect{{w: eighths(w, 7-int(r-'▉')), h: h}}, 100
	case r == '▐':
		return []rect{{x: eighths(w, 4), w: w - eighths(w, 4), h: h}}, 100
	case r >= '░' && r <= '▓':
		return []rect{{w: w, h: h}}, RGB(r-'░'+1) * 25
	case r == '▔':
		return []rect{{w: w, h: eighths(h, 1)}}, 100
	case r == '▕':
		return []rect{{x: w - eighths(w, 1), w: eighths(w, 1), h: h}}, 100
	case r >= '▖' && r <= '▟':
		x, y := eighths(w, 4), h-eighths(h, 4)
		for i, q := range [...]rect{{0, 0, x, y, 0}, {x, 0, w - x, y, 0}, {0, y, x, h - y, 0}, {x, y, w - x, h - y, 0}} {
			if quadrants[r-'▖']>>i&1 == 1 {
				rects = append(rects, q)
			}
		}
		return rects, 100
	}
	return nil, 0
}

// eighths returns n eighths of length, rounded.
func eighths(length, n int) int { return (length*n + 4) / 8 }

// quadrants has one digit per character from U+2596, a sum: 1 upper left, 2 upper right,
// 4 lower left, 8 lower right.
var quadrants = [...]int{4, 8, 1, 13, 9, 7, 11, 2, 6, 14}

// brailleRects returns the dots of a Braille pattern as squares. Bits 0 to 2 are the left column
// from the top, 3 to 5 the right one, 6 and 7 the fourth row. Source: Unicode, chapter 21.1.
func brailleRects(r rune) []rect {
	if r < 0x2800 || r > 0x28ff {
		return nil
	}
	const dot = 4
	xs, ys := [...]int{2, 9}, [...]int{2, 10, 18, 26}
	var out []rect
	for bit := range 8 {
		if (r-0x2800)>>bit&1 == 0 {
			continue
		}
		column, row := bit/3, bit%3
		if bit >= 6 {
			column, row = bit-6, 3
		}
		out = append(out, rect{x: xs[column], y: ys[row], w: dot, h: dot})
	}
	return out
}

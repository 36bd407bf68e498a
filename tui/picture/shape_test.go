package picture

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// bitmap paints rectangles on a cell; what lies outside of the cell is kept as an error.
type bitmap struct {
	ink     [CellHeight][CellWidth]bool
	outside bool
}

func paint(rects []rect) *bitmap {
	var b bitmap
	for _, r := range rects {
		for y := r.y; y < r.y+r.h; y++ {
			for x := r.x; x < r.x+r.w; x++ {
				if x < 0 || y < 0 || x >= CellWidth || y >= CellHeight {
					b.outside = true
					continue
				}
				b.ink[y][x] = true
			}
		}
	}
	return &b
}

// edge returns the inked stretch of one edge of the cell: "." or "#" per unit.
func (b *bitmap) edge(side int) string {
	var out strings.Builder
	add := func(ink bool) {
		if ink {
			out.WriteByte('#')
		} else {
			out.WriteByte('.')
		}
	}
	if side%2 == 0 { // left, right
		for y := range CellHeight {
			add(b.ink[y][side/2*(CellWidth-1)])
		}
	} else { // up, down
		for x := range CellWidth {
			add(b.ink[side/2*(CellHeight-1)][x])
		}
	}
	return out.String()
}

// pieces counts the connected areas of ink.
func (b *bitmap) pieces() int {
	ink, n := b.ink, 0
	var clear func(x, y int)
	clear = func(x, y int) {
		if x < 0 || y < 0 || x >= CellWidth || y >= CellHeight || !ink[y][x] {
			return
		}
		ink[y][x] = false
		clear(x-1, y)
		clear(x+1, y)
		clear(x, y-1)
		clear(x, y+1)
	}
	for y := range CellHeight {
		for x := range CellWidth {
			if ink[y][x] {
				n++
				clear(x, y)
			}
		}
	}
	return n
}

// lineEdge is the pattern that an edge must show for an arm of a weight.
func lineEdge(w weight, length, centre int) string {
	edge := []byte(strings.Repeat(".", length))
	for _, s := range rails(w, none, none, none) {
		for i := s.from; i < s.to; i++ {
			edge[centre+i] = '#'
		}
	}
	return string(edge)
}

// Neighbouring cells meet exactly if every arm reaches the edge at the place that its weight gives
// and nothing else does; inside, the lines hang together.
func TestBoxDrawingMeets(t *testing.T) {
	for r := rune(0x2500); r <= 0x257f; r++ {
		if _, dashed := dashes[r]; dashed || boxPath(r, 0, 0) != "" {
			continue
		}
		entry := boxArms[(r-0x2500)*5:]
		b := paint(boxRects(r))
		if b.outside {
			t.Errorf("%c leaves its cell", r)
		}
		doubles := 0
		for side := range 4 {
			w := weight(entry[side] - '0')
			length, centre := CellHeight, centreY
			if side%2 == 1 {
				length, centre = CellWidth, centreX
			}
			if want, got := lineEdge(w, length, centre), b.edge(side); got != want {
				t.Errorf("%c, side %d:\ngot  %s\nwant %s", r, side, got, want)
			}
			if w == double {
				doubles++
			}
		}
		if doubles == 0 && b.pieces() != 1 {
			t.Errorf("%c falls into %d pieces", r, b.pieces())
		}
	}
}

// The pieces of double lines, counted by eye: a corner has an outer and an inner line.
func TestDoubleLinesTurn(t *testing.T) {
	for r, want := range map[rune]int{
		'═': 2, '║': 2, '╔': 2, '╗': 2, '╚': 2, '╝': 2, '╠': 3, '╣': 3, '╦': 3, '╩': 3, '╬': 4,
		'╒': 1, '╓': 1, '╕': 1, '╖': 1, '╘': 1, '╙': 1, '╛': 1, '╜': 1,
		'╞': 1, '╡': 1, '╥': 1, '╨': 1, '╪': 1, '╫': 1, '╟': 2, '╢': 2, '╤': 2, '╧': 2,
	} {
		if got := paint(boxRects(r)).pieces(); got != want {
			t.Errorf("%c has %d pieces, want %d", r, got, want)
		}
	}
}

func TestDashes(t *testing.T) {
	for r, d := range dashes {
		b := paint(boxRects(r))
		if got := b.pieces(); got != d.count || b.outside {
			t.Errorf("%c has %d dashes, want %d", r, got, d.count)
		}
	}
}

func TestBlocksFillTheirPart(t *testing.T) {
	area := func(r rune) int {
		rects, _ := blockRects(r)
		b, n := paint(rects), 0
		for _, row := range b.ink {
			for _, ink := range row {
				if ink {
					n++
				}
			}
		}
		if b.outside {
			t.Errorf("%c leaves its cell", r)
		}
		return n
	}
	const full = CellWidth * CellHeight
	rise := func(blocks string) {
		last := 0
		for _, r := range blocks {
			if got := area(r); got <= last {
				t.Errorf("%c covers %d, not more than the one before", r, got)
			} else {
				last = got
			}
		}
	}
	rise("▁▂▃▄▅▆▇█")
	rise("▏▎▍▌▋▊▉█")
	for _, pair := range []string{"▀▄", "▌▐", "▘▟", "▝▙", "▖▜", "▗▛", "▚▞"} {
		var both []rect
		for _, r := range pair {
			rects, _ := blockRects(r)
			both = append(both, rects...)
		}
		b := paint(both)
		sum := 0
		for _, r := range pair {
			sum += area(r)
		}
		if sum != full || b.pieces() != 1 {
			t.Errorf("%s do not complete each other: %d of %d", pair, sum, full)
		}
	}
}

func TestBraille(t *testing.T) {
	for r := rune(0x2800); r <= 0x28ff; r++ {
		dots := 0
		for bits := r - 0x2800; bits > 0; bits &= bits - 1 {
			dots++
		}
		if b := paint(brailleRects(r)); b.pieces() != dots || b.outside {
			t.Errorf("%U has %d dots, want %d", r, b.pieces(), dots)
		}
	}
	if got := brailleRects('⠁'); len(got) != 1 || got[0].x != 2 || got[0].y != 2 {
		t.Errorf("dot 1 is at %v", got)
	}
	if got := brailleRects('⢀'); len(got) != 1 || got[0].x != 9 || got[0].y != 26 {
		t.Errorf("dot 8 is at %v", got)
	}
}

// No box, block or Braille character is left to a font.
func TestShapesAreNeverText(t *testing.T) {
	for r := rune(0x2500); r <= 0x28ff; r++ {
		if r == 0x25a0 {
			r = 0x2800
		}
		picture := string(SVG(Parse([]byte(string(r)), 1, 1), Options{Palette: Dark}))
		if strings.Contains(picture, "<text") || r != 0x2800 && !strings.Contains(picture, "<path") {
			t.Errorf("%U %c is not drawn as a shape", r, r)
		}
	}
}

func TestMergeCoversTheSameArea(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one := rapid.Custom(func(t *rapid.T) rect {
			x, y := rapid.IntRange(0, CellWidth).Draw(t, "x"), rapid.IntRange(0, 8).Draw(t, "y")
			return rect{x, y, rapid.IntRange(0, CellWidth-x).Draw(t, "w"), rapid.IntRange(0, 3).Draw(t, "h"), 7}
		})
		rects := rapid.SliceOfN(one, 0, 12).Draw(t, "rects")
		merged := merge(rects)
		if paint(rects).ink != paint(merged).ink || len(merged) > len(rects) {
			t.Fatalf("%v merged to %v", rects, merged)
		}
	})
}

func TestMergeKeepsColoursApart(t *testing.T) {
	got := merge([]rect{{0, 0, 5, 5, 1}, {5, 0, 5, 5, 2}, {10, 0, 5, 5, 2}})
	if len(got) != 2 || got[0] != (rect{0, 0, 5, 5, 1}) || got[1] != (rect{5, 0, 10, 5, 2}) {
		t.Errorf("got %v", got)
	}
}

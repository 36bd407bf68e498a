package picture

import (
	"fmt"
)

// Box drawing, U+2500 to U+257F, drawn in the middle of the cell at (centreX, centreY). A light
// line is 2 units thick, a heavy one 4, a double one two light lines 2 units apart.
const (
	centreX = 8
	centreY = 17

	lightHalf = 1
	heavyHalf = 2
	railNear  = 1 // a double line's rails reach from railNear to railFar off the centre
	railFar   = 3
)

type weight byte

const (
	none weight = iota
	light
	heavy
	double
)

// boxArms has four digits for each character from U+2500: the weights of the arms to the left,
// up, right and down. Dashes, arcs and diagonals have no entry here.
const boxArms = "" +
	"1010 2020 0101 0202 0000 0000 0000 0000 0000 0000 0000 0000 0011 0021 0012 0022 " +
	"1001 2001 1002 2002 0110 0120 0210 0220 1100 2100 1200 2200 0111 0121 0211 0112 " +
	"0212 0221 0122 0222 1101 2101 1201 1102 1202 2201 2102 2202 1011 2011 1021 2021 " +
	"1012 2012 1022 2022 1110 2110 1120 2120 1210 2210 1220 2220 1111 2111 1121 2121 " +
	"1211 1112 1212 2211 1221 2112 1122 2221 2122 2212 1222 2222 0000 0000 0000 0000 " +
	"3030 0303 0031 0013 0033 3001 1003 3003 0130 0310 0330 3100 1300 3300 0131 0313 " +
	"0333 3101 1303 3303 3031 1013 3033 3130 1310 3330 3131 1313 3333 0000 0000 0000 " +
	"0000 0000 0000 0000 1000 0100 0010 0001 2000 0200 0020 0002 1020 0102 2010 0201 "

// dashes gives the number of dashes, whether they are heavy, and whether they run down.
var dashes = map[rune]struct {
	count           int
	heavy, vertical bool
}{
	'┄': {3, false, false}, '┅': {3, true, false}, '┆': {3, false, true}, '┇': {3, true, true},
	'┈': {4, false, false}, '┉': {4, true, false}, '┊': {4, false, true}, '┋': {4, true, true},
	'╌': {2, false, false}, '╍': {2, true, false}, '╎': {2, false, true}, '╏': {2, true, true},
}

// boxRects returns the straight lines of a box drawing character relative to its cell.
func boxRects(r rune) []rect {
	var out []rect
	if d, ok := dashes[r]; ok {
		half, length, gap := lightHalf, CellWidth, 2
		if d.heavy {
			half = heavyHalf
		}
		if d.vertical {
			length, gap = CellHeight, 3
		}
		for i := range d.count {
			from, to := i*length/d.count, (i+1)*length/d.count-gap
			if d.vertical {
				out = append(out, rect{x: centreX - half, y: from, w: 2 * half, h: to - from})
			} else {
				out = append(out, rect{x: from, y: centreY - half, w: to - from, h: 2 * half})
			}
		}
		return out
	}
	if r < 0x2500 || r > 0x257f {
		return nil
	}
	entry := boxArms[(r-0x2500)*5:]
	var arm [4]weight
	for i := range arm {
		arm[i] = weight(entry[i] - '0')
	}
	left, up, right, down := arm[0], arm[1], arm[2], arm[3]
	for _, s := range rails(left, up, down, right) {
		out = append(out, rect{x: 0, y: centreY + s.from, w: centreX + s.end, h: s.to - s.from})
	}
	for _, s := range rails(right, up, down, left) {
		out = append(out, rect{x: centreX - s.end, y: centreY + s.from, w: CellWidth - centreX + s.end, h: s.to - s.from})
	}
	for _, s := range rails(up, left, right, down) {
		out = append(out, rect{x: centreX + s.from, y: 0, w: s.to - s.from, h: centreY + s.end})
	}
	for _, s := range rails(down, left, right, up) {
		out = append(out, rect{x: centreX + s.from, y: centreY - s.end, w: s.to - s.from, h: CellHeight - centreY + s.end})
	}
	return out
}

// rail is one stroke of an arm: across the arm it covers [from, to) off the centre, along the arm
// it ends this far past the centre.
type rail struct{ from, to, end int }

// rails returns the strokes of an arm. Before and after are the arms across it, in the order of
// the axis; opposite is the arm that continues it.
func rails(arm, before, after, opposite weight) []rail {
	switch arm {
	case light:
		return []rail{{-lightHalf, lightHalf, singleEnd(before, after, opposite)}}
	case heavy:
		return []rail{{-heavyHalf, heavyHalf, singleEnd(before, after, opposite)}}
	case double:
		return []rail{
			{-railFar, -railNear, doubleEnd(before, after)},
			{railNear, railFar, doubleEnd(after, before)},
		}
	}
	return nil
}

// singleEnd returns how far a light or heavy arm goes: up to the near rail of a double line that it
// only touches, through to the far rail of a double line that turns here, else over the
// thickness of the line across it, so that corners are filled.
func singleEnd(before, after, opposite weight) int {
	switch {
	case before == double && after == double && opposite == none:
		return -railNear
	case before == double && after == double:
		return 0
	case before == double || after == double:
		return railFar
	case before == heavy || after == heavy:
		return heavyHalf
	case before == light || after == light:
		return lightHalf
	}
	return 0
}

// doubleEnd returns how far one rail of a double arm goes: it stops at a double line on its own side,
// turns around one on the other side, and fills the corner with a single line.
func doubleEnd(near, far weight) int {
	switch {
	case near == double:
		return -railNear
	case far == double:
		return railFar
	case near != none || far != none:
		return lightHalf
	}
	return 0
}

// boxPath returns path data for the characters with curves and diagonals, for a stroke as thick
// as a light line and a cell whose corner is at (x, y); "" for all others.
func boxPath(r rune, x, y int) string {
	const radius = 7
	cx, cy := x+centreX, y+centreY
	right, bottom := x+CellWidth, y+CellHeight
	switch r {
	case '╭':
		return fmt.Sprintf("M%d %dV%dQ%d %d %d %dH%d", cx, bottom, cy+radius, cx, cy, cx+radius, cy, right)
	case '╮':
		return fmt.Sprintf("M%d %dV%dQ%d %d %d %dH%d", cx, bottom, cy+radius, cx, cy, cx-radius, cy, x)
	case '╯':
		return fmt.Sprintf("M%d %dV%dQ%d %d %d %dH%d", cx, y, cy-radius, cx, cy, cx-radius, cy, x)
	case '╰':
		return fmt.Sprintf("M%d %dV%dQ%d %d %d %dH%d", cx, y, cy-radius, cx, cy, cx+radius, cy, right)
	case '╱':
		return fmt.Sprintf("M%d %dL%d %d", x, bottom, right, y)
	case '╲':
		return fmt.Sprintf("M%d %dL%d %d", x, y, right, bottom)
	case '╳':
		return boxPath('╱', x, y) + boxPath('╲', x, y)
	}
	return ""
}

package terminal

import (
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// cell is a character that takes one cell on every terminal, and its pen.
type cell struct {
	r   rune
	pen uint16
}

// row is a line of a frame as cells.
//
// Terminals disagree about the width of emoji, of marks and of what joins them.
// From the first such character on, which cell anything stands in is not known,
// so the rest of the line is kept as its text: it is only ever written whole,
// from a cell that is known.
type row struct {
	line  string // that was read; empty for none
	cells []cell
	tail  string // the rest of the line from the first character whose width is not sure; empty for none
	pen   uint16 // the pen before tail
}

// read makes r the cells of a line, and reuses its memory.
func (r *row) read(line string, pens *pens) {
	r.line, r.cells, r.tail, r.pen = line, r.cells[:0], "", 0
	pen := uint16(0)
	begin, before := 0, uint16(0) // where the last cell begins, and the pen before it
	for i := 0; i < len(line); {
		c := line[i]
		if c >= 0x20 && c < 0x7f {
			begin, before = i, pen
			r.cells = append(r.cells, cell{rune(c), pen})
			i++
			continue
		}
		if n := sequence(line[i:]); n > 0 {
			if next, ok := pens.after(pen, line[i:i+n]); ok {
				pen, i = next, i+n
				continue
			}
		}
		char, n := utf8.DecodeRuneInString(line[i:])
		if !sure(char) {
			// It may join the cell before it, which is then as unsure.
			if len(r.cells) > 0 {
				r.cells = r.cells[:len(r.cells)-1]
			}
			r.tail, r.pen = line[begin:], before
			return
		}
		begin, before = i, pen
		r.cells = append(r.cells, cell{char, pen})
		i += n
	}
}

// sequence returns the length of the SGR sequence that s begins with, 0 for
// none.
func sequence(s string) int {
	if len(s) < 3 || s[0] != '\x1b' || s[1] != '[' {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case c != ';' && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}

// narrowSigns is whether signs of ambiguous width take one cell, as they do but
// where RUNEWIDTH_EASTASIAN says otherwise.
var narrowSigns = ansi.StringWidth("…") == 1

// sure reports whether a character outside ASCII takes exactly one cell on every
// terminal and never joins its neighbours: letters of Latin, Greek and Cyrillic,
// punctuation, arrows, and what frames and gauges are drawn with.
func sure(r rune) bool {
	switch {
	case !narrowSigns, r <= 0xa0, r == 0xad:
		return false
	case r < 0x300, r >= 0x400 && r <= 0x482, r >= 0x391 && r <= 0x3c9 && r != 0x3a2:
		return true
	case r >= 0x2010 && r <= 0x2027, r >= 0x2030 && r <= 0x205e:
		return true
	case r >= 0x2190 && r <= 0x21ff, r >= 0x2200 && r <= 0x22ff:
		return true
	}
	return r >= 0x2500 && r <= 0x25ff && r != 0x25fd && r != 0x25fe
}

package terminal

import (
	"strconv"
	"unicode/utf8"
)

// Strokes turns the terminal's picture into the next frame with few bytes. It
// writes only cells that differ, and all cells of one pen before the next pen's,
// whatever their lines: choosing a colour of 24 bits takes up to 19 bytes, moving to
// a cell up to 9.
//
// A run is a piece of one line in one pen. Cells that are right already belong
// to a run when writing them is cheaper than going past them.
//
// Example: "ab ab" in two colours, where both b become c, is written as
//
//	colour of the first, go to cell 2, c, colour of the second, go to cell 5, c
//
// and when all of it has one colour as: colour, go to cell 2, "c ac".
//
// Invariants:
//   - after the bytes of a frame, every cell holds what the frame says, as if
//     it had been written on an empty terminal, pens of blanks included;
//   - a cell is written at most once a frame, and all runs of a pen together choose
//     it once; only the ends of lines choose pens in the order of their text;
//   - the cost grows with the lines that changed, and not with the screen.
type Strokes struct {
	pens  *pens
	rows  []row // lines on the terminal that were read, by their number
	next  row   // line of the frame
	cells []cell
	runs  []run
	first []int // by pen: index of its first run plus one; 0 for none
	last  []int // by pen: index of its last run
	order []uint16
	ends  []lineEnd

	x, y int    // cell of the cursor; x < 0 for unknown
	pen  uint16 // chosen on the terminal
}

// run is some cells of one line that share a pen.
type run struct {
	pen        uint16
	x, y       int
	begin, end int // in Strokes.cells
	next       int // index of the next run of the pen plus one; 0 for none
}

// lineEnd is the end of a line from the first character whose width is not sure.
type lineEnd struct {
	x, y       int
	begin, end int // in Strokes.cells: cells before tail that have to be written too
	tail       string
	pen        uint16 // before tail
}

const (
	// mostGap is the number of unchanged bytes that are written to save going
	// past them: ESC [ n C has four or five.
	mostGap = 4

	// leastErased is the number of blanks that are erased instead of written:
	// ESC [ n X has five, and going past them as many.
	leastErased = 6
)

// NewStrokes returns strokes that have drawn nothing.
func NewStrokes() *Strokes { return &Strokes{pens: newPens()} }

// Draw appends the sequences that turn the lines on a terminal into the lines of a
// frame, which are as many. All lines of both fill the terminal's width: of one
// that ends earlier, what stood behind it would stay. The cursor is at the top left
// cell before, and the pen is the terminal's own before and after.
func (s *Strokes) Draw(b []byte, old, lines []string) []byte {
	if len(s.pens.all) > mostPens || len(s.pens.steps) > mostPens {
		s.pens, s.rows = newPens(), nil
	}
	for len(s.rows) < len(lines) {
		s.rows = append(s.rows, row{})
	}
	s.cells, s.runs, s.ends, s.order = s.cells[:0], s.runs[:0], s.ends[:0], s.order[:0]
	for y, line := range lines {
		if line == old[y] {
			continue
		}
		if s.rows[y].line != old[y] {
			s.rows[y].read(old[y], s.pens)
		}
		s.next.read(line, s.pens)
		s.line(y)
		s.rows[y], s.next = s.next, s.rows[y]
	}
	s.x, s.y, s.pen = 0, 0, 0
	for _, pen := range s.order {
		for i := s.first[pen]; i != 0; i = s.runs[i-1].next {
			b = s.run(b, &s.runs[i-1])
		}
		s.first[pen], s.last[pen] = 0, 0
	}
	for i := range s.ends {
		b = s.tail(b, &s.ends[i])
	}
	b = s.use(b, 0)
	return b
}

// line finds the runs of a line that has changed.
func (s *Strokes) line(y int) {
	old, now := &s.rows[y], &s.next
	n := len(now.cells) // the cells that runs may be made of
	if old.tail != now.tail || old.pen != now.pen || len(old.cells) != len(now.cells) {
		n = min(n, len(old.cells))
		s.ends = append(s.ends, lineEnd{x: n, y: y, begin: len(s.cells), end: len(s.cells) + len(now.cells) - n, tail: now.tail, pen: now.pen})
		s.cells = append(s.cells, now.cells[n:]...)
	}
	for x := 0; x < n; {
		if old.cells[x] == now.cells[x] {
			x++
			continue
		}
		end := runEnd(old.cells, now.cells, x, n)
		s.add(run{pen: now.cells[x].pen, x: x, y: y, begin: len(s.cells), end: len(s.cells) + end - x})
		s.cells = append(s.cells, now.cells[x:end]...)
		x = end
	}
}

// runEnd returns the end of the run that begins at x, which is at most n.
func runEnd(old, now []cell, x, n int) int {
	end, gap := x+1, 0
	for i := end; i < n && now[i].pen == now[x].pen && gap <= mostGap; i++ {
		if old[i] != now[i] {
			end, gap = i+1, 0
		} else {
			gap += utf8.RuneLen(now[i].r)
		}
	}
	return end
}

// add puts a run behind the others of its pen.
func (s *Strokes) add(r run) {
	for len(s.first) <= int(r.pen) {
		s.first, s.last = append(s.first, 0), append(s.last, 0)
	}
	s.runs = append(s.runs, r)
	switch at := len(s.runs); {
	case s.first[r.pen] != 0:
		s.runs[s.last[r.pen]].next = at
	case r.pen == 0: // is chosen at the beginning
		s.first[0] = at
		s.order = append(s.order, 0)
		copy(s.order[1:], s.order)
		s.order[0] = 0
	default:
		s.first[r.pen] = at
		s.order = append(s.order, r.pen)
	}
	s.last[r.pen] = len(s.runs) - 1
}

// run appends what draws a run.
func (s *Strokes) run(b []byte, r *run) []byte {
	cells, x := s.cells[r.begin:r.end], r.x
	for len(cells) > 0 {
		blanks := 0
		if r.pen == 0 {
			for blanks < len(cells) && cells[blanks].r == ' ' {
				blanks++
			}
		}
		if blanks >= leastErased && (blanks == len(cells) || blanks >= 2*leastErased) {
			b = s.use(s.move(b, x, r.y), 0)
			b = append(b, "\x1b["...)
			b = strconv.AppendInt(b, int64(blanks), 10)
			b = append(b, 'X')
			cells, x = cells[blanks:], x+blanks
			continue
		}
		n := max(blanks, 1)
		b = s.write(s.use(s.move(b, x, r.y), r.pen), cells[:n])
		cells, x = cells[n:], x+n
	}
	return b
}

// tail appends what draws the end of a line whose widths are not sure, in the
// order in which it stands.
func (s *Strokes) tail(b []byte, r *lineEnd) []byte {
	b = s.move(b, r.x, r.y)
	for _, c := range s.cells[r.begin:r.end] {
		b = utf8.AppendRune(s.use(b, c.pen), c.r)
	}
	if r.tail != "" {
		b = s.use(b, r.pen)
		b = append(b, r.tail...)
		b = append(b, "\x1b[m"...) // whatever the pen is by now
		s.pen = 0
	}
	s.x = -1
	return b
}

// write appends cells, which are in the chosen pen and at the cursor.
func (s *Strokes) write(b []byte, cells []cell) []byte {
	for _, c := range cells {
		b = utf8.AppendRune(b, c.r)
	}
	s.x += len(cells)
	return b
}

// use appends what chooses a pen.
func (s *Strokes) use(b []byte, pen uint16) []byte {
	if pen != s.pen {
		b = s.pens.all[s.pen].change(b, s.pens.all[pen])
		s.pen = pen
	}
	return b
}

// move appends what moves the cursor to a cell.
func (s *Strokes) move(b []byte, x, y int) []byte {
	switch {
	case s.x == x && s.y == y:
		return b
	case s.y == y && s.x >= 0 && s.x < x:
		b = append(b, "\x1b["...)
		if x > s.x+1 {
			b = strconv.AppendInt(b, int64(x-s.x), 10)
		}
		b = append(b, 'C')
	case s.y+1 == y && s.x >= 0:
		b = append(b, "\n\x1b["...)
		b = strconv.AppendInt(b, int64(x+1), 10)
		b = append(b, 'G')
	default:
		b = append(b, "\x1b["...)
		b = strconv.AppendInt(b, int64(y+1), 10)
		if x > 0 {
			b = append(b, ';')
			b = strconv.AppendInt(b, int64(x+1), 10)
		}
		b = append(b, 'H')
	}
	s.x, s.y = x, y
	return b
}

package tui

import "caliper/tui/cells"

// bar is a value between nothing and its scale, drawn as a row of blocks. It
// is decoration: the number stands beside it.
type bar struct {
	fraction float64 // of the whole width; clamped to 0..1
	mark     float64 // where a tick stands, as a fraction; none if negative
	fill     cells.Style
	empty    bool // draw the rest too, not spaces
	thin     bool // a line, so that rows above one another stay apart
}

// draw appends the bar to l in exactly w cells.
func (b bar) draw(l *cells.Line, t *Theme, w int) {
	if w <= 0 {
		return
	}
	full, part := b.blocks(t, w)
	tick := -1
	if b.mark >= 0 {
		tick = min(int(b.mark*float64(w)), w-1)
	}
	// The mark hides no filled cell: inside the fill it is drawn as part of it.
	// A cell that the fill ends in counts as filled from half on.
	inside := float64(tick)+0.5 <= min(b.fraction, 1)*float64(w)
	rest := " "
	if b.empty {
		rest = t.Glyphs.Empty
	}
	for at := 0; at < w; {
		// Runs of one glyph end at the tick.
		end := w
		if at < tick {
			end = tick
		}
		switch {
		case at == tick:
			b.drawMark(l, t, inside)
			at++
		case at < full:
			end = min(end, full)
			l.Repeat(b.fill, b.glyph(t), end-at)
			at = end
		case at == full && part != "":
			l.Repeat(b.fill, part, 1)
			at++
		default:
			l.Repeat(t.GaugeEmpty, rest, end-at)
			at = end
		}
	}
}

// drawMark draws the mark, inside the fill on its colour or, where there are no
// colours, as a glyph that looks filled.
func (b bar) drawMark(l *cells.Line, t *Theme, inside bool) {
	switch {
	case !inside:
		l.Repeat(t.GaugeMark, t.Glyphs.Mark, 1)
	case t.GaugeMarkIn == "":
		l.Repeat(b.fill, t.Glyphs.MarkIn, 1)
	default:
		l.Repeat(t.GaugeMarkIn, t.Glyphs.Mark, 1)
	}
}

// glyph is what a whole cell is drawn with.
func (b bar) glyph(t *Theme) string {
	if b.thin {
		return t.Glyphs.Thick
	}
	return t.Glyphs.Full
}

// blocks returns the number of whole cells and the glyph of the cell after
// them, if that is filled in part. A value above nothing is never drawn as
// nothing.
func (b bar) blocks(t *Theme, w int) (full int, part string) {
	steps := len(t.Glyphs.Eighths) + 1
	n := int(min(max(b.fraction, 0), 1)*float64(w*steps) + 0.5)
	if n == 0 && b.fraction > 0 {
		n = 1
	}
	full = n / steps
	if b.thin {
		return max(1, full) * min(1, n), ""
	}
	if rest := n % steps; rest > 0 {
		part = t.Glyphs.Eighths[rest-1]
	}
	return full, part
}

package ui

// Bar draws a fraction as a row of blocks. It only illustrates the number
// beside it.
type Bar struct {
	Fraction float64 // of the whole width; clamped to 0..1
	Mark     float64 // position of a tick, as a fraction; none if negative
	Fill     Style
	Empty    bool // draw the unfilled rest too, instead of spaces
	Thin     bool // draw a thin line, so that bars of adjacent rows do not touch
}

// Draw appends the bar to l in exactly w cells.
func (b Bar) Draw(l *Line, t *Theme, w int) {
	if w <= 0 {
		return
	}
	full, part := b.blocks(t, w)
	tick := -1
	if b.Mark >= 0 {
		tick = min(int(b.Mark*float64(w)), w-1)
	}
	// The mark hides no filled cell: inside the fill it is drawn in the colours
	// of the fill. The last cell of the fill counts as filled when at least half
	// of it is.
	inside := float64(tick)+0.5 <= min(b.Fraction, 1)*float64(w)
	rest, glyph := " ", t.Glyphs.Full
	if b.Empty {
		rest = t.Glyphs.Empty
	}
	if b.Thin {
		glyph = t.Glyphs.Thick
	}
	for at := 0; at < w; {
		// Runs of one glyph end at the tick.
		end := w
		if at < tick {
			end = tick
		}
		switch {
		case at == tick:
			switch {
			case !inside:
				l.Repeat(t.GaugeMark, t.Glyphs.Mark, 1)
			case t.GaugeMarkIn == "": // without colours it is a glyph that looks filled
				l.Repeat(b.Fill, t.Glyphs.MarkIn, 1)
			default:
				l.Repeat(t.GaugeMarkIn, t.Glyphs.Mark, 1)
			}
			at++
		case at < full:
			end = min(end, full)
			l.Repeat(b.Fill, glyph, end-at)
			at = end
		case at == full && part != "":
			l.Repeat(b.Fill, part, 1)
			at++
		default:
			l.Repeat(t.Border, rest, end-at)
			at = end
		}
	}
}

// blocks returns the number of full cells and the glyph of the partly filled
// cell after them, empty for none. A fraction above 0 always fills something.
func (b Bar) blocks(t *Theme, w int) (full int, part string) {
	steps := len(t.Glyphs.Eighths) + 1
	n := int(min(max(b.Fraction, 0), 1)*float64(w*steps) + 0.5)
	if n == 0 && b.Fraction > 0 {
		n = 1
	}
	full = n / steps
	if b.Thin {
		return max(1, full) * min(1, n), ""
	}
	if rest := n % steps; rest > 0 {
		part = t.Glyphs.Eighths[rest-1]
	}
	return full, part
}

// GaugeWidth returns the length of the gauge in a line of w cells: a third up to 40 cells, and in a
// wide line all that the words beside it leave.
func GaugeWidth(w int) int { return max(10, min(40, w/3), w-96) }

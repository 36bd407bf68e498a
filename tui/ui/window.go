package ui

// Window is the scroll position of a long list.
type Window struct {
	Top   int // first line that is drawn
	below int // lines after the last one that is drawn
}

// Follow scrolls as little as needed so that line is among the h visible lines
// of total, with a line or two around it. No blank line follows the last line
// while lines are hidden above.
func (w *Window) Follow(line, h, total int) {
	around := min(2, (h-1)/3)
	w.Top = min(w.Top, line-around)
	w.Top = max(w.Top, line+around-h+1)
	w.Clamp(h, total)
}

// Scroll moves by lines without leaving the list.
func (w *Window) Scroll(by, h, total int) {
	w.Top += by
	w.Clamp(h, total)
}

// Clamp keeps the window inside the list.
func (w *Window) Clamp(h, total int) {
	w.Top = max(0, min(w.Top, total-h))
	w.below = max(0, total-w.Top-max(h, 0))
}

// Hidden returns how many lines are above and below those that were drawn last.
func (w Window) Hidden() (above, below int) { return w.Top, w.below }

// Beyond returns texts for the number of hidden rows above and below, the longer text
// first; none when no row is hidden.
func Beyond(above, below int) []string {
	switch {
	case above > 0 && below > 0:
		more := Thousands(below) + " more"
		return []string{Thousands(above) + " above · " + more, more}
	case above > 0:
		return []string{Thousands(above) + " above"}
	case below > 0:
		return []string{Thousands(below) + " more"}
	}
	return nil
}

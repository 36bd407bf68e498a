package ui

// Window is the scroll position of a long list.
type Window struct {
	Top int // first line that is drawn
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
}

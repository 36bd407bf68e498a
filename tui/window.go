package tui

// window is the part of a long list that is on screen.
type window struct {
	top int // first line that is drawn
}

// follow scrolls as little as needed for line to be among the h drawn of
// total, with a line or two around it, and leaves no blank line below the last
// while there are lines above.
func (w *window) follow(line, h, total int) {
	around := min(2, (h-1)/3)
	w.top = min(w.top, line-around)
	w.top = max(w.top, line+around-h+1)
	w.clamp(h, total)
}

// scroll moves by lines without leaving the list.
func (w *window) scroll(by, h, total int) {
	w.top += by
	w.clamp(h, total)
}

// clamp keeps the window inside the list.
func (w *window) clamp(h, total int) {
	w.top = max(0, min(w.top, total-h))
}

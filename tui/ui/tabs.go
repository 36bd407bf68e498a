package ui

import (
	"caliper/tui/cells"
)

// Tabs is a row of labels of which one is active. The active one has brackets,
// not only another colour.
type Tabs struct {
	Keys   []string // the key of each tab, drawn before its label; nil for none
	Labels []string
	Active int
}

// fitting returns the texts of the tabs in a line of w cells, and the blanks between
// two of them: two, of which the active one takes one on each side for its brackets,
// or one beside the brackets. The keys are left out where not all fit, and where not
// even the labels fit, gap is 0.
func (s Tabs) fitting(w int) (texts []string, gap int) {
	if s.Keys != nil {
		texts = make([]string, len(s.Labels))
		for i, label := range s.Labels {
			texts[i] = s.Keys[i] + " " + label
		}
		switch all := widthOf(texts); {
		case all <= w:
			return texts, 2
		case all-len(texts)+2 <= w:
			return texts, 1
		}
	}
	if widthOf(s.Labels) > w {
		return s.Labels, 0
	}
	return s.Labels, 2
}

// widthOf returns the cells of tabs with those texts that share no blanks.
func widthOf(texts []string) int {
	w := 0
	for _, text := range texts {
		w += cells.Width(text) + 2
	}
	return w
}

// window returns which tabs are drawn in w cells where not all fit, from and to, to
// exclusive: the active one and as many of its neighbours as fit, those behind it
// before those in front.
func (s Tabs) window(texts []string, w int) (from, to int) {
	own := func(i int) int { return cells.Width(texts[i]) + 2 }
	from, to = s.Active, s.Active+1
	w -= own(s.Active)
	for {
		switch {
		case to < len(texts) && own(to) <= w:
			w -= own(to)
			to++
		case from > 0 && own(from-1) <= w:
			from--
			w -= own(from)
		default:
			return from, to
		}
	}
}

// draw appends the tabs in at most w cells. When not all labels fit, the active one is
// drawn and what fits beside it.
func (s Tabs) draw(l *cells.Line, t *Theme, w int) {
	texts, gap := s.fitting(w)
	from, to := 0, len(texts)
	if gap == 0 {
		from, to = s.window(texts, w)
	}
	for i := from; i < to; i++ {
		text := texts[i]
		if gap == 1 {
			l.Gap(1)
		}
		switch {
		case i == s.Active:
			l.Text(t.TabActive, t.TabOpen+cells.Truncate(text, max(w-2, 0))+t.TabClose)
		case gap == 1:
			l.Text(t.Tab, text)
		default:
			l.Text(t.Tab, " "+text+" ")
		}
	}
}

// At returns the index of the tab at cell x of a line of w cells.
func (s Tabs) At(x, w int) (int, bool) {
	texts, gap := s.fitting(w)
	from, to := 0, len(texts)
	if gap == 0 {
		from, to = s.window(texts, w)
	}
	for i := from; i < to; i++ {
		own := min(cells.Width(texts[i])+2, w)
		switch {
		case gap == 1 && i == s.Active:
			own++ // the blank in front of the bracket
		case gap == 1:
			own--
		}
		if x >= 0 && x < own {
			return i, true
		}
		x -= own
	}
	return 0, false
}

// Line draws the tabs in a line of exactly w cells.
func (s Tabs) Line(t *Theme, w int) string {
	var l cells.Line
	l.Start(w)
	s.draw(&l, t, w)
	return l.End()
}

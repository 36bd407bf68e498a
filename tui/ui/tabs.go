package ui

// Tabs is a row of labels of which one is active. The active one has brackets,
// not only another colour.
type Tabs struct {
	Keys   []string // the key of each tab, drawn before its label; nil for none
	Labels []string
	Active int
}

// fitting returns the texts of the tabs in a line of w cells, and the blanks between
// two of them: two, of which the active one takes one on each side for its brackets,
// or one beside the brackets. Where not all keys fit, that of the active tab is left out,
// which leads to where one is, and then the others. Where not even the labels fit, gap is
// 0.
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
		texts[s.Active] = s.Labels[s.Active]
		if widthOf(texts)-len(texts)+2 <= w {
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
		w += Width(text) + 2
	}
	return w
}

// window is the tabs that are drawn where not all fit: from and to, to exclusive. Lead
// is 1 when a cell before them has the sign that there are more.
type window struct{ from, to, lead int }

// windowOf returns the active tab and as many of its neighbours as fit w cells, those
// behind it before those in front.
func (s Tabs) windowOf(texts []string, w int) window {
	own := func(i int) int { return Width(texts[i]) + 2 }
	v := window{from: s.Active, to: s.Active + 1}
	w -= own(s.Active)
	for {
		switch {
		case v.to < len(texts) && own(v.to) <= w:
			w -= own(v.to)
			v.to++
		case v.from > 0 && own(v.from-1) <= w:
			v.from--
			w -= own(v.from)
		default:
			if v.from == s.Active && v.from > 0 && w > 0 {
				v.lead = 1
			}
			return v
		}
	}
}

// draw appends the tabs in at most w cells. When not all labels fit, the active one is
// drawn and what fits beside it, with a sign for those that are left out where there is
// a blank for it.
func (s Tabs) draw(l *Line, t *Theme, w int) {
	texts, gap := s.fitting(w)
	v := window{to: len(texts)}
	if gap == 0 {
		v = s.windowOf(texts, w)
	}
	if v.lead > 0 {
		l.Text(t.Faint, t.Ellipsis)
	}
	for i := v.from; i < v.to; i++ {
		text, before, after := texts[i], " ", " "
		if gap == 1 {
			l.Gap(1)
		}
		if i == v.from && v.from > 0 {
			before = t.Ellipsis
		}
		if i == v.to-1 && v.to < len(texts) {
			after = t.Ellipsis
		}
		switch {
		case i == s.Active:
			l.Text(t.TitleFocus, t.TabOpen+Truncate(text, max(w-2, 0))+t.TabClose)
		case gap == 1:
			l.Text(t.Faint, text)
		default:
			l.Text(t.Faint, before+text+after)
		}
	}
}

// At returns the index of the tab at cell x of a line of w cells.
func (s Tabs) At(x, w int) (int, bool) {
	texts, gap := s.fitting(w)
	v := window{to: len(texts)}
	if gap == 0 {
		v = s.windowOf(texts, w)
	}
	x -= v.lead
	for i := v.from; i < v.to; i++ {
		own := min(Width(texts[i])+2, w)
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
	l := StartLine(w, 0)
	s.draw(&l, t, w)
	return l.End()
}

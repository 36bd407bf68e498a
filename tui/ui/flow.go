package ui

// Phrase is a short text that is not broken across lines if possible.
type Phrase struct {
	Style Style
	Text  string
}

// The cells between the phrases of a group, and between groups on one line.
const (
	phraseGap = 2
	groupGap  = 4
)

// Flow draws groups of phrases in lines of w cells, as many groups on a line as
// fit. A group that does not fit starts a new line, and a phrase longer than a
// line is wrapped.
func Flow(w, indent int, groups ...[]Phrase) []string {
	var out []string
	var l Line
	begun := false
	begin := func() {
		if begun {
			out = append(out, l.End())
		}
		l.StartAt(w, indent)
		begun = true
	}
	for _, group := range groups {
		width := -phraseGap
		for _, p := range group {
			width += phraseGap + Width(p.Text)
		}
		for i, p := range group {
			gap := phraseGap
			if i == 0 {
				gap = groupGap
			}
			need := Width(p.Text)
			if i == 0 {
				need = width
			}
			if begun && gap+need <= l.Room() {
				l.Gap(gap)
				l.Text(p.Style, p.Text)
				continue
			}
			for _, part := range Wrap(p.Text, max(1, w-indent)) {
				begin()
				l.Text(p.Style, part)
			}
		}
	}
	if begun {
		out = append(out, l.End())
	}
	return out
}

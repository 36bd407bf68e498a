package report

import (
	"slices"
	"strings"

	"caliper/model/safetext"
	"caliper/tui/ui"
)

// Pane shows a report on a screen: its lines with a cursor, without the rows that do not
// contain a text.
type Pane struct {
	ui.Cursor
	of     *Report
	w      int
	filter string // in lower case
	lines  []ScreenLine
}

// Show shows a report in w cells. The cursor stays on its row; at first it is on the first
// line that is neither a heading nor faint.
func (p *Pane) Show(r *Report, w int) {
	p.of, p.w = r, w
	all := r.Lines(max(20, w-1)) // the mark of the cursor has a cell
	p.lines = nil
	for len(all) > 0 {
		end := 1 // of a row
		for end < len(all) && all[end].Below {
			end++
		}
		if !all[0].Row || slices.ContainsFunc(all[:end], func(l ScreenLine) bool { return strings.Contains(strings.ToLower(l.Text), p.filter) }) {
			p.lines = append(p.lines, all[:end]...)
		}
		all = all[end:]
	}
	if p.filter != "" && !slices.ContainsFunc(p.lines, func(l ScreenLine) bool { return l.Row }) {
		p.lines = append(p.lines, ScreenLine{}, ScreenLine{Text: "no row contains " + safetext.Line(p.filter) + "; esc clears the filter", Faint: true})
	}
	if at := p.At(p.rows()); at == 0 && p.ID == "" {
		p.To(p.rows(), max(0, slices.IndexFunc(p.lines, func(l ScreenLine) bool { return l.Text != "" && !l.Heading && !l.Faint })))
	}
}

// Drop forgets the report, whose names may keep the bytes of a whole registry. The cursor and
// the filter stay.
func (p *Pane) Drop() { p.of, p.lines, p.ID = nil, nil, strings.Clone(p.ID) }

// Fit makes the lines again for another width.
func (p *Pane) Fit(w int) {
	if p.of != nil && w != p.w {
		p.Show(p.of, w)
	}
}

// rows returns the lines as the cursor goes through them.
func (p *Pane) rows() ui.Rows {
	return ui.Rows{N: len(p.lines), ID: func(i int) string { return p.lines[i].ID }}
}

// Filter shows only the rows that contain a text; it returns false when there was nothing to
// clear.
func (p *Pane) Filter(text string) bool {
	had := p.filter != ""
	p.filter, p.Window.Top = strings.ToLower(strings.TrimSpace(text)), 0
	if p.of != nil {
		p.Show(p.of, p.w)
	}
	return had || text != ""
}

// Filtered returns the text that rows have to contain, empty for any.
func (p *Pane) Filtered() string { return p.filter }

// Row returns the line under the cursor; ok is false in an empty pane.
func (p *Pane) Row() (l ScreenLine, ok bool) {
	if len(p.lines) == 0 {
		return ScreenLine{}, false
	}
	return p.lines[p.At(p.rows())], true
}

// Move moves the cursor by lines.
func (p *Pane) Move(by int) {
	p.Cursor.Move(p.rows(), by)
}

// Wheel moves the cursor, wherever the pointer is.
func (p *Pane) Wheel(_, _, rows int) { p.Move(rows) }

// Press puts the cursor on a line of the picture, and reports whether it was there already.
func (p *Pane) Press(line int) (again bool) {
	again, _ = p.Cursor.Press(p.rows(), line)
	return again
}

// Len returns how many lines the pane has.
func (p *Pane) Len() int { return len(p.lines) }

// Lines returns the lines in w cells, for a list that is scrolled elsewhere.
func (p *Pane) Lines(t *ui.Theme, w int) ui.Lines {
	p.Fit(w)
	return ui.Lines{Count: len(p.lines), Line: func(i int) string {
		return ui.TextLine(w, 1, p.lines[i].style(t), p.lines[i].Text)
	}}
}

// Under returns a report as lines of w cells below a heading.
func (r *Report) Under(t *ui.Theme, w int, heading string) ui.Lines {
	p := new(Pane)
	p.Show(r, w)
	lines := p.Lines(t, w)
	lines.Heading = heading
	return lines
}

// style returns the style of a line.
func (l ScreenLine) style(t *ui.Theme) ui.Style {
	switch {
	case l.Heading:
		return t.Title
	case l.Faint:
		return t.Faint
	}
	return map[Level]ui.Style{Info: t.Text, Good: t.Added, Warn: t.Warn, Bad: t.Bad}[l.Level]
}

// Draw returns exactly h lines of w cells.
func (p *Pane) Draw(t *ui.Theme, w, h int, focused bool) []string {
	p.Fit(w)
	lines := p.Cursor.Draw(t, p.rows(), w, h, focused, func(l *ui.Line, i int, selected bool) {
		l.Text(p.lines[i].style(t), p.lines[i].Text)
	})
	for i := range lines { // a heading is a rule while the cursor is elsewhere
		if at := p.Window.Top + i; at < len(p.lines) && p.lines[at].Heading && at != p.At(p.rows()) {
			lines[i] = ui.DrawHeading(t, w, false, p.lines[at].Text, "")
		}
	}
	return lines
}

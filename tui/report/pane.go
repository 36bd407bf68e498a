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

// Row returns the line under the cursor; ok is false in an empty pane. While a filter hides the row that the
// cursor was on, it is the line that is marked, and ID is still the hidden one's.
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
		return t.Faint
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

// ScreenLine is one line of a report on a screen, which puts a cursor on it.
type ScreenLine struct {
	Text    string // safe for a terminal
	Heading bool
	Faint   bool
	Row     bool // it is of a row of a table
	Below   bool // it goes on with the row of the line above
	News         // of the row
}

// News is the subject of a row and how good its news are.
type News struct {
	Level       Level
	ID          string // by which a cursor stays on the row; empty for none
	Tool, Query string // qualified name, and foreign text; empty for none
}

// About sets the news of the row that was added last.
func (t *Table) About(n News) { t.rows[len(t.rows)-1].news = n }

// Lines returns the lines of a report in w cells. Nothing is cut: a wider text goes on in the
// next line, and the rows of a table with more indentation, so that it does not look like
// another row.
func (r *Report) Lines(w int) (out []ScreenLine) {
	for _, b := range r.blocks {
		switch b.kind {
		case blank:
			if len(out) > 0 {
				out = append(out, ScreenLine{})
			}
		case heading:
			if n := len(out); n > 0 && out[n-1].Text == "" {
				out = out[:n-1]
			}
			out = append(out, ScreenLine{Text: b.texts[0].String(), Heading: true})
		case grid:
			out = b.table.screen(out, w)
		default:
			var text strings.Builder
			Page{Out: &text, Width: w}.Print(&Report{blocks: []block{b}})
			for l := range strings.Lines(text.String()) {
				out = brokenLine(out, ScreenLine{Text: strings.TrimRight(l, "\n")}, w)
			}
		}
	}
	return out
}

// screen appends the lines of a table in w cells. Where its columns are wider, a first cell
// that is long has a line of its own; where that gives no room, every row is its cells one
// after the other.
func (t *Table) screen(out []ScreenLine, w int) []ScreenLine {
	whole := *t
	whole.columns = slices.Clone(t.columns)
	if last := len(t.columns) - 1; last >= 0 && t.columns[last].align == cut {
		whole.columns[last].align = left
	}
	t = &whole
	widths := t.widths(w)
	over := sumOf(widths) + t.indent() - w
	packs := over > 0 && widths[0]-over < leastGrown
	if over > 0 && !packs {
		widths[0] -= over
	}
	add := func(text string, l ScreenLine) {
		l.Text = strings.TrimRight(ui.Spaces(t.indent())+ui.Clean(text), " ")
		out = brokenLine(out, l, w)
	}
	row := func(texts []string, l ScreenLine) {
		if packs {
			var lines []string // of as many cells as there is room for
			for _, text := range texts {
				last := len(lines) - 1
				switch text = strings.TrimSpace(ui.Clean(text)); {
				case text == "":
				case last >= 0 && ui.Width(lines[last])+gutter+ui.Width(text) <= w-t.indent()-moreIndent:
					lines[last] += ui.Spaces(gutter) + text
				default:
					lines = append(lines, text)
				}
			}
			for i, text := range lines {
				l.Below = l.Below || i > 0
				add(ui.Spaces(min(i, 1)*moreIndent)+text, l)
			}
			return
		}
		if ui.Width(texts[0]) > widths[0] {
			add(texts[0], l)
			texts[0], l.Below = "", true
		}
		for _, texts := range t.lines(texts, widths) {
			add(t.layout(texts, widths), l)
			l.Below = true
		}
	}
	if t.titled() {
		titles := make([]string, len(t.columns))
		for i, c := range t.columns {
			titles[i] = c.title.String()
		}
		row(titles, ScreenLine{Faint: true})
	}
	for r := range t.each {
		if r.ruler != "" {
			add(ruler(r.ruler, min(sumOf(widths), w-t.indent())), ScreenLine{Faint: true})
			continue
		}
		row(t.texts(w, r), ScreenLine{Row: true, Faint: r.faint, News: r.news})
		if r.below != nil {
			under := new(Report)
			r.below(under)
			for _, l := range under.Lines(w) {
				l.Below, l.News = true, r.news
				out = append(out, l)
			}
		}
	}
	return out
}

// moreIndent is how much more a line is indented that goes on with the one above.
const moreIndent = 4

// brokenLine appends a line as lines of at most w cells. One that is indented goes on with
// more indentation.
func brokenLine(out []ScreenLine, l ScreenLine, w int) []ScreenLine {
	more := 0
	if strings.HasPrefix(l.Text, " ") && ui.Width(l.Text) > w {
		more = moreIndent
	}
	parts := ui.Wrap(l.Text, w-more)
	if len(parts) == 0 {
		return append(out, l)
	}
	for i, part := range parts {
		l.Text = part
		if i > 0 {
			l.Text, l.Below = ui.Spaces(more)+part, true
		}
		out = append(out, l)
	}
	return out
}

// Level is how good or bad the news of a line is.
type Level int

// The levels.
const (
	Info Level = iota
	Good
	Warn
	Bad
)

// Line is one line of what happened, safe for a terminal.
type Line struct {
	Level Level
	Text  string
}

// Linef returns a line by a format, as Textf reads it.
func Linef(l Level, format string, args ...any) Line {
	return Line{l, Textf(format, args...).String()}
}

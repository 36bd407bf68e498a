package report

import (
	"slices"
	"strings"

	"caliper/tui/ui"
)

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

// Package report turns results into text, once for the screens, the commands,
// and the issues that users paste them into.
//
// A Report is a value: a sequence of blocks of Text, such as headings,
// paragraphs, tables and quoted text. Print writes it for a terminal, Markdown for
// an issue, HTML for a page, and a Pane shows it on a screen, with a cursor that
// stays on the rows that have an ID. One file has the wording of one subject: the
// function named after the subject returns the report, and the method of Case puts
// it between what it depends on and the command line that prints it again, for an
// issue. One line of a screen, such as the title of a reload, is a Line.
//
// Goals:
//   - values in, a Report out: commands and explorer share it
//   - the same bytes for the same values; no time except the times of the given
//     events, and in Markdown no path of the machine except the names of files
//   - text of a registry, a config or a query stays text: it cannot act on a
//     terminal, and in Markdown it cannot end its fence or cell, mention anybody
//     or link anywhere
//   - Markdown of a length that issue trackers accept
//
// Non-goals: computing results, reading files, copying to a clipboard. The
// Markdown is GitHub Flavored Markdown 0.29 (https://github.github.com/gfm).
package report

// Report is a result as text: a sequence of blocks.
type Report struct{ blocks []block }

// kind is the kind of a block.
type kind int

const (
	paragraph kind = iota
	heading
	line  // one line, however long, without the spaces at its end
	exact // one line with the spaces at its end
	list
	quote
	fence
	blank
	grid
	drawing // a chart, where it can be shown
)

// block is one block of a report.
type block struct {
	kind   kind
	texts  []Text // the items of a list; else one
	number int    // cells that a paragraph is indented by, the level of a heading, the most characters of a fence
	name   string // the language of a fence
	raw    string // the quoted or fenced text
	table  *Table
	chart  Drawing
	sketch bool // a picture of characters: a page of HTML has a chart in its place
}

// Drawing is a chart. It never stands for its figures: a table beside it has them.
type Drawing interface {
	// SVG returns the chart as an svg element, with a title for readers that show none.
	SVG() string
	// Caption returns what the chart shows, in a line.
	Caption() string
}

// add appends a block.
func (r *Report) add(b block) { r.blocks = append(r.blocks, b) }

// Head adds a line with a title followed by its subject.
func (r *Report) Head(title any, format string, args ...any) {
	r.Line(Strong("%s", TextOf(title)), Faint("  "+format, args...))
}

// Heading adds a heading of a level.
//
//go:noinline // or each caller has a copy
func (r *Report) Heading(level int, format string, args ...any) {
	r.add(block{kind: heading, number: level, texts: []Text{Textf(format, args...)}})
}

// Say adds a paragraph.
//
//go:noinline // or each caller has a copy
func (r *Report) Say(format string, args ...any) { r.Indented(0, format, args...) }

// Indented adds a paragraph that is indented by n cells in a terminal.
//
//go:noinline // or each caller has a copy
func (r *Report) Indented(n int, format string, args ...any) {
	r.add(block{kind: paragraph, number: n, texts: []Text{Textf(format, args...)}})
}

// Line adds one line, which is never wrapped.
//
//go:noinline // or each caller has a copy
func (r *Report) Line(parts ...any) {
	r.add(block{kind: line, texts: []Text{join(parts)}})
}

// Exact adds one line as Line does, and keeps the spaces at its end.
func (r *Report) Exact(parts ...any) {
	r.add(block{kind: exact, texts: []Text{join(parts)}})
}

// Blank adds an empty line in a terminal. Blocks of Markdown always have one
// between them.
//
//go:noinline // or each caller has a copy
func (r *Report) Blank() { r.add(block{kind: blank}) }

// List adds a list.
func (r *Report) List(items ...Text) { r.add(block{kind: list, texts: items}) }

// Quote adds foreign text, line by line. Markdown contains at most maxBlock characters of it.
func (r *Report) Quote(text string) { r.add(block{kind: quote, raw: text, number: maxBlock}) }

// Fence adds foreign text in a language, such as json. Markdown contains at
// most maxBlock characters of it.
func (r *Report) Fence(language, text string) {
	r.add(block{kind: fence, name: language, raw: text, number: maxBlock})
}

// Table adds a table.
//
//go:noinline // or each caller has a copy
func (r *Report) Table(t *Table) { r.add(block{kind: grid, table: t}) }

// Draw adds a chart. Only a page of HTML shows it: its figures must be in a table, too.
func (r *Report) Draw(c Drawing) { r.add(block{kind: drawing, chart: c}) }

// Sketch adds a table that is a picture of characters, and what it means, where no chart
// can be shown.
func (r *Report) Sketch(t *Table, meaning Text) {
	r.add(block{kind: grid, table: t, sketch: true})
	r.add(block{kind: paragraph, texts: []Text{meaning}, sketch: true})
}

// Add adds the blocks of another report.
//
//go:noinline // or each caller has a copy
func (r *Report) Add(other *Report) { r.blocks = append(r.blocks, other.blocks...) }

// cut returns the report with at most maxRows rows of a table, and how many more it has.
func (r *Report) cut() *Report {
	out := new(Report)
	for _, b := range r.blocks {
		if b.kind != grid || len(b.table.rows) <= MaxRows {
			out.add(b)
			continue
		}
		short := *b.table
		short.rows = short.rows[:MaxRows]
		out.Table(&short)
		out.More(len(b.table.rows) - MaxRows)
	}
	return out
}

// Rows adds a table with the cells that row returns for each of the first most
// elements of a list, and the number of the other elements.
func Rows[T any](r *Report, t *Table, list []T, most int, row func(T) []any) {
	for _, x := range list[:min(len(list), most)] {
		t.Row(row(x)...)
	}
	r.Table(t)
	r.More(len(list) - most)
}

// More adds the number of rows that a table leaves out, if any.
func (r *Report) More(n int) {
	if n > 0 {
		r.Say("And %d more.", n)
	}
}

package report

import (
	"io"
	"strings"

	"caliper/tui/ui"
)

// Page is the output for a terminal.
type Page struct {
	Out    io.Writer // must remember its errors, as a bufio.Writer does
	Width  int       // in cells
	Styled bool      // whether it shows styles
}

// Print writes a report for a terminal.
//
// SECURITY: text reaches the output only through cells, which lets no control
// through, whatever was done to it before.
func (p Page) Print(r *Report) {
	for _, b := range r.blocks {
		switch b.kind {
		case paragraph:
			for _, l := range ui.Wrap(b.texts[0].String(), p.Width-b.number) {
				p.line(ui.Spaces(b.number) + l)
			}
		case heading:
			p.line(p.style(strong, b.texts[0].String()))
		case line:
			p.line(p.text(b.texts[0]))
		case exact:
			p.write(p.text(b.texts[0]))
		case list:
			for _, item := range b.texts {
				p.line("- " + p.text(item))
			}
		case quote, fence:
			// SECURITY: every line is indented, so that no foreign line looks like one of
			// the program, such as a command line to paste.
			for l := range strings.Lines(b.raw) {
				p.write("  " + ui.Clean(Name(strings.TrimSuffix(strings.TrimSuffix(l, "\n"), "\r")).String()))
			}
		case blank:
			p.line("")
		case grid:
			p.table(b.table)
		}
	}
}

// write writes one line that is safe.
func (p Page) write(line string) { _, _ = io.WriteString(p.Out, line+"\n") }

// line writes one line that is safe, without the spaces at its end.
func (p Page) line(line string) { p.write(strings.TrimRight(line, " ")) }

// text returns a text in one line, with its styles.
func (p Page) text(t Text) string {
	var b strings.Builder
	for i := 0; i < len(t); {
		end := i + 1
		for end < len(t) && t[end].style == t[i].style {
			end++
		}
		b.WriteString(p.style(t[i].style, t[i:end].String()))
		i = end
	}
	return b.String()
}

// style returns text, made safe, between a style and its end.
func (p Page) style(s style, text string) string {
	text = ui.Clean(text)
	if !p.Styled || s == plain || strings.TrimSpace(text) == "" {
		return text
	}
	return string(s) + text + "\x1b[0m"
}

// table writes a table.
func (p Page) table(t *Table) {
	widths := t.widths(p.Width)
	indent := ui.Spaces(t.indent())
	if t.titled() {
		titles := make([]string, len(t.columns))
		for i, c := range t.columns {
			titles[i] = c.title.String()
		}
		p.line(indent + p.style(faint, t.layout(titles, widths)))
	}
	for r := range t.each {
		if r.ruler != "" {
			p.line(indent + p.style(faint, ruler(r.ruler, sumOf(widths))))
		} else {
			for _, row := range t.lines(t.texts(p.Width, r), widths) {
				line := t.layout(row, widths)
				if r.faint {
					line = p.style(faint, line)
				}
				p.line(indent + line)
			}
		}
		if r.below != nil {
			under := new(Report)
			r.below(under)
			p.Print(under)
		}
	}
}

// ruler returns text in the middle of a line of w cells.
func ruler(text string, w int) string {
	text = " " + text + " "
	before := max(0, (w-ui.Width(text))/2)
	after := max(0, w-before-ui.Width(text))
	return strings.Repeat("─", before) + text + strings.Repeat("─", after)
}

// bar returns the share of part in whole as at most w blocks. The number always
// stands beside it. Any value above 0 has at least one block.
func bar(part, whole float64, w int) Text {
	if part <= 0 || whole <= 0 {
		return nil
	}
	n := int(part/whole*float64(w) + 0.5)
	return Text{{origin: blocks, text: strings.Repeat("█", min(max(n, 1), w))}}
}

// gauge returns a bar in a frame of w blocks.
func gauge(part, whole float64, w int) Text {
	filled := bar(part, whole, w).String()
	return Text{{origin: blocks, text: filled + strings.Repeat("░", w-strings.Count(filled, "█"))}}
}

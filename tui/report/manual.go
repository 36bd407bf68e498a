package report

import (
	"strings"

	"caliper/tui/ui"
)

// Manual returns the report as the source of a manual page of section 1, in the
// macros of man(7), which every troff and mandoc read. name is the page's and
// about what it is about, in a few words. There is no date in it, so that the same
// report gives the same bytes.
//
// SECURITY: no control character and no escape of troff passes from a text.
func (r *Report) Manual(name, about string) string {
	m := new(manual)
	m.write(`.TH "` + strings.ToUpper(troff(name)) + `" "1" "" "caliper" "caliper"`)
	m.write(".SH NAME")
	m.text(name + ` - ` + strings.TrimSuffix(about, "."))
	m.write(".SH DESCRIPTION")
	for _, b := range r.blocks {
		m.block(b)
	}
	m.literal(false)
	return m.String()
}

// manual is a page under construction.
type manual struct {
	strings.Builder
	filled bool // inside .nf, where lines stay as they are
}

// write writes one line of troff.
func (m *manual) write(line string) { m.WriteString(line + "\n") }

// text writes one line of text.
func (m *manual) text(line string) { m.write(troff(line)) }

// literal begins or ends a block of lines that are not filled.
func (m *manual) literal(on bool) {
	if on != m.filled {
		m.filled = on
		m.write(map[bool]string{true: ".nf", false: ".fi"}[on])
	}
}

// block writes one block.
func (m *manual) block(b block) {
	switch b.kind {
	case line, exact:
		m.literal(true)
		m.text(b.texts[0].String())
	case quote, fence:
		m.literal(true)
		for l := range strings.Lines(b.raw) {
			m.text("  " + strings.TrimRight(l, "\r\n"))
		}
	case heading:
		m.literal(false)
		m.write(".SS " + troff(b.texts[0].String()))
	case blank:
		m.literal(false)
		m.write(".PP")
	case grid:
		m.literal(false)
		m.table(b.table)
	default:
		m.literal(false)
		for _, t := range b.texts {
			m.text(t.String())
		}
	}
}

// table writes rows as tagged paragraphs: the first cell is the tag.
func (m *manual) table(t *Table) {
	for r := range t.each {
		if len(r.cells) == 0 {
			continue
		}
		var rest []string
		for _, c := range r.cells[1:] {
			rest = append(rest, c.String())
		}
		m.write(".TP")
		m.write(`\fB` + troff(r.cells[0].String()) + `\fR`)
		m.text(strings.Join(rest, "  "))
	}
	m.write(".PP")
}

// troff returns a line of text in which nothing is a command or an escape.
func troff(text string) string {
	text = strings.ReplaceAll(ui.Clean(text), `\`, `\e`)
	text = strings.ReplaceAll(text, "-", `\-`)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	if text == "" {
		return `\&`
	}
	return text
}

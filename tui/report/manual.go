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
	var page strings.Builder
	write := func(line string) { page.WriteString(line + "\n") }
	write(`.TH "` + strings.ToUpper(troff(name)) + `" "1" "" "caliper" "caliper"`)
	write(".SH NAME")
	write(troff(name + ` - ` + strings.TrimSuffix(about, ".")))
	write(".SH DESCRIPTION")
	exactly := false // inside .nf, where lines stay as they are
	literal := func(on bool) {
		if on != exactly {
			exactly = on
			write(map[bool]string{true: ".nf", false: ".fi"}[on])
		}
	}
	for _, b := range r.blocks {
		literal(b.kind == line || b.kind == exact || b.kind == quote || b.kind == fence)
		switch b.kind {
		case quote, fence:
			for l := range strings.Lines(b.raw) {
				write(troff("  " + strings.TrimRight(l, "\r\n")))
			}
		case heading:
			write(".SS " + troff(b.texts[0].String()))
		case blank:
			write(".PP")
		case grid: // rows are tagged paragraphs: the first cell is the tag
			for r := range b.table.each {
				if len(r.cells) == 0 {
					continue
				}
				var rest []string
				for _, c := range r.cells[1:] {
					rest = append(rest, c.String())
				}
				write(".TP")
				write(`\fB` + troff(r.cells[0].String()) + `\fR`)
				write(troff(strings.Join(rest, "  ")))
			}
			write(".PP")
		default:
			for _, t := range b.texts {
				write(troff(t.String()))
			}
		}
	}
	literal(false)
	return page.String()
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

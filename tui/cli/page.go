package cli

import (
	"strconv"
	"strings"

	"caliper/tui/cells"
)

// pageWidth is the width of text in cells where the terminal does not say one.
const pageWidth = 100

// page writes human text. Styles are bold for what is looked for and faint for
// what is not; the words alone carry the meaning.
//
// SECURITY: text reaches the output only through cells, which lets no control
// through, whatever was done to it before.
type page struct {
	run    *run
	width  int
	styled bool
}

// page returns the page that text is written on.
func (r *run) page() *page {
	p := &page{run: r, width: pageWidth}
	if r.env.StdoutTerminal && r.env.Width > 0 {
		p.width = max(r.env.Width, 40)
	}
	noColor, _ := r.env.Lookup("NO_COLOR")
	term, _ := r.env.Lookup("TERM")
	p.styled = r.env.StdoutTerminal && noColor == "" && term != "dumb" && r.flags.theme != "plain"
	return p
}

// line writes segments that are already safe as one line.
func (p *page) line(segments ...string) {
	// Errors of a buffered writer stay until it is flushed, where they are seen.
	_, _ = p.run.out.WriteString(strings.TrimRight(strings.Join(segments, ""), " ") + "\n")
}

// verbatim writes segments that are already safe as one line, with the blanks
// at its end: of what is quoted, such as a difference, they are a part.
func (p *page) verbatim(segments ...string) {
	_, _ = p.run.out.WriteString(strings.Join(segments, "") + "\n")
}

// text writes one line of text as it is, made safe.
func (p *page) text(s string) { p.line(cells.Clean(s)) }

// paragraph writes text wrapped to the page, indented by n cells; its newlines
// are kept.
func (p *page) paragraph(n int, s string) {
	for _, l := range cells.Wrap(s, p.width-n) {
		p.line(cells.Spaces(n), l)
	}
}

// blank writes an empty line.
func (p *page) blank() { p.line("") }

// strong returns text that is looked for.
func (p *page) strong(s string) string { return p.style("\x1b[1m", s) }

// alarm returns text that must not be overlooked, in bold red.
func (p *page) alarm(s string) string { return p.style("\x1b[1;31m", s) }

// faint returns text that is not looked for.
func (p *page) faint(s string) string { return p.style("\x1b[2m", s) }

// style returns safe text between a style and its end.
func (p *page) style(sgr, s string) string {
	s = cells.Clean(s)
	if !p.styled || strings.TrimSpace(s) == "" {
		return s
	}
	return sgr + s + "\x1b[0m"
}

// grouped returns a number with a comma between every three digits.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	var b strings.Builder
	b.WriteString(sign)
	for i := range len(digits) {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(digits[i])
	}
	return b.String()
}

// counted returns a number with what it counts, in the plural unless it is one.
func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return grouped(n) + " " + what
}

// percent returns a percentage with one decimal, or none when that is zero.
func percent(pct float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(pct, 'f', 1, 64), ".0") + "%"
}

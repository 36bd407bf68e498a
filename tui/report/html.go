package report

import (
	_ "embed" // the style sheet is a file
	"fmt"
	"html"
	"strconv"
	"strings"

	"caliper/model/safetext"
	"caliper/model/words"
)

// pageStyle is the style sheet of a page, light or dark as the reader's system is.
//
//go:embed page.css
var pageStyle string

// HTML returns a report as one page that needs nothing else: no script, no font, no
// picture and no address. Headings of level 2 are listed at its top.
//
// SECURITY: foreign text is escaped, and characters that are invisible or act on a reader's program
// are replaced as on a terminal. The policy of the page lets no browser load or run
// anything, whatever is in it.
func (r *Report) HTML(title string) string {
	var h page
	fmt.Fprintf(&h.b, `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>%s</title>
<style>
%s</style></head><body>
<h1>%s</h1>
`, escaped(title), pageStyle, escaped(title))
	sections := 0
	for _, b := range r.blocks {
		if b.kind != heading || b.number != 2 {
			continue
		}
		if sections++; sections == 1 {
			h.b.WriteString("<nav>")
		}
		fmt.Fprintf(&h.b, `<a href="#s%d">%s</a>`, sections, h.text(b.texts[0]))
	}
	if sections > 0 {
		h.b.WriteString("</nav>\n")
	}
	for _, b := range r.blocks {
		h.block(b)
	}
	h.b.WriteString("</body></html>\n")
	return h.b.String()
}

// page builds a page.
type page struct {
	b        strings.Builder
	sections int
}

// escaped returns foreign text on one line as text of HTML.
func escaped(text string) string { return html.EscapeString(safetext.Line(text)) }

// block writes a block.
func (h *page) block(b block) {
	if b.sketch {
		return
	}
	switch b.kind {
	case blank:
	case heading:
		id := ""
		if b.number == 2 {
			h.sections++
			id = fmt.Sprintf(` id="s%d"`, h.sections)
		}
		fmt.Fprintf(&h.b, "<h%d%s>%s</h%d>\n", b.number, id, h.text(b.texts[0]), b.number)
	case list:
		h.b.WriteString("<ul>\n")
		for _, item := range b.texts {
			h.b.WriteString("<li>" + h.text(item) + "</li>\n")
		}
		h.b.WriteString("</ul>\n")
	case quote, fence:
		h.b.WriteString("<pre>" + html.EscapeString(safetext.Lines(b.raw)) + "</pre>\n")
	case grid:
		h.table(b.table)
	case drawing:
		h.b.WriteString("<figure><figcaption>" + escaped(b.chart.Caption()) + "</figcaption>" + b.chart.SVG() + "</figure>\n")
	default:
		h.b.WriteString("<p>" + h.text(b.texts[0]) + "</p>\n")
	}
}

// text returns a text as markup.
func (h *page) text(t Text) string {
	var b strings.Builder
	for _, s := range t {
		what := html.EscapeString(s.text)
		switch s.origin {
		case foreign:
			what = "<code>" + escaped(s.text) + "</code>"
		case number:
			what = words.Thousands(s.number)
		case blocks:
			what = ""
		}
		switch s.style {
		case strong:
			what = "<strong>" + what + "</strong>"
		case faint:
			what = `<span class="faint">` + what + "</span>"
		case alarm:
			what = `<span class="alarm">` + what + "</span>"
		}
		b.WriteString(what)
	}
	return b.String()
}

// table writes a table. A ruler is a row over all columns.
func (h *page) table(t *Table) {
	h.b.WriteString(`<div class="scroll"><table>` + "\n")
	if t.titled() {
		h.b.WriteString("<tr>")
		for _, c := range t.columns {
			fmt.Fprintf(&h.b, "<th%s>%s</th>", figure(c), h.text(c.title))
		}
		h.b.WriteString("</tr>\n")
	}
	for r := range t.each {
		class := ""
		if r.faint {
			class = ` class="faint"`
		}
		h.b.WriteString("<tr" + class + ">")
		if r.ruler != "" {
			fmt.Fprintf(&h.b, `<td colspan="%s" class="faint">%s</td>`, strconv.Itoa(len(t.columns)), escaped(r.ruler))
		}
		for i, c := range r.cells {
			fmt.Fprintf(&h.b, "<td%s>%s</td>", figure(t.columns[i]), h.text(c))
		}
		h.b.WriteString("</tr>\n")
	}
	h.b.WriteString("</table></div>\n")
}

// figure returns the attribute of a cell of a column of figures.
func figure(c column) string {
	if c.align == right {
		return ` class="figure"`
	}
	return ""
}

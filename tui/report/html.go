package report

import (
	_ "embed" // the style sheet is a file
	"fmt"
	"html"
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
	var page strings.Builder
	fmt.Fprintf(&page, `<!doctype html>
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
			page.WriteString("<nav>")
		}
		fmt.Fprintf(&page, `<a href="#s%d">%s</a>`, sections, markup(b.texts[0]))
	}
	if sections > 0 {
		page.WriteString("</nav>\n")
	}
	section := 0
	for _, b := range r.blocks {
		switch {
		case b.sketch || b.kind == blank:
		case b.kind == heading:
			id := ""
			if b.number == 2 {
				section++
				id = fmt.Sprintf(` id="s%d"`, section)
			}
			fmt.Fprintf(&page, "<h%d%s>%s</h%d>\n", b.number, id, markup(b.texts[0]), b.number)
		case b.kind == list:
			page.WriteString("<ul>\n")
			for _, item := range b.texts {
				page.WriteString("<li>" + markup(item) + "</li>\n")
			}
			page.WriteString("</ul>\n")
		case b.kind == quote || b.kind == fence:
			page.WriteString("<pre>" + html.EscapeString(safetext.Lines(b.raw)) + "</pre>\n")
		case b.kind == grid:
			writeTable(&page, b.table)
		case b.kind == drawing:
			page.WriteString("<figure><figcaption>" + escaped(b.chart.Caption()) + "</figcaption>" + b.chart.SVG() + "</figure>\n")
		default:
			page.WriteString("<p>" + markup(b.texts[0]) + "</p>\n")
		}
	}
	page.WriteString("</body></html>\n")
	return page.String()
}

// escaped returns foreign text on one line as text of HTML.
func escaped(text string) string { return html.EscapeString(safetext.Line(text)) }

// markup returns a text as HTML.
func markup(t Text) string {
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

// writeTable writes a table as HTML. A ruler is a row over all columns.
func writeTable(page *strings.Builder, t *Table) {
	cell := func(tag string, c column, text Text) {
		class := ""
		if c.align == right {
			class = ` class="figure"`
		}
		fmt.Fprintf(page, "<%s%s>%s</%s>", tag, class, markup(text), tag)
	}
	page.WriteString(`<div class="scroll"><table>` + "\n")
	if t.titled() {
		page.WriteString("<tr>")
		for _, c := range t.columns {
			cell("th", c, c.title)
		}
		page.WriteString("</tr>\n")
	}
	for r := range t.each {
		class := ""
		if r.faint {
			class = ` class="faint"`
		}
		page.WriteString("<tr" + class + ">")
		if r.ruler != "" {
			fmt.Fprintf(page, `<td colspan="%d" class="faint">%s</td>`, len(t.columns), escaped(r.ruler))
		}
		for i, text := range r.cells {
			cell("td", t.columns[i], text)
		}
		page.WriteString("</tr>\n")
	}
	page.WriteString("</table></div>\n")
}

package report

import (
	"fmt"
	"html"
	"strconv"
	"strings"

	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/chart"
)

// pageStyle is the style sheet of a page, light or dark as the reader's system is.
const pageStyle = `:root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--faint:#636c76;--line:#d7dce1;--shade:#f5f7f9;--accent:#2f6fd0;--second:#9db8e0;--alarm:#c0362c}
@media(prefers-color-scheme:dark){:root{--paper:#14171a;--ink:#e4e7ea;--faint:#97a0a8;--line:#343a40;--shade:#1d2125;--accent:#6ea3f0;--second:#3c5a85;--alarm:#ee7a70}}
body{margin:0 auto;max-width:64rem;padding:1.5rem 1rem 4rem;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
h1,h2,h3{line-height:1.25;margin:2rem 0 .5rem}h1{margin-top:0}
h2{border-top:1px solid var(--line);padding-top:1.25rem}
p{margin:.4rem 0;max-width:48rem}
.scroll{overflow-x:auto}
table{border-collapse:collapse;margin:.6rem 0;font-variant-numeric:tabular-nums}
td,th{padding:.18rem .9rem .18rem 0;text-align:left;vertical-align:top}
th{color:var(--faint);font-weight:normal;border-bottom:1px solid var(--line)}
td.figure,th.figure{text-align:right;white-space:nowrap}
tr.faint td,.faint{color:var(--faint)}
.alarm{color:var(--alarm);font-weight:600}
code,pre{font:13px/1.45 ui-monospace,monospace;background:var(--shade);border-radius:3px}
code{padding:0 .25em;overflow-wrap:anywhere}
td code{overflow-wrap:normal}
pre{padding:.6rem .8rem;overflow-x:auto}
nav a{margin-right:1rem}
a{color:var(--accent)}
figure{margin:.8rem 0}
`

// HTML returns a report as one page that needs nothing else: no script, no font, no
// picture and no address. Headings of level 2 are listed at its top.
//
// SECURITY: foreign text is escaped, and what is invisible or acts on a reader's program
// is replaced as on a terminal. The policy of the page lets no browser load or run
// anything, whatever is in it.
func (r *Report) HTML(title string) string {
	var h page
	fmt.Fprintf(&h.b, `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>%s</title>
<style>
%s%s</style></head><body>
<h1>%s</h1>
`, escaped(title), pageStyle, chart.Style, escaped(title))
	h.contents(r)
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

// contents writes the list of sections.
func (h *page) contents(r *Report) {
	n := 0
	for _, b := range r.blocks {
		if b.kind != heading || b.number != 2 {
			continue
		}
		if n++; n == 1 {
			h.b.WriteString("<nav>")
		}
		fmt.Fprintf(&h.b, `<a href="#s%d">%s</a>`, n, h.text(b.texts[0]))
	}
	if n > 0 {
		h.b.WriteString("</nav>\n")
	}
}

// block writes a block.
func (h *page) block(b block) {
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
		h.b.WriteString("<figure>" + b.chart.SVG() + "</figure>\n")
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
	for _, r := range t.rows {
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

package picture

import (
	"fmt"
	"strings"
)

// page is the part of an HTML page before its rules of colour. It allows no script and loads
// nothing.
const page = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
<title>caliper</title>
<style>
pre{margin:0;padding:1em;font-family:"JetBrains Mono","DejaVu Sans Mono",monospace;line-height:1.3}
.w{display:inline-block;width:2ch}
.b{font-weight:700}
.i{font-style:italic}
.u{text-decoration:underline}
.s{text-decoration:line-through}
`

// HTML returns the picture of a grid as an HTML page of one pre element, in which the text can be
// searched and selected. It is well-formed XML too. Of the options it reads the palette alone.
func HTML(g *Grid, o Options) []byte {
	d := drawing{palette: o.Palette, classes: map[RGB]string{}}
	grounds := map[RGB]string{}
	var body, rules strings.Builder
	for row := range g.Rows {
		cells := g.Row(row)
		for i := 0; i < len(cells); {
			c := cells[i]
			var names []string
			ink, ground := d.palette.colours(c.Style)
			if ink != d.palette.Foreground {
				names = append(names, d.class(ink))
			}
			if ground != d.palette.Background {
				name, known := grounds[ground]
				if !known {
					name = fmt.Sprintf("g%d", len(grounds))
					grounds[ground] = name
					fmt.Fprintf(&rules, ".%s{background:%s}\n", name, ground)
				}
				names = append(names, name)
			}
			if c.Width == 2 {
				names = append(names, "w")
			}
			for i, a := range [...]Attribute{Bold, Italic, Underline | DoubleUnderline, Strike} {
				if c.Style.Attributes&a != 0 {
					names = append(names, "bius"[i:i+1])
				}
			}
			classes := strings.Join(names, " ")
			end, text := i, ""
			for end < len(cells) && (end == i || cells[end].Width == 1 && cells[i].Width == 1 && cells[end].Style == cells[i].Style) {
				text += shownText(cells[end])
				end++
			}
			switch i = end; {
			case text == "": // the second half of a wide cluster
			case classes == "":
				body.WriteString(escape(text))
			default:
				fmt.Fprintf(&body, "<span class=\"%s\">%s</span>", classes, escape(text))
			}
		}
		body.WriteByte('\n')
	}
	return []byte(page + fmt.Sprintf("body{margin:0;background:%s;color:%s}\n", o.Palette.Background, o.Palette.Foreground) +
		rules.String() + strings.ReplaceAll(d.rules.String(), "{fill:", "{color:") + "</style>\n</head>\n<body>\n<pre>" + body.String() + "</pre>\n</body>\n</html>\n")
}

// shownText returns the text of a cell, blank when it is concealed.
func shownText(c Cell) string {
	if c.Style.Attributes&Conceal != 0 {
		return strings.Repeat(" ", c.Width)
	}
	return c.Text
}

// Package picture draws a terminal screen as an SVG picture or as an HTML page.
//
// Goals: the grid holds whatever fonts the viewer has, lines and bars meet without seams, and the
// same screen gives the same bytes. So in SVG every cluster is placed on its own, in the middle of
// its cell; box drawing, blocks and Braille are shapes, not glyphs; a cell is a whole number of
// units wide and high.
//
// Invariants:
//   - text of the screen is text of the picture: no character of it is markup, and none is left
//     that XML forbids;
//   - nothing of the picture is loaded from anywhere, and nothing in it runs.
//
// Non-goals: window decoration beyond a thin rounded frame, blinking, embedded fonts. The fonts
// are named and must be where the picture is looked at.
//
// # Captures
//
// Parse reads a captured terminal screen into a grid of styled cells.
//
// A capture is the output of `tmux capture-pane -p -e`: lines of text with SGR sequences between
// them. The style carries over from one line to the next.
//
// Goals: every input gives a grid (there are no errors, unknown sequences are skipped); cell
// widths agree with the library the program lays out with; equal screens are equal grids, whatever
// the terminal multiplexer emitted.
//
// Non-goals: cursor movement, scrolling and modes. A capture is a finished screen, so anything
// but SGR and character sets is dropped.
package picture

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Sizes in drawing units. JetBrains Mono is 0.6 em wide and 1.02 + 0.30 em high, so at 25 units
// per em a cell is exactly 15 × 33 and every edge lies on a whole unit.
const (
	CellWidth  = 15
	CellHeight = 33

	baseline = 25 // from the top of the cell

	padding = 24
	radius  = 16
	border  = 2

	// unitsPerPixel makes the picture half as large as its units: rendered at zoom 2, one unit is
	// one pixel and every edge is crisp.
	unitsPerPixel = 2
)

// Emoji are from here on, and need a font of their own: listed in the main family, an emoji font
// would also draw the digits.
const firstEmoji = 0x1F000

const styleSheet = `text{font-family:"JetBrains Mono","DejaVu Sans Mono",monospace;font-size:25px;text-anchor:middle;white-space:pre}
.w{font-size:28px;font-family:"WenQuanYi Zen Hei Mono","WenQuanYi Zen Hei","Noto Sans Mono CJK SC","Noto Sans CJK SC",monospace}
.e{font-family:"Noto Emoji","Noto Color Emoji","Symbola","WenQuanYi Zen Hei",sans-serif}
.b{font-weight:700}
.i{font-style:italic}
`

// Options choose how a screen looks.
type Options struct {
	Palette Palette

	// Square leaves the corners square and the ground opaque, for formats without partial
	// transparency.
	Square bool

	// Rows adds the text of each row, unseen, so that it can be searched, selected and read aloud.
	Rows bool
}

// SVG returns the picture as an SVG document. Its nominal size in pixels is half of
// [Size].
func SVG(g *Grid, o Options) []byte {
	d := drawing{palette: o.Palette, classes: map[RGB]string{}}
	for row := range g.Rows {
		for column, cell := range g.Row(row) {
			if cell.Width > 0 {
				d.cell(cell, padding+column*CellWidth, padding+row*CellHeight)
			}
		}
	}
	var b strings.Builder
	width, height := g.Columns*CellWidth+2*padding, g.Rows*CellHeight+2*padding // in drawing units
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"%s\" viewBox=\"0 0 %d %d\">\n",
		pixels(width), pixels(height), width, height)
	rowStyle := ""
	if o.Rows {
		rowStyle = ".r{text-anchor:start;fill-opacity:0}\n"
	}
	fmt.Fprintf(&b, "<style>\n%s%s%s</style>\n", styleSheet, rowStyle, d.rules.String())
	rx := radius
	if o.Square {
		rx = 0
		fmt.Fprintf(&b, "<rect width=\"%d\" height=\"%d\" fill=\"%s\"/>\n", width, height, d.palette.Background)
	}
	fmt.Fprintf(&b, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"%d\" fill=\"%s\" stroke=\"%s\" stroke-width=\"%d\"/>\n",
		border/2, border/2, width-border, height-border, rx, d.palette.Background, d.palette.Frame, border)
	b.WriteString("<g shape-rendering=\"crispEdges\">\n")
	writeRects(&b, d.grounds)
	writeRects(&b, d.shapes)
	b.WriteString("</g>\n")
	b.WriteString(d.curves.String())
	unseen := ""
	if o.Rows {
		unseen = " aria-hidden=\"true\" style=\"pointer-events:none;user-select:none\""
	}
	fmt.Fprintf(&b, "<g fill=\"%s\"%s>\n%s</g>\n", o.Palette.Foreground, unseen, d.text.String())
	for row := range g.Rows { // the text of each over its cells, without the blanks at its end
		if !o.Rows {
			break
		}
		text, width, last := "", 0, 0
		for column, c := range g.Row(row) {
			shown := shownText(c)
			text += shown
			if c.Width > 0 && strings.Trim(shown, " ") != "" {
				width, last = column+c.Width, len(text)
			}
		}
		if last > 0 {
			fmt.Fprintf(&b, "<text class=\"r\" x=\"%d\" y=\"%d\" textLength=\"%d\" xml:space=\"preserve\">%s</text>\n",
				padding, padding+row*CellHeight+baseline, width*CellWidth, escape(text[:last]))
		}
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

func pixels(units int) string {
	if units%unitsPerPixel == 0 {
		return fmt.Sprint(units / unitsPerPixel)
	}
	return fmt.Sprintf("%d.5", units/unitsPerPixel)
}

type drawing struct {
	palette Palette
	grounds []rect
	shapes  []rect
	curves  strings.Builder
	text    strings.Builder
	classes map[RGB]string // the class of each text colour, in the order of first use
	rules   strings.Builder
}

func (d *drawing) cell(c Cell, x, y int) {
	ink, ground := d.palette.colours(c.Style)
	width := c.Width * CellWidth
	if ground != d.palette.Background {
		d.grounds = append(d.grounds, rect{x, y, width, CellHeight, ground})
	}
	if c.Style.Attributes&Conceal != 0 {
		return
	}
	line := func(top int) { d.shapes = append(d.shapes, rect{x, y + top, width, 2, ink}) }
	if c.Style.Attributes&(Underline|DoubleUnderline) != 0 {
		line(baseline + 3)
	}
	if c.Style.Attributes&DoubleUnderline != 0 {
		line(baseline + 6)
	}
	if c.Style.Attributes&Strike != 0 {
		line(centreY)
	}
	if c.Style.Attributes&Overline != 0 {
		line(1)
	}
	if c.Text == " " || d.shape(c.Text, x, y, ink, ground) {
		return
	}
	var classes []string
	if ink != d.palette.Foreground {
		classes = append(classes, d.class(ink))
	}
	if r, _ := utf8.DecodeRuneInString(c.Text); r >= firstEmoji {
		classes = append(classes, "e")
	} else if c.Width == 2 {
		classes = append(classes, "w")
	}
	if c.Style.Attributes&Bold != 0 {
		classes = append(classes, "b")
	}
	if c.Style.Attributes&Italic != 0 {
		classes = append(classes, "i")
	}
	fmt.Fprintf(&d.text, "<text x=\"%s\" y=\"%d\"", middle(x, c.Width*CellWidth), y+baseline)
	if len(classes) > 0 {
		fmt.Fprintf(&d.text, " class=\"%s\"", strings.Join(classes, " "))
	}
	fmt.Fprintf(&d.text, ">%s</text>\n", escape(c.Text))
}

// shape draws a character that is not left to a font and reports whether it was one.
func (d *drawing) shape(text string, x, y int, ink, ground RGB) bool {
	r, size := utf8.DecodeRuneInString(text)
	if size != len(text) || r < 0x2500 || r > 0x28ff {
		return false
	}
	// Fonts draw them as small as a full stop.
	var path string
	cx, cy := x+CellWidth/2, y+centreY
	switch r {
	case '▸':
		path = fmt.Sprintf("M%d %dv14l8 -7z", cx-4, cy-7)
	case '◂':
		path = fmt.Sprintf("M%d %dv14l-8 -7z", cx+4, cy-7)
	case '▾':
		path = fmt.Sprintf("M%d %dh14l-7 8z", cx-7, cy-4)
	case '▴':
		path = fmt.Sprintf("M%d %dh14l-7 -8z", cx-7, cy+4)
	}
	if path != "" {
		fmt.Fprintf(&d.curves, "<path fill=\"%s\" d=\"%s\"/>\n", ink, path)
		return true
	}
	if path := boxPath(r, x, y); path != "" {
		fmt.Fprintf(&d.curves, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%d\" d=\"%s\"/>\n", ink, 2*lightHalf, path)
		return true
	}
	rects := boxRects(r)
	if blocks, percent := blockRects(r); blocks != nil {
		rects, ink = blocks, mix(ink, ground, percent)
	}
	if rects == nil {
		rects = brailleRects(r)
	}
	for _, s := range rects {
		d.shapes = append(d.shapes, rect{x + s.x, y + s.y, s.w, s.h, ink})
	}
	return rects != nil || r == 0x2800
}

func middle(x, width int) string {
	if width%2 == 0 {
		return fmt.Sprint(x + width/2)
	}
	return fmt.Sprintf("%d.5", x+width/2)
}

func (d *drawing) class(ink RGB) string {
	name, ok := d.classes[ink]
	if !ok {
		name = fmt.Sprintf("f%d", len(d.classes))
		d.classes[ink] = name
		fmt.Fprintf(&d.rules, ".%s{fill:%s}\n", name, ink)
	}
	return name
}

// escape returns text as character data of XML and HTML. Characters that XML 1.0 forbids become
// U+FFFD.
//
// SECURITY: names and descriptions of tools are foreign; whoever opens the picture must not run
// what stands in them. Every text of a screen passes through here, and none reaches an attribute.
func escape(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r < 0x20 || r == 0xfffe || r == 0xffff:
			b.WriteRune(utf8.RuneError)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

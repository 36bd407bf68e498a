package picture

import (
	"strconv"
	"strings"

	xansi "github.com/charmbracelet/x/ansi"
)

// Format returns the canonical spelling of a screen: one line per row, each starting and ending
// in the plain style, without plain blanks at its end, one full SGR sequence where the style
// changes. Parse(Format(g), g.Columns, g.Rows) equals g.
func Format(g *Grid) []byte {
	var b strings.Builder
	for _, row := range g.rows {
		b.WriteString(FormatRow(row))
		b.WriteByte('\n')
	}
	return []byte(b.String())
}

// FormatRow returns one row as [Format] spells it, without the newline.
func FormatRow(row []Cell) string {
	for len(row) > 0 && row[len(row)-1] == blank {
		row = row[:len(row)-1]
	}
	var b strings.Builder
	var style Style
	previous := ""
	for _, c := range row {
		if c.Width == 0 {
			continue
		}
		if c.Style != style || joins(previous, c.Text) {
			style = c.Style
			b.WriteString(sgr(style))
		}
		b.WriteString(c.Text)
		previous = c.Text
	}
	if style != (Style{}) {
		b.WriteString(sgr(Style{}))
	}
	return b.String()
}

// joins reports whether two neighbouring cells would be read back as one: two halves of a flag,
// for example. A sequence between them keeps them apart.
func joins(a, b string) bool {
	if a == "" || len(a) == 1 && len(b) == 1 {
		return false
	}
	text, end := a+b, 0
	for end < len(a) {
		cluster, _ := xansi.FirstGraphemeCluster(text[end:], xansi.GraphemeWidth)
		end += max(len(cluster), 1)
	}
	return end > len(a)
}

func sgr(s Style) string {
	params := []string{"0"}
	for _, a := range attributes {
		if s.Attributes&a.bit != 0 {
			params = append(params, a.sgr)
		}
	}
	params = append(params, colourParams(s.Foreground, 30)...)
	params = append(params, colourParams(s.Background, 40)...)
	return "\x1b[" + strings.Join(params, ";") + "m"
}

func colourParams(c Colour, base int) []string {
	n := strconv.Itoa
	if i, ok := c.Index(); ok {
		switch {
		case i < 8:
			return []string{n(base + int(i))}
		case i < 16:
			return []string{n(base + 60 + int(i) - 8)}
		}
		return []string{n(base + 8), "5", n(int(i))}
	}
	if r, g, b, ok := c.RGB(); ok {
		return []string{n(base + 8), "2", n(int(r)), n(int(g)), n(int(b))}
	}
	return nil
}

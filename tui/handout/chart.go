package handout

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"

	"caliper/model/safetext"
	"caliper/model/words"
)

// Cells of text are estimated: a browser has the font, and a chart is drawn before.
const letter = 6.6 // of a line of 12 pixels, in pixels

// label returns foreign text cut to what fits into a width, ready for XML.
//
// SECURITY: labels are foreign text; label makes them safe and shows what is invisible.
func label(text string, width float64) string {
	text = safetext.Line(text)
	most := int(width / letter)
	if letters := []rune(text); len(letters) > most {
		text = string(letters[:max(0, most-1)]) + "…"
	}
	return html.EscapeString(text)
}

// begin returns the start of a chart of a size.
func begin(title string, width, height float64) *strings.Builder {
	b := new(strings.Builder)
	fmt.Fprintf(b, `<svg class="chart" width="%s" viewBox="0 0 %s %s" role="img" aria-label="%s">`, number(width), number(width), number(height), html.EscapeString(safetext.Line(title)))
	return b
}

// end returns the whole chart.
func end(b *strings.Builder) string {
	b.WriteString("</svg>\n")
	return b.String()
}

// number returns a coordinate with one decimal at most.
func number(v float64) string {
	return strconv.FormatFloat(math.Round(10*v)/10, 'f', -1, 64)
}

// text writes a text at a place. anchor is start, middle or end; class may be "".
func text(b *strings.Builder, x, y float64, anchor, class, what string) {
	fmt.Fprintf(b, `<text x="%s" y="%s" text-anchor="%s" class="%s">%s</text>`, number(x), number(y), anchor, class, what)
}

// step returns a round distance of marks on an axis that goes up to most: 1, 2 or 5 times
// a power of ten, with four to nine of them.
func step(most float64) float64 {
	if most <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(most)))
	for _, s := range []float64{0.1, 0.2, 0.5, 1} {
		if most/(s*power) <= 9 {
			return s * power
		}
	}
	return power
}

// grouped returns a number as an axis has it.
func grouped(v float64) string {
	if v == math.Trunc(v) {
		return words.Thousands(int(v))
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

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
// SECURITY: labels are foreign text; label makes them safe and shows invisible characters.
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

// step returns the distance of marks on an axis up to most, which is not 0: 1, 2 or 5 times a power of ten.
func step(most float64) float64 {
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

// Heat is a square of shares, each 0 to 1, of rows by columns that have the same labels.
type Heat struct {
	Title  string
	Labels []string
	Cells  [][]float64 // by row, as many as labels
}

// The layout of a heat map, in pixels.
const (
	heatLabel = 230.0
	heatCell  = 16.0
)

// Caption returns the title.
func (c Heat) Caption() string { return c.Title }

// SVG draws the shares: the darker a cell, the larger its share. Rows have their labels
// in front and their numbers; columns have the same numbers above.
func (c Heat) SVG() string {
	n := float64(len(c.Labels))
	b := begin(c.Title, heatLabel+n*heatCell+4, heatCell*(n+1)+4)
	for i, name := range c.Labels {
		y := heatCell * float64(i+1)
		text(b, heatLabel-6, y+12, "end", "", fmt.Sprintf("%s %d", label(name, heatLabel-40), i+1))
		if i%2 == 0 || len(c.Labels) < 100 && i < 9 {
			text(b, heatLabel+heatCell*(float64(i)+0.5), 11, "middle", "faint", fmt.Sprint(i+1))
		}
		for j, share := range c.Cells[i] {
			if share = math.Min(1, math.Max(0, share)); share < 0.005 {
				continue
			}
			fmt.Fprintf(b, `<rect x="%s" y="%s" width="%s" height="%s" class="first" opacity="%.2f"/>`,
				number(heatLabel+heatCell*float64(j)), number(y), number(heatCell-1), number(heatCell-1), share)
		}
	}
	return end(b)
}

// Bar is a labelled number, and the part of it that is drawn in another colour.
type Bar struct {
	Label       string
	Value, Part int // 0 ≤ Part ≤ Value
}

// Bars is a list of numbers as bars, in the order given.
type Bars struct {
	Title string
	Rows  []Bar
}

// The layout of bars, in pixels.
const (
	barsWidth  = 720.0
	barRow     = 22.0
	barLabel   = 220.0
	barFigures = 90.0
)

// Caption returns the title.
func (c Bars) Caption() string { return c.Title }

// SVG draws the bars. The longest takes the whole width; each has its number behind it.
func (c Bars) SVG() string {
	b := begin(c.Title, barsWidth, barRow*float64(len(c.Rows)))
	most := 1
	for _, r := range c.Rows {
		most = max(most, r.Value)
	}
	room := barsWidth - barLabel - barFigures
	for i, r := range c.Rows {
		y := barRow * float64(i)
		whole := room * float64(max(0, r.Value)) / float64(most)
		part := room * float64(max(0, min(r.Part, r.Value))) / float64(most)
		text(b, barLabel-8, y+15, "end", "", label(r.Label, barLabel-8))
		fmt.Fprintf(b, `<rect x="%s" y="%s" width="%s" height="14" class="first"/>`, number(barLabel), number(y+4), number(math.Max(whole, 1)))
		if part > 0 {
			fmt.Fprintf(b, `<rect x="%s" y="%s" width="%s" height="14" class="second"/>`, number(barLabel+whole-part), number(y+4), number(part))
		}
		text(b, barLabel+whole+6, y+15, "start", "", words.Thousands(r.Value))
	}
	return end(b)
}

// Point is a labelled place.
type Point struct {
	X, Y     float64
	Label    string // beside the point; "": none
	Frontier bool   // it is on the line
}

// Scatter is places on two axes from 0, and a line through the frontier's.
type Scatter struct {
	Title, X, Y string // of the axes
	MostY       float64
	Points      []Point
}

// The layout of a scatter, in pixels.
const (
	scatterWidth, scatterHeight = 720.0, 360.0
	scatterLeft, scatterBottom  = 60.0, 44.0
	scatterTop, scatterRight    = 14.0, 20.0
)

// Caption returns the title.
func (c Scatter) Caption() string { return c.Title }

// SVG draws the points.
func (c Scatter) SVG() string {
	b := begin(c.Title, scatterWidth, scatterHeight)
	mostX, mostY := 1.0, c.MostY
	for _, p := range c.Points {
		mostX, mostY = math.Max(mostX, p.X), math.Max(mostY, p.Y)
	}
	if mostY <= 0 {
		mostY = 1
	}
	x := func(v float64) float64 {
		return scatterLeft + v/mostX*(scatterWidth-scatterLeft-scatterRight)
	}
	y := func(v float64) float64 {
		return scatterHeight - scatterBottom - v/mostY*(scatterHeight-scatterBottom-scatterTop)
	}
	fmt.Fprintf(b, `<path class="axis" fill="none" d="M%s %sV%sH%s"/>`, number(scatterLeft), number(scatterTop), number(y(0)), number(scatterWidth-scatterRight))
	for v := 0.0; v <= mostX; v += step(mostX) {
		text(b, x(v), y(0)+16, "middle", "faint", grouped(v))
	}
	for v := 0.0; v <= mostY*1.0001; v += step(mostY) {
		text(b, scatterLeft-6, y(v)+4, "end", "faint", grouped(v))
	}
	text(b, (scatterLeft+scatterWidth)/2, scatterHeight-8, "middle", "", label(c.X, scatterWidth))
	text(b, 4, scatterTop-2, "start", "", label(c.Y, scatterWidth))
	line := ""
	for _, p := range c.Points {
		if p.Frontier {
			line += map[bool]string{true: "M", false: "L"}[line == ""] + number(x(p.X)) + " " + number(y(p.Y))
		}
	}
	if line != "" {
		fmt.Fprintf(b, `<path class="frontier" d="%s"/>`, line)
	}
	for _, p := range c.Points {
		class := map[bool]string{true: "first", false: "second"}[p.Frontier]
		fmt.Fprintf(b, `<circle cx="%s" cy="%s" r="%s" class="%s"/>`, number(x(p.X)), number(y(p.Y)), map[bool]string{true: "4", false: "2.5"}[p.Frontier], class)
		if p.Label == "" {
			continue
		}
		anchor, dx := "start", 7.0
		if x(p.X) > scatterWidth*0.75 {
			anchor, dx = "end", -7
		}
		text(b, x(p.X)+dx, y(p.Y)-6, anchor, "", label(p.Label, scatterWidth/2))
	}
	return end(b)
}

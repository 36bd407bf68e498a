package handout

import (
	"fmt"
	"math"
)

// Point is a labelled place.
type Point struct {
	X, Y     float64
	Label    string // beside the point; "": none
	Frontier bool   // it is on the line
}

// Scatter is places on two axes that begin at 0, and a line through those of the frontier,
// in the order given.
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

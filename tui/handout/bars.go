package handout

import (
	"fmt"
	"math"

	"caliper/model/words"
)

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

package handout

import (
	"fmt"
	"math"
)

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

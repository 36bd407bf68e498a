package handout

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "caliper/model/require"
	"caliper/tui/report"
)

// wellFormed fails unless a text is one well-formed element without scripts or references.
func wellFormed(t interface{ Fatalf(string, ...any) }, svg string) {
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		if s, ok := token.(xml.StartElement); ok {
			for _, a := range s.Attr {
				if s.Name.Local == "script" || strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "href" {
					t.Fatalf("%s has %s", s.Name.Local, a.Name.Local)
				}
			}
		}
	}
}

const hostile = "\x1b[31m</text><script>alert(1)</script>\u202e&amp;\"'"

func TestHostileLabels(t *testing.T) {
	for _, c := range []report.Drawing{
		Bars{hostile, []Bar{{hostile, 3, 1}, {"", 0, 0}}},
		Scatter{hostile, hostile, hostile, 1, []Point{{1, 0.5, hostile, true}, {2, 0.7, "", false}}},
		Heat{hostile, []string{hostile, "b"}, [][]float64{{1, 0.2}, {0, 1}}},
	} {
		svg := c.SVG()
		wellFormed(t, svg)
		if strings.ContainsAny(svg, "\x1b\u202e") || strings.Contains(svg, "<script") {
			t.Errorf("%T lets a label through: %s", c, svg)
		}
	}
}

func TestBars(t *testing.T) {
	svg := Bars{"tokens", []Bar{{"long", 2000, 500}, {"half", 1000, 0}}}.SVG()
	for _, want := range []string{`width="410"`, `width="205"`, `width="102.5"`, ">2,000<", ">1,000<", ">long<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in %s", want, svg)
		}
	}
}

func TestScatterHasItsFrontier(t *testing.T) {
	svg := Scatter{Title: "t", X: "tokens", Y: "recall", MostY: 1, Points: []Point{{0, 0, "", false}, {10, 0.5, "a", true}, {20, 1, "b", true}}}.SVG()
	if strings.Count(svg, "<circle") != 3 || strings.Count(svg, `class="frontier"`) != 1 || !strings.Contains(svg, "M380 ") || !strings.Contains(svg, "L700 14") {
		t.Error(svg)
	}
}

func TestStep(t *testing.T) {
	for most, want := range map[float64]float64{0: 1, 1: 0.2, 4: 0.5, 9: 1, 10: 2, 185718: 50000, 30: 5} {
		if got := step(most); got != want {
			t.Errorf("up to %v: %v, want %v", most, got, want)
		}
	}
}

// Any figures and labels make a well-formed chart, and the same one again.
func TestAnyChart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(t, "n")
		var bars []Bar
		var points []Point
		heat := Heat{Title: "h"}
		for range n {
			name := rapid.String().Draw(t, "name")
			bars = append(bars, Bar{name, rapid.Int().Draw(t, "value"), rapid.Int().Draw(t, "part")})
			points = append(points, Point{rapid.Float64Range(0, 1e9).Draw(t, "x"), rapid.Float64Range(0, 1).Draw(t, "y"), name, rapid.Bool().Draw(t, "on")})
			heat.Labels = append(heat.Labels, name)
			heat.Cells = append(heat.Cells, rapid.SliceOfN(rapid.Float64Range(-1, 2), n, n).Draw(t, "cells"))
		}
		for _, c := range []report.Drawing{Bars{"b", bars}, Scatter{Title: "s", Points: points}, heat} {
			svg := c.SVG()
			if svg != c.SVG() {
				t.Fatalf("%T differs from itself", c)
			}
			wellFormed(t, svg)
		}
	})
}

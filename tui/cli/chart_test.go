package cli

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/tui/handout"
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

const hostileLabel = "\x1b[31m</text><script>alert(1)</script>\u202e&amp;\"'"

func TestHostileLabels(t *testing.T) {
	for _, c := range []report.Drawing{
		handout.Bars{Title: hostileLabel, Rows: []handout.Bar{{Label: hostileLabel, Value: 3, Part: 1}, {}}},
		handout.Scatter{Title: hostileLabel, X: hostileLabel, Y: hostileLabel, MostY: 1, Points: []handout.Point{{X: 1, Y: 0.5, Label: hostileLabel, Frontier: true}, {X: 2, Y: 0.7}}},
		handout.Heat{Title: hostileLabel, Labels: []string{hostileLabel, "b"}, Cells: [][]float64{{1, 0.2}, {0, 1}}},
	} {
		svg := c.SVG()
		wellFormed(t, svg)
		if strings.ContainsAny(svg, "\x1b\u202e") || strings.Contains(svg, "<script") {
			t.Errorf("%T lets a label through: %s", c, svg)
		}
	}
}

func TestBarsOfAChart(t *testing.T) {
	svg := handout.Bars{Title: "tokens", Rows: []handout.Bar{{Label: "long", Value: 2000, Part: 500}, {Label: "half", Value: 1000}}}.SVG()
	for _, want := range []string{`width="410"`, `width="205"`, `width="102.5"`, ">2,000<", ">1,000<", ">long<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in %s", want, svg)
		}
	}
}

func TestScatterHasItsFrontier(t *testing.T) {
	svg := handout.Scatter{Title: "t", X: "tokens", Y: "recall", MostY: 1, Points: []handout.Point{{}, {X: 10, Y: 0.5, Label: "a", Frontier: true}, {X: 20, Y: 1, Label: "b", Frontier: true}}}.SVG()
	if strings.Count(svg, "<circle") != 3 || strings.Count(svg, `class="frontier"`) != 1 || !strings.Contains(svg, "M380 ") || !strings.Contains(svg, "L700 14") {
		t.Error(svg)
	}
}

// An axis has marks at steps of 1, 2 or 5 times a power of ten.
func TestMarksOfAnAxis(t *testing.T) {
	mark := regexp.MustCompile(`class="faint">([^<]*)<`)
	for most, want := range map[float64]string{1: "0.2", 4: "0.5", 9: "1", 10: "2", 185718: "50,000", 30: "5"} {
		marks := mark.FindAllStringSubmatch(handout.Scatter{Points: []handout.Point{{X: most}}}.SVG(), 2)
		if got := marks[1][1]; got != want {
			t.Errorf("up to %v: %v, want %v", most, got, want)
		}
	}
}

// Any figures and labels make a well-formed chart, and the same one again.
func TestAnyChart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(t, "n")
		var bars []handout.Bar
		var points []handout.Point
		heat := handout.Heat{Title: "h"}
		for range n {
			name := rapid.String().Draw(t, "name")
			bars = append(bars, handout.Bar{Label: name, Value: rapid.Int().Draw(t, "value"), Part: rapid.Int().Draw(t, "part")})
			points = append(points, handout.Point{X: rapid.Float64Range(0, 1e9).Draw(t, "x"), Y: rapid.Float64Range(0, 1).Draw(t, "y"), Label: name, Frontier: rapid.Bool().Draw(t, "on")})
			heat.Labels = append(heat.Labels, name)
			heat.Cells = append(heat.Cells, rapid.SliceOfN(rapid.Float64Range(-1, 2), n, n).Draw(t, "cells"))
		}
		for _, c := range []report.Drawing{handout.Bars{Title: "b", Rows: bars}, handout.Scatter{Title: "s", Points: points}, heat} {
			svg := c.SVG()
			if svg != c.SVG() {
				t.Fatalf("%T differs from itself", c)
			}
			wellFormed(t, svg)
		}
	})
}

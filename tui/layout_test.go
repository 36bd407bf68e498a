package tui

import (
	"image"
	"testing"
)

// The areas for every size are inside, do not overlap, and are as large
// in sum as the terminal: then it covers it.
func TestArrangeCoversTheTerminal(t *testing.T) {
	t.Parallel()
	for w := 1; w <= 200; w++ {
		for h := 1; h <= 60; h++ {
			l := Arrange(w, h)
			areas := []image.Rectangle{l.Header, l.Tabs, l.Body, l.Footer}
			if l.Message != "" {
				areas = []image.Rectangle{l.Whole}
			}
			area := 0
			for i, r := range areas {
				if !r.In(l.Whole) {
					t.Fatalf("%d×%d: %v is outside", w, h, r)
				}
				for _, o := range areas[:i] {
					if r.Overlaps(o) {
						t.Fatalf("%d×%d: %v and %v overlap", w, h, r, o)
					}
				}
				area += r.Dx() * r.Dy()
			}
			if area != w*h {
				t.Fatalf("%d×%d: %d of %d cells are covered", w, h, area, w*h)
			}
		}
	}
}

func TestArrange(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name               string
		w, h               int
		header, tabs, body int
	}{
		{"large", 120, 36, 3, 1, 31},
		{"large, at least", 120, 30, 3, 1, 25},
		{"wide but low", 160, 24, 2, 1, 20},
		{"medium", 80, 24, 2, 1, 20},
		{"small", 40, 10, 1, 0, 8},
		{"narrow but tall", 60, 50, 1, 0, 48},
	}
	for _, tt := range tests {
		l := Arrange(tt.w, tt.h)
		if l.Header.Dy() != tt.header || l.Tabs.Dy() != tt.tabs || l.Body.Dy() != tt.body || l.Footer.Dy() != 1 {
			t.Errorf("%s: %+v", tt.name, l)
		}
	}
	for _, size := range [][2]int{{20, 6}, {39, 60}, {200, 9}} {
		if l := Arrange(size[0], size[1]); l.Message == "" {
			t.Errorf("%v is not too small", size)
		}
	}
	if got, want := Arrange(20, 6).Message, "terminal 20×6, need 40×10"; got != want {
		t.Errorf("message %q, want %q", got, want)
	}
}

package picture

import (
	"math"
	"testing"
)

// luminance is the relative luminance of WCAG 2.2.
func luminance(c RGB) float64 {
	channel := func(shift int) float64 {
		v := float64(c>>shift&0xff) / 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*channel(16) + 0.7152*channel(8) + 0.0722*channel(0)
}

func contrast(a, b RGB) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// Text in every colour that a program uses for text must be readable: WCAG asks for 4.5. Black
// and the two whites are grounds in one theme or the other.
func TestPalettesAreReadable(t *testing.T) {
	for name, p := range map[string]Palette{"dark": Dark, "light": Light} {
		if c := contrast(p.Foreground, p.Background); c < 11 {
			t.Errorf("%s: text has contrast %.1f", name, c)
		}
		if c := contrast(mix(p.Foreground, p.Background, faintInk), p.Background); c < 4.5 {
			t.Errorf("%s: faint text has contrast %.1f", name, c)
		}
		for i, colour := range p.ANSI {
			if i == 0 || i == 7 || i == 15 {
				continue
			}
			if c := contrast(colour, p.Background); c < 4.5 {
				t.Errorf("%s: colour %d has contrast %.2f", name, i, c)
			}
		}
	}
}

func TestMix(t *testing.T) {
	for _, tt := range []struct {
		percent RGB
		want    RGB
	}{{0, 0x000000}, {50, 0x801a0d}, {100, 0xff3319}} {
		if got := mix(0xff3319, 0x000000, tt.percent); got != tt.want {
			t.Errorf("%d%%: got %s, want %s", tt.percent, got, tt.want)
		}
	}
}

package picture

import (
	"fmt"
)

// RGB is an opaque colour, 0xRRGGBB.
type RGB uint32

// String returns the colour as SVG writes it, "#0a0b0c".
func (c RGB) String() string { return fmt.Sprintf("#%06x", uint32(c)) }

// Palette gives the colours of a theme that a program leaves to its terminal.
type Palette struct {
	Foreground, Background RGB
	Frame                  RGB     // the line around the picture
	ANSI                   [16]RGB // entries 0 to 15; 16 to 255 are the same in every theme
}

// Dark is light text on a dark ground.
var Dark = Palette{
	Foreground: 0xd6dae1,
	Background: 0x16191f,
	Frame:      0x363c47,
	ANSI: [16]RGB{
		0x262b34, 0xef6f6c, 0x7fc17a, 0xdcb35c, 0x6ea8f0, 0xc68ee6, 0x5cbfc4, 0xc3c8d1,
		0x7d8796, 0xff918c, 0x9fdb98, 0xf0cc7c, 0x92c1ff, 0xdcb0f6, 0x82dbde, 0xf3f5f8,
	},
}

// Light is dark text on a light ground.
var Light = Palette{
	Foreground: 0x262b33,
	Background: 0xfcfcfa,
	Frame:      0xcdd2d9,
	ANSI: [16]RGB{
		0x262b33, 0xb3261e, 0x2a762d, 0x855d00, 0x1f5fbf, 0x863bac, 0x0e6f7b, 0xc9ccd1,
		0x677080, 0xc5362c, 0x2b7c30, 0x8a6400, 0x2868cf, 0x9448bd, 0x0f7680, 0xffffff,
	},
}

// Themed returns the palette of a theme, "dark" or "light".
func Themed(theme string) (Palette, error) {
	switch theme {
	case "dark":
		return Dark, nil
	case "light":
		return Light, nil
	}
	return Palette{}, fmt.Errorf("theme %q: want dark or light", theme)
}

func (p Palette) resolve(c Colour, otherwise RGB) RGB {
	if i, ok := c.Index(); ok {
		if i < 16 {
			return p.ANSI[i]
		}
		if i >= 232 {
			grey := RGB(i-232)*10 + 8
			return grey<<16 | grey<<8 | grey
		}
		level := func(n uint8) RGB {
			if n == 0 {
				return 0
			}
			return RGB(n)*40 + 55
		}
		i -= 16
		return level(i/36)<<16 | level(i/6%6)<<8 | level(i%6)
	}
	if r, g, b, ok := c.RGB(); ok {
		return RGB(r)<<16 | RGB(g)<<8 | RGB(b)
	}
	return otherwise
}

// faintInk is how many percent of its colour faint text keeps.
const faintInk = 66

// colours returns the ink and the ground of a style, with reverse and faint applied.
func (p Palette) colours(s Style) (ink, ground RGB) {
	ink = p.resolve(s.Foreground, p.Foreground)
	ground = p.resolve(s.Background, p.Background)
	if s.Attributes&Reverse != 0 {
		ink, ground = ground, ink
	}
	if s.Attributes&Faint != 0 {
		ink = mix(ink, ground, faintInk)
	}
	return ink, ground
}

// mix returns a blend with percent parts of a to 100-percent parts of b, per channel.
func mix(a, b RGB, percent RGB) RGB {
	channel := func(shift int) RGB {
		x, y := a>>shift&0xff, b>>shift&0xff
		return (x*percent + y*(100-percent) + 50) / 100 << shift
	}
	return channel(16) | channel(8) | channel(0)
}

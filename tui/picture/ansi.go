package picture

import (
	"fmt"
	"strings"
)

// Colour is the terminal's default colour, one of the 256 palette entries, or a 24-bit colour.
// The zero value is the default.
type Colour uint32

const (
	kindIndexed Colour = 1 << 24
	kindRGB     Colour = 2 << 24
	kindMask    Colour = 0xff << 24
)

// Default is the colour of text without a colour.
const Default Colour = 0

// Indexed returns entry i of the 256-colour palette.
func Indexed(i uint8) Colour { return kindIndexed | Colour(i) }

// Index returns the palette entry; ok is false for the default and for 24-bit colours.
func (c Colour) Index() (i uint8, ok bool) { return uint8(c), c&kindMask == kindIndexed }

// RGB returns the components of a 24-bit colour; ok is false for the others.
func (c Colour) RGB() (r, g, b uint8, ok bool) {
	return uint8(c >> 16), uint8(c >> 8), uint8(c), c&kindMask == kindRGB
}

// String returns "default", "colour 31" or "#0a0b0c".
func (c Colour) String() string {
	if i, ok := c.Index(); ok {
		return fmt.Sprintf("colour %d", i)
	}
	if r, g, b, ok := c.RGB(); ok {
		return fmt.Sprintf("#%02x%02x%02x", r, g, b)
	}
	return "default"
}

// Attribute is a set of text attributes.
type Attribute uint16

// The attributes a picture can show. Blinking is not one of them.
const (
	Bold Attribute = 1 << iota
	Faint
	Italic
	Underline
	DoubleUnderline
	Reverse
	Conceal
	Strike
	Overline
)

// attributes lists each attribute with the SGR parameter that sets it and its name, in the
// order in which Format writes them.
var attributes = []struct {
	bit  Attribute
	sgr  string
	name string
}{
	{Bold, "1", "bold"},
	{Faint, "2", "faint"},
	{Italic, "3", "italic"},
	{Underline, "4", "underline"},
	{DoubleUnderline, "21", "double underline"},
	{Reverse, "7", "reverse"},
	{Conceal, "8", "conceal"},
	{Strike, "9", "strike"},
	{Overline, "53", "overline"},
}

// Style is how a cell is drawn. The zero value is plain text in the default colours.
type Style struct {
	Foreground Colour
	Background Colour
	Attributes Attribute
}

// String describes the style for a person: "plain", or its parts separated by commas.
func (s Style) String() string {
	var parts []string
	for _, a := range attributes {
		if s.Attributes&a.bit != 0 {
			parts = append(parts, a.name)
		}
	}
	if s.Foreground != Default {
		parts = append(parts, s.Foreground.String())
	}
	if s.Background != Default {
		parts = append(parts, "on "+s.Background.String())
	}
	if len(parts) == 0 {
		return "plain"
	}
	return strings.Join(parts, ", ")
}

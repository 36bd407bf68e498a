package picture

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

// Attribute is a set of text attributes.
type Attribute uint16

// The attributes a picture can show, in the order in which stored pictures set them. Blinking is not one of them.
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

// Style is how a cell is drawn. The zero value is plain text in the default colours.
type Style struct {
	Foreground Colour
	Background Colour
	Attributes Attribute
}

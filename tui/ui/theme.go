package ui

import (
	"strings"

	"github.com/muesli/termenv"
)

// Look is the input of a theme. It is a value that does not depend on the
// environment; Appearance computes it from there.
type Look struct {
	Light   bool            // the terminal's background is light
	Plain   bool            // no colours and no attributes at all
	ASCII   bool            // only ASCII glyphs
	Profile termenv.Profile // termenv.Ascii is plain
}

// Theme holds every style of the interface, named by its meaning. A style is an
// SGR sequence that is built once, so that drawing only copies it. In a plain
// theme all styles are empty, and only glyphs show focus and selection.
type Theme struct {
	Look  Look
	Plain bool // no style writes anything
	Glyphs

	Text       Style // the terminal's own colours, right on any background
	Strong     Style
	Faint      Style // titles of panes and tabs, placeholders, labels of keys
	TitleFocus Style // of the focused pane, and the active tab
	Border     Style // of a pane, and the empty part of a bar
	Accent     Style // border of the focused pane, mark of the selected row, fill of a bar
	Name       Style // name of a tool in a heading
	Number     Style // scores, counts, tokens
	Type       Style // of a parameter
	Require    Style // mark of a required parameter

	Selection     Style // under the whole row
	SelectionBlur Style // the same in a pane without focus, and a badge that is off
	Match         Style // matched characters
	Near          Style // words near in meaning to a matched one
	Cursor        Style

	Ok, Bad, Warn  Style
	Added, Removed Style

	GaugeMark    Style       // of a threshold
	GaugeMarkIn  Style       // the mark inside the fill
	Series       [6]Style    // bars side by side
	Heat         [5][5]Style // upper and lower half of a cell of a heat map, cold to hot
	Key          Style       // of a hint
	Badge, Stale Style       // text on a coloured background
	Brand        Style
}

// tone is one colour, on dark and on light backgrounds: in 24 bits, as an index
// of the palette of 256 colours, and as one of the sixteen colours that the
// user of the terminal chooses. The indexes are chosen by eye, because the
// numerically nearest colour often looks different.
type tone struct {
	dark, light       string
	dark256, light256 int
	dark16, light16   int
}

// The hues have one lightness and one chroma in OKLCH (0.80 and 0.105 on dark,
// 0.48 and 0.12 on light), so that none stands out. Contrast is at least 4.5:1
// on the backgrounds that the test lists.
var (
	blue   = tone{"#8fc1ff", "#285e9f", 111, 25, 12, 4}
	teal   = tone{"#60d3cd", "#00726d", 80, 23, 14, 6}
	green  = tone{"#8bd19a", "#197037", 114, 22, 10, 2}
	amber  = tone{"#e1b66c", "#805400", 179, 94, 11, 3}
	red    = tone{"#ff9d9e", "#953c41", 210, 124, 9, 1}
	violet = tone{"#c8aef8", "#694b96", 183, 61, 13, 5}
	pink   = tone{"#f1a2c7", "#8d3d67", 218, 125, 13, 5}
	bright = tone{"#eaeff9", "#20242b", 255, 235, 15, 0}
	grey   = tone{"#a0a5ae", "#595e66", 247, 241, dim, dim}
	rule   = tone{"#565b65", "#b9bec8", 240, 250, dim, dim}
	ground = tone{"#2e3a55", "#d8e4f8", 238, 189, 4, 7} // of a selected row
	pale   = tone{"#343842", "#e3e6ec", 236, 254, 8, 7}
	onTone = tone{"#14171c", "#ffffff", 233, 231, 0, 15} // text on a badge
	none   = tone{}
)

// heats are the colours of a heat map, cold to hot: lightness goes one way, so that they
// are in order for who sees no hue, and on 16 colours too.
var heats = [5]tone{
	{"#23272f", "#eef0f4", 235, 255, 0, 15},
	{"#34507a", "#c3d7f2", 24, 153, 4, 14},
	{"#7a64b8", "#a98fd4", 98, 140, 5, 13},
	{"#e0748f", "#b04a78", 168, 132, 9, 5},
	{"#ffd08a", "#7a1528", 222, 88, 11, 1},
}

// dim stands for the faint attribute, because none of the sixteen colours is a
// grey on every terminal.
const dim = -1

const (
	bold    = "1"
	faint   = "2"
	reverse = "7"
)

// NewTheme returns the theme of a look.
func NewTheme(k Look) *Theme {
	k.Plain = k.Plain || k.Profile == termenv.Ascii
	t := &Theme{Look: k, Plain: k.Plain, Glyphs: UnicodeGlyphs()}
	if k.ASCII {
		t.Glyphs = ASCIIGlyphs()
	}
	if k.Plain {
		return t
	}
	t.Strong = k.ink(none, none, bold)
	t.Faint = k.ink(grey, none)
	t.TitleFocus = k.ink(blue, none, bold)
	t.Border = k.ink(rule, none)
	t.Accent = k.ink(blue, none)
	t.Name = k.ink(blue, none, bold)
	t.Number = k.ink(violet, none)
	t.Type = k.ink(teal, none)
	t.Require = k.ink(pink, none)

	t.Selection = k.ink(bright, ground)
	t.SelectionBlur = k.ink(bright, pale)
	t.Match = k.ink(amber, none, bold)
	t.Near = k.ink(teal, none, bold)
	t.Cursor = k.ink(none, none, reverse)

	t.Ok = k.ink(green, none)
	t.Bad = k.ink(red, none, bold)
	t.Warn = k.ink(amber, none)
	t.Added = k.ink(green, none)
	t.Removed = k.ink(red, none)

	t.GaugeMark = k.ink(amber, none, bold)
	t.GaugeMarkIn = k.ink(onTone, blue)
	for i, c := range [...]tone{blue, teal, green, amber, pink, violet} {
		t.Series[i] = k.ink(c, none)
	}
	for upper := range heats {
		for lower := range heats {
			t.Heat[upper][lower] = k.ink(heats[upper], heats[lower])
		}
	}
	t.Key = k.ink(teal, none)
	t.Badge = k.ink(onTone, green, bold)
	t.Stale = k.ink(onTone, red, bold)
	t.Brand = k.ink(violet, none, bold)
	return t
}

// ink returns the SGR sequence of a foreground, a background and attributes,
// each of which may be missing.
func (k Look) ink(fg, bg tone, attributes ...string) Style {
	codes := attributes
	codes = k.append(codes, fg, false)
	codes = k.append(codes, bg, true)
	if len(codes) == 0 {
		return ""
	}
	return Style("\x1b[" + strings.Join(codes, ";") + "m")
}

func (k Look) append(codes []string, c tone, background bool) []string {
	if c == none {
		return codes
	}
	if k.Light {
		c.dark, c.dark256, c.dark16 = c.light, c.light256, c.light16
	}
	var color termenv.Color
	switch {
	case k.Profile == termenv.TrueColor:
		color = termenv.RGBColor(c.dark)
	case k.Profile == termenv.ANSI256:
		color = termenv.ANSI256Color(c.dark256)
	case c.dark16 == dim:
		return append(codes, faint)
	default:
		color = termenv.ANSIColor(c.dark16)
	}
	return append(codes, color.Sequence(background))
}

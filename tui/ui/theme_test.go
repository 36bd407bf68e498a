package ui

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/lucasb-eyer/go-colorful"
	"github.com/muesli/termenv"
)

// grounds are backgrounds that terminals really have.
var grounds = map[bool][]string{
	false: {"#000000", "#1e1e1e", "#1a1b26", "#1e1e2e", "#002b36", "#282c34"},
	true:  {"#ffffff", "#fafafa", "#fdf6e3", "#eff1f5"},
}

// decoration names the styles that are drawn beside words or numbers that say
// the same, with the least contrast they still need.
var decoration = map[string]float64{
	"Border": 1.5,
}

// styles returns every style of a theme by name.
func styles(t *Theme) map[string]Style {
	all := map[string]Style{}
	v := reflect.ValueOf(*t)
	for i := range v.NumField() {
		switch f := v.Field(i).Interface().(type) {
		case Style:
			all[v.Type().Field(i).Name] = f
		case [6]Style:
			for n, st := range f {
				all[fmt.Sprintf("%s[%d]", v.Type().Field(i).Name, n)] = st
			}
		}
	}
	return all
}

func TestContrast(t *testing.T) {
	t.Parallel()
	for _, profile := range []termenv.Profile{termenv.TrueColor, termenv.ANSI256} {
		for _, light := range []bool{false, true} {
			theme := NewTheme(Look{Light: light, Profile: profile})
			for name, st := range styles(theme) {
				t.Run(fmt.Sprintf("%s/light=%v/%s", profile.Name(), light, name), func(t *testing.T) {
					fg, bg := colours(t, st)
					least := 4.5
					if l, ok := decoration[name]; ok {
						least = l
					}
					if fg == "" {
						return // the terminal's own text
					}
					on := grounds[light]
					if bg != "" {
						on = []string{bg}
					}
					for _, ground := range on {
						if got := contrast(fg, ground); got < least {
							t.Errorf("%s on %s: %.2f:1, want %v", fg, ground, got, least)
						}
					}
					for _, row := range []Style{theme.Selection, theme.SelectionBlur} {
						_, ground := colours(t, row)
						if got := contrast(fg, ground); bg == "" && least == 4.5 && got < 3.5 {
							t.Errorf("%s in a selected row, on %s: %.2f:1", fg, ground, got)
						}
					}
				})
			}
		}
	}
}

func TestPlainThemeWritesNothing(t *testing.T) {
	t.Parallel()
	for name, look := range map[string]Look{
		"plain":      {Plain: true, Profile: termenv.TrueColor},
		"no colours": {Profile: termenv.Ascii},
	} {
		theme := NewTheme(look)
		if !theme.Plain {
			t.Errorf("%s: Plain is not set", name)
		}
		for field, st := range styles(theme) {
			if st != "" {
				t.Errorf("%s: %s writes %q", name, field, st)
			}
		}
	}
}

func TestStylesAreSet(t *testing.T) {
	t.Parallel()
	for _, profile := range []termenv.Profile{termenv.TrueColor, termenv.ANSI256, termenv.ANSI} {
		for name, st := range styles(NewTheme(Look{Profile: profile})) {
			if name != "Text" && st == "" {
				t.Errorf("%s: %s is empty", profile.Name(), name)
			}
			if rest := ansi.Strip(string(st)); rest != "" {
				t.Errorf("%s: %s draws %q", profile.Name(), name, rest)
			}
		}
	}
}

func TestProfilesDegrade(t *testing.T) {
	t.Parallel()
	tests := []struct {
		profile termenv.Profile
		light   bool
		want    Style
	}{
		{termenv.TrueColor, false, "\x1b[38;2;143;193;255m"},
		{termenv.TrueColor, true, "\x1b[38;2;40;94;159m"},
		{termenv.ANSI256, false, "\x1b[38;5;111m"},
		{termenv.ANSI, false, "\x1b[94m"},
		{termenv.ANSI, true, "\x1b[34m"},
		{termenv.Ascii, false, ""},
	}
	for _, tt := range tests {
		if got := NewTheme(Look{Profile: tt.profile, Light: tt.light}).Accent; got != tt.want {
			t.Errorf("%s light=%v: %q, want %q", tt.profile.Name(), tt.light, got, tt.want)
		}
	}
}

func TestGlyphsAreOneCell(t *testing.T) {
	t.Parallel()
	for name, g := range map[string]Glyphs{"unicode": UnicodeGlyphs(), "ascii": ASCIIGlyphs()} {
		var check func(v reflect.Value)
		check = func(v reflect.Value) {
			switch v.Kind() {
			case reflect.Struct:
				for i := range v.NumField() {
					check(v.Field(i))
				}
			case reflect.Slice, reflect.Array:
				for i := range v.Len() {
					check(v.Index(i))
				}
			default:
				if glyph := v.String(); Width(glyph) != 1 || Clean(glyph) != glyph || name == "ascii" && glyph[0] >= 0x80 {
					t.Errorf("%s glyph %q", name, glyph)
				}
			}
		}
		check(reflect.ValueOf(g))
	}
}

func TestAppearance(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, flag string
		env        map[string]string
		want       Look
		ask        bool
		err        bool
	}{
		{"truecolor", "", map[string]string{"TERM": "xterm-256color", "COLORTERM": "truecolor"}, Look{}, true, false},
		{"256", "auto", map[string]string{"TERM": "xterm-256color"}, Look{Profile: termenv.ANSI256}, true, false},
		{"16", "", map[string]string{"TERM": "xterm"}, Look{Profile: termenv.ANSI}, true, false},
		{"continuous integration", "", map[string]string{"TERM": "xterm-256color", "CI": "1"}, Look{Profile: termenv.ANSI256}, true, false},
		{"linux console prints questions", "", map[string]string{"TERM": "linux"}, Look{Profile: termenv.ANSI}, false, false},
		{"dumb", "", map[string]string{"TERM": "dumb", "COLORTERM": "truecolor"}, Look{Plain: true, ASCII: true}, false, false},
		{"NO_COLOR", "", map[string]string{"TERM": "xterm-256color", "NO_COLOR": "1"}, Look{Plain: true, Profile: termenv.Ascii}, false, false},
		{"NO_COLOR beats the flag", "light", map[string]string{"TERM": "xterm-256color", "NO_COLOR": "1"}, Look{Light: true, Plain: true, Profile: termenv.Ascii}, false, false},
		{"empty NO_COLOR", "", map[string]string{"TERM": "xterm-256color", "NO_COLOR": ""}, Look{Profile: termenv.ANSI256}, true, false},
		{"flag light", "light", map[string]string{"TERM": "xterm-256color", "COLORFGBG": "15;0"}, Look{Light: true, Profile: termenv.ANSI256}, false, false},
		{"flag dark", "dark", map[string]string{"TERM": "xterm-256color", "COLORFGBG": "0;15"}, Look{Profile: termenv.ANSI256}, false, false},
		{"flag plain", "plain", map[string]string{"TERM": "xterm-256color"}, Look{Plain: true, Profile: termenv.ANSI256}, false, false},
		{"hint light", "", map[string]string{"TERM": "rxvt-256color", "COLORFGBG": "0;default;15"}, Look{Light: true, Profile: termenv.ANSI256}, true, false},
		{"hint dark", "", map[string]string{"TERM": "rxvt-256color", "COLORFGBG": "15;0"}, Look{Profile: termenv.ANSI256}, true, false},
		{"hint without sense", "", map[string]string{"TERM": "rxvt-256color", "COLORFGBG": "15;default"}, Look{Profile: termenv.ANSI256}, true, false},
		{"unknown flag", "solarized", nil, Look{}, false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			look, ask, err := Appearance(tt.flag, func(key string) string { return tt.env[key] })
			if tt.err {
				if err == nil {
					t.Fatal("no error")
				}
				return
			}
			if err != nil || look != tt.want || ask != tt.ask {
				t.Errorf("got %+v, ask %v, %v, want %+v, ask %v", look, ask, err, tt.want, tt.ask)
			}
		})
	}
}

var sgrCodes = regexp.MustCompile(`^(?:\x1b\[([0-9;]+)m)?$`)

// colours returns what a style writes as hexadecimal colours, "" where it
// leaves the terminal's own.
func colours(t *testing.T, st Style) (fg, bg string) {
	t.Helper()
	m := sgrCodes.FindStringSubmatch(string(st))
	if m == nil {
		t.Fatalf("%q is not one SGR sequence", st)
	}
	codes := strings.Split(m[1], ";")
	for i := 0; i < len(codes); i++ {
		n, _ := strconv.Atoi(codes[i])
		if n != 38 && n != 48 {
			continue
		}
		var hex string
		switch codes[i+1] {
		case "5":
			index, _ := strconv.Atoi(codes[i+2])
			hex = termenv.ConvertToRGB(termenv.ANSI256Color(index)).Hex()
			i += 2
		case "2":
			var rgb [3]int
			for c := range rgb {
				rgb[c], _ = strconv.Atoi(codes[i+2+c])
			}
			hex = fmt.Sprintf("#%02x%02x%02x", rgb[0], rgb[1], rgb[2])
			i += 4
		}
		if n == 38 {
			fg = hex
		} else {
			bg = hex
		}
	}
	return fg, bg
}

// contrast is the ratio of WCAG 2.1, 1 to 21.
func contrast(a, b string) float64 {
	l := []float64{luminanceOf(a), luminanceOf(b)}
	slices.Sort(l)
	return (l[1] + 0.05) / (l[0] + 0.05)
}

func luminanceOf(hex string) float64 {
	c, err := colorful.Hex(hex)
	if err != nil {
		return math.NaN()
	}
	r, g, b := c.LinearRgb()
	return 0.2126*r + 0.7152*g + 0.0722*b
}

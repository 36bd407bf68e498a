package ui

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

// Appearance returns the look that the --theme flag and the environment ask
// for. ask reports whether to query the terminal for its background colour. It
// is false when the flag decides, when there are no colours, and on terminals
// that would print the query.
//
// The flag is auto, light, dark or plain; empty is auto. NO_COLOR, CLICOLOR,
// CLICOLOR_FORCE, COLORTERM and TERM choose the colours as termenv reads them,
// TERM=dumb is plain and ASCII, and COLORFGBG hints at the background. The
// output is assumed to be a terminal.
func Appearance(flag string, getenv func(string) string) (look Look, ask bool, err error) {
	term := getenv("TERM")
	look.Profile = termenv.NewOutput(io.Discard, termenv.WithEnvironment(environment(getenv)), termenv.WithTTY(true)).Profile
	look.ASCII = term == "dumb" || ansi.StringWidth(UnicodeGlyphs().Thin.Horizontal) != 1
	look.Plain = term == "dumb" || look.Profile == termenv.Ascii
	switch flag {
	case "", "auto":
		// Indexes 0 to 6 and 8 are dark, as in rxvt, which invented the variable, and in vim.
		var light bool
		var ok bool
		colorfgbg := getenv("COLORFGBG")
		i := strings.LastIndexByte(colorfgbg, ';')
		if i >= 0 {
			index, err := strconv.Atoi(colorfgbg[i+1:])
			if err == nil && index >= 0 && index <= 15 {
				light, ok = index == 7 || index > 8, true
			}
		}
		if ok {
			look.Light = light
		}
		ask = !look.Plain && term != "linux"
	case "light":
		look.Light = true
	case "dark":
	case "plain":
		look.Plain = true
	default:
		return look, false, fmt.Errorf("theme %s: want auto, light, dark or plain", strconv.Quote(flag))
	}
	return look, ask, nil
}

// environment is a lookup function as termenv's Environ.
type environment func(string) string

func (e environment) Getenv(key string) string { return e(key) }
func (e environment) Environ() []string        { return nil }

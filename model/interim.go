package model

import (
	"strings"
	"unicode"
)

func Sanitize(s string) string     { return interimClean(s, false) }
func SanitizeText(s string) string { return interimClean(s, true) }
func interimClean(s string, keep bool) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' && keep:
			return r
		case r == '\n':
			return '⏎'
		case r == '\t':
			return ' '
		case r < 0x20:
			return 0x2400 + r
		case unicode.IsControl(r) || (unicode.Is(unicode.Cf, r) && r != 0x200d):
			return '\ufffd'
		}
		return r
	}, s)
}

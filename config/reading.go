package config

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// reading warns when v was taken for the number n, which its text does not
// say to somebody who does not know YAML 1.1.
func (v value) reading(n float64) outcome {
	reads := fmt.Sprintf("%s reads as %s", v.source(), formatNumber(n))
	code := ""
	switch {
	case v.kind == boolean:
		code = "boolean_number"
	case v.kind == decimal && v.float != n:
		code = "truncated"
	case v.kind == binary:
		code = "unusual_number"
	case strings.Contains(v.text, ":"):
		code, reads = "unusual_number", reads+", a YAML 1.1 number in base 60"
	case v.kind == integer && octal(v):
		code, reads = "unusual_number", reads+", a YAML 1.1 octal number"
	case !grouped(v.text), strings.ContainsFunc(v.text, func(r rune) bool { return r > unicode.MaxASCII }):
		code = "unusual_number"
	}
	if code == "" {
		return outcome{}
	}
	return outcome{code: code, note: reads}
}

// read returns v as its text, and as the number that it was taken for when
// that is not what the text says.
func (v value) read(n float64) string {
	if out := v.reading(n); out.code != "" {
		return out.note + ", which"
	}
	return v.source()
}

// octal says whether an integer is another one than its digits say.
func octal(v value) bool {
	n, ok := readInt(v.text)
	return ok && n != v.int
}

var thousands = regexp.MustCompile(`^\s*[-+]?[0-9]{1,3}(_[0-9]{3})+(\.[0-9]*)?\s*$`)

// grouped says whether the underscores of s, if any, group thousands. Others
// may stand where a point was meant.
func grouped(s string) bool {
	return !strings.Contains(s, "_") || strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0b") || thousands.MatchString(s)
}

func formatNumber(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return strconv.FormatFloat(f, 'f', 0, 64)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

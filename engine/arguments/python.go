package arguments

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"caliper/config"
)

// Models put the wrong type where a name, a query or a limit belongs. The
// reference agent, written in Python, takes the text form of such a value, and
// treats values that are false in Python as missing. Text and Whole do the
// same.

// Text returns the text of a JSON value as Python's str gives it, trimmed as
// Python trims; empty for an absent, unreadable or false value.
func Text(raw []byte) string {
	v, err := parse(raw)
	if err != nil || v.falsy() {
		return ""
	}
	if v.kind == str {
		return Trim(v.text)
	}
	var b strings.Builder
	v.repr(&b)
	return Trim(b.String())
}

// Whole returns the integer that Python's int makes of a JSON value, which is
// the nearest int when it is out of range: a fraction is cut off, but not in
// text. ok is false where int refuses.
func Whole(raw []byte) (n int, ok bool) {
	v, err := parse(raw)
	if err != nil {
		return 0, false
	}
	switch v.kind {
	case boolean:
		if v.text == "true" {
			return 1, true
		}
		return 0, true
	case number:
		f, _ := strconv.ParseFloat(v.text, 64)
		if math.IsInf(f, 0) && strings.ContainsAny(v.text, ".eE") {
			return 0, false // Python reads 1e400 as infinity, and int refuses it
		}
		return clamp(f), true
	case str:
		whole, ok := config.ReadInt(v.text)
		return int(min(max(whole, math.MinInt), math.MaxInt)), ok
	}
	return 0, false
}

// clamp returns the nearest int to f, its fraction cut off.
func clamp(f float64) int {
	switch {
	case f >= math.MaxInt:
		return math.MaxInt
	case f <= math.MinInt:
		return math.MinInt
	}
	return int(f)
}

// Trim removes what Python's str.strip removes: Unicode white space and the
// four information separators U+001C to U+001F.
func Trim(s string) string {
	return strings.TrimFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f
	})
}

// falsy reports whether Python would treat the value as false.
func (v *value) falsy() bool {
	if v == nil {
		return true
	}
	switch v.kind {
	case null:
		return true
	case boolean:
		return v.text == "false"
	case number:
		f, err := strconv.ParseFloat(v.text, 64)
		return err == nil && f == 0
	case str:
		return v.text == ""
	case array:
		return len(v.items) == 0
	case object:
		return len(v.members) == 0
	}
	return false
}

// repr writes a value as Python's repr shows it inside a container.
func (v *value) repr(b *strings.Builder) {
	switch v.kind {
	case null:
		b.WriteString("None")
	case boolean:
		b.WriteString(map[string]string{"true": "True", "false": "False"}[v.text])
	case notFinite:
		b.WriteString(map[string]string{"NaN": "nan", "Infinity": "inf", "-Infinity": "-inf"}[v.text])
	case number:
		b.WriteString(strings.Replace(strings.ToLower(numberText(v.text)), "infinity", "inf", 1))
	case str:
		reprText(b, v.text)
	case array:
		b.WriteByte('[')
		for i, item := range v.items {
			if i > 0 {
				b.WriteString(", ")
			}
			item.repr(b)
		}
		b.WriteByte(']')
	case object:
		b.WriteByte('{')
		for i, m := range v.members {
			if i > 0 {
				b.WriteString(", ")
			}
			reprText(b, m.name)
			b.WriteString(": ")
			m.value.repr(b)
		}
		b.WriteByte('}')
	}
}

// reprText writes a text as Python's repr does: in single quotes unless only
// these stand in it, with escapes for what cannot be printed.
func reprText(b *strings.Builder, text string) {
	quote := '\''
	if strings.Contains(text, "'") && !strings.Contains(text, `"`) {
		quote = '"'
	}
	b.WriteRune(quote)
	for _, r := range text {
		switch {
		case r == quote || r == '\\':
			b.WriteRune('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(r): // Python's rule: L, M, N, P, S and the space
			b.WriteRune(r)
		case r < 0x100:
			b.WriteString(`\x` + hexDigits(r, 2))
		case r < 0x10000:
			b.WriteString(`\u` + hexDigits(r, 4))
		default:
			b.WriteString(`\U` + hexDigits(r, 8))
		}
	}
	b.WriteRune(quote)
}

// hexDigits writes r in n hexadecimal digits.
func hexDigits(r rune, n int) string {
	digits := strconv.FormatInt(int64(r), 16)
	return strings.Repeat("0", n-len(digits)) + digits
}

// numberText writes a JSON number as Python does after reading it: an integer
// with all its digits, any other through a float64.
func numberText(text string) string {
	if !strings.ContainsAny(text, ".eE") {
		if text == "-0" {
			return "0"
		}
		return text
	}
	f, _ := strconv.ParseFloat(text, 64) // the only error is one of range, and then f is infinite
	return floatText(f)
}

// floatText writes a float64 as Python's json module does: the shortest digits
// that read back the same, in plain notation from 1e-4 to below 1e16.
func floatText(f float64) string {
	switch size := math.Abs(f); {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case size != 0 && (size < 1e-4 || size >= 1e16):
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

package words

import (
	"math"
	"strconv"
	"strings"
	"unicode"
)

// AppendPythonQuoted writes a text as Python's repr does: in single quotes unless only
// these stand in it, with escapes for what cannot be printed.
func AppendPythonQuoted(b *strings.Builder, text string) {
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

// PythonFloatText returns a float64 as Python's json module writes it: the shortest digits
// that read back the same, in plain notation from 1e-4 to below 1e16.
func PythonFloatText(f float64) string {
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

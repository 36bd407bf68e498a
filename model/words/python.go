package words

import (
	"math"
	"strconv"
	"strings"
	"unicode"
)

// PythonDigits is the longest integer that int takes, in digits.
const PythonDigits = 4300

// PythonSpace reports whether strip takes a character off: Unicode white space and
// the four information separators of ASCII.
func PythonSpace(c rune) bool { return unicode.IsSpace(c) || 0x1C <= c && c <= 0x1F }

// Strip returns text without the white space around it.
func Strip(text string) string {
	if n := len(text); n > 0 && plain(text[0]) && plain(text[n-1]) {
		return text
	}
	return strings.TrimFunc(text, PythonSpace)
}

// plain reports whether a byte is a character of ASCII that strip leaves.
func plain(b byte) bool { return ' ' < b && b < 0x7F }

// PythonFloat returns the number that Python's float reads from text. A number beyond
// the range of float64 is an infinity.
func PythonFloat(s string) (f float64, ok bool) {
	s, ok = plainDigits(s)
	if !ok {
		return 0, false
	}
	switch word := strings.ToLower(s); word {
	case "nan", "+nan", "-nan":
		return math.NaN(), true
	case "inf", "+inf", "-inf", "infinity", "+infinity", "-infinity":
	default:
		if strings.Trim(word, "0123456789.e+-") != "" {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		return 0, false
	}
	return f, true
}

// PythonInt returns the integer that Python's int reads from text, or the nearest
// int64 to it.
func PythonInt(s string) (n int64, ok bool) {
	s, ok = plainDigits(s)
	if !ok {
		return 0, false
	}
	digits := s
	if digits != "" && (digits[0] == '+' || digits[0] == '-') {
		digits = digits[1:]
	}
	if digits == "" || len(digits) > PythonDigits || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, _ = strconv.ParseInt(s, 10, 64) // out of range: the nearest int64
	return n, true
}

// plainDigits trims s, turns the decimal digits of every script into ASCII
// and takes out underscores between digits; any other underscore is refused.
func plainDigits(s string) (plain string, ok bool) {
	s = strings.TrimSpace(s)
	b := make([]byte, 0, len(s))
	digitBefore, pending := false, false
	for _, r := range s {
		d := digitOf(r)
		switch {
		case d >= 0:
			b = append(b, '0'+byte(d))
		case r == '_' && digitBefore && !pending:
			pending = true
			continue
		case r > unicode.MaxASCII, r == '_':
			return "", false
		default:
			b = append(b, byte(r))
		}
		if pending && d < 0 {
			return "", false
		}
		digitBefore, pending = d >= 0, false
	}
	return string(b), !pending
}

// digitOf returns the value of a decimal digit of any script, or -1. Unicode
// encodes the digits of a script in order, so their ranges are multiples of
// ten that begin with a zero.
func digitOf(r rune) int {
	if r <= unicode.MaxASCII {
		if r >= '0' && r <= '9' {
			return int(r - '0')
		}
		return -1
	}
	for _, x := range unicode.Nd.R16 {
		if rune(x.Lo) <= r && r <= rune(x.Hi) {
			return int(r-rune(x.Lo)) % 10
		}
	}
	for _, x := range unicode.Nd.R32 {
		if rune(x.Lo) <= r && r <= rune(x.Hi) {
			return int(r-rune(x.Lo)) % 10
		}
	}
	return -1
}

// PythonWord reports whether \w matches a character in a regular expression: a letter,
// a number of any script, or the underscore.
func PythonWord(c rune) bool { return c == '_' || unicode.IsLetter(c) || unicode.IsNumber(c) }

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

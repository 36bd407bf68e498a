package words

import (
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"
)

// Capitalized returns a text whose first letter is a capital.
func Capitalized(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	if r == utf8.RuneError {
		return text
	}
	return string(unicode.ToUpper(r)) + text[size:]
}

// And joins words as a sentence lists them: a, b and c.
func And(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

// Replacement stands in the place of every sentence in a test that sets it.
var Replacement atomic.Pointer[string]

// Message returns a sentence as it is, or its Replacement. Empty text is no sentence and stays
// empty.
func Message(sentence string) string {
	if other := Replacement.Load(); other != nil && sentence != "" {
		return *other
	}
	return sentence
}

// Count returns a number with its noun, which takes an s unless the number is
// 1: "0 tools", "1 tool", "2 tools".
func Count[N int | int64](n N, noun string) string {
	return strconv.FormatInt(int64(n), 10) + " " + Plural(n, noun)
}

// CountOf is Count for a noun, or a phrase, whose plural is written out:
// "1 entry", "2 entries".
func CountOf[N int | int64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.FormatInt(int64(n), 10) + " " + many
}

// Plural returns a noun as it stands behind a number: with an s unless the
// number is 1.
func Plural[N int | int64](n N, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// Minus returns a formatted number with the minus sign U+2212, which is as wide as a plus
// sign and begins no option or list. All numbers that people read have it; JSON, files and
// what can be typed keep "-".
func Minus(number string) string { return strings.ReplaceAll(number, "-", "−") }

// Thousands returns a number with a comma before every three digits: "12,345", "−1,000".
func Thousands(n int) string {
	digits := strconv.Itoa(n)
	first := 0 // where the digits begin
	if n < 0 {
		first = 1
	}
	for at := len(digits) - 3; at > first; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return Minus(digits)
}

// CountThousands is Count with commas in the number: "12,345 tools".
func CountThousands(n int, noun string) string { return Thousands(n) + " " + Plural(n, noun) }

// Or returns a list of choices: "a", "a or b", "a, b or c".
func Or(choices []string) string {
	last := len(choices) - 1
	if last < 1 {
		return strings.Join(choices, "")
	}
	return strings.Join(choices[:last], ", ") + " or " + choices[last]
}

// Size returns a number of bytes in words: "1 byte", "12.3 kB", "4.0 MB", with
// powers of 1000. It must not be negative.
func Size(n int) string {
	switch {
	case n == 1:
		return "1 byte"
	case n < 1000:
		return strconv.Itoa(n) + " bytes"
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1000)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// First returns the first n code points of s.
func First(s string, n int) string {
	for i := range s {
		if n <= 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// Clip returns s if it has at most n code points, else its first n and an
// ellipsis.
func Clip(s string, n int) string {
	if head := First(s, n); len(head) < len(s) {
		return head + "…"
	}
	return s
}

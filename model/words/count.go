package words

import (
	"strconv"
	"strings"
)

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

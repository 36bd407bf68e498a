package config

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
)

// maxDigits is the longest decimal integer that the reference's language
// converts; a longer one makes its loader fail.
const maxDigits = 4300

// integerValue constructs an integer from the notations of YAML 1.1: decimal,
// 0b, 0x, a leading 0 for octal, and base 60.
func integerValue(s string) (v value, problem string) {
	const bad = "not an integer"
	digits := strings.ReplaceAll(s, "_", "")
	negative := strings.HasPrefix(digits, "-")
	if negative || strings.HasPrefix(digits, "+") {
		digits = digits[1:]
	}
	var n *big.Int
	switch {
	case digits == "":
		return value{kind: text}, bad
	case strings.HasPrefix(digits, "0b"):
		n = inBase(digits[2:], 2)
	case strings.HasPrefix(digits, "0x"):
		n = inBase(digits[2:], 16)
	case digits[0] == '0' && len(digits) > 1:
		n = inBase(digits, 8)
	case strings.Contains(digits, ":"):
		n = sexagesimal(digits)
	case len(digits) > maxDigits:
		return value{kind: text}, "an integer of more than 4300 digits"
	default:
		n = inBase(digits, 10)
	}
	if n == nil { // the reference's int is asked, which strips spaces
		if i, ok := readInt(digits); ok && !negative {
			return value{kind: integer, int: i, float: float64(i)}, ""
		}
		return value{kind: text}, bad
	}
	if negative {
		n.Neg(n)
	}
	f, _ := n.Float64()
	v = value{kind: integer, float: f, int: saturated(f)}
	if n.IsInt64() {
		v.int = n.Int64()
	}
	return v, ""
}

// beyond is larger than every float64.
var beyond = new(big.Int).Lsh(big.NewInt(1), 1100)

// inBase reads digits, without sign or prefix, nil when they are none. A
// number with so many digits that no float64 can hold it is beyond, whatever
// the digits, so that the time is linear.
func inBase(digits string, base int) *big.Int {
	if strings.Trim(strings.ToLower(digits), "0123456789abcdef"[:base]) != "" || digits == "" {
		return nil
	}
	digits = strings.TrimLeft(digits, "0")
	if digits == "" {
		return new(big.Int)
	}
	if len(digits) > maxDigits {
		return new(big.Int).Set(beyond)
	}
	n, ok := new(big.Int).SetString(digits, base)
	if !ok {
		return nil
	}
	return n
}

func sexagesimal(s string) *big.Int {
	n := new(big.Int)
	for part := range strings.SplitSeq(s, ":") {
		digit := inBase(part, 10)
		if digit == nil {
			return nil
		}
		if n.Cmp(beyond) < 0 {
			n.Mul(n, big.NewInt(60)).Add(n, digit)
		}
	}
	return n
}

// decimalValue constructs a float from the notations of YAML 1.1.
func decimalValue(s string) (v value, problem string) {
	const bad = "not a number"
	digits := strings.ToLower(strings.ReplaceAll(s, "_", ""))
	sign := 1.0
	if strings.HasPrefix(digits, "-") {
		sign = -1
	}
	digits = strings.TrimPrefix(strings.TrimPrefix(digits, "-"), "+")
	f, ok := 0.0, true
	switch {
	case digits == ".inf":
		f = math.Inf(1)
	case digits == ".nan":
		f = math.NaN()
	case strings.Contains(digits, ":"):
		f, ok = sexagesimalFloat(digits)
	default:
		f, ok = readFloat(digits)
	}
	if !ok {
		return value{kind: text}, bad
	}
	return value{kind: decimal, float: sign * f}, ""
}

// sexagesimalFloat sums from the last part on, as the reference does; a place
// value beyond the range of float64 is an error there.
func sexagesimalFloat(s string) (f float64, ok bool) {
	parts := strings.Split(s, ":")
	place := big.NewInt(1)
	for i := len(parts) - 1; i >= 0; i-- {
		digit, ok := readFloat(parts[i])
		weight, _ := place.Float64()
		if !ok || math.IsInf(weight, 0) {
			return 0, false
		}
		f += digit * weight
		place.Mul(place, big.NewInt(60))
	}
	return f, true
}

// readFloat reads a number from text as the reference's language does: spaces
// around it, any script's decimal digits, underscores between digits, inf,
// infinity and nan; no hexadecimal.
func readFloat(s string) (f float64, ok bool) {
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

// readInt reads an integer from text as the reference's language does, with
// the liberties of readFloat. It is saturated.
func readInt(s string) (n int64, ok bool) {
	s, ok = plainDigits(s)
	if !ok {
		return 0, false
	}
	digits := s
	if digits != "" && (digits[0] == '+' || digits[0] == '-') {
		digits = digits[1:]
	}
	if digits == "" || len(digits) > maxDigits || strings.Trim(digits, "0123456789") != "" {
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

package yamltext

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"caliper/model/words"
)

// integerValue returns the integer that YAML 1.1 reads: decimal, 0b, 0x, 0 for octal, base 60.
func integerValue(s string) (v Value, problem string) {
	const bad = "not an integer"
	digits := strings.ReplaceAll(s, "_", "")
	negative := strings.HasPrefix(digits, "-")
	if negative || strings.HasPrefix(digits, "+") {
		digits = digits[1:]
	}
	var n *big.Int
	switch {
	case digits == "":
		return Value{}, bad
	case strings.HasPrefix(digits, "0b"):
		n = inBase(digits[2:], 2)
	case strings.HasPrefix(digits, "0x"):
		n = inBase(digits[2:], 16)
	case digits[0] == '0':
		n = inBase(digits, 8)
	case strings.Contains(digits, ":"):
		n = new(big.Int)
		for part := range strings.SplitSeq(digits, ":") {
			digit := inBase(part, 10)
			if digit == nil {
				n = nil
				break
			}
			if n.Cmp(beyond) < 0 {
				n.Mul(n, big.NewInt(60)).Add(n, digit)
			}
		}
	case len(digits) > words.PythonDigits:
		return Value{}, "an integer of more than 4300 digits"
	default:
		n = inBase(digits, 10)
	}
	if n == nil { // the reference calls int on it, which skips spaces
		if i, ok := words.PythonInt(digits); ok && !negative {
			return Value{Kind: Integer, Int: i, Float: float64(i)}, ""
		}
		return Value{}, bad
	}
	if negative {
		n.Neg(n)
	}
	f, _ := n.Float64()
	v = Value{Kind: Integer, Float: f, Int: Saturated(f)}
	if n.IsInt64() {
		v.Int = n.Int64()
	}
	return v, ""
}

// beyond is larger than every float64.
var beyond = new(big.Int).Lsh(big.NewInt(1), 1100)

// inBase returns the number of digits in a base, nil for none. One of more digits than a float64
// can hold is beyond, so that the time is linear.
func inBase(digits string, base int) *big.Int {
	if strings.Trim(strings.ToLower(digits), "0123456789abcdef"[:base]) != "" || digits == "" {
		return nil
	}
	digits = strings.TrimLeft(digits, "0")
	if digits == "" {
		return new(big.Int)
	}
	if len(digits) > words.PythonDigits {
		return new(big.Int).Set(beyond)
	}
	n, ok := new(big.Int).SetString(digits, base)
	if !ok {
		return nil
	}
	return n
}

// decimalValue returns the float that YAML 1.1 reads from s.
func decimalValue(s string) (v Value, problem string) {
	const bad = "not a number"
	digits := strings.ToLower(strings.ReplaceAll(s, "_", ""))
	sign := 1.0
	if strings.HasPrefix(digits, "-") {
		sign = -1
	}
	digits = strings.TrimPrefix(strings.TrimPrefix(digits, "-"), "+")
	var f float64
	var ok bool
	switch {
	case digits == ".inf", digits == ".nan":
		f, ok = words.PythonFloat(digits[1:])
	case strings.Contains(digits, ":"):
		// In base 60, added from the last on, as in the reference, where a weight beyond float64 is an error.
		unit := big.NewInt(1)
		for _, part := range slices.Backward(strings.Split(digits, ":")) {
			var digit float64
			weight, _ := unit.Float64()
			if digit, ok = words.PythonFloat(part); !ok || math.IsInf(weight, 0) {
				return Value{}, bad
			}
			f += digit * weight
			unit.Mul(unit, big.NewInt(60))
		}
	default:
		f, ok = words.PythonFloat(digits)
	}
	if !ok {
		return Value{}, bad
	}
	return Value{Kind: Decimal, Float: sign * f}, ""
}

// Patterns of dates. Source: YAML 1.1 type timestamp. A plain scalar is a date by
// the first; a scalar with an explicit tag is read by the second.
var (
	plainDate = words.LazyRegexp(`^(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?)$`)
	dateParts = words.LazyRegexp(`^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:(?:[Tt]|[ \t]+)([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+]([0-9]{1,2})(?::([0-9]{2}))?))?)?$`)
)

// dateValue returns a date without its value. One that no calendar has makes the loader refuse the
// file.
func dateValue(s string) (v Value, problem string) {
	m := dateParts().FindStringSubmatch(s)
	if m == nil {
		return Value{}, "not a date"
	}
	n := make([]int, len(m)) // 4 to 8: hour, minute, second, zone hours, zone minutes
	for i, part := range m {
		n[i], _ = strconv.Atoi(part) // absent parts are 0
	}
	_, err := time.Parse("2006-1-2", m[1]+"-"+m[2]+"-"+m[3])
	switch {
	case err != nil, m[1] == "0000":
		return Value{}, "no such day"
	case n[4] > 23, n[5] > 59, n[6] > 59:
		return Value{}, "no such time of day"
	case n[7]*60+n[8] >= 24*60:
		return Value{}, "no such time zone"
	}
	return Value{Kind: Date}, ""
}

package tokens

import (
	"bytes"
	"math"
	"strconv"
)

// numberKind says how a number is written.
type numberKind int

const (
	notNumber numberKind = iota
	integer              // without fraction and exponent
	float                // with one of them
)

// scanNumber returns the end of the JSON number at an offset, and its kind.
func scanNumber(src []byte, at int) (end int, kind numberKind) {
	i := at
	if i < len(src) && src[i] == '-' {
		i++
	}
	switch {
	case i == len(src) || src[i] < '0' || src[i] > '9':
		return at, notNumber
	case src[i] == '0':
		i++
	default:
		i = skipDigits(src, i)
	}
	kind = integer
	if i < len(src) && src[i] == '.' {
		j := skipDigits(src, i+1)
		if j == i+1 {
			return at, notNumber
		}
		i, kind = j, float
	}
	if i < len(src) && src[i]|0x20 == 'e' {
		j := i + 1
		if j < len(src) && (src[j] == '+' || src[j] == '-') {
			j++
		}
		k := skipDigits(src, j)
		if k == j {
			return at, notNumber
		}
		i, kind = k, float
	}
	return i, kind
}

// skipDigits returns the offset of the first byte from at on that is no digit.
func skipDigits(src []byte, at int) int {
	for at < len(src) && '0' <= src[at] && src[at] <= '9' {
		at++
	}
	return at
}

// appendNumber appends a JSON number as Python writes it after parsing: see
// float.__repr__ for the shortest digits, plain notation from 1e-4 to below
// 1e16 and at least two digits in an exponent. Integers are of any size.
func appendNumber(dst, text []byte, kind numberKind) []byte {
	if kind == integer {
		if len(text) == 2 && text[0] == '-' && text[1] == '0' {
			return append(dst, '0')
		}
		return append(dst, text...)
	}
	// The only error is one of range, and then f is infinite.
	f, _ := strconv.ParseFloat(string(text), 64)
	switch size := math.Abs(f); {
	case math.IsInf(f, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(f, -1):
		return append(dst, "-Infinity"...)
	case size != 0 && (size < 1e-4 || size >= 1e16):
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
	if bytes.IndexByte(dst[start:], '.') < 0 {
		dst = append(dst, '.', '0')
	}
	return dst
}

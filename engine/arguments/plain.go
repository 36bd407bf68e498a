package arguments

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// odd is a number that the library must not see, because JSON does not have
// it, or because it would take long to compute with.
type odd struct {
	at   []step
	text string
	kind kind
}

// plain returns a value as encoding/json decodes it with UseNumber. Numbers
// that are odd are replaced: in arguments, where odds is not nil, by ones of
// the same type, and listed; in a schema by ones of much the same size.
func (v *value) plain(odds *[]odd, at []step) any {
	switch v.kind {
	case boolean:
		return v.text == "true"
	case str:
		return v.text
	case notFinite:
		if odds != nil {
			*odds = append(*odds, odd{append([]step(nil), at...), v.text, v.kind})
		}
		return json.Number("0.5")
	case number:
		switch {
		case isPlainNumber(v.text):
			return json.Number(v.text)
		case odds == nil:
			return nearNumber(v.text)
		}
		*odds = append(*odds, odd{append([]step(nil), at...), v.text, v.kind})
		return json.Number("1")
	case array:
		out := make([]any, len(v.items))
		for i, item := range v.items {
			out[i] = item.plain(odds, append(at, step{item: i}))
		}
		return out
	case object:
		out := make(map[string]any, len(v.members))
		for _, m := range v.members {
			out[m.name] = m.value.plain(odds, append(at, step{name: m.name, item: -1}))
		}
		return out
	}
	return nil
}

// isPlainNumber reports whether exact arithmetic with a number is cheap: at
// most 500 digits, and an exponent of at most three.
func isPlainNumber(text string) bool {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	return len(mantissa) <= 500 && len(strings.TrimLeft(strings.TrimLeft(exponent, "+-"), "0")) <= 3
}

// nearNumber returns a cheap number that stands for one that is not: bounds
// beyond all floats are as good at 1e900.
func nearNumber(text string) json.Number {
	f, _ := strconv.ParseFloat(text, 64)
	switch {
	case math.IsInf(f, 1):
		return "1e900"
	case math.IsInf(f, -1):
		return "-1e900"
	}
	return json.Number(strconv.FormatFloat(f, 'g', -1, 64))
}

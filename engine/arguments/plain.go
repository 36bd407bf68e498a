package arguments

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"caliper/model/jsontree"
)

// plain returns a value as encoding/json decodes it with UseNumber. Numbers that the library
// must not see, because JSON does not have them or because it would take long to compute with
// them, are replaced: in arguments, where odds is not nil, by ones of the same type, and
// found; in a schema, where odds is nil, they are unevaluable.
func plain(v *jsontree.Node, odds *[]finding, at []step) any {
	switch v.Kind {
	case jsontree.Boolean:
		return v.Text == "true"
	case jsontree.String:
		return v.Text
	case jsontree.NotFinite:
		if odds == nil {
			return unevaluable(v.Text)
		}
		*odds = append(*odds, finding{slices.Clone(at), Problem{Message: v.Text + " is not JSON: the server may refuse it; not checked further", Uncheckable: true}})
		return json.Number("0.5")
	case jsontree.Number:
		// Exact arithmetic is cheap with at most 500 digits and an exponent of at most three.
		mantissa, exponent, _ := strings.Cut(strings.ToLower(v.Text), "e")
		isPlain := len(mantissa) <= 500 && len(strings.TrimLeft(strings.TrimLeft(exponent, "+-"), "0")) <= 3
		if odds == nil { // a float64 holds it, and zero is written as such
			f, _ := strconv.ParseFloat(v.Text, 64)
			if !isPlain || math.IsInf(f, 0) || f == 0 && strings.Trim(mantissa, "-0.") != "" {
				return unevaluable(v.Text)
			}
		}
		if isPlain {
			return json.Number(v.Text)
		}
		*odds = append(*odds, finding{slices.Clone(at), Problem{Message: show(v.Text) + " is too large to be checked", Uncheckable: true}})
		return json.Number("1")
	case jsontree.Array:
		out := make([]any, len(v.Children))
		for i, item := range v.Children {
			out[i] = plain(item.Node, odds, append(at, step{item: i}))
		}
		return out
	case jsontree.Object:
		out := make(map[string]any, len(v.Children))
		for _, m := range v.Children {
			out[m.Name] = plain(m.Node, odds, append(at, step{name: m.Name, item: -1}))
		}
		return out
	}
	return nil
}

// unevaluable is a number of a schema that is not computed with: one that a
// float64 cannot hold, or that JSON does not have.
type unevaluable string

// unevaluableIn returns a number in a value of a schema that is not computed
// with, if there is one.
func unevaluableIn(v any) (number unevaluable, ok bool) {
	switch v := v.(type) {
	case unevaluable:
		return v, true
	case []any:
		for _, item := range v {
			if number, ok = unevaluableIn(item); ok {
				return number, true
			}
		}
	case map[string]any:
		for _, name := range sortedNames(v) {
			if number, ok = unevaluableIn(v[name]); ok {
				return number, true
			}
		}
	}
	return "", false
}

// evaluable returns a value of a schema with 0 for every number that is not
// computed with. It changes the value.
func evaluable(v any) any {
	switch v := v.(type) {
	case unevaluable:
		return json.Number("0")
	case []any:
		for i, item := range v {
			v[i] = evaluable(item)
		}
	case map[string]any:
		for name, item := range v {
			v[name] = evaluable(item)
		}
	}
	return v
}

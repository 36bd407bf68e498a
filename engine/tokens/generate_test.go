package tokens

import (
	"fmt"
	"strconv"
	"strings"

	"pgregory.net/rapid"
)

// sample is a JSON text and its compact serialization, made side by side from
// the same value, so that neither is computed from the other.
type sample struct{ source, compact string }

// samples draws values of at most the given depth, written with any white
// space and any escapes that the grammar allows, and with repeated names.
func samples(depth int) *rapid.Generator[sample] {
	return rapid.Custom(func(t *rapid.T) sample {
		kinds := []string{"string", "integer", "float", "literal"}
		if depth > 0 {
			kinds = append(kinds, "array", "object", "object")
		}
		switch rapid.SampledFrom(kinds).Draw(t, "kind") {
		case "string":
			return stringSamples().Draw(t, "string")
		case "integer":
			text := rapid.StringMatching(`-?([1-9][0-9]{0,30}|0)`).Draw(t, "integer")
			return sample{text, strings.Replace(text, "-0", "0", 1)}
		case "float":
			return floatSamples().Draw(t, "float")
		case "literal":
			text := rapid.SampledFrom([]string{"true", "false", "null"}).Draw(t, "literal")
			return sample{text, text}
		case "array":
			return drawArray(t, depth)
		default:
			return drawObject(t, depth)
		}
	})
}

// drawArray draws an array.
func drawArray(t *rapid.T, depth int) sample {
	var source, compact []string
	for range rapid.IntRange(0, 4).Draw(t, "items") {
		s := samples(depth-1).Draw(t, "item")
		source = append(source, blanks(t)+s.source+blanks(t))
		compact = append(compact, s.compact)
	}
	if source == nil {
		return sample{"[" + blanks(t) + "]", "[]"}
	}
	return sample{"[" + strings.Join(source, ",") + "]", "[" + strings.Join(compact, ",") + "]"}
}

// drawObject draws an object; now and then one with many members.
func drawObject(t *rapid.T, depth int) sample {
	count := rapid.IntRange(0, 5).Draw(t, "members")
	if depth == 1 && rapid.IntRange(0, 9).Draw(t, "wide") == 0 {
		count = rapid.IntRange(10, 200).Draw(t, "many members")
	}
	var source, names []string
	values := map[string]string{}
	for i := range count {
		name := stringSamples().Draw(t, "name")
		if count > 5 && rapid.Bool().Draw(t, "numbered") {
			text := strconv.Quote("name" + strconv.Itoa(i))
			name = sample{text, text}
		}
		value := samples(depth-1).Draw(t, "value")
		source = append(source, blanks(t)+name.source+blanks(t)+":"+blanks(t)+value.source+blanks(t))
		if _, ok := values[name.compact]; !ok {
			names = append(names, name.compact)
		}
		values[name.compact] = value.compact
	}
	if source == nil {
		return sample{"{" + blanks(t) + "}", "{}"}
	}
	var compact []string
	for _, name := range names {
		compact = append(compact, name+":"+values[name])
	}
	return sample{"{" + strings.Join(source, ",") + "}", "{" + strings.Join(compact, ",") + "}"}
}

// blanks draws insignificant white space, mostly none.
func blanks(t *rapid.T) string {
	return rapid.SampledFrom([]string{"", "", "", " ", "\n\t", "\r\n        "}).Draw(t, "blanks")
}

// stringSamples draws strings, from few characters, so that names repeat.
// Lone surrogates are left to the table: two of them are one character where
// they meet.
func stringSamples() *rapid.Generator[sample] {
	short := map[rune]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}
	chars := []rune{'a', 'a', 'b', 'é', '—', '列', '🚢', '/', '"', '\\', '\n', '\b', 0, 0x1b, 0x1f, 0x7f, 0x9b, 0x2028, 0xFFFD}
	return rapid.Custom(func(t *rapid.T) sample {
		var source, compact strings.Builder
		run := rapid.SampledFrom([]int{0, 0, 1, 2, 7, 8, 9, 20}).Draw(t, "run")
		source.WriteString(`"` + strings.Repeat("x", run))
		compact.WriteString(`"` + strings.Repeat("x", run))
		for _, c := range rapid.SliceOfN(rapid.SampledFrom(chars), 0, 4).Draw(t, "chars") {
			switch {
			case short[c] != "":
				compact.WriteString(short[c])
			case c < ' ':
				fmt.Fprintf(&compact, `\u%04x`, c)
			default:
				compact.WriteRune(c)
			}
			switch style := rapid.IntRange(0, 2).Draw(t, "style"); {
			case c == '/' && style == 1:
				source.WriteString(`\/`)
			case short[c] != "" && style < 2:
				source.WriteString(short[c])
			case c > 0xFFFF && style == 1:
				fmt.Fprintf(&source, `\u%04X\u%04x`, 0xD800+(c-0x10000)>>10, 0xDC00+(c-0x10000)&0x3FF)
			case c <= 0xFFFF && (style == 2 || c < ' ' || c == '"' || c == '\\'):
				fmt.Fprintf(&source, `\u%04x`, c)
			default:
				source.WriteRune(c)
			}
		}
		return sample{source.String() + `"`, compact.String() + `"`}
	})
}

// floatSamples draws numbers whose Python form is known from how they are
// made: digits and the place of the point.
func floatSamples() *rapid.Generator[sample] {
	return rapid.Custom(func(t *rapid.T) sample {
		digits := rapid.StringMatching(`[1-9]([0-9]{0,12}[1-9])?`).Draw(t, "digits")
		exponent := rapid.IntRange(-290, 290).Draw(t, "exponent") // of the first digit
		if rapid.Bool().Draw(t, "near") {
			exponent = rapid.IntRange(-8, 20).Draw(t, "near exponent")
		}
		source := fmt.Sprintf("%s%se%d", digits, rapid.SampledFrom([]string{"", ".", ".0"}).Draw(t, "point"), exponent-len(digits)+1)
		source = strings.Replace(source, ".e", "e", 1)
		return sample{source, pythonFloat(digits, exponent)}
	})
}

// pythonFloat writes the number d1.d2d3... times ten to the exponent.
func pythonFloat(digits string, exponent int) string {
	switch {
	case exponent < -4 || exponent >= 16:
		mantissa := digits[:1]
		if len(digits) > 1 {
			mantissa += "." + digits[1:]
		}
		return fmt.Sprintf("%se%+03d", mantissa, exponent)
	case exponent < 0:
		return "0." + strings.Repeat("0", -exponent-1) + digits
	case exponent+1 >= len(digits):
		return digits + strings.Repeat("0", exponent+1-len(digits)) + ".0"
	}
	return digits[:exponent+1] + "." + digits[exponent+1:]
}

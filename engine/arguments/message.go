package arguments

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	kindof "github.com/santhosh-tekuri/jsonschema/v6/kind"

	"caliper/model/words"
)

// leaf returns the message of an error about one value.
func leaf(err *jsonschema.ValidationError) string {
	switch k := err.ErrorKind.(type) {
	case *kindof.Type:
		return fmt.Sprintf("expected %s, got %s", strings.Join(k.Want, " or "), k.Got)
	case *kindof.Enum:
		if len(k.Want) == 1 {
			return "must be " + choices(k.Want)
		}
		return "must be one of " + choices(k.Want)
	case *kindof.Const:
		return "must be " + choices([]any{k.Want})
	case *kindof.Format:
		return "is not a valid " + show(k.Want)
	case *kindof.Pattern:
		return "must match " + show(k.Want)
	case *kindof.MinLength:
		return fmt.Sprintf("must have at least %s, has %d", words.Count(k.Want, "character"), k.Got)
	case *kindof.MaxLength:
		return fmt.Sprintf("must have at most %s, has %d", words.Count(k.Want, "character"), k.Got)
	case *kindof.MinItems:
		return fmt.Sprintf("must have at least %s, has %d", words.Count(k.Want, "item"), k.Got)
	case *kindof.MaxItems:
		return fmt.Sprintf("must have at most %s, has %d", words.Count(k.Want, "item"), k.Got)
	case *kindof.AdditionalItems:
		return fmt.Sprintf("has %s too many", words.Count(k.Count, "item"))
	case *kindof.MinProperties:
		return fmt.Sprintf("must have at least %s, has %d", words.Count(k.Want, "member"), k.Got)
	case *kindof.MaxProperties:
		return fmt.Sprintf("must have at most %s, has %d", words.Count(k.Want, "member"), k.Got)
	case *kindof.UniqueItems:
		return fmt.Sprintf("items %d and %d are equal", k.Duplicates[0], k.Duplicates[1])
	case *kindof.Contains:
		return "has no item of the kind that it must contain"
	case *kindof.MinContains:
		return fmt.Sprintf("must contain at least %d items of a kind, has %d", k.Want, len(k.Got))
	case *kindof.MaxContains:
		return fmt.Sprintf("must contain at most %d items of a kind, has %d", k.Want, len(k.Got))
	case *kindof.Minimum:
		return "must be at least " + bareNumber(k.Want)
	case *kindof.Maximum:
		return "must be at most " + bareNumber(k.Want)
	case *kindof.ExclusiveMinimum:
		return "must be more than " + bareNumber(k.Want)
	case *kindof.ExclusiveMaximum:
		return "must be less than " + bareNumber(k.Want)
	case *kindof.MultipleOf:
		return "must be a multiple of " + bareNumber(k.Want)
	case *kindof.FalseSchema:
		return "is not allowed"
	case *kindof.Not:
		return "has a form that is not allowed"
	}
	return "does not fit the schema"
}

// bareNumber writes a number of a schema: in full when it is an integer of
// ordinary size, else as a float64.
func bareNumber(n *big.Rat) string {
	if n.IsInt() && n.Num().BitLen() <= 64 {
		return n.Num().String()
	}
	f, _ := n.Float64()
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// choices lists the values of an enum: bare words as they are, when all are
// bare words, else as JSON.
func choices(values []any) string {
	bare := true
	for _, v := range values {
		word, ok := v.(string)
		bare = bare && ok && isWord(word) && strings.Trim(word, "0123456789-") != "" &&
			word != "true" && word != "false" && word != "null"
	}
	return list(values, func(v any) string {
		if bare {
			return v.(string)
		}
		return jsonText(v)
	})
}

// list joins the first values of a list with commas, and tells how many there
// are beyond.
func list[T any](values []T, write func(T) string) string {
	const most = 12
	var b strings.Builder
	for i, v := range values {
		if i == most && len(values) > most+1 {
			fmt.Fprintf(&b, " and %d more", len(values)-most)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(write(v))
	}
	return b.String()
}

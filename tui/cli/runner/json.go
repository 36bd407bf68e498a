package runner

import (
	"io"
	"iter"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	v1 "github.com/go-json-experiment/json/v1"

	"caliper/engine/labels"
)

// Object is a JSON object whose members keep their order.
type Object []Member

// Member is a member of a JSON object.
type Member = struct {
	Name  string
	Value any
}

// MarshalJSON returns the object as JSON, for encoders of encoding/json.
func (o Object) MarshalJSON() ([]byte, error) { return json.Marshal(o, jsonOptions) }

// Array returns the values of each element of a list, never nil.
func Array[T, V any](list []T, of func(T) V) []V {
	out := make([]V, len(list))
	for i, x := range list {
		out[i] = of(x)
	}
	return out
}

// Elements are the objects of a list of JSON that are made while they are written.
type Elements iter.Seq[Object]

// Each is array for a list that may be long: each element is made when it is written.
func Each[T any](list []T, of func(T) Object) Elements {
	return func(yield func(Object) bool) {
		for _, x := range list {
			if !yield(of(x)) {
				return
			}
		}
	}
}

// NotNull returns a list for JSON, which is [] instead of null.
func NotNull[T any](list []T) []T { return append([]T{}, list...) }

// OrNull returns a value for JSON, where one that stands for none is null: rank 0, an empty
// name.
func OrNull[T comparable](value T) any {
	var none T
	return NullUnless(value != none, value)
}

// NullUnless returns a value for JSON, null where it is not known.
func NullUnless(known bool, value any) any {
	if !known {
		return nil
	}
	return value
}

// ByWording returns an object of JSON for each class of wording: the class, how many queries
// it has, and the figures that of returns, which are null without a query.
func ByWording(of func(labels.WordClass) (queries int, figures Object)) []Object {
	return Array(labels.WordClasses, func(c labels.WordClass) Object {
		queries, figures := of(c)
		out := Object{{"class", c.String()}, {"queries", queries}}
		for _, m := range figures {
			out = append(out, Member{m.Name, NullUnless(queries > 0, m.Value)})
		}
		return out
	})
}

// jsonOptions are those of encoding/json, without the escapes for HTML.
var jsonOptions = json.JoinOptions(v1.DefaultOptionsV1(), jsontext.EscapeForHTML(false))

// writeIndented writes a value, indented by two spaces, and a newline. Of a long list of
// Elements only a few are there at a time.
func writeIndented(to io.Writer, value any) error {
	return json.MarshalEncode(jsontext.NewEncoder(to, jsonOptions, jsontext.WithIndent("  ")), value)
}

// MarshalJSONTo writes the object.
func (o Object) MarshalJSONTo(to *jsontext.Encoder) error {
	if err := to.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, m := range o {
		if err := to.WriteToken(jsontext.String(m.Name)); err != nil {
			return err
		}
		if err := json.MarshalEncode(to, m.Value); err != nil {
			return err
		}
	}
	return to.WriteToken(jsontext.EndObject)
}

// MarshalJSONTo writes the list.
func (e Elements) MarshalJSONTo(to *jsontext.Encoder) error {
	if err := to.WriteToken(jsontext.BeginArray); err != nil {
		return err
	}
	for o := range e {
		if err := o.MarshalJSONTo(to); err != nil {
			return err
		}
	}
	return to.WriteToken(jsontext.EndArray)
}

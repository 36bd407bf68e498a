package runner

import (
	"bytes"
	"encoding/json"
	"iter"
	"strconv"

	"caliper/engine/labels"
)

// Object is a JSON object whose members keep their order.
type Object []Member

// Member is a member of a JSON object.
type Member = struct {
	Name  string
	Value any
}

// MarshalJSON returns the object as JSON.
func (o Object) MarshalJSON() ([]byte, error) { return encoded(o) }

// Array returns the values of each element of a list, never nil.
func Array[T, V any](list []T, of func(T) V) []V {
	out := make([]V, len(list))
	for i, x := range list {
		out[i] = of(x)
	}
	return out
}

// Elements are the objects of a list of JSON that are made while they are written.
type Elements = iter.Seq[Object]

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

// encoded returns a value as JSON without spaces.
func encoded(value any) ([]byte, error) {
	w := newJSONWriter()
	err := w.write(value)
	return w.Bytes(), err
}

// jsonPiece is how many bytes of JSON are written at once.
const jsonPiece = 16 << 10

// jsonWriter writes objects member by member: encoding/json would read again, at
// each level, all that an object's MarshalJSON returns.
type jsonWriter struct {
	*bytes.Buffer
	others   *json.Encoder // of all values that are not written here
	indented bool          // each element and each member has a line of its own
	depth    int           // of what is written now
	// full takes what was written, whenever it is a piece or more, and the buffer is
	// emptied; nil keeps all of it.
	full func(piece []byte) error
}

// newJSONWriter returns a writer of values without spaces.
func newJSONWriter() *jsonWriter {
	b := new(bytes.Buffer)
	w := &jsonWriter{Buffer: b, others: json.NewEncoder(b)}
	w.others.SetEscapeHTML(false)
	return w
}

// write writes a value.
func (w *jsonWriter) write(value any) error {
	switch value := value.(type) {
	case Object:
		return list(w, '{', '}', func(add func(Member) bool) {
			for _, m := range value {
				if !add(m) {
					return
				}
			}
		}, w.member)
	case []Object:
		return list(w, '[', ']', func(add func(Object) bool) {
			for _, o := range value {
				if !add(o) {
					return
				}
			}
		}, w.element)
	case Elements:
		return list(w, '[', ']', value, w.element)
	case int:
		w.Write(strconv.AppendInt(w.AvailableBuffer(), int64(value), 10))
	case bool:
		w.Write(strconv.AppendBool(w.AvailableBuffer(), value))
	case string:
		if isPlain(value) {
			w.WriteByte('"')
			w.WriteString(value)
			w.WriteByte('"')
			return nil
		}
		return w.other(value)
	default:
		return w.other(value)
	}
	return nil
}

// list writes what a sequence has between two brackets.
func list[T any](w *jsonWriter, open, close byte, all iter.Seq[T], write func(T) error) (err error) {
	w.WriteByte(open)
	w.depth++
	some := false
	for x := range all {
		if some {
			w.WriteByte(',')
		}
		some = true
		w.line()
		if err = write(x); err != nil {
			return err
		}
	}
	w.depth--
	if some {
		w.line()
	}
	w.WriteByte(close)
	return nil
}

// line begins a line, where the value is indented.
func (w *jsonWriter) line() {
	if !w.indented {
		return
	}
	w.WriteByte('\n')
	for range w.depth {
		w.WriteString("  ")
	}
}

// member writes a member of an object.
func (w *jsonWriter) member(m Member) error {
	w.WriteByte('"')
	w.WriteString(m.Name) // no name has a character to escape
	w.WriteString(`":`)
	if w.indented {
		w.WriteByte(' ')
	}
	return w.write(m.Value)
}

// element writes an object of a list, and hands over what is a piece.
func (w *jsonWriter) element(o Object) error {
	if err := w.write(o); err != nil || w.full == nil || w.Len() < jsonPiece {
		return err
	}
	err := w.full(w.Bytes())
	w.Reset()
	return err
}

// other writes a value by encoding/json. It is small: a long list is of elements.
func (w *jsonWriter) other(value any) error {
	from := w.Len()
	if err := w.others.Encode(value); err != nil {
		return OutputError(err)
	}
	w.Truncate(w.Len() - 1) // its line break
	if text := w.Bytes()[from:]; w.indented && (text[0] == '{' || text[0] == '[') {
		text = bytes.Clone(text)
		w.Truncate(from)
		return json.Indent(w.Buffer, text, string(bytes.Repeat([]byte("  "), w.depth)), "  ")
	}
	return nil
}

// isPlain reports whether a text needs no escapes between the quotation marks of JSON.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

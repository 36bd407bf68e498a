package jsontree

import (
	"bytes"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// Value is one JSON value as it is written in a text.
type Value struct {
	Raw []byte // a slice of the text; empty when there is no value
	At  int    // offset of the first byte in the text
}

// First returns the first byte of v, which tells what v is ('{', '[', '"', 't',
// 'f', 'n', a digit or a minus), and 0 for no value.
func (v Value) First() byte {
	if len(v.Raw) == 0 {
		return 0
	}
	return v.Raw[0]
}

// IsObject reports whether v is an object.
func (v Value) IsObject() bool { return v.First() == '{' }

// IsArray reports whether v is an array.
func (v Value) IsArray() bool { return v.First() == '[' }

// IsString reports whether v is a string.
func (v Value) IsString() bool { return v.First() == '"' }

// IsNumber reports whether v is a number.
func (v Value) IsNumber() bool { c := v.First(); return c == '-' || '0' <= c && c <= '9' }

// Text returns what a string stands for, and "" for any other value.
func (v Value) Text() string {
	if !v.IsString() {
		return ""
	}
	return string(Unquote(v.Raw))
}

// Shared returns what Text does, in the memory of v's text where that has no
// escapes. It keeps the whole text from being freed, and the text must not change.
func (v Value) Shared() string {
	if !v.IsString() {
		return ""
	}
	text := Unquote(v.Raw)
	return unsafe.String(unsafe.SliceData(text), len(text))
}

// Chars returns the number of code points of Text, without making it.
func (v Value) Chars() int {
	if !v.IsString() {
		return 0
	}
	inner := v.Raw[1 : len(v.Raw)-1]
	n := utf8.RuneCount(inner)
	for {
		at := bytes.IndexByte(inner, '\\')
		if at < 0 || at+1 == len(inner) {
			return n
		}
		size := 2
		if inner[at+1] == 'u' {
			_, size = Unescape(inner[at:])
		}
		n -= size - 1
		inner = inner[at+size:]
	}
}

// Member is one member of an object: its name without quotes and escapes, and its value.
type Member struct {
	Name string
	Value
}

// Members calls member with the name and the value, a slice of text, of each member of the object
// that text begins with. Repeated names and bytes that are not UTF-8 pass. It returns false
// without a valid object; some members may have been handed over then.
func Members(text []byte, member func(name string, value []byte)) bool {
	w := Walk(text)
	return w.Next() == '{' && w.Object(func(name []byte) bool {
		v, ok := w.Value()
		if ok {
			member(NameOf(name), v.Raw)
		}
		return ok
	})
}

// Member returns the value at a path of names in v, the last where a name repeats, and v itself
// for no path. v must be valid: it is walked over by quotes and brackets, faster than by Each.
func (v Value) Member(path ...string) Value {
	for _, name := range path {
		var found Value
		v.Visit(func(other []byte, value Value) {
			if string(other) == name {
				found = value
			}
		})
		v = found
	}
	return v
}

// HoldsArray reports whether v is an object with an array of that name.
func (v Value) HoldsArray(name string) bool {
	holds := false
	v.Each(func(m Member) { holds = holds || m.Name == name && m.IsArray() })
	return holds
}

// Each calls visit with each member of v, if v is an object. v must be a valid value.
func (v Value) Each(visit func(Member)) {
	v.Visit(func(name []byte, value Value) { visit(Member{NameOf(name), value}) })
}

// Visit is Each without a string for each name: a name is valid until visit returns.
func (v Value) Visit(visit func(name []byte, value Value)) {
	if !v.IsObject() {
		return
	}
	s := Skimmer{Data: v.Raw}
	s.Members(func(quoted []byte) {
		s.Peek()
		at := s.At
		visit(Unquote(quoted), Value{s.Skip(), v.At + at})
	})
}

// Elements returns the elements of v, if v is an array. v must be a valid value.
func (v Value) Elements() []Value { return slices.Collect(v.All()) }

// All returns the elements of v in turn, if v is an array. v must be a valid value.
func (v Value) All() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if !v.IsArray() {
			return
		}
		s := Skimmer{Data: v.Raw, At: 1}
		for c := s.Peek(); c != ']' && c != 0; c = s.Peek() {
			at := s.At
			if !yield(Value{s.Skip(), v.At + at}) {
				return
			}
		}
	}
}

// usualNames are the names of most members of catalogues.
var usualNames = map[string]string{}

func init() {
	for _, name := range strings.Fields("type name description parameters inputSchema input_schema outputSchema toolset source server original_name annotations strict title toolSpec") {
		usualNames[name] = name
	}
}

// NameOf returns the name of a member as a string, without allocating for the usual ones.
func NameOf(name []byte) string {
	if usual, ok := usualNames[string(name)]; ok {
		return usual
	}
	return string(name)
}

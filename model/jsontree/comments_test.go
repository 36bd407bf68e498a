package jsontree

import (
	"testing"

	"pgregory.net/rapid"
)

func TestWhole(t *testing.T) {
	for _, c := range []struct {
		in   string
		want bool
	}{
		{``, false}, {`{}`, true}, {`[{"a":"]"}]`, true}, {`{"a":"\""}`, true}, {`[1,2`, false}, {`{"a":"b`, false},
		{`{"a":"b\`, false}, {"{}\n{", false}, {"{}\n{}\n", true}, {`]`, false}, {`a: 1`, true},
	} {
		if got := Whole([]byte(c.in)); got != c.want {
			t.Errorf("%s: %v, want %v", c.in, got, c.want)
		}
	}
}

// TestWholeIsByteByByte compares with a reader that looks at every byte.
func TestWholeIsByteByByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOf(rapid.SampledFrom([]byte(`"\\{}[]a,`))).Draw(t, "data")
		depth, inString := 0, false
		for i := 0; i < len(data); i++ {
			switch c := data[i]; {
			case inString && c == '\\':
				i++
			case c == '"':
				inString = !inString
			case inString:
			case c == '{' || c == '[':
				depth++
			case c == '}' || c == ']':
				depth--
			}
		}
		if want := depth == 0 && !inString && len(data) > 0; Whole(data) != want {
			t.Fatalf("%s is whole: %v", data, !want)
		}
	})
}

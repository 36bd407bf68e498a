package transcript

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"caliper/model/jsontree"
	"caliper/model/require"
)

func TestValues(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"lines":                   {"{\"a\":1}\r\n\n[2]\n", []string{"1 {\"a\":1}", "3 [2]"}},
		"an array":                {"\xef\xbb\xbf[{\"a\":1},\n {\"a\":\n2} ]", []string{"1 {\"a\":1}", "2 {\"a\":\n2}"}},
		"an array in a line":      {"[1,[2]]\n", []string{"1 1", "1 [2]"}},
		"an object in lines":      {"{\n\"a\":1\n}\n{}", []string{"1 {\n\"a\":1\n}", "4 {}"}},
		"an array cut short":      {"[{},\n{\"a", []string{"1 {}", "2 torn"}},
		"an array with a gap":     {"[{},,{}]", []string{"1 {}", "1 not JSON"}},
		"a bad line of an array":  {"[\n{\"a\":1},\n{\"b\n{\"c\":1},\n{\"d\":{\n {\"e\":1}\n]", []string{"2 {\"a\":1}", "3 not JSON", "4 {\"c\":1}", "5 not JSON"}},
		"an array without commas": {"[\r\n  {\"a\":1}\r\n  {\"b\":2}\r\n   {\"c\":3}\r\n]", []string{"2 {\"a\":1}", "3 not JSON", "3 {\"b\":2}"}},
		"values in a bad object":  {"{\n  \"a\": 1,\n  {\"b\":2}\n}\n{\"c\":3}\n", []string{"1 not JSON", "5 {\"c\":3}"}},
		"another log behind":      {"[{\"a\":1}]x\n\xef\xbb\xbf{\"b\":2}", []string{"1 {\"a\":1}", "1 not JSON", "2 {\"b\":2}"}},
		"a line cut short":        {"{}\n{\"a", []string{"1 {}", "2 torn"}},
		"a first line cut short":  {"{\"a\":{\"b\n{\"c\":1}\n", []string{"1 not JSON", "2 {\"c\":1}"}},
		"a first line that stops": {"{\"a\":\n{\"c\":1}\n{\"d\":1}\n", []string{"1 not JSON", "2 {\"c\":1}", "3 {\"d\":1}"}},
		"nothing":                 {" ", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, r := range []io.Reader{strings.NewReader(c.text), iotest.OneByteReader(strings.NewReader(c.text))} {
				var got []string
				bytes := 0
				err := Values{
					Value:    func(n int, data []byte) error { got = append(got, fmt.Sprintf("%d %s", n, data)); return nil },
					Bad:      func(n int, what string) { got = append(got, fmt.Sprint(n, " ", what)) },
					Progress: func(n int) { bytes += n },
				}.Read(t.Context(), r)
				if err != nil || !slices.Equal(got, c.want) {
					t.Errorf("got %q, %v; want %q", got, err, c.want)
				}
			}
		})
	}
}

// TestValuesTakesAPart reads an array that is far larger than what may be kept.
func TestValuesTakesAPart(t *testing.T) {
	t.Parallel()
	one := `{"a":"` + strings.Repeat("x", 1<<20) + `"},`
	parts := []io.Reader{strings.NewReader("[")}
	for range 70 {
		parts = append(parts, strings.NewReader(one))
	}
	n := 0
	err := Values{Value: func(int, []byte) error { n++; return nil }, Bad: func(int, string) {}}.Read(t.Context(), io.MultiReader(parts...))
	if err != nil || n != 70 {
		t.Errorf("%d values, %v", n, err)
	}
}

// FuzzValues: however a text is broken and read in pieces, the same values come with the
// same lines, in their order.
func FuzzValues(f *testing.F) {
	f.Add([]byte("[\r\n {\"a\":1},\n {\"b\n {\"c\":1}\n]"))
	f.Add([]byte("{\"a\":\n{\"c\":1}\n\x00\xef\xbb\xbf{\"d\":1}\n"))
	f.Add([]byte("{\n\"a\":[1,\n{}]\n}\n[]x\n{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		all := func(in io.Reader) (out []string) {
			last := 0
			err := Values{
				Value: func(number int, data []byte) error {
					if number < last || number < 1 {
						t.Fatalf("line %d after line %d", number, last)
					}
					last = number
					out = append(out, fmt.Sprintf("%d %s", number, data))
					return nil
				},
				Bad: func(number int, what string) {
					if number < 1 {
						t.Fatalf("line %d is %s", number, what)
					}
					out = append(out, fmt.Sprintf("%d %s", number, what))
				},
			}.Read(t.Context(), in)
			require.NoError(t, err)
			return out
		}
		whole, pieces := all(bytes.NewReader(data)), all(iotest.OneByteReader(bytes.NewReader(data)))
		if !slices.Equal(whole, pieces) {
			t.Fatalf("%q, in pieces %q", whole, pieces)
		}
		if most := bytes.Count(data, []byte("\n")) + len(data); len(whole) > most+1 {
			t.Fatalf("%d values and faults of %d bytes", len(whole), len(data))
		}
	})
}

// TestNames: names are kept once, long ones and what comes when there are many are not kept.
func TestNames(t *testing.T) {
	t.Parallel()
	value := func(text string) jsontree.Value {
		v, err := jsontree.NewCursor([]byte(text), 0).Value()
		require.NoError(t, err)
		return v
	}
	var n Names
	long := strings.Repeat("x", 128)
	for _, c := range []struct {
		text, want string
		kept       int
	}{{`"a"`, "a", 1}, {`"a"`, "a", 1}, {`"\u0061"`, "a", 1}, {`7`, "", 2}, {`"` + long + `"`, long, 3}, {`"` + long + `x"`, long + "x", 3}} {
		if got := n.Of(value(c.text)); got != c.want || len(n) != c.kept {
			t.Errorf("%s: %q, %d kept", c.text, got, len(n))
		}
	}
	for i := range 4096 {
		n.Of(value(strconv.Quote("n" + strconv.Itoa(i))))
	}
	if len(n) != 4096 || n.Of(value(`"last"`)) != "last" {
		t.Errorf("%d kept", len(n))
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		lines      []string
		torn       int // the torn line; 0 for none
	}{
		{"nothing", "", nil, 0},
		{"lines", "{\"a\":1}\n{\"b\":2}\n", []string{`{"a":1}`, `{"b":2}`}, 0},
		{"a whole last line", "{}\n{\"b\":2}", []string{"{}", `{"b":2}`}, 0},
		{"a torn last line", "{}\n{\"b\":", []string{"{}"}, 2},
		{"torn in a text", "{\"b\":\"}", nil, 1},
		{"byte order mark and CRLF", "\xef\xbb\xbf{}\r\n\r\n{\"b\":2}\r\n", []string{"{}", `{"b":2}`}, 0},
		{"longer than the buffer", strings.Repeat("x", 600<<10) + "\n{}\n", []string{strings.Repeat("x", 600<<10), "{}"}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			torn, bytes := 0, 0
			r := Raw{
				Line:     func(_ int, line []byte) error { got = append(got, string(line)); return nil },
				Torn:     func(number int) { torn = number },
				Progress: func(n int) { bytes += n },
			}
			require.NoError(t, r.Read(t.Context(), iotest.HalfReader(strings.NewReader(tt.text))))
			if !slices.Equal(got, tt.lines) || torn != tt.torn || bytes != len(tt.text) {
				t.Errorf("%d lines, torn at %d, %d bytes; want %d, %d, %d", len(got), torn, bytes, len(tt.lines), tt.torn, len(tt.text))
			}
		})
	}
}

func TestReadEndsEarly(t *testing.T) {
	t.Parallel()
	stop := errors.New("enough")
	r := Raw{Line: func(number int, _ []byte) error {
		if number == 2 {
			return stop
		}
		return nil
	}}
	if err := r.Read(t.Context(), strings.NewReader("1\n2\n3\n")); !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Read(ctx, strings.NewReader("1\n")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestRepeated: a line is there again if no more than 16 others came since.
func TestRepeated(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 17 {
		fmt.Fprintln(&text, i)
	}
	for i := 16; i > 0; i-- {
		fmt.Fprintln(&text, i)
	}
	text.WriteString("0\n1\n") // the oldest ones are forgotten
	taken, repeated := 0, 0
	err := LineReader[int]{
		Parse: func(data []byte) (int, bool) { n, err := strconv.Atoi(string(data)); return n, err == nil },
		Take:  func(*int) string { taken++; return "" },
		Once:  func(*int) bool { return true },
		Skip:  func(int, string) { repeated++ },
	}.Read(t.Context(), strings.NewReader(text.String()), nil)
	if err != nil || taken != 19 || repeated != 16 {
		t.Errorf("%d lines taken, %d repeated, %v", taken, repeated, err)
	}
}

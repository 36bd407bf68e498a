package lines

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func TestValues(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"lines":               {"{\"a\":1}\r\n\n[2]\n", []string{"1 {\"a\":1}", "3 [2]"}},
		"an array":            {"\xef\xbb\xbf[{\"a\":1},\n {\"a\":\n2} ]", []string{"1 {\"a\":1}", "2 {\"a\":\n2}"}},
		"an array in a line":  {"[1,[2]]\n", []string{"1 1", "1 [2]"}},
		"an object in lines":  {"{\n\"a\":1\n}\n{}", []string{"1 {\n\"a\":1\n}", "4 {}"}},
		"an array cut short":  {"[{},\n{\"a", []string{"1 {}", "2 torn"}},
		"an array with a gap": {"[{},,{}]", []string{"1 {}", "1 not JSON"}},
		"a line cut short":    {"{}\n{\"a", []string{"1 {}", "2 torn"}},
		"nothing":             {" ", nil},
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

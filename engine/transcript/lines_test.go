package transcript

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"caliper/model/require"
)

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

// TestRepeated: a line is there again if no more than mostRecent others came since.
func TestRepeated(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range mostRecent + 1 {
		fmt.Fprintln(&text, i)
	}
	for i := mostRecent; i > 0; i-- {
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
	if err != nil || taken != mostRecent+3 || repeated != mostRecent {
		t.Errorf("%d lines taken, %d repeated, %v", taken, repeated, err)
	}
}

package live

import (
	"bufio"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"caliper/model/require"
)

func TestReadLine(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
		err  error
	}{
		{"a\nbc\r\n\nd", []string{"a\n", "bc\r\n", "\n", "d"}, io.EOF},
		{"0123456789\n0123456789a\n", []string{"0123456789\n"}, ErrTooLarge},
		{"", []string{""}, io.EOF},
	} {
		b := bufio.NewReaderSize(strings.NewReader(c.text), 16)
		for i, want := range c.want {
			line, err := readLine(b, 11)
			last := i == len(c.want)-1 && errors.Is(c.err, io.EOF)
			if string(line) != want || last != errors.Is(err, io.EOF) {
				t.Errorf("%q: line %d is %q, %v", c.text, i, line, err)
			}
		}
		if _, err := readLine(b, 11); !errors.Is(err, c.err) {
			t.Errorf("%q: error is %v", c.text, err)
		}
	}
}

// A server has as long to end as the specification asks of a client.
func TestGraces(t *testing.T) {
	if got, want := []time.Duration{closeGrace, termGrace, pipeGrace, startGrace, killGrace, settle, overdue, goodbye},
		[]time.Duration{500 * time.Millisecond, time.Second, 250 * time.Millisecond, 20 * time.Second, 5 * time.Second, 200 * time.Millisecond, 1500 * time.Millisecond, time.Second}; !slices.Equal(got, want) {
		t.Errorf("graces are %v, want %v", got, want)
	}
}

// A child can write as much as it likes when nobody reads any more.
func TestReadAllDrains(t *testing.T) {
	for _, beginning := range []string{"rubbish\n", "{}\n"} {
		l := newLines(redactor{}, 1<<20)
		r, w := io.Pipe()
		done := make(chan struct{})
		go func() {
			l.readAll(r)
			close(done)
		}()
		require.NoError(t, l.Close())
		if _, err := io.WriteString(w, beginning+strings.Repeat("x", 1<<20)+"\n"); err != nil {
			t.Fatal(err)
		}
		w.Close()
		select {
		case <-done:
		case <-time.After(30 * time.Second):
			t.Fatal("the reader hangs")
		}
	}
}

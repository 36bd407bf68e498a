package rescue

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestLines(t *testing.T) {
	for _, c := range []struct {
		name, in string
		lines    []string
		chars    int
	}{
		{"empty", "", nil, 0},
		{"one, ended", "a\n", []string{"a"}, 2},
		{"one, unended", "a", []string{"a"}, 1},
		{"an empty one", "\n", []string{""}, 1},
		{"two empty ones", "\n\n", []string{"", ""}, 2},
		{"CR LF", "a\r\nb\r\n", []string{"a", "b"}, 6},
		{"lone CR is text", "a\rb\n", []string{"a\rb"}, 4},
		{"two CR before LF", "a\r\r\nb", []string{"a\r", "b"}, 5},
		{"CR at the end", "a\r", []string{"a"}, 2},
		{"other breaks are text", "a\u2028b\vc\x85\f", []string{"a\u2028b\vc\x85\f"}, 7},
		{"invalid bytes", "\xff\xe4\xb8\n", []string{"\xff\xe4\xb8"}, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for rest := []byte(c.in); len(rest) > 0; {
				var line []byte
				line, rest = NextLine(rest)
				got = append(got, string(line))
			}
			if !slices.Equal(got, c.lines) {
				t.Errorf("lines %q, want %q", got, c.lines)
			}
			if n := CountLines([]byte(c.in)); n != len(c.lines) {
				t.Errorf("counted %d lines, want %d", n, len(c.lines))
			}
			if n := CountChars([]byte(c.in)); n != c.chars {
				t.Errorf("counted %d characters, want %d", n, c.chars)
			}
		})
	}
}

func TestCounterInPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := []byte(strings.Join(rapid.SliceOf(rapid.SampledFrom(fragments)).Draw(t, "parts"), "") +
			string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")))
		var c Counter
		for rest := data; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "cut")
			c.Write(rest[:n])
			rest = rest[n:]
			done := data[:len(data)-len(rest)]
			if c.Lines() != CountLines(done) {
				t.Fatalf("%d lines in %q, want %d", c.Lines(), done, CountLines(done))
			}
			if c.Chars() != CountChars(done) {
				t.Fatalf("%d characters in %q, want %d", c.Chars(), done, CountChars(done))
			}
		}
	})
}

func TestWholeChars(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "a": "a", "é": "é", "a\xc3": "a", "a\xe4\xb8": "a", "\xf0\x9f\x98": "", "a\xff": "a\xff",
		"\x80\x80\x80\x80": "\x80\x80\x80\x80", "\xe4a": "\xe4a",
	} {
		if got := WholeChars([]byte(in)); string(got) != want {
			t.Errorf("WholeChars(%q) = %q, want %q", in, got, want)
		}
	}
}

// Counts of the two sides of a cut add up wherever Handle may cut.
func TestCharsFromBothEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOf(rapid.SampledFrom([]byte("a\n\x80\xbf\xc3\xe4\xf0\xff"))).Draw(t, "b")
		n := rapid.IntRange(0, len(b)).Draw(t, "n")
		first, last := firstCharsOf(b, n), lastCharsOf(b, n)
		want := min(n, CountChars(b))
		if CountChars(first) != want || CountChars(last) != want {
			t.Fatalf("%d characters: first %q, last %q", n, first, last)
		}
		if rest := bytes.TrimPrefix(b, first); CountChars(rest)+want != utf8.RuneCount(b) {
			t.Fatalf("%q and %q do not add up", first, rest)
		}
		if rest := bytes.TrimSuffix(b, last); CountChars(rest)+want != utf8.RuneCount(b) {
			t.Fatalf("%q and %q do not add up", rest, last)
		}
	})
}

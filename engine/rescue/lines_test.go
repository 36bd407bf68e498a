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
		{"lone CR", "a\rb\n", []string{"a", "b"}, 4},
		{"two CR before LF", "a\r\r\nb", []string{"a", "", "b"}, 5},
		{"CR at the end", "a\r", []string{"a"}, 2},
		{"every other break", "a\u2028b\u2029c\vd\fe\x1cf\x1dg\x1eh\u0085i", []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"}, 17},
		{"half a break is text", "a\x85\u2027\xa8\x1f\x80\xa9\xe2\xa8b\xc2", []string{"a\x85\u2027\xa8\x1f\x80\xa9\xe2\xa8b\xc2"}, 11},
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
			if n := utf8.RuneCount([]byte(c.in)); n != c.chars {
				t.Errorf("counted %d characters, want %d", n, c.chars)
			}
		})
	}
}

// breaks writes \n for every line break.
var breaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n", "\x1c", "\n", "\x1d", "\n", "\x1e", "\n",
	"\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// breaking are texts of all that line breaks are made of.
func breaking() *rapid.Generator[string] {
	parts := []string{"\r", "\n", "\r\n", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x1f", "\xc2", "\x85", "\xe2", "\x80", "\xa8", "\xa9", "a", "é"}
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 30).Draw(t, "parts"), "")
	})
}

// TestBreaks compares everything that knows of line breaks with a text whose breaks
// are all \n.
func TestBreaks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := breaking().Draw(t, "text")
		b := []byte(text)
		if got, want := CountBreaks(b), strings.Count(breaks.Replace(text), "\n"); got != want {
			t.Fatalf("%q has %d breaks, not %d", text, got, want)
		}
		var begins []int // of lines, and the end when a break is there
		at := 0
		for at < len(b) {
			i, size := NextBreak(b[at:])
			if i, size := NextBreak(b[at : at+i]); size != 0 {
				t.Fatalf("%q: a break at %d is passed over", text, at+i)
			}
			line := b[at : at+i+size]
			if got := TrimEnding(line); string(got) != string(b[at:at+i]) {
				t.Fatalf("%q without its break is %q", line, got)
			}
			if at += i + size; size > 0 {
				begins = append(begins, at)
			}
		}
		start := 0
		for i := range len(b) + 1 {
			want := slices.Contains(begins, i)
			if got := BreakEnds(b, i); got != want {
				t.Fatalf("%q: a break ends at %d is %v", text, i, got)
			}
			if got := BreakEnds(b[max(0, i-3):min(len(b), i+1)], min(i, 3)); got != want {
				t.Fatalf("%q: with three bytes before %d and one after, a break ends there is %v", text, i, got)
			}
			if want {
				start = i
			}
			if got := LineStart(b, 0, i); got != start {
				t.Fatalf("%q: the line of %d begins at %d, not %d", text, i, got, start)
			}
			if from := min(1, i); LineStart(b, from, i) != max(from, start) {
				t.Fatalf("%q: the line of %d is looked for before %d", text, i, from)
			}
		}
		whole := len(WholeLines(b))
		switch last := append([]int{0}, begins...); {
		case strings.HasSuffix(text, "\r") && last[len(last)-1] == len(b):
			last = last[:len(last)-1]
			fallthrough
		default:
			if whole != last[len(last)-1] {
				t.Fatalf("%q has whole lines up to %d, not %d", text, whole, last[len(last)-1])
			}
		}
	})
}

func TestWholeBeginning(t *testing.T) {
	for in, want := range map[string]string{"": "", "a": "a", "a\r": "a", "a\r\n": "a\r\n", "a\r\r": "a\r", "aé": "aé", "a\r\xc3": "a", "\r": ""} {
		if got := WholeBeginning([]byte(in)); string(got) != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
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
		want := min(n, utf8.RuneCount(b))
		if utf8.RuneCount(first) != want || utf8.RuneCount(last) != want {
			t.Fatalf("%d characters: first %q, last %q", n, first, last)
		}
		if rest := bytes.TrimPrefix(b, first); utf8.RuneCount(rest)+want != utf8.RuneCount(b) {
			t.Fatalf("%q and %q do not add up", first, rest)
		}
		if rest := bytes.TrimSuffix(b, last); utf8.RuneCount(rest)+want != utf8.RuneCount(b) {
			t.Fatalf("%q and %q do not add up", rest, last)
		}
	})
}

package fetch

import (
	"errors"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"caliper/engine/rescue"
)

// follow asks and goes on with Next until the end, checking each answer.
func follow(t rapid.TB, r reader, q Request, l rescue.Limits, see func(Answer)) {
	for next := &q; next != nil; {
		a, err := r.Do(*next, l)
		if err != nil {
			t.Fatalf("%+v: %v", *next, err)
		}
		if n := utf8.RuneCountInString(a.Text); n > l.FetchMaxChars {
			t.Fatalf("%+v: %d chars, budget %d", *next, n, l.FetchMaxChars)
		}
		if a.Next != nil && a.Next.Unit == a.Unit && a.Next.Start != a.To+1 {
			t.Fatalf("%+v: to %d, next %d", *next, a.To, a.Next.Start)
		}
		if a.To < a.From && a.Next != nil {
			t.Fatalf("%+v: no progress: %+v", *next, a)
		}
		see(a)
		next = a.Next
	}
}

func TestNextReachesEveryCharacter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := blobs().Draw(t, "blob")
		l := limits(rapid.SampledFrom([]int{1, 2, 7, 100, 4000}).Draw(t, "budget"))
		if len(text) > 20000 {
			l.FetchMaxChars = max(l.FetchMaxChars, 1000)
		}
		q := Request{Mode: Range, Unit: rapid.SampledFrom([]string{Lines, Chars, ""}).Draw(t, "unit"), Count: rapid.Int64Range(0, 50).Draw(t, "count")}
		if len(text) > 20000 {
			q.Count = 0
		}
		r := reader{[]byte(text), rescue.Meta{}}
		var all strings.Builder
		follow(t, r, q, l, func(a Answer) {
			all.WriteString(a.Text)
			if a.Unit == Chars && int64(utf8.RuneCountInString(a.Text)) != a.To-a.From+1 {
				t.Fatalf("chars %d-%d, text of %d", a.From, a.To, utf8.RuneCountInString(a.Text))
			}
			if a.Unit == Lines && int64(rescue.CountLines([]byte(a.Text))) != a.To-a.From+1 {
				t.Fatalf("lines %d-%d, text of %d", a.From, a.To, rescue.CountLines([]byte(a.Text)))
			}
		})
		if all.String() != each(text) {
			t.Fatalf("got %q\nwant %q", all.String(), each(text))
		}
	})
}

// TestPlaces: a character and a line are where they are asked for, in any order.
func TestPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := blobs().Draw(t, "blob")
		x := newText([]byte(text))
		if x.chars == 0 {
			return
		}
		n := rapid.Int64Range(0, x.chars).Draw(t, "char")
		off := x.char(n)
		if char, _ := x.place(off); char != n {
			t.Fatalf("char %d is at byte %d, where char %d is", n, off, char)
		}
		line := rapid.Int64Range(1, x.lines).Draw(t, "line")
		off = x.line(line)
		want := 0
		for range line - 1 {
			at, size := rescue.NextBreak([]byte(text[want:]))
			want += at + size
		}
		if _, at := x.place(off); off != want || at != line {
			t.Fatalf("line %d at %d, want %d", line, off, want)
		}
	})
}

// TestGrepAgreesWithLines: with room for all, grep finds just the lines that
// the expression matches.
func TestGrepAgreesWithLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := blobs().Draw(t, "blob")
		pattern := rapid.SampledFrom([]string{
			"needle", "(?i)NEEDLE", "^line", "text$", "failed|日本", "(?-i)Error", "(?-i:F)AILED", "x=1.", `\bof\b`, "a+", "^$", "é", "(?i)error.*FAILED", "(né)+$", `[\x{FFFD}]`, "\\x00",
		}).Draw(t, "pattern")
		l := limits(rapid.SampledFrom([]int{200, 400, 4000}).Draw(t, "budget"))
		l.GrepTimeout = 0
		if len(text) > 20000 {
			l.FetchMaxChars = 4000
		}
		re := regexp.MustCompile("(?i)" + pattern)
		want := map[string]bool{}
		n := 0
		for rest := []byte(text); len(rest) > 0; {
			var line []byte
			line, rest = rescue.NextLine(rest)
			n++
			if re.Match(line) {
				want[strconv.Itoa(n)] = true
			}
		}
		got := map[string]bool{}
		follow(t, reader{[]byte(text), rescue.Meta{}}, Request{Mode: Grep, Pattern: pattern}, l, func(a Answer) {
			for _, h := range strings.Split(a.Text, "\n")[1:] {
				if number, _, ok := strings.Cut(h, ":"); ok {
					got[number] = true
				}
			}
		})
		if !maps.Equal(got, want) {
			t.Fatalf("%q found lines %v, want %v", pattern, got, want)
		}
	})
}

// FuzzDo: no request panics, exceeds its budget or goes on without progress.
func FuzzDo(f *testing.F) {
	for i, mode := range []string{Stat, Range, Grep, Full, Outline, Search, Pointer, ""} {
		f.Add([]byte(`{"a":[1,{"b/~":"x\"y"}],"c":null}`), mode, int64(i), int64(0), "", "b|x", "x y", "/a/1/b~1~0", uint16(300))
		f.Add([]byte("# One\r\nERROR \xff 12\n\nlast é"), mode, int64(0), int64(i), Chars, "^E", "error", "", uint16(3))
	}
	f.Fuzz(func(t *testing.T, data []byte, mode string, start, n int64, unit, pattern, query, pointer string, budget uint16) {
		l := limits(int(budget))
		l.GrepTimeout = 0
		l.FullFetchMaxChars = int(budget)
		l.RefuseFullFetch = n%2 == 0
		for _, kind := range []rescue.Kind{"", rescue.JSONObject, rescue.HTML, rescue.Code} {
			r := reader{data, rescue.Meta{Kind: kind}}
			q := &Request{Mode: mode, Start: start, Count: n, Unit: unit, Pattern: pattern, Query: query, Pointer: pointer}
			for range 3 {
				a, err := r.Do(*q, l)
				if err != nil {
					var fault *rescue.Error
					if !errors.As(err, &fault) || fault.Code == "" || fault.Text == "" {
						t.Fatalf("%+v: %v", q, err)
					}
					break
				}
				if got := utf8.RuneCountInString(a.Text); got > max(1, int(budget)) {
					t.Fatalf("%+v: %d chars of %d", q, got, budget)
				}
				if !utf8.ValidString(a.Text) {
					t.Fatalf("%+v: not UTF-8: %q", q, a.Text)
				}
				if a.Next == nil {
					break
				}
				if a.To < a.From || a.Unit == a.Next.Unit && a.Next.Start != a.To+1 {
					t.Fatalf("%+v: no progress: %+v", q, a)
				}
				q = a.Next
			}
		}
	})
}

package fetch

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"caliper/config"
	"caliper/engine/rescue"
	"caliper/model/require"
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
		if char, _ := x.charAndLine(off); char != n {
			t.Fatalf("char %d is at byte %d, where char %d is", n, off, char)
		}
		line := rapid.Int64Range(1, x.lines).Draw(t, "line")
		off = x.line(line)
		want := 0
		for range line - 1 {
			at, size := rescue.NextBreak([]byte(text[want:]))
			want += at + size
		}
		if _, at := x.charAndLine(off); off != want || at != line {
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
		l.GrepTimeoutMS = 0
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
		l.GrepTimeoutMS = 0
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

var (
	proposed = regexp.MustCompile(`(?m)^(?:- |Rest: )rescuer_fetch\(id="[0-9a-f]{16}", (.*)\)$`)
	argument = regexp.MustCompile(`(\w+)=("(?:[^"\\]|\\.)*"|\d+)`)
)

// proposals returns the requests that a handle proposes.
func proposals(t rapid.TB, handle string) []Request {
	t.Helper()
	var list []Request
	for _, line := range proposed.FindAllStringSubmatch(handle, -1) {
		var q Request
		if err := json.Unmarshal([]byte("{"+argument.ReplaceAllString(line[1], `"$1":$2`)+"}"), &q); err != nil {
			t.Fatal(line[0], err)
		}
		list = append(list, q)
	}
	return list
}

// handle returns what stands for a blob.
func handle(t rapid.TB, text string, l rescue.Limits) rescue.Preview {
	t.Helper()
	m := rescue.Meta{ID: strings.Repeat("0a", 32), Tool: "t", Bytes: int64(len(text)), Chars: utf8.RuneCount([]byte(text)),
		Lines: rescue.CountLines([]byte(text)), Kind: rescue.Detect([]byte(text))}
	p, err := rescue.Handle([]byte(text), m, l)
	require.NoError(t, err)
	return p
}

// findsSomething fails the test unless every request that a handle proposes gives
// something of the blob.
func findsSomething(t rapid.TB, text string, l rescue.Limits) []Request {
	t.Helper()
	p := handle(t, text, l)
	list := proposals(t, p.Text)
	for _, q := range list {
		a, err := Do([]byte(text), rescue.Meta{Kind: p.Kind}, q, l)
		if err != nil || q.Mode != Stat && a.To < a.From || strings.HasPrefix(a.Text, "no ") {
			t.Fatalf("%+v of %.80q: %v %+v\n%s", q, text, err, a, p.Text)
		}
	}
	return list
}

// TestProposalsFindSomething: what a handle proposes is no promise that fails.
func TestProposalsFindSomething(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: long, in one goroutine")
	}
	rapid.Check(t, func(t *rapid.T) {
		l := config.Default().Rescue
		l.GrepTimeoutMS = 0
		l.ExcerptMaxChars = rapid.SampledFrom([]int{200, 400, 1000, 8000}).Draw(t, "budget")
		l.FetchMaxChars = rapid.SampledFrom([]int{100, 200, 4000}).Draw(t, "room")
		l.GrepMaxPatternLen = rapid.SampledFrom([]int{0, 1, 3, 5, 80}).Draw(t, "pattern")
		l.ErrorLinePatterns = rapid.SliceOfN(rapid.SampledFrom([]string{"LINE", "é", "a.b", "\n", "日", "x=", "日 \u202e"}), 0, 2).Draw(t, "errors")
		text := blobs().Draw(t, "blob")
		switch rapid.IntRange(0, 3).Draw(t, "shape") {
		case 0:
			text = strings.Repeat(text, rapid.IntRange(1, 60).Draw(t, "times"))
		case 1:
			text = "[" + strings.Repeat(fmt.Sprintf("{%q:%q},", "key", strings.ToValidUTF8(text, "?")), 40) + "0]"
		case 2:
			text = strings.Repeat("日本", rapid.IntRange(0, 700).Draw(t, "before")) + text
		}
		findsSomething(t, text, l)
	})
}

func TestProposals(t *testing.T) {
	log := strings.Repeat("2026-01-01 all is well here\n", 900)
	for _, c := range []struct {
		name, text   string
		grep, search string
	}{
		{"an error", log + "java.lang.TypeError: x\n" + log, "error", "typeerror"},
		{"fatal", log + "FATAL it went\n" + log, "fatal", "fatal"},
		{"no error", log, "well", "well"},
		{"no words", strings.Repeat("-- 12 --\n", 2000), "12", "12"},
		{"no ASCII", strings.Repeat("日本 語\n", 4000), "日本", ""},
		{"nothing", strings.Repeat("-- --\n", 4000), "", ""},
		{"JSON", "[" + strings.Repeat(`{"status":"refused"},`, 2000) + "1]", "refused", "refused"},
		{"JSON without an error", "[" + strings.Repeat(`{"status":"open"},`, 2000) + "1]", "status", "status"},
	} {
		t.Run(c.name, func(t *testing.T) {
			grep, search := "", ""
			for _, q := range findsSomething(t, c.text, config.Default().Rescue) {
				grep += q.Pattern
				search += strings.ToLower(q.Query)
			}
			if grep != c.grep || search != c.search {
				t.Errorf("grep %q and search %q, want %q and %q", grep, search, c.grep, c.search)
			}
		})
	}
	l := config.Default().Rescue
	l.ErrorLinePatterns = []string{"(Ora-"}
	list := findsSomething(t, log+"x ORA-00600: y\n"+log, l)
	if !slices.ContainsFunc(list, func(q Request) bool { return q.Mode == Grep && q.Pattern == "well" }) {
		t.Errorf("a text that is not there: %+v", list)
	}
	list = findsSomething(t, log+"x (ORA-00600): y\n"+log, l)
	if !slices.ContainsFunc(list, func(q Request) bool { return q.Pattern == `\(ORA-` }) || !slices.ContainsFunc(list, func(q Request) bool { return q.Query == "ora" }) {
		t.Errorf("%+v", list)
	}
}

// TestErrorsCountAlike: a handle, an outline and grep find the same lines in every kind of
// text, by our words and by the configuration's.
func TestErrorsCountAlike(t *testing.T) {
	t.Parallel()
	lines := []string{"worker 0 ERROR boom", "0 errors", "found 0 errors", "TypeError: x", "2 failed, 0 errors", "an err x", "all is well", "tide low", "ERRORS=0"}
	counted := regexp.MustCompile(`lines that look like errors: (\d+)`)
	kinds := map[rescue.Kind][3]string{ // how a text of the kind begins, what its lines are, and how it ends
		rescue.Text: {"", "%s\n", ""}, rescue.JSONLines: {"", "{\"text\":\" %s \"}\n", ""}, rescue.XML: {"<log>\n", "<l> %s </l>\n", "</log>"},
		rescue.Diff: {"diff --git a/x b/x\n@@ -1 +1 @@\n", "+%s\n", ""}, rescue.Code: {"package a\n", "%s\n", ""}, rescue.HTML: {"<html>\n", "<p> %s </p>\n", ""},
	}
	for name, patterns := range map[string][]string{"words": nil, "patterns": {"tide", "well"}} {
		rapid.Check(t, func(t *rapid.T) {
			l := config.Default().Rescue
			l.ErrorLinePatterns, l.HeadLines, l.TailLines = patterns, 0, 0
			kind := rapid.SampledFrom(slices.Sorted(maps.Keys(kinds))).Draw(t, "kind")
			form := kinds[kind]
			text := form[0]
			for _, line := range rapid.SliceOfN(rapid.SampledFrom(lines), 2, 30).Draw(t, "lines") {
				text += fmt.Sprintf(form[1], line)
			}
			text += strings.Repeat(fmt.Sprintf(form[1], "calm"), 5000) + form[2]
			if got := rescue.Detect([]byte(text)); got != kind {
				t.Fatalf("%s is read as %s", kind, got)
			}
			a, err := Do([]byte(text), rescue.Meta{Kind: kind}, Request{Mode: Outline}, l)
			require.NoError(t, err)
			was, now := counted.FindStringSubmatch(handle(t, text, l).Text), counted.FindStringSubmatch(a.Text)
			if !slices.Equal(was, now) {
				t.Fatalf("%s by %s: the handle has %q, the outline %q", kind, name, was, now)
			}
			if patterns != nil {
				return
			}
			g, err := Do([]byte(text), rescue.Meta{Kind: kind}, Request{Mode: Grep, Pattern: "error|failed"}, l)
			require.NoError(t, err)
			found, want := regexp.MustCompile(`^(?:(\d+) hits?|no match)(?: \((\d+) looks? like)?`).FindStringSubmatch(g.Text), "0"
			if was != nil {
				want = was[1]
			}
			if got := cmp.Or(found[2], found[1], "0"); got != want {
				t.Fatalf("the handle has %s, grep %s: %s", want, got, g.Text)
			}
		})
	}
	text := "[" + strings.Repeat(`{"text":"an ERROR here"},`+"\n", 3) + strings.Repeat("calm\n", 5000)
	l := config.Default().Rescue
	l.HeadLines = 0
	was := counted.FindStringSubmatch(handle(t, text, l).Text)
	a, err := Do([]byte(text), rescue.Meta{Kind: rescue.JSONArray}, Request{Mode: Outline}, l)
	if now := counted.FindStringSubmatch(a.Text); err != nil || !strings.Contains(a.Text, "no JSON from") || len(was) == 0 || !slices.Equal(was, now) {
		t.Errorf("broken JSON: %v, the handle has %q, the outline %q: %s", err, was, now, a.Text)
	}
}

package rescue

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"caliper/config"
)

func TestLines(t *testing.T) {
	for _, c := range []struct {
		name, in string
		lines    []string
		chars    int
	}{
		{"empty", "", nil, 0},
		{"one, unended", "a", []string{"a"}, 1},
		{"two empty ones", "\n\n", []string{"", ""}, 2},
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

// Whoever asks for one of the words of errors gets lines that say that there are none, too.
func TestAsksForErrors(t *testing.T) {
	for pattern, want := range map[string]bool{"error": true, "ERROR": true, "(?i)Failed|x": true, "worker": false, "er": false, "": false} {
		if got := AsksForErrors(pattern); got != want {
			t.Errorf("%q: %t", pattern, got)
		}
	}
}

func TestLooksLikeAnError(t *testing.T) {
	for line, want := range map[string]bool{
		"level=error msg=x":                 true,
		"java.lang.NullPointerException: x": true,
		"TypeError: x is not a function":    true,
		"10 errors":                         true,
		"error: 0.5 off":                    true,
		"error: nullable":                   true,
		"worker 0 ERROR boom":               true,
		"shard 0 failed":                    true,
		"thread-0 FATAL":                    true,
		"--- FAIL: TestTide":                true,
		"10 ERROR lines":                    true,
		"5 passed, 0 failed":                false,
		"0 failed":                          false,
		"    0 Error(s)":                    false,
		"ERRORS=0":                          false,
		"0\terrors":                         false,
		"FAILOVER":                          false,
		"[12:01 ERR] it broke":              true,
		"if err != nil {":                   false,
		"a failsafe":                        false,
		"ERRORABLE":                         false,
		"errors: 09":                        true,
		"0 errors":                          false,
		"No error":                          false,
		"finished without errors":           false,
		`{"error":null}`:                    false,
		`{"error": false, "a": 1}`:          false,
		"errors=0 warnings=2":               false,
		"error count: 0":                    false,
		`{"error_count": 0, "b": 1}`:        false,
		`"errorCode":0,`:                    false,
		"failed_total 3":                    true,
		"ERROR: 0 items processed":          true,
		"Error: 0 bytes read, disk gone":    true,
		"0 errors but panic: nil map":       true,
		"Error: null pointer at line 4":     true,
		"errors: 0 warnings: 2":             false,
		"errors = 0; 3 tests":               false,
		"errors: 0 (2 skipped)":             false,
		`{"error_count": 12}`:               true,
		"error code: 0x80070005":            true,
		"error found: 0.5 off":              true,
		"error: none":                       false,
		"all is well":                       false,
		"er":                                false,
		"":                                  false,
	} {
		for before, text := range map[string]string{"": line, "a line before it": "fine\n" + line, "a carriage return": "fine\r" + line + "\r"} {
			if got := findErrors([]byte(text), 0, 1, nil).total == 1; got != want {
				t.Errorf("%q after %q: %v, want %v", line, before, got, want)
			}
		}
	}
}

func TestErrorsAreDifferentAndTen(t *testing.T) {
	replaced := map[int]string{}
	for i := range 500 {
		replaced[100+i] = fmt.Sprintf("ERROR request %d timed out", i)
	}
	for i := range 20 {
		replaced[1000+i] = "FATAL " + strings.Repeat("x", i)
	}
	p := handleOf(t, "t", numberedLog(3000, replaced), config.Default().Rescue)
	_, shown, _ := strings.Cut(p.Text, "[lines that look like errors: 520 in all, 10 more of them here]\n")
	shown, _, _ = strings.Cut(shown, "To read")
	lines := strings.Split(strings.TrimSpace(shown), "\n")
	if len(lines) != 10 || lines[0] != "100| ERROR request 0 timed out" || lines[1] != "1000| FATAL " && lines[1] != "1000| FATAL" {
		t.Errorf("%s", p.Text)
	}
}

func TestErrorsShownOnce(t *testing.T) {
	p := handleOf(t, "t", numberedLog(3000, map[int]string{1: "ERROR first", 3000: "ERROR last"}), config.Default().Rescue)
	if strings.Count(p.Text, "ERROR first") != 1 || strings.Count(p.Text, "ERROR last") != 1 {
		t.Errorf("%s", p.Text)
	}
}

func TestLongErrorShowsItsWord(t *testing.T) {
	long := strings.Repeat("before ", 100) + "ERROR here" + strings.Repeat(" after", 100)
	p := handleOf(t, "t", numberedLog(3000, map[int]string{500: long}), config.Default().Rescue)
	got := linesOf(p, "500, part| ")
	if len(got) != 1 || !strings.Contains(got[0], "ERROR here") || len(got[0]) > maxSuspectLine+20 {
		t.Errorf("%q", got)
	}
}

// TestErrorLinePatterns: texts of the configuration take the place of our words. They
// are plain, and case does not count.
func TestErrorLinePatterns(t *testing.T) {
	for _, c := range []struct {
		line     string
		patterns []string
		want     bool
	}{
		{"deadlock found", []string{"DEADLOCK"}, true},
		{"a DeadLock", []string{"x", "deadlock"}, true},
		{"error", []string{"deadlock"}, false},
		{"fatal", []string{"deadlock", ""}, false},
		{"0 errors", []string{"error"}, true},
		{"a.b", []string{"a.b"}, true},
		{"axb", []string{"a.b"}, false},
		{"ÉCLAIR", []string{"éclair"}, true},
		{"\u212aelvin", []string{"kelvin"}, true},
		{"dead", []string{"deadlock"}, false},
		{"deadloc\xff", []string{"deadlock"}, false},
		{"error", []string{""}, true},
		{"error", []string{"a\nb"}, true},
		{"fatal", nil, true},
	} {
		if got := findErrors([]byte(c.line), 0, 1, c.patterns).total == 1; got != c.want {
			t.Errorf("%q by %q: %v, want %v", c.line, c.patterns, got, c.want)
		}
	}
	l := config.Default().Rescue
	l.ErrorLinePatterns = []string{"line 700 "}
	p := handleOf(t, "t", numberedLog(3000, map[int]string{700: "line 700 of it", 800: "ERROR other"}), l)
	if got := linesOf(p, "700| "); len(got) != 1 || got[0] != "700| line 700 of it" || strings.Contains(p.Text, "ERROR other") {
		t.Errorf("%s", p.Text)
	}
	if !strings.Contains(p.Text, `mode="grep", pattern="line 700 "`) || !strings.Contains(p.Text, `mode="search", query="line"`) {
		t.Errorf("%s", p.Text)
	}
}

// TestEveryErrorWord: each of the words makes a line one, fatal too.
func TestEveryErrorWord(t *testing.T) {
	for _, word := range strings.Split("error,exception,fatal,panic,traceback,failed,failure,critical,segmentation fault,timed out,denied,"+
		"refused,aborted,out of memory,unhandled,unreachable,fail", ",") {
		for _, text := range []string{word, strings.ToUpper(word), "x " + word + ": y"} {
			if s := findErrors([]byte(text), 0, 1, nil); s.total != 1 || s.word != word {
				t.Errorf("%q: %+v", text, s)
			}
		}
		if findErrors([]byte("x"+word), 0, 1, nil).total != 0 {
			t.Errorf("x%s looks like an error", word)
		}
	}
}

// TestWordsThatAreProposed: which words of a text are worth looking for, whole and of a
// usual length.
func TestWordsThatAreProposed(t *testing.T) {
	long := strings.Repeat("a", 60)
	for in, want := range map[string]string{
		"": "", " -- ": "", "ab 1234 cdef": "cdef", "abc 12345": "abc", "12345 " + long: "12345", long: long, long + "a": "", long[:21] + " Word": "Word", long[:20]: long[:20], "x,9z_Z@Qa7[b": "x", "a9Zz": "a9Zz",
	} {
		if got := firstToken([]byte(in)); got != want {
			t.Errorf("the first word of %q is %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"": "", "12 \u00e9t\u00e9, x": "\u00e9t\u00e9", "\xff\u4e16\u754c\u2014": "\u4e16\u754c", long: long[:20], "1": ""} {
		if got := firstLetters([]byte(in)); got != want {
			t.Errorf("the first letters of %q are %q, want %q", in, got, want)
		}
	}
	for _, c := range []struct {
		text     string
		from, to int
		want     string
	}{
		{"say error7 now", 6, 8, "error7"}, {"say error7 now", 3, 10, "error7"}, {"say  now", 3, 5, ""}, {"say", 0, 1, "say"}, {"say now", 5, 6, "now"}, {long, 3, 4, long}, {long + "b", 3, 4, ""},
	} {
		if got := tokenAround([]byte(c.text), c.from, c.to); got != c.want {
			t.Errorf("around %d to %d of %.20q: %q, want %q", c.from, c.to, c.text, got, c.want)
		}
	}
	for _, c := range []struct {
		word, text string
		most       int
		want       string
	}{
		{"failed", "some rest", 0, "failed"}, {"failed", "some rest", 6, "failed"}, {"failed", "some rest", 5, "some"}, {"", "\u4e16\u754c", 0, "\u4e16\u754c"}, {"a.b", "some", 0, `a\.b`},
		{long, "some rest", 0, long}, {long + "a", "some rest", 0, "some"}, {"a\u202eb", "some rest", 0, "some"}, {"", "12", 1, ""},
	} {
		x := excerpt{data: []byte(c.text), limits: Limits{GrepMaxPatternLen: c.most}, errors: &suspects{word: c.word}}
		if x.propose(); x.grep != c.want {
			t.Errorf("%.20q in %q, at most %d: %.20q, want %q", c.word, c.text, c.most, x.grep, c.want)
		}
	}
	next := NextError([]string{"!", "stra\u00dfe", "", "a\nb"})
	for in, want := range map[string]string{"a !": "2 !", "STRA\u1e9eE": "0 STRA\u1e9eE", "stra": "-1 ", "a": "-1 ", "": "-1 "} {
		if at, text := next([]byte(in), 0, len(in)); fmt.Sprint(at, " ", text) != want {
			t.Errorf("%q has a pattern at %d: %q, want %s", in, at, text, want)
		}
	}
	if at, word := NextError([]string{"", "a\nb"})([]byte("an error"), 0, 8); at != 3 || word != "error" {
		t.Error("texts that no line holds are looked for")
	}
}

// TestTailBeginsWithACharacter: a window may begin inside a character, whose rest is not shown.
func TestTailBeginsWithACharacter(t *testing.T) {
	for _, c := range []struct {
		name, data string
		from       int // of the window
		want       string
	}{
		{"after one of its bytes", "\U0001F600abc", 1, "1, last 3 characters| abc"},
		{"after all but one", "\U0001F600abc", 3, "1, last 3 characters| abc"},
		{"with a character", "xabc", 1, "1, last 3 characters| abc"},
		{"bytes of none", "\xf0\x80\x80\x80\x80abc", 1, "1, last 4 characters| \ufffdabc"},
	} {
		x := excerpt{data: []byte(c.data), meta: Meta{Lines: 1}, limits: Limits{TailLines: 1}}
		lines, begin := x.tailLines(x.data[c.from:], 0, 200)
		if len(lines) != 1 || lines[0].text != c.want || begin != len(c.data)-3 && c.name != "bytes of none" {
			t.Errorf("%s: %+v from %d, want %q", c.name, lines, begin, c.want)
		}
	}
}

package fetch

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/config"
	"caliper/engine/rescue"
	"caliper/engine/retrieval"
	"caliper/model/require"
)

func TestGrep(t *testing.T) {
	text := "alpha\r\nbeta needle\n\ngamma Needle\nend"
	for _, c := range []struct {
		name string
		q    Request
		want Answer
	}{
		{"case counts", Request{Pattern: "(?-i)needle$"}, Answer{Grep, "1 hit in lines 1-5 of 5\n2: beta needle\n", 1, 5, 5, Lines, nil}},
		{"ending is no text", Request{Pattern: "^alpha$"}, Answer{Grep, "1 hit in lines 1-5 of 5\n1: alpha\n", 1, 5, 5, Lines, nil}},
		{"case does not count", Request{Pattern: "NEEDLE"}, Answer{Grep, "2 hits in lines 1-5 of 5\n2: beta needle\n4: gamma Needle\n", 1, 5, 5, Lines, nil}},
		{"none", Request{Pattern: "absent"}, Answer{Grep, "no match in lines 1-5 of 5\n", 1, 5, 5, Lines, nil}},
		{"case counts in a part", Request{Pattern: "(?-i:N)EEDLE"}, Answer{Grep, "1 hit in lines 1-5 of 5\n4: gamma Needle\n", 1, 5, 5, Lines, nil}},
		{"from a line", Request{Pattern: "eedle", Start: 3}, Answer{Grep, "1 hit in lines 3-5 of 5\n4: gamma Needle\n", 3, 5, 5, Lines, nil}},
		{"empty line", Request{Pattern: "^$"}, Answer{Grep, "1 hit in lines 1-5 of 5\n3: \n", 1, 5, 5, Lines, nil}},
		{"count", Request{Pattern: "a", Count: 1}, Answer{Grep, "1 hit in lines 1-1 of 5, the rest is not searched: go on at line 2\n1: alpha\n", 1, 1, 5, Lines,
			&Request{Mode: Grep, Pattern: "a", Start: 2, Count: 1, Unit: Lines}}},
		{"count in chars", Request{Pattern: "eedle", Start: 7, Count: 1, Unit: Chars}, Answer{Grep, "1 hit in chars 7-18 of 36, the rest is not searched: go on at char 19\n2: beta needle\n", 7, 18, 36, Chars,
			&Request{Mode: Grep, Pattern: "eedle", Start: 19, Count: 1, Unit: Chars}}},
		{"count that the last line reaches", Request{Pattern: "end", Count: 1}, Answer{Grep, "1 hit in lines 1-5 of 5\n5: end\n", 1, 5, 5, Lines, nil}},
		{"inside a line ^ is not here", Request{Pattern: "^needle|^gamma", Start: 12, Unit: Chars}, Answer{Grep, "1 hit in chars 12-35 of 36\n4: gamma Needle\n", 12, 35, 36, Chars, nil}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.q.Mode = Grep
			equal(t, do(t, text, c.q, limits(4000)), c.want)
		})
	}
	equal(t, do(t, "", Request{Mode: Grep, Pattern: "a"}, limits(4000)), Answer{Grep, "no match in lines 1-0 of 0\n", 1, 0, 0, Lines, nil})
}

// TestGrepStoppedByTime: a search without time left says so first, goes on
// where it stopped, and comes to the end.
func TestGrepStoppedByTime(t *testing.T) {
	for name, text := range map[string]string{
		"lines":    strings.Repeat("nothing to see here\n", 400000) + "needle 1\n",
		"one line": strings.Repeat("nothing to see here ", 400000) + "needle 1",
	} {
		l := config.Default().Rescue
		l.GrepTimeoutMS = 1
		answers, found := 0, false
		follow(t, reader{[]byte(text), rescue.Meta{}}, Request{Mode: Grep, Pattern: `[m-o]eedle \d`}, l, func(a Answer) {
			answers++
			if a.Next != nil && !strings.HasPrefix(a.Text, "stopped after 1ms: only ") {
				t.Errorf("%s: %q", name, a.Text)
			}
			found = found || strings.Contains(a.Text, "needle 1")
		})
		if answers < 3 || !found {
			t.Errorf("%s: %d answers, found: %v", name, answers, found)
		}
	}
}

func TestGrepShowsTheMatchInALongLine(t *testing.T) {
	text := "first\n" + strings.Repeat("é", 5000) + "needle" + strings.Repeat("y", 5000) + "\nlast needle\n"
	a := do(t, text, Request{Mode: Grep, Pattern: "needle"}, limits(4000))
	around := strings.Repeat("é", 100) + "needle" + strings.Repeat("y", 100)
	if want := "2: at char 5006: …" + around + "…\n3: last needle\n"; !strings.HasSuffix(a.Text, "\n"+want) {
		t.Errorf("got %q", a.Text)
	}
	at := do(t, text, Request{Mode: Range, Start: 5006, Count: 6, Unit: Chars}, limits(4000))
	if at.Text != "needle" {
		t.Errorf("char 5006 is %q", at.Text)
	}
}

func TestRequiredLiterals(t *testing.T) {
	for pattern, want := range map[string]string{
		"error":              "error",
		"(?-i)a.*Longer":     "longer",
		"(?-i:a).*longer":    "longer",
		"disk":               "di",
		"diK":                "di",
		"foo|quux":           "foo quux",
		"(abc)+x?":           "abc",
		`\d+`:                "",
		"a*":                 "",
		"foo|.":              "",
		"err(or|no)":         "err",
		"x{2,3}y":            "x",
		`(?-i)a\x{FFFD}bc`:   "bc",
		"é":                  "",
		"(?-i)İ":             "",
		"warn|(?-i:warn)|ok": "warn warn o",
	} {
		p, err := compile(pattern, config.Default().Rescue)
		require.NoError(t, err)
		if got := string(bytes.Join(p.near.set, []byte(" "))); got != want {
			t.Errorf("%s: got %q, want %q", pattern, got, want)
		}
	}
}

// TestLiterals: a text is found wherever it stands, in either case of letters.
func TestLiterals(t *testing.T) {
	for in, want := range map[string]string{"xaxbAb": "1 3 4 5", "": "", "@`[{": "", "ÀéB": "4"} {
		set := literals{set: [][]byte{[]byte("b"), []byte("a")}, next: make([]int, 2)}
		for range 2 { // another text begins anew
			set.begin([]byte(in))
		}
		var got []string
		for at := 0; at >= 0 && at < len(in); at++ {
			if at = set.from(at); at < 0 {
				break
			}
			got = append(got, strconv.Itoa(at))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("places in %q: %q", in, got)
		}
	}
}

// narrowGrep searches text in windows of 64 bytes and returns the hits.
func narrowGrep(t *testing.T, source, text string) string {
	t.Helper()
	l := limits(400)
	l.GrepTimeoutMS, l.GrepMaxLineLen = 0, 5
	p, err := compile(source, l)
	require.NoError(t, err)
	p.window, p.overlap = 64, 16
	a, err := p.grep(newText([]byte(text)), Request{Mode: Grep, Unit: Lines, Start: 1}, l)
	if err != nil || a.Next != nil {
		t.Fatalf("%v: %+v", err, a)
	}
	_, hits, _ := strings.Cut(a.Text, "\n")
	return hits
}

// TestNarrowWindows: a pattern of a large program is asked in narrower windows, so that one
// takes no longer.
func TestNarrowWindows(t *testing.T) {
	for source, want := range map[string]int{"a": widestWindow, "[a-c]{200}x": 0, "(a{30}b){30}|(c{30}d){30}|(e{30}f){30}": narrowestWindow} {
		p, err := compile(source, limits(400))
		if err != nil {
			t.Fatal(err)
		}
		if p.overlap != p.window/8 || want > 0 && p.window != want || want == 0 && (p.window <= narrowestWindow || p.window >= widestWindow) {
			t.Errorf("%s: a window of %d, want %d", source, p.window, want)
		}
	}
}

// TestEveryPlaceOfAWindow: a match lies anywhere in a line of many windows.
func TestEveryPlaceOfAWindow(t *testing.T) {
	for k := range 150 {
		text := strings.Repeat("é", k) + "needle" + strings.Repeat("y", 150)
		hits := narrowGrep(t, "n[e]+dle", text)
		if want := fmt.Sprintf("1: at char %d: ", k); !strings.HasPrefix(hits, want) || strings.Count(hits, "\n") != 1 {
			t.Fatalf("%d: %q", k, hits)
		}
	}
}

// TestWindowEdges: the edges of a window are no edges of the line, of a word or
// of a character.
func TestWindowEdges(t *testing.T) {
	line := strings.Repeat("x", 500)
	for source, want := range map[string]string{
		"^x": "1: at char 0: ", "x$": "1: at char 499: ", `\Ax`: "1: at char 0: ", `x\z`: "1: at char 499: ",
		`\bx`: "1: at char 0: ", `x\b`: "1: at char 499: ", "y": "", `\x{FFFD}`: "",
	} {
		hits := narrowGrep(t, source, line+"\n")
		if want == "" && hits != "" || !strings.HasPrefix(hits, want) || strings.Count(hits, "\n") != min(1, len(want)) {
			t.Errorf("%s: %q", source, hits)
		}
	}
	if hits := narrowGrep(t, "yx*$", "y"+line+"z"); hits != "" {
		t.Errorf("the end of a window is taken for the line's: %q", hits)
	}
	for pad := range 4 {
		if hits := narrowGrep(t, `\x{FFFD}`, strings.Repeat("a", pad)+strings.Repeat("日", 300)); hits != "" {
			t.Errorf("cut characters: %q", hits)
		}
	}
}

// TestSearchRanksTheRareWordsFirst and gives the range that reads the passage.
func TestSearchRanksTheRareWordsFirst(t *testing.T) {
	filler := strings.Repeat("the service answered a request of the user\n", 400)
	text := filler + "the billing database refused a connection\n" + filler
	a := do(t, text, Request{Mode: Search, Query: "Why did the DATABASE refuse; connection?"}, limits(4000))
	if a.From != 1 || a.Unit != Passages || a.Next == nil || a.Next.Start != a.To+1 || a.Total < a.To {
		t.Fatalf("%+v", a)
	}
	m := regexp.MustCompile(`^1\. lines (\d+)-(\d+), score [\d.]+: range start (\d+) count (\d+)\n`).FindStringSubmatch(a.Text)
	if m == nil || !strings.Contains(a.Text[:900], "| the billing database refused a connection") {
		t.Fatalf("got %.900s", a.Text)
	}
	start, _ := strconv.ParseInt(m[3], 10, 64)
	n, _ := strconv.ParseInt(m[4], 10, 64)
	if r := do(t, text, Request{Mode: Range, Start: start, Count: n}, limits(4000)); !strings.Contains(r.Text, "billing database") || r.To-r.From+1 != n {
		t.Errorf("%+v", r)
	}
}

func TestSearchInOneLine(t *testing.T) {
	text := strings.Repeat(`{"k":"nothing here é"},`, 3000) + `{"k":"the needle"}` + strings.Repeat(`,{"k":"nothing"}`, 3000)
	a := do(t, text, Request{Mode: Search, Query: "needle"}, limits(4000))
	m := regexp.MustCompile(`^1\. chars (\d+)-(\d+), score [\d.]+: range start (\d+) count (\d+) unit chars\n`).FindStringSubmatch(a.Text)
	if m == nil || a.Total != 1 || a.Next != nil || !strings.Contains(a.Text, "needle") {
		t.Fatalf("%+v", a)
	}
	start, _ := strconv.ParseInt(m[3], 10, 64)
	n, _ := strconv.ParseInt(m[4], 10, 64)
	if r := do(t, text, Request{Mode: Range, Unit: Chars, Start: start, Count: n}, limits(4000)); !strings.Contains(r.Text, "the needle") {
		t.Errorf("%+v", r)
	}
	if none := do(t, text, Request{Mode: Search, Query: "absent words"}, limits(4000)); none.Total != 0 || none.Next != nil ||
		none.Text != "no passage of the blob holds any of the words: absent words\n" {
		t.Errorf("%+v", none)
	}
}

func TestPassageCannotForgeAHead(t *testing.T) {
	a := do(t, "needle\n2. lines 1-9, score 9.99: range start 1 count 9\n", Request{Mode: Search, Query: "needle"}, limits(4000))
	if strings.Contains(a.Text, "\n2. ") {
		t.Errorf("got %s", a.Text)
	}
}

// TestPassageEnd: a passage ends with the first line that ends behind its 600th byte, or else before a word, within
// 1,200 bytes.
func TestPassageEnd(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"short", x(600), 600}, {"all that is left", x(1200), 1200}, {"a line that ends too early", x(598) + "\n" + x(900), 1200}, {"a line that ends early", x(599) + "\n" + x(900), 600},
		{"a line", x(700) + "\r\n" + x(900), 702}, {"a line that ends late", x(1199) + "\n" + x(900), 1200}, {"a line that ends too late", x(1200) + "\n" + x(900), 1200},
		{"a word", x(1150) + " " + x(900), 1151}, {"a word that begins early", x(1100) + " " + x(900), 1101}, {"a word that begins too early", x(1099) + " " + x(900), 1200},
	} {
		if got := passageEnd([]byte(c.text)); got != c.want {
			t.Errorf("%s: %d bytes, want %d", c.name, got, c.want)
		}
	}
}

// TestPassagesCoverTheBlob: passages follow one another without a gap, hold
// the tokens that package retrieval cuts, and break no word that is shorter
// than the search for a break.
func TestPassagesCoverTheBlob(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := blobs().Draw(t, "blob")
		k := &ranking{}
		for _, term := range retrieval.Tokens("a line of text needle x error failed 12 né") {
			k.terms = append(k.terms, []byte(term))
		}
		k.rank([]byte(text))
		all := 0
		for b := text; len(b) > 0; all++ {
			n := passageEnd([]byte(b))
			if n <= 0 || n > longPassage {
				t.Fatalf("passage of %d bytes", n)
			}
			b = b[n:]
		}
		if all != k.all {
			t.Fatalf("%d passages, want %d", k.all, all)
		}
		for _, p := range k.passages {
			part := text[p.off : p.off+p.size]
			tokens := retrieval.Tokens(part)
			if len(tokens) != p.tokens {
				t.Fatalf("%d tokens, want %d", p.tokens, len(tokens))
			}
			for j, term := range k.terms {
				want := 0
				for _, tok := range tokens {
					if tok == string(term) {
						want++
					}
				}
				if got := p.freq[j]; int(got) != min(255, want) {
					t.Fatalf("%q stands %d times, want %d", term, got, want)
				}
			}
		}
	})
}

// TestModesShareOneLine: a word on a line of its own has the same number in
// every mode.
func TestModesShareOneLine(t *testing.T) {
	text := "a\r\nb\rc\n\n" + strings.Repeat("filler \xff é\n", 99) + "# unique error"
	const line = "104"
	r := reader{[]byte(text), rescue.Meta{Kind: rescue.Text}}
	for _, c := range []struct {
		q    Request
		want string
	}{
		{Request{Mode: Grep, Pattern: "unique"}, "\n" + line + ": # unique error"},
		{Request{Mode: Outline}, "  " + line + ": # unique error"},
		{Request{Mode: Outline}, "  line " + line + ": # unique error"},
		{Request{Mode: Search, Query: "unique"}, "-" + line + ", score"},
		{Request{Mode: Range, Start: 104}, "# unique error"},
		{Request{Mode: Stat}, line + " lines"},
	} {
		a, err := r.Do(c.q, config.Default().Rescue)
		if err != nil || !strings.Contains(a.Text, c.want) {
			t.Errorf("%+v: %v: %s", c.q, err, a.Text)
		}
	}
}

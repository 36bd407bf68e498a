package rescue

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"caliper/config"
	"caliper/model/require"
)

// numberedLog returns a log of n lines in which some are replaced.
func numberedLog(n int, replaced map[int]string) []byte {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		if line, ok := replaced[i]; ok {
			b.WriteString(line + "\n")
		} else {
			fmt.Fprintf(&b, "INFO worker %d did its work\n", i)
		}
	}
	return []byte(b.String())
}

// linesOf returns the lines of a handle that begin with a prefix.
func linesOf(p Preview, prefix string) (out []string) {
	for line := range strings.SplitSeq(p.Text, "\n") {
		if strings.HasPrefix(line, prefix) {
			out = append(out, line)
		}
	}
	return out
}

func TestLogShowsEndsAndErrors(t *testing.T) {
	data := numberedLog(5000, map[int]string{777: "ERROR db: refused", 778: "all is well, 0 errors", 900: "TypeError: x"})
	p := handleOf(t, "mcp_logs_tail", data, config.Default().Rescue)
	for _, want := range []string{
		"blob " + metaOf("", data).ID[:16] + fmt.Sprintf(`: tool "mcp_logs_tail", %d characters, %[1]d bytes, 5000 lines, type text`, len(data)) + "\n" +
			"This is a preview and not the whole result.",
		"\n1| INFO worker 1 did its work\n",
		"\n40| INFO worker 40 did its work\n[left out here: lines 41 to 4985, ",
		"\n4986| INFO worker 4986 did its work\n",
		"\n5000| INFO worker 5000 did its work\n[lines that look like errors: 2 in all, 2 more of them here]\n" +
			"777| ERROR db: refused\n900| TypeError: x\nTo read the rest:\n",
		`mode="range", start=41, count=100)`,
	} {
		if !strings.Contains(p.Text, want) {
			t.Errorf("lacks %q:\n%s", want, p.Text)
		}
	}
	if len(p.Left) != 1 || p.Left[0].From != 41 || p.Left[0].To != 4985 || p.Left[0].Unit != "lines" {
		t.Errorf("left out: %+v", p.Left)
	}
	var chars int64
	for i, rest := 1, data; len(rest) > 0; i++ {
		var line []byte
		line, rest = NextLine(rest)
		if i >= 41 && i <= 4985 {
			chars += int64(len(line)) + 1
		}
	}
	if p.Left[0].Chars != chars {
		t.Errorf("%d characters left out, want %d", p.Left[0].Chars, chars)
	}
}

// Defect: line numbers disagreed between modes. Every line that ends in a way
// of its own has the number that Counter gives it.
func TestLineNumbersAgree(t *testing.T) {
	data := []byte(strings.Repeat("a\r\nb\rc\u2028d\n\n\x0c\n", 4000) + "ERROR last")
	p := handleOf(t, "t", data, config.Default().Rescue)
	checkTruth(t, data, p)
	if got := linesOf(p, fmt.Sprintf("%d| ERROR last", CountLines(data))); len(got) != 1 {
		t.Errorf("the last line is not numbered %d:\n%s", CountLines(data), p.Text)
	}
}

func TestArrayShowsEndsAndShape(t *testing.T) {
	var items []string
	for i := range 900 {
		items = append(items, fmt.Sprintf(`{"id": %d, "tags": ["a"], "ok": true}`, i))
	}
	data := []byte("[\n" + strings.Join(items, ",\n") + "\n]")
	p := handleOf(t, "t", data, config.Default().Rescue)
	for _, want := range []string{
		"type JSON array\n",
		"\n[shape: array of 900 items; those shown are objects with \"id\" number, \"tags\" array, \"ok\" boolean]\n",
		"\n/0| {\"id\":0,\"tags\":[\"a\"],\"ok\":true}\n",
		"\n/4| {\"id\":4,\"tags\":[\"a\"],\"ok\":true}\n[left out here: items 5 to 897, ",
		" characters]\n/898| {\"id\":898,",
		"\n/899| {\"id\":899,\"tags\":[\"a\"],\"ok\":true}\nTo read the rest:\n",
		`mode="pointer", pointer="/0"`, `mode="outline"`, `mode="range", start=`,
	} {
		if !strings.Contains(p.Text, want) {
			t.Errorf("lacks %q:\n%s", want, p.Text)
		}
	}
}

func TestObjectGivesRoomToTheLargeMember(t *testing.T) {
	data := []byte(`{"status": "ok", "data": "` + strings.Repeat("1234567, ", 9000) + `", "ne\/xt~": null, "x\ny": 1}`)
	p := handleOf(t, "t", data, config.Default().Rescue)
	for _, want := range []string{
		`[shape: object of 4 members: "status" string, "data" string, "ne/xt~" null, "x⏎y" number]`,
		"\n/status| \"ok\"\n/data, first ", "\n/ne~1xt~0| null\n", "\n/x⏎y| 1\n", `pointer="/data"`,
	} {
		if !strings.Contains(p.Text, want) {
			t.Errorf("lacks %q:\n%s", want, p.Text)
		}
	}
	if p.Chars < 7000 || len(p.Left) != 0 {
		t.Errorf("%d characters, left out %v", p.Chars, p.Left)
	}
}

// A list of records inside an object is shown by its records.
func TestLargeMemberIsShownByItsItems(t *testing.T) {
	data := []byte(`{"total": 900, "rows": [` + strings.Repeat(`{"id": 7, "name": "x"}, `, 899) + `{"id": 8}], "next": null}`)
	p := handleOf(t, "t", data, config.Default().Rescue)
	for _, want := range []string{
		`[shape: object of 3 members: "total" number, "rows" array, "next" null]` + "\n/total| 900\n" +
			`[shape of "rows": array of 900 items; those shown are objects with "id" number, "name" string]` + "\n" +
			`/rows/0| {"id":7,"name":"x"}` + "\n",
		`/rows/4| {"id":7,"name":"x"}` + "\n[left out here: items 5 to 897, ",
		` characters of "rows"]` + "\n/rows/898| ",
		"\n/rows/899| {\"id\":8}\n/next| null\n",
	} {
		if !strings.Contains(p.Text, want) {
			t.Errorf("lacks %q:\n%s", want, p.Text)
		}
	}
	if len(p.Left) != 1 || p.Left[0].Of != `"rows"` {
		t.Errorf("left out %+v", p.Left)
	}
}

func TestPointerExampleIsNeverForeign(t *testing.T) {
	data := []byte(`{"a\") blob": "` + strings.Repeat("x", 20000) + `"}`)
	if p := handleOf(t, "t", data, config.Default().Rescue); strings.Contains(p.Text, `mode="pointer"`) {
		t.Errorf("%s", p.Text)
	}
}

func TestItemsKeepTheEnds(t *testing.T) {
	for n := range 30 {
		for head := range 4 {
			for tail := range 4 {
				data := "[" + strings.TrimSuffix(strings.Repeat("7,", n), ",") + "]"
				l := Limits{JSONHeadItems: head, JSONTailItems: tail}
				got := scanItems([]byte(data), l)
				if got == nil || got.count != n {
					t.Fatalf("%d items: %+v", n, got)
				}
				var want, have []int
				for i := range n {
					if i < head || i >= n-tail {
						want = append(want, i)
					}
				}
				for _, it := range got.ends {
					have = append(have, it.index)
					if data[it.from:it.to] != "7" || it.from != int64(1+2*it.index) {
						t.Fatalf("item %d of %d is %q at %d", it.index, n, data[it.from:it.to], it.from)
					}
				}
				if !slices.Equal(have, want) {
					t.Fatalf("%d items, %d and %d: got %v, want %v", n, head, tail, have, want)
				}
			}
		}
	}
}

func TestBinaryShowsDigits(t *testing.T) {
	data := append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 20000)...)
	p := handleOf(t, "t", data, config.Default().Rescue)
	if !strings.Contains(p.Text, "type binary\n") || !strings.Contains(p.Text, "\n0| 89 50 4e 47 0d 0a 1a 0a 00") ||
		!strings.Contains(p.Text, `mode="stat"`) || strings.Contains(p.Text, `mode="grep"`) {
		t.Errorf("%s", p.Text)
	}
}

func TestRequestsFitTheKind(t *testing.T) {
	for kind, data := range map[Kind]string{
		HTML: "<!doctype html>\n" + strings.Repeat("<p>words</p>\n", 3000),
		Code: strings.Repeat("class x {\n}\n", 3000),
		Text: strings.Repeat("words\n", 3000),
	} {
		p := handleOf(t, "t", []byte(data), config.Default().Rescue)
		if p.Kind != kind || !strings.Contains(p.Text, "type "+string(kind)+"\n") || strings.Contains(p.Text, `mode="pointer"`) ||
			!strings.Contains(p.Text, `mode="range", start=41`) {
			t.Errorf("%s: %s", kind, p.Text)
		}
	}
}

// The request for the rest goes on where the excerpt stops, and begins with the
// blob where there is none.
func TestRestBeginsWhereTheExcerptStops(t *testing.T) {
	lines, line := strings.Repeat("a line of words\n", 3000), strings.Repeat("words ", 2100)
	records := "[\n" + strings.Repeat("{\n\"id\": 1\n},\n", 3000) + "{}\n]\n"
	for name, c := range map[string]struct {
		data   string
		budget int
		want   string // %s: the number that the first line of the excerpt gives
	}{
		"lines":                  {lines, 8000, "start=41, count=100"},
		"lines, few":             {lines, 300, "start=2, count=100"},
		"lines, none":            {lines, 220, "start=1, count=100"},
		"a line":                 {line, 8000, `unit="chars", start=%s,`},
		"a long line":            {strings.Repeat(line, 20), 8000, `unit="chars", start=%s,`},
		"a line, none":           {line, 240, `unit="chars", start=0,`},
		"three lines, each cut":  {strings.Repeat(line+"\n", 3), 8000, "start=1, count=100"},
		"records, not by lines":  {records, 8000, "start=1, count=100"},
		"bytes":                  {strings.Repeat("\x00\xff", 9000), 8000, `unit="chars", start=0,`},
		"deep JSON, which shows": {strings.Repeat("[", 20000), 8000, `unit="chars", start=%s,`},
	} {
		t.Run(name, func(t *testing.T) {
			l := config.Default().Rescue
			l.ExcerptMaxChars = c.budget
			p := handleOf(t, "t", []byte(c.data), l)
			if first := regexp.MustCompile(`(?m)^1, first (\d+) `).FindStringSubmatch(p.Text); first != nil {
				c.want = strings.ReplaceAll(c.want, "%s", first[1])
			}
			if !strings.Contains(p.Text, c.want) {
				t.Errorf("want %s in:\n%s", c.want, p.Text)
			}
		})
	}
}

func TestCompacted(t *testing.T) {
	for in, want := range map[string]string{
		"{ \"a b\" : [ 1 ,\n\t2 ] }": `{"a b":[1,2]}`,
		`[ "\" x" , "\\" , " " ]`:    `["\" x","\\"," "]`,
		`[ " cut`:                    `[" cut`,
	} {
		if got := string(compacted([]byte(in))); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// A wide item full of white space is read up to a byte that may be inside a
// character.
func TestItemIsNotCutInsideACharacter(t *testing.T) {
	for shift := range 3 {
		text := strings.Repeat(" ", 7400+shift) + `"` + strings.Repeat("世", 60000) + `"`
		data := []byte(`[[1,` + text + `]]`)
		for budget := 2000; budget < 2010; budget++ {
			l := config.Default().Rescue
			l.ExcerptMaxChars = budget
			if p := handleOf(t, "t", data, l); p.Kind != JSONArray || strings.Contains(p.Text, "\uFFFD") {
				t.Fatalf("%s:\n%s", p.Kind, p.Text)
			}
		}
	}
}

// TestItemsLeftOutAreCharacters: the unit is the same for JSON as for text, also
// where characters have several bytes or are none.
func TestItemsLeftOutAreCharacters(t *testing.T) {
	for name, filler := range map[string]string{"ASCII": "e", "wide": "é世🙂", "no UTF-8": "é, some words, and no text: \xff"} {
		for _, head := range []string{"[", `{"rows": [`} {
			t.Run(name+" in "+head, func(t *testing.T) {
				item := `{"name": "` + strings.Repeat(filler, 60) + `"}`
				end := strings.NewReplacer("[", "]", `{"rows": [`, "]}").Replace(head)
				data := head + strings.Repeat(item+",\n", 899) + item + end
				p := handleOf(t, "t", []byte(data), config.Default().Rescue)
				if len(p.Left) != 1 {
					t.Fatalf("left out %+v\n%s", p.Left, p.Text)
				}
				// With each item goes the comma and the line break after it; the
				// first of them follows an item that is shown.
				g := p.Left[0]
				want := (g.To-g.From+1)*(utf8.RuneCount([]byte(item))+2) + 2
				if int(g.Chars) != want {
					t.Errorf("%d characters, want %d", g.Chars, want)
				}
				if mark := fmt.Sprintf("[left out here: items %d to %d, %d characters", g.From, g.To, want); !strings.Contains(p.Text, mark) {
					t.Errorf("lacks %q:\n%s", mark, p.Text)
				}
				if strings.Contains(p.Text[strings.Index(p.Text, "\n"):], " bytes") {
					t.Errorf("bytes are counted:\n%s", p.Text)
				}
			})
		}
	}
}

// TestCutItemSaysItsCharacters: they are the blob's.
func TestCutItemSaysItsCharacters(t *testing.T) {
	p := handleOf(t, "t", []byte(`{"status": "ok", "data": "`+strings.Repeat("日", 90000)+`"}`), config.Default().Rescue)
	if !strings.Contains(p.Text, " of 90002 characters| \"日") {
		t.Errorf("%s", p.Text)
	}
}

func TestMarkOfOne(t *testing.T) {
	for want, g := range map[string]Gap{
		"[left out here: 1 character]":                   {From: 1, Unit: "lines", Chars: 1},
		"[left out here: line 2, 1 character]":           {From: 2, To: 2, Unit: "lines", Chars: 1},
		"[left out here: item 2, 2 characters of \"a\"]": {From: 2, To: 2, Unit: "items", Of: `"a"`, Chars: 2},
		"[left out here: items 2 to 3, 1200 characters]": {From: 2, To: 3, Unit: "items", Chars: 1200},
	} {
		if got := g.mark(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

var update = flag.Bool("update", false, "rewrite the shapes of excerpts in testdata")

// What a handle shows of each kind of result in how much room: a line here is what stands
// before each line of the excerpt, and how many characters follow. It changes when the room
// is shared out in another way.
func TestShapesOfExcerpts(t *testing.T) {
	var items, members, long []string
	for i := range 400 {
		items = append(items, fmt.Sprintf(`{"id":%d,"tags":["a","b"],"note":"%s"}`, i, strings.Repeat("x", i%90)))
		members = append(members, fmt.Sprintf(`"k%d":%q`, i, strings.Repeat("y", i*i%700)))
		long = append(long, strings.Repeat("z", i*37%900))
	}
	array := "[" + strings.Join(items, ",\n") + "]"
	var got strings.Builder
	for _, c := range []struct{ name, text string }{
		{"log", string(numberedLog(3000, map[int]string{50: "ERROR a", 700: "all is well, 0 errors", 900: "TypeError: x", 2999: "FATAL b"}))},
		{"errors alone", strings.Repeat("ERROR: refused by the other side\n", 2000)},
		{"three lines", strings.Repeat(strings.Repeat("w", 9000)+"\r\n", 3)},
		{"lines of all lengths", strings.Join(long, "\n")},
		{"one line", strings.Repeat("世界 ", 9000)},
		{"a long line of errors", strings.Repeat("ok ", 9000) + "ERROR c" + strings.Repeat(" ok", 9000)},
		{"array", array},
		{"object", "{" + strings.Join(members, ",") + "}"},
		{"a large member", `{"a":1,"all":` + array + `,"z":[true]}`},
		{"JSON lines", strings.Join(items, "\n")},
		{"HTML", "<!DOCTYPE html><html><body>" + strings.Repeat("<p>paragraph</p>\n", 900) + "</body></html>"},
		{"binary", strings.Repeat("\x00\x01\xfe", 9000)},
	} {
		for _, room := range []int{500, 900, 2500, 8000} {
			l := config.Default().Rescue
			l.ExcerptMaxChars = room
			fmt.Fprintf(&got, "%s in %d:", c.name, room)
			for _, line := range handleOf(t, "t", []byte(c.text), l).Lines {
				gutter, rest, ok := strings.Cut(line.Text, "| ")
				switch {
				case line.Kind == LineContent && ok:
					fmt.Fprintf(&got, " %s+%d", gutter, utf8.RuneCountInString(rest))
				case line.Kind == LineLeftOut:
					fmt.Fprintf(&got, " %s", line.Text)
				}
			}
			got.WriteString("\n")
		}
	}
	const file = "testdata/excerpts.txt"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got.String()), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	for line := range strings.SplitSeq(got.String(), "\n") {
		if !strings.Contains(string(want), line+"\n") {
			t.Errorf("new: %s", line)
		}
	}
	if len(want) != got.Len() {
		t.Errorf("%d bytes, want %d", got.Len(), len(want))
	}
}

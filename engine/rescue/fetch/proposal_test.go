package fetch

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"caliper/engine/rescue"
	"caliper/model/require"
)

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
		l := rescue.Default()
		l.GrepTimeout = 0
		l.ExcerptMaxChars = rapid.SampledFrom([]int{200, 400, 1000, 8000}).Draw(t, "budget")
		l.FetchMaxChars = rapid.SampledFrom([]int{100, 200, 4000}).Draw(t, "room")
		l.GrepMaxPatternLen = rapid.SampledFrom([]int{0, 1, 3, 5, 80}).Draw(t, "pattern")
		l.ErrorLines = rapid.SliceOfN(rapid.SampledFrom([]string{"LINE", "é", "a.b", "\n", "日", "x=", "日 \u202e"}), 0, 2).Draw(t, "errors")
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
			for _, q := range findsSomething(t, c.text, rescue.Default()) {
				grep += q.Pattern
				search += strings.ToLower(q.Query)
			}
			if grep != c.grep || search != c.search {
				t.Errorf("grep %q and search %q, want %q and %q", grep, search, c.grep, c.search)
			}
		})
	}
	l := rescue.Default()
	l.ErrorLines = []string{"(Ora-"}
	list := findsSomething(t, log+"x ORA-00600: y\n"+log, l)
	if !slices.ContainsFunc(list, func(q Request) bool { return q.Mode == Grep && q.Pattern == "well" }) {
		t.Errorf("a text that is not there: %+v", list)
	}
	l.ErrorLines = []string{"(Ora-"}
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
			l := rescue.Default()
			l.ErrorLines, l.HeadLines, l.TailLines = patterns, 0, 0
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
	l := rescue.Default()
	l.HeadLines = 0
	was := counted.FindStringSubmatch(handle(t, text, l).Text)
	a, err := Do([]byte(text), rescue.Meta{Kind: rescue.JSONArray}, Request{Mode: Outline}, l)
	if now := counted.FindStringSubmatch(a.Text); err != nil || !strings.Contains(a.Text, "no JSON from") || len(was) == 0 || !slices.Equal(was, now) {
		t.Errorf("broken JSON: %v, the handle has %q, the outline %q: %s", err, was, now, a.Text)
	}
}

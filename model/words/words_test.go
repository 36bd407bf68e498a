package words_test

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	_ "caliper/model/require"
	"caliper/model/words"
)

func TestIdentifier(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"", ""},
		{"___", ""},
		{"create_issue", "create|issue"},
		{"createIssue", "create|Issue"},
		{"parseHTTPResponse2", "parse|HTTP|Response2"},
		{"issueID", "issue|ID"},
		{"AB", "AB"},
		{"ABc", "A|Bc"},
		{"v2Users", "v2|Users"},
		{"a.b/c:d", "a|b|c|d"},
		{"e\u0301te\u0301Chaud", "e\u0301te\u0301|Chaud"},
		{"ABE\u0301t", "AB|E\u0301t"},
		{"Aℂ", "Aℂ"},
		{"ABℂ", "A|Bℂ"},
		{"aℂ", "aℂ"},
		{"ǅabc", "ǅabc"},
		{"xǅ", "x|ǅ"},
		{"\u0301a", "\u0301a"},
		{"a\xffb", "a|b"},
	} {
		if got := strings.Join(words.Identifier(c.name), "|"); got != c.want {
			t.Errorf("words of %q: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestWordsAreFinal: in lower case, words are cut nowhere.
func TestWordsAreFinal(t *testing.T) {
	letters := []rune("aabBC12 _-.éÉжЖßǅℂℍ\u0301ー港ไ์\xff")
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom(letters))).Draw(t, "name")
		once := words.Identifier(name)
		if strings.Join(once, "") != strings.Map(func(r rune) rune {
			if words.Continues(r) {
				return r
			}
			return -1
		}, strings.ToValidUTF8(name, "")) {
			t.Fatalf("words of %q are %q", name, once)
		}
		for i := range once {
			once[i] = strings.ToLower(once[i])
		}
		if again := words.Identifier(strings.Join(once, " ")); !slices.Equal(once, again) {
			t.Fatalf("words of %q are %q, and cut again %q", name, once, again)
		}
	})
}

// TestLowerCaseIsFinal: a character in lower case stays in its class, but that
// it is no capital, and in its script. Cutting words again relies on that.
func TestLowerCaseIsFinal(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		low := unicode.ToLower(r)
		class := words.ClassOf(r)
		if class == words.Capital {
			class = words.Small
		}
		if words.ClassOf(low) != class || words.Spaceless(low) != words.Spaceless(r) || words.IsCapital(low) {
			t.Errorf("%U is of class %d, in lower case, %U, of class %d", r, words.ClassOf(r), low, words.ClassOf(low))
		}
		if words.IsCapital(r) != (words.ClassOf(r) == words.Capital) || words.Continues(r) != (words.ClassOf(r) != words.Other) ||
			words.Begins(r) != (words.Continues(r) && words.ClassOf(r) != words.Mark) {
			t.Errorf("%U is of two classes", r)
		}
	}
}

// Scripts without spaces between words have to be cut elsewhere; all others are
// left whole.
func TestSpaceless(t *testing.T) {
	for _, c := range []struct {
		name, letters string
		want          bool
	}{
		{"Han", "查詢㐀𠀀", true},
		{"kana", "ひカー", true},
		{"Hangul", "가힣ᄀ", true},
		{"Thai and Lao", "กล", true},
		{"Khmer and Myanmar", "កမ", true},
		{"Latin", "aZßÉ", false},
		{"Greek, Cyrillic, Hebrew", "αЖא", false},
		{"Devanagari", "कि", false},
		{"what is no letter", "1_。 ", false},
	} {
		for _, r := range c.letters {
			if got := words.Spaceless(r); got != c.want {
				t.Errorf("%s: %q: %t", c.name, r, got)
			}
		}
	}
}

// Words that are cut out and then written small equal the words of the text written small.
func TestWordsAreCutBeforeTheyAreLowered(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.String().Draw(rt, "text") + rapid.SampledFrom([]string{"", "A\xffB", "\u0130x"}).Draw(rt, "odd")
		want := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !words.Continues(r) })
		if got := slices.Collect(words.Each(text)); !slices.Equal(got, want) {
			rt.Fatalf("%q: %q, want %q", text, got, want)
		}
	})
}

func TestCount(t *testing.T) {
	for n, want := range map[int][2]string{
		0:  {"0 tools", "0 entries"},
		1:  {"1 tool", "1 entry"},
		2:  {"2 tools", "2 entries"},
		-1: {"-1 tools", "-1 entries"},
	} {
		if got := words.Count(n, "tool"); got != want[0] {
			t.Errorf("%q, want %q", got, want[0])
		}
		if got := words.CountOf(int64(n), "entry", "entries"); got != want[1] {
			t.Errorf("%q, want %q", got, want[1])
		}
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{
		0: "0", 999: "999", 1000: "1,000", 12345: "12,345", 999999: "999,999", 1000000: "1,000,000",
		-1: "−1", -999: "−999", -1000: "−1,000", -123456: "−123,456", math.MinInt64: "−9,223,372,036,854,775,808",
	} {
		if got := words.Thousands(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	if one, many := words.CountThousands(1, "tool"), words.CountThousands(12345, "tool"); one != "1 tool" || many != "12,345 tools" {
		t.Error(one, many)
	}
}

func TestOr(t *testing.T) {
	for want, choices := range map[string][]string{"": nil, "a": {"a"}, "a or b": {"a", "b"}, "a, b or c": {"a", "b", "c"}} {
		if got := words.Or(choices); got != want {
			t.Errorf("%q: %q, want %q", choices, got, want)
		}
	}
}

// cutWords returns the words of a text, and behind those of a run that was cut
// the run itself.
func cutWords(text string) []string {
	all := []string{}
	var c words.Cutter
	c.Cut([]byte(text))
	for w := c.Next(); w != nil; w = c.Next() {
		all = append(all, string(w))
		if len(c.Run()) > 0 && c.Last() {
			all = append(all, "="+string(c.Run())) // the whole of what was cut
		}
	}
	return all
}

func TestCutter(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{" _-. ", ""},
		{"create_issue", "create issue"},
		{"list.pull-requests", "list pull requests"},
		{"getHTTPFile2", "get http file 2 =gethttpfile2"},
		{"iPhone", "i phone =iphone"},
		{"listAPIs", "list apis =listapis"},
		{"URLsOfIDs", "urls of ids =urlsofids"},
		{"APIsearch Xs", "ap isearch =apisearch xs"},
		{"macOS mTLS", "mac os =macos m tls =mtls"},
		{"h264 H264", "h264 h 264 =h264"},
		{"mcp__GitHub__getRepo", "mcp git hub =github get repo =getrepo"},
		{"ÉtéÉTÉ2x", "été été 2 x =étéété2x"},
		{"ДокументОбмен файлов", "документ обмен =документобмен файлов"},
		{"e\u0301te\u0301 E\u0301te\u0301X", "e\u0301te\u0301 e\u0301te\u0301 x =e\u0301te\u0301x"},
		{"港口管理", "港口 口管 管理"},
		{"東京タワーAPI", "东京 京タ タワ ワー api"},
		{"API東京", "api 东京"},
		{"天気 予報", "天気 予报"},
		{"เรือ", "เรื รือ"},
		{"ABE\u0301t", "ab e\u0301t =abe\u0301t"},
		{"ABE\u0301s", "abe\u0301s"},
		{"Aℂ ABℂ", "aℂ a bℂ =abℂ"},
		{"한국어", "한국 국어"},
		{"\xff\xfea\xffb", "a b"},
	} {
		if got := strings.Join(cutWords(c.text), " "); got != c.want {
			t.Errorf("words of %q: %q, want %q", c.text, got, c.want)
		}
	}
}

// TestCutterIsFinal: a word that is cut again stays as it is.
func TestCutterIsFinal(t *testing.T) {
	letters := []rune("asABS12 _-.éÉßǅℂ\u0301ー港口ไ์한\xff")
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom(letters))).Draw(t, "text")
		for _, w := range cutWords(text) {
			w = strings.TrimPrefix(w, "=")
			if again := cutWords(w); len(again) != 1 || again[0] != w {
				t.Fatalf("%q of %q is cut again: %q", w, text, again)
			}
		}
	})
}

func TestDistance(t *testing.T) {
	const limit = 5
	for _, c := range []struct {
		name, a, b             string
		levenshtein, alignment int
	}{
		{"several", "kitten", "sitting", 3, 3},
		{"no character is edited twice", "ca", "abc", 3, 3},
		{"too short", "abcdefg", "", 6, 6},
		{"longer than the memory", "a23456789012345678901234567890123456789z", "b23456789012345678901234567890123456789y", 2, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := []byte(c.a), []byte(c.b)
			if got := words.Levenshtein(a, b, limit); got != c.levenshtein {
				t.Errorf("Levenshtein distance %d, want %d", got, c.levenshtein)
			}
			if got := words.Alignment(a, b, limit); got != c.alignment {
				t.Errorf("alignment distance %d, want %d", got, c.alignment)
			}
		})
	}
}

// TestDistanceIsTheTable compares with the whole table of the textbook.
func TestDistanceIsTheTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.SampledFrom([]rune("abcé")), 0, 9)
		a, b, limit := text.Draw(t, "a"), text.Draw(t, "b"), rapid.IntRange(0, 9).Draw(t, "limit")
		if got, want := words.Levenshtein(a, b, limit), min(table(a, b, false), limit+1); got != want {
			t.Fatalf("Levenshtein distance of %q and %q within %d: %d, want %d", string(a), string(b), limit, got, want)
		}
		if got, want := words.Alignment(a, b, limit), min(table(a, b, true), limit+1); got != want {
			t.Fatalf("alignment distance of %q and %q within %d: %d, want %d", string(a), string(b), limit, got, want)
		}
	})
}

// table returns the distance of two texts.
func table(a, b []rune, exchange bool) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if exchange && i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
}

func TestNearest(t *testing.T) {
	known := []string{"threshold", "enabled", "auto", "on", "enabler"}
	for _, c := range []struct{ name, of, want, message string }{
		{"a typo", "treshold", "threshold", "; did you mean threshold?"},
		{"three typos", "thershodlx", "", ""},
		{"another case", "AUTO", "auto", "; did you mean auto?"},
		{"the first of equally near ones", "enable", "enabled", "; did you mean enabled?"},
		{"half of a short name", "of", "", ""},
		{"nothing", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := words.Nearest(c.of, known)
			if got != c.want || words.DidYouMean(got) != c.message {
				t.Errorf("%q: %q, %q; want %q, %q", c.of, got, words.DidYouMean(got), c.want, c.message)
			}
		})
	}
}

// TestUnits: JavaScript counts in UTF-16, in which a character beyond the first plane has two
// units; a cut leaves no half of one.
func TestUnits(t *testing.T) {
	const text = "aé文😀b"
	if got := words.Units(text); got != 6 || words.Units("") != 0 {
		t.Errorf("%d units", got)
	}
	for n, want := range []string{"", "a", "aé", "aé文", "aé文", "aé文😀", text, text} {
		if got := words.CutUnits(text, n); got != want {
			t.Errorf("the first %d units: %q, want %q", n, got, want)
		}
	}
}

func TestCompareLetters(t *testing.T) {
	sorted := []string{"", "_", "__", "_a", "-", "-a", "0", "9", "a", "A", "a_", "a-", "a9", "aa", "aA", "Aa", "AA", "az", "b", "Zz"}
	for i, a := range sorted {
		for j, b := range sorted {
			if got := words.CompareLetters(a, b); cmp.Compare(got, 0) != cmp.Compare(i, j) {
				t.Errorf("%q and %q: %d", a, b, got)
			}
		}
	}
}

func TestDistinct(t *testing.T) {
	if got := words.Distinct(strings.FieldsSeq("b a b c a")); !slices.Equal(got, []string{"b", "a", "c"}) {
		t.Errorf("%q", got)
	}
	if got := words.Distinct(strings.FieldsSeq("")); got != nil {
		t.Errorf("of none %q", got)
	}
	if got := words.Set(" a b\n a"); len(got) != 2 || !got["a"] || !got["b"] {
		t.Errorf("%v", got)
	}
}

func TestLower(t *testing.T) {
	for in, want := range map[string]string{
		"":        "",
		"ÄbC":     "äbc",
		"圖書館 PDF": "图书馆 pdf",
		"發 髮":     "发 发",
		"㠏䶧":      "㟆咬",
		"龜苧薴":     "龟苧苧",
		"한국어":     "한국어",
	} {
		if got := strings.Map(words.Lower, in); got != want {
			t.Errorf("%q in lower case is %q, want %q", in, got, want)
		}
	}
}

// Every form is its own, and of the same class and script.
func TestLowerIsFinal(t *testing.T) {
	changed := 0
	for r := rune(0); r <= unicode.MaxRune; r++ {
		low := words.Lower(r)
		if words.Lower(low) != low {
			t.Errorf("%c becomes %c, and that %c", r, low, words.Lower(low))
		}
		if unicode.Is(unicode.Han, r) != unicode.Is(unicode.Han, low) {
			t.Errorf("%c becomes %c, of another script", r, low)
		}
		if low != unicode.ToLower(r) {
			changed++
		}
	}
	if changed != 2851 {
		t.Errorf("%d characters have a simplified form, want the 2,851 of the table", changed)
	}
}

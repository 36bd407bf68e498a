package words_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"caliper/model/words"
)

func TestIdentifier(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"", ""},
		{"___", ""},
		{"create_issue", "create|issue"},
		{"create-issue", "create|issue"},
		{"createIssue", "create|Issue"},
		{"CreateIssue", "Create|Issue"},
		{"parseHTTPResponse2", "parse|HTTP|Response2"},
		{"HTTPServer", "HTTP|Server"},
		{"issueID", "issue|ID"},
		{"URL", "URL"},
		{"aB", "a|B"},
		{"AB", "AB"},
		{"ABc", "A|Bc"},
		{"v2Users", "v2|Users"},
		{"h264", "h264"},
		{"a.b/c:d", "a|b|c|d"},
		{"__private__", "private"},
		{"étéChaud", "été|Chaud"},
		{"e\u0301te\u0301Chaud", "e\u0301te\u0301|Chaud"},
		{"ABE\u0301t", "AB|E\u0301t"},
		{"ABE\u0301", "ABE\u0301"},
		{"查询_天气", "查询|天气"},
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
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if words.Continues(r) != words.Continues(unicode.ToLower(r)) {
			t.Errorf("%U is a part of words in one case only", r)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.String().Draw(rt, "text") + rapid.SampledFrom([]string{"", "A\xffB", "\u0130x"}).Draw(rt, "odd")
		want := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !words.Continues(r) })
		if got := slices.Collect(words.Each(text)); !slices.Equal(got, want) {
			rt.Fatalf("%q: %q, want %q", text, got, want)
		}
	})
}

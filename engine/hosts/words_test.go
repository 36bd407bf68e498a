package hosts

import (
	"regexp"
	"strings"
	"testing"

	"caliper/model"
)

// TestNamed: every host is found by its name, and no other name finds one.
func TestNamed(t *testing.T) {
	for _, h := range All {
		if Named(h.Name) != h || h.Called() == h.Title != (h.Generation != "") {
			t.Errorf("%s is %v, called %s", h.Name, Named(h.Name), h.Called())
		}
	}
	if Named("") != nil || Named("hermes") != nil {
		t.Error("a name of no host finds one")
	}
}

// TestWords: what hosts make of texts and names, at the edges of ASCII and of UTF-16.
func TestWords(t *testing.T) {
	for in, want := range map[string]string{"getX9Y_é2-Ü": "get x9 y é2 ü", "": "", "ABc": "abc", "½a": "½a", "ΣΑΣ": "σας", "İ": "i"} {
		if got := strings.Join(camelWords(in), " "); got != want {
			t.Errorf("words of %q: %q", in, got)
		}
	}
	for in, want := range map[string]string{"a_Z09": "a_Z09", "a.b": "a-b", "é\u0171\u017f": "---", "\x7f@[`{/:": "-------"} {
		if got := hyphened(in); got != want {
			t.Errorf("%q with hyphens: %q", in, got)
		}
		if got := masked(in, "."); got != strings.ReplaceAll(strings.ReplaceAll(want, "a-b", "a.b"), "-", "_") {
			t.Errorf("%q masked: %q", in, got)
		}
	}
	for _, c := range []struct {
		text, word string
		want       bool
	}{{"a ship", "ship", true}, {"ships", "ship", false}, {"aship", "ship", false}, {"ships ship", "ship", true}, {"a", "", false}, {"", "a", false}, {"c++ -x", "-x", false}, {"a-x", "-x", true}, {"_a", "a", false}, {"éa", "a", true}} {
		if got := hasWord(c.text, c.word); got != c.want {
			t.Errorf("%q has %q: %v", c.text, c.word, got)
		}
	}
	if got := numbered(&Host{}, []*model.Tool{{Name: "a"}, {Name: "abcde"}, {Name: "abcdf"}, {Name: "abcdg"}}, 4); strings.Join(got, " ") != "a abcd abc2 abc3" {
		t.Errorf("names %q", got)
	}
}

// TestScriptPattern: what an expression of JavaScript finds, and which are none.
func TestScriptPattern(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		found         bool
	}{
		{`a.c`, "a\rc", false}, {`a[^]c`, "a\nc", true}, {`a[]`, "a[]", false}, {`[a[]x`, "[x", true}, {`[.]`, "a", false},
		{`\u0041b`, "xAB", true}, {`\x41`, "a", true}, {`\p{L}`, "p{L}", true}, {`\p{L}`, "p{l", false}, {`\z`, "zero", true}, {`\_`, "_", true},
		{`a\sb`, "a\u00a0b", true}, {`[\s]`, "\u2003", true}, {`[\b]`, "\b", true}, {`\cJ`, "\n", true}, {`\0`, "\x00", true}, {`\.`, "a", false},
		{`(?:a|b)c`, "bc", true}, {`(?<n>a)`, "a", true}, {`[[:alpha:]]`, "a", false}, {`a\|b|c`, "a|B", true}, {`a\|b|c`, "ab", false}, {`|x`, "y", true},
		{`(?i)a`, "a", false}, {`(?m)a`, "a", false}, {`(?P<n>a)`, "a", false}, {`(?=a)a`, "a", false}, {`(?<!b)a`, "a", false}, {`(a)\1`, "aa", false}, {`a\`, `a\`, false}, {`[`, "[", false},
		{strings.Repeat("x", 200), strings.Repeat("x", 200), true}, {strings.Repeat("x", 201), strings.Repeat("x", 201), false},
	} {
		if p := patternOf(c.pattern); (p != nil && p.in(c.text)) != c.found {
			t.Errorf("%q in %q: %v", c.pattern, c.text, !c.found)
		}
	}
	for _, words := range []string{"a-b c.d", "x|y", "", `\ (`} {
		alternatives := copilotCLI.Asked(words)
		p := patternOf(alternatives)
		for _, text := range []string{"A-B", "c.d", "cxd", "x|y", "y", "none", `\`} {
			if want := regexp.MustCompile("(?i)" + alternatives).MatchString(text); p.literals == nil || p.in(text) != want {
				t.Errorf("%q in %q: %v, want %v of %q", alternatives, text, p.in(text), want, p.literals)
			}
		}
	}
}

// TestPunycode: examples of RFC 3492, and names as the agent wrote them.
func TestPunycode(t *testing.T) {
	for name, want := range map[string]string{
		"café_search": "xn--caf_search-d7a", "检索": "xn--s1vu84b", "weather_天気": "xn--weather_-v00om82m", "grüße": "xn--gre-6ka8l", "поиск": "xn--h1aekdm",
		"他们为什么不说中文": "xn--ihqwcrb4cv8a8dqg056pqjye", "a.é": "a.xn--9ca", "plain": "plain", "3年B組金八先生": "xn--3B-ww4c5e180e575a65lsy2b",
	} {
		if got := inPunycode(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

package fielded

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// cutWords returns the words of a text.
func cutWords(text string) []string {
	words := []string{}
	var c cutter
	c.cut([]byte(text))
	for w := c.word(); w != nil; w = c.word() {
		words = append(words, string(w))
		if len(c.run) > 0 && c.last() {
			words = append(words, "="+string(c.run)) // the whole of what was cut
		}
	}
	return words
}

func TestWords(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{" _-. ", ""},
		{"create_issue", "create issue"},
		{"list.pull-requests", "list pull requests"},
		{"getHTTPFile2", "get http file 2 =gethttpfile2"},
		{"iPhone", "i phone =iphone"},
		{"ID", "id"},
		{"PDFs", "pdfs"},
		{"listAPIs", "list apis =listapis"},
		{"URLsOfIDs", "urls of ids =urlsofids"},
		{"APIsearch Xs", "ap isearch =apisearch xs"},
		{"macOS mTLS", "mac os =macos m tls =mtls"},
		{"h264 H264", "h264 h 264 =h264"},
		{"mcp__GitHub__getRepo", "mcp git hub =github get repo =getrepo"},
		{"naïve café", "naïve café"},
		{"ÉtéÉTÉ2x", "été été 2 x =étéété2x"},
		{"ДокументОбмен файлов", "документ обмен =документобмен файлов"},
		{"e\u0301te\u0301 E\u0301te\u0301X", "e\u0301te\u0301 e\u0301te\u0301 x =e\u0301te\u0301x"},
		{"港", "港"},
		{"港口管理", "港口 口管 管理"},
		{"東京タワーAPI", "东京 京タ タワ ワー api"},
		{"API東京", "api 东京"},
		{"天気 予報", "天気 予报"},
		{"ไฟล์", "ไฟ ฟล์"},
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

// TestWordsEqualOracle: bytes and runes give the same words.
func TestWordsEqualOracle(t *testing.T) {
	letters := []rune("aabBC12 _-.éÉжЖßǅℂ\u0301ー港口ไ์한\xff")
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom(letters)).Draw(t, "text")
		if rapid.Bool().Draw(t, "any") {
			text = rapid.String().Draw(t, "text")
		}
		if got, want := cutWords(text), oracleCutWords(text); !slices.Equal(got, want) {
			t.Fatalf("words of %q: %q, want %q", text, got, want)
		}
	})
}

// TestWordsAreFinal: a word that is cut again stays as it is.
func TestWordsAreFinal(t *testing.T) {
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

func TestTrigrams(t *testing.T) {
	for _, c := range []struct{ word, want string }{
		{"a", "[ a ]"},
		{"ab", "[ ab|ab ]"},
		{"file", "[ fi|fil|ile|le ]"},
		{"港口", "[ 港口|港口 ]"},
		{"é", "[ é ]"},
	} {
		var all []string
		var g trigrams
		g.cut([]byte(c.word))
		for trigram := g.next(); trigram != nil; trigram = g.next() {
			all = append(all, string(trigram))
		}
		if got := "[" + strings.Join(all, "|") + "]"; got != c.want {
			t.Errorf("trigrams of %q: %s, want %s", c.word, got, c.want)
		}
		if !slices.Equal(all, oracleGrams(c.word)) {
			t.Errorf("trigrams of %q: %q, want %q", c.word, all, oracleGrams(c.word))
		}
	}
}

func TestSentences(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"one", "one"},
		{"a.b c. d", "a.b c.| d"},
		{"what? yes! no;\nend.", "what?| yes!| no;\n|end."},
		{"\r\n", "\r|\n"},
	} {
		var all []string
		for rest := []byte(c.text); len(rest) > 0; {
			n := sentence(rest)
			all, rest = append(all, string(rest[:n])), rest[n:]
		}
		if got := strings.Join(all, "|"); got != c.want {
			t.Errorf("sentences of %q: %q, want %q", c.text, got, c.want)
		}
	}
}

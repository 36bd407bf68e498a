package words_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "caliper/model/require"
	"caliper/model/words"
)

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

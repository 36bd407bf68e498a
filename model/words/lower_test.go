package words_test

import (
	"strings"
	"testing"
	"unicode"

	"caliper/model/words"
)

func TestLower(t *testing.T) {
	for in, want := range map[string]string{
		"":        "",
		"ÄbC":     "äbc",
		"查詢天氣":    "查询天气",
		"查询天气":    "查询天气",
		"圖書館 PDF": "图书馆 pdf",
		"發 髮":     "发 发",
		"㠏䶧":      "㟆咬",
		"龜苧薴":     "龟苧苧",
		"東京タワー":   "东京タワー",
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

package safetext

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/uax29/v2/graphemes"
	"pgregory.net/rapid"
)

func TestLine(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"line breaks", "a\nb\r\nc\rd", "a⏎b⏎c␍d"},
		{"tab", "a\tb", "a b"},
		{"colour", "\x1b[31mred\x1b[0m", "␛[31mred␛[0m"},
		{"clipboard", "\x1b]52;c;cHduZWQ=\a", "␛]52;c;cHduZWQ=␇"},
		{"C0 and DEL", "\x00\b\v\f\x7f", "␀␈␋␌␡"},
		{"C1", "\u009b31m \u0085", "�31m �"},
		{"C1 as a byte", "\x9b31m", "�31m"},
		{"invalid UTF-8", "bad \xff\xfe bytes", "bad �� bytes"},
		{"surrogate in UTF-8", "\xed\xa0\xbd", "���"},
		{"line separators", "a\u2028b\u2029c", "a�b�c"},
		{"bidi override", "\u202etxt.exe\u202c", "�txt.exe�"},
		{"bidi isolates and marks", "\u2066a\u2069\u200e\u200f\u061c", "�a����"},
		{"zero width", "a\u200bb\u2060c\ufeffd\u00ade", "a�b�c�d�e"},
		{"tags", "a\U000e0069\U000e0067b", "a��b"},
		{"fillers", "a\u3164b\u115fc\u034fd", "a�b�c�d"},
		{"private use", "\ue000\U000f0000", "��"},
		{"noncharacters", "\ufdd0\uffff\U0001ffff", "���"},
		{"unassigned", "\u0378", "�"},
		{"no-break space", "a\u00a0b", "a\u00a0b"},
		{"longest family", "👨\u200d👩\u200d👧\u200d👦", "👨\u200d👩\u200d👧\u200d👦"},
		{"endless family", strings.Repeat("👩\u200d", 6), "👩\u200d👩\u200d👩\u200d👩�👩\u200d👩�"},
		{"kiss", "👩🏻\u200d❤\ufe0f\u200d💋\u200d👩🏿", "👩🏻\u200d❤\ufe0f\u200d💋\u200d👩🏿"},
		{"skin tone alone", "🏽 🏽", "🏽 🏽"},
		{"skin tones", "👍🏽🏽 é🏽", "👍🏽� é�"},
		{"presentation", "❤\ufe0f ⚙\ufe0e", "❤\ufe0f ⚙\ufe0e"},
		{"keycap", "1\ufe0f\u20e3 #\u20e3", "1\ufe0f\u20e3 #\u20e3"},
		{"flag", "🇫🇷", "🇫🇷"},
		{"flag of tags", "🏴\U000e0067\U000e007f", "🏴��"},
		{"selector after a letter", "a\ufe0fb1\ufe0f", "a�b1�"},
		{"selector run", "😀\ufe0f\ufe0f\ufe01\U000e0101", "😀\ufe0f���"},
		{"joiner after a letter", "a\u200db\u200cc", "a�b�c"},
		{"joiner after an emoji", "👩\u200da", "👩�a"},
		{"Persian", "می\u200cخواهم", "می\u200cخواهم"},
		{"Devanagari", "क\u094d\u200dष", "क\u094d\u200dष"},
		{"joiner at the end", "می\u200c", "می�"},
		{"accent", "cafe\u0301", "cafe\u0301"},
		{"zalgo", "a" + strings.Repeat("\u0301", 40) + "b", "a" + strings.Repeat("\u0301", 4) + "�b"},
		{"mark at the start", "\u0301a", "�a"},
		{"mark after a line break", "a\n\u0301", "a⏎\u0301"},
		{"conjunct", "स्त्र्य", "स्त्र्य"},
		{"endless conjunct", strings.Repeat("क\u094d", 7), strings.Repeat("क\u094d", 4) + "क�क\u094dक\u094d"},
		{"Hangul", "한국어 \u1112\u1161\u11ab", "한국어 \u1112\u1161\u11ab"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Line(c.in); got != c.want {
				t.Errorf("Line(%+q)\n got %+q\nwant %+q", c.in, got, c.want)
			}
		})
	}
}

func TestLines(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"lines", "a\nb\n\nc", "a\nb\n\nc"},
		{"CR LF", "a\r\nb\rc", "a\nb␍c"},
		{"tab and escape", "\ta\x1b", " a␛"},
		{"mark at the start of a line", "a\n\u0301b", "a\n�b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Lines(c.in); got != c.want {
				t.Errorf("Lines(%+q) = %+q, want %+q", c.in, got, c.want)
			}
		})
	}
}

// checkSafe fails if a cleaned text could harm a terminal.
func checkSafe(t interface{ Fatalf(string, ...any) }, in, out string, keepLines bool) {
	if !utf8.ValidString(out) {
		t.Fatalf("%+q: not UTF-8: %+q", in, out)
	}
	if again := clean(out, keepLines); again != out {
		t.Fatalf("%+q: not stable: %+q then %+q", in, out, again)
	}
	if in == out && clean(in, keepLines) != in {
		t.Fatalf("%+q: changed", in)
	}
	marks := 0
	for _, r := range out {
		switch {
		case r == '\n' && keepLines:
		case r == zwj || r == zwnj:
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp),
			!unicode.IsGraphic(r) && !isPictograph(r),
			r != '\uFE0E' && r != '\uFE0F' && unicode.Is(unicode.Variation_Selector, r),
			unicode.Is(unicode.Noncharacter_Code_Point, r):
			t.Fatalf("%+q: holds %U: %+q", in, r, out)
		}
		if unicode.In(r, unicode.Mn, unicode.Me) && r != '\uFE0F' && r != '\uFE0E' {
			marks++
		} else {
			marks = 0
		}
		if marks > maxMarks {
			t.Fatalf("%+q: %d marks in a row: %+q", in, marks, out)
		}
	}
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		width := 0
		for g := graphemes.FromString(line); g.Next(); {
			w := ansi.StringWidth(g.Value())
			most := 2
			if g.Value()[0] < utf8.RuneSelf {
				most = 3 // ansi counts an ASCII character and a skin tone after it apart
			}
			if w < 1 || w > most {
				t.Fatalf("%+q: %+q is %d cells wide", in, g.Value(), w)
			}
			if n := utf8.RuneCountInString(g.Value()); n > 32 {
				t.Fatalf("%+q: %d characters join to one: %+q", in, n, g.Value())
			}
			width += w
		}
		if got := ansi.StringWidth(line); got != width {
			t.Fatalf("%+q: %d cells wide, its characters %d", in, got, width)
		}
	}
}

// tricky are characters that change how their neighbours are drawn.
var tricky = []rune("a1#é工 \n\r\t\x00\x1b\x7f\u0085\u009b\u00ad\u0301\u0308\u034f\u061c\u094d\u0915\u0937\u0bcd\u0d4e\u0e33\u1100\u1160\u1161\u11a8" +
	"\u180b\u200b\u200c\u200d\u200e\u2028\u202e\u2060\u2066\u20e3\u3164\ufe00\ufe0e\ufe0f\ufeff\ufff9\ufffd\uffff\ue000ی👩❤🏽🇫🏴©" +
	"\U000e0020\U000e007f\U000e0100\U000111c2\uff76\uff9e")

func TestLineProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.OneOf(
			rapid.StringOf(rapid.SampledFrom(tricky)),
			rapid.String(),
			rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
		).Draw(t, "in")
		line, text := Line(in), Lines(in)
		checkSafe(t, in, line, false)
		checkSafe(t, in, text, true)
		if strings.ContainsAny(line, "\n") {
			t.Fatalf("%+q: a line break in %+q", in, line)
		}
	})
}

// Every code point alone, after a letter and between two emoji. Of the large
// blocks that are all alike, only the edges are tried: ideographs, Hangul
// syllables, private use, and planes without characters.
func TestLineOfEveryCodePoint(t *testing.T) {
	alike := ranges(0x3410, 0x9FE0, 0xAC10, 0xD790, 0xE010, 0xF8F0, 0x17010, 0x18CC0, 0x20010, 0xDFFF0, 0xE0200, 0xEFFF0,
		0xF0010, 0xFFFF0, 0x100010, 0x10FFF0)
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if unicode.Is(alike, r) {
			continue
		}
		for _, in := range []string{string(r), "a" + string(r), "👩" + string(r) + "👩"} {
			checkSafe(t, in, Line(in), false)
		}
	}
}

func TestLineDoesNotAllocate(t *testing.T) {
	for _, s := range []string{"", "plain text, as most is", "naïve 工具 👩\u200d👧 ключ"} {
		if n := testing.AllocsPerRun(10, func() { Line(s) }); n != 0 {
			t.Errorf("Line(%q) allocates %v times", s, n)
		}
	}
}

func FuzzEscapeUnseen(f *testing.F) {
	f.Add([]byte("\"\u202e\x9b\xf3\xa0\x81\x81\""))
	f.Add([]byte("{\n}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		out := EscapeUnseen(text)
		if !utf8.Valid(out) {
			t.Fatalf("%q is not UTF-8", out)
		}
		if bytes.ContainsFunc(out, unseen) {
			t.Fatalf("%q holds what should be escaped", out)
		}
		if json.Valid(text) != json.Valid(out) && !bytes.ContainsAny(text, "\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\x0b\x0c\r\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f") {
			t.Fatalf("%q is JSON or not, unlike %q", out, text)
		}
	})
}

func FuzzLine(f *testing.F) {
	f.Add("plain")
	f.Add("\x1b]8;;http://example.invalid\x1b\\click")
	f.Add(string(tricky))
	f.Fuzz(func(t *testing.T, in string) {
		checkSafe(t, in, Line(in), false)
		checkSafe(t, in, Lines(in), true)
	})
}

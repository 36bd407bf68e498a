package words

import (
	"math"
	"strings"
	"testing"
	"unicode"
)

func TestReadNumbers(t *testing.T) {
	for _, c := range []struct {
		text  string
		float float64
		int   int64
		ok    [2]bool // as a float, as an integer
	}{
		{" 7 ", 7, 7, [2]bool{true, true}}, {"+7", 7, 7, [2]bool{true, true}}, {"-7", -7, -7, [2]bool{true, true}}, {"1_0", 10, 10, [2]bool{true, true}},
		{"010", 10, 10, [2]bool{true, true}}, {"\u00a0٧\u2007", 7, 7, [2]bool{true, true}}, {"१२", 12, 12, [2]bool{true, true}},
		{"7.5", 7.5, 0, [2]bool{true, false}}, {"1e1", 10, 0, [2]bool{true, false}}, {"1E-1", .1, 0, [2]bool{true, false}}, {".5", .5, 0, [2]bool{true, false}},
		{"-INF", math.Inf(-1), 0, [2]bool{true, false}}, {"Infinity", math.Inf(1), 0, [2]bool{true, false}}, {"1e400", math.Inf(1), 0, [2]bool{true, false}}, {"-1e400", math.Inf(-1), 0, [2]bool{true, false}},
		{"", 0, 0, [2]bool{}}, {"+", 0, 0, [2]bool{}}, {"+-7", 0, 0, [2]bool{}}, {"_7", 0, 0, [2]bool{}}, {"7_", 0, 0, [2]bool{}}, {"1__0", 0, 0, [2]bool{}},
		{"1_.5", 0, 0, [2]bool{}}, {"0x10", 0, 0, [2]bool{}}, {"0x1p4", 0, 0, [2]bool{}}, {"1 0", 0, 0, [2]bool{}}, {"\x1c7", 0, 0, [2]bool{}}, {"7%", 0, 0, [2]bool{}},
		{"9999999999999999999999", 9999999999999999999999, math.MaxInt64, [2]bool{true, true}}, {strings.Repeat("1", 4301), math.Inf(1), 0, [2]bool{true, false}},
	} {
		f, ok := PythonFloat(c.text)
		if ok != c.ok[0] || ok && f != c.float {
			t.Errorf("%.40q: %v, %v as a float", c.text, f, ok)
		}
		n, ok := PythonInt(c.text)
		if ok != c.ok[1] || ok && n != c.int {
			t.Errorf("%.40q: %v, %v as an integer", c.text, n, ok)
		}
	}
	if f, ok := PythonFloat("+NaN"); !ok || !math.IsNaN(f) {
		t.Errorf("+NaN: %v, %v", f, ok)
	}
}

// TestFloatText: floats as json.dumps of Python writes them.
func TestFloatText(t *testing.T) {
	for want, f := range map[string]float64{
		"0.0": 0, "1.0": 1, "-2.5": -2.5, "0.1": .1, "0.0001": 1e-4, "9.999e-05": 9.999e-5, "1e-05": 1e-5, "-1e-05": -1e-5, "5e-324": 5e-324,
		"9999999999999998.0": 9999999999999998, "1e+16": 1e16, "-1.5e+300": -1.5e300, "NaN": math.NaN(), "Infinity": math.Inf(1), "-Infinity": math.Inf(-1),
	} {
		if got := PythonFloatText(f); got != want {
			t.Errorf("%v: %s, want %s", f, got, want)
		}
	}
	for text, want := range map[rune]bool{'a': true, '_': true, 'é': true, '7': true, '٧': true, '½': true, '-': false, ' ': false, '.': false} {
		if PythonWord(text) != want {
			t.Errorf("%q is of a word: %v", text, !want)
		}
	}
}

// TestDigits checks what digitOf assumes about Unicode.
func TestDigits(t *testing.T) {
	for _, x := range unicode.Nd.R16 {
		if x.Stride != 1 || (x.Hi-x.Lo+1)%10 != 0 {
			t.Errorf("%+v", x)
		}
	}
	for _, x := range unicode.Nd.R32 {
		if x.Stride != 1 || (x.Hi-x.Lo+1)%10 != 0 {
			t.Errorf("%+v", x)
		}
	}
	for i, r := range []rune("𝟘𝟙𝟚𝟛𝟜𝟝𝟞𝟟𝟠𝟡") {
		if digitOf(r) != i {
			t.Errorf("%c: %d", r, digitOf(r))
		}
	}
	if digitOf('x') != -1 || digitOf('Ⅷ') != -1 {
		t.Error("a letter is a digit")
	}
}

func TestStrip(t *testing.T) {
	for text, want := range map[string]string{
		" a b\n": "a b", "\x1c\x1fa\x1d": "a", "\u00a0\u2028\u3000a\u0085": "a", "\u200ba": "\u200ba", "": "",
	} {
		if got := Strip(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// TestAppendQuoted holds the quotes and escapes to Python's repr.
func TestAppendQuoted(t *testing.T) {
	for text, want := range map[string]string{
		"": `''`, "dock": `'dock'`, "it's": `"it's"`, `say "it's"`: `'say "it\'s"'`, `say "so"`: `'say "so"'`, `C:\x`: `'C:\\x'`,
		"a\nb\rc\td": `'a\nb\rc\td'`, "é 日": `'é 日'`, "\x1b\u00a0": `'\x1b\xa0'`, "\u200b": `'\u200b'`, "\U000e0041": `'\U000e0041'`,
	} {
		var b strings.Builder
		if AppendPythonQuoted(&b, text); b.String() != want {
			t.Errorf("%q: %s, want %s", text, b.String(), want)
		}
	}
}

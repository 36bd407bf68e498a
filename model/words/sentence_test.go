package words

import (
	"math"
	"strings"
	"testing"
	"unicode"
)

func TestAnd(t *testing.T) {
	for want, list := range map[string][]string{"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b and c": {"a", "b", "c"}} {
		if got := And(list); got != want {
			t.Errorf("%q: %q, want %q", list, got, want)
		}
	}
}

func TestCapitalized(t *testing.T) {
	for text, want := range map[string]string{"": "", "mention it": "Mention it", "élan": "Élan", "\xff": "\xff"} {
		if got := Capitalized(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int]string{0: "0 bytes", 1: "1 byte", 999: "999 bytes", 1000: "1.0 kB", 12_345: "12.3 kB", 1_000_000: "1.0 MB", 74_994_000: "75.0 MB"} {
		if got := Size(n); got != want {
			t.Errorf("%d bytes are %q, want %q", n, got, want)
		}
	}
}

// TestAppendLetters: letters and digits of any script stay.
func TestAppendLetters(t *testing.T) {
	for in, want := range map[string]string{"": "", "a-b 9\x7f_Z": "ab9Z", "\x80a\xffb": "ab", "\u00e9\u2014\u4e16!": "\u00e9\u4e16", "\uFFFD": ""} {
		if got := string(AppendLetters([]byte(">"), in)); got != ">"+want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
		for letters, has := range map[string]bool{want: true, want + "x": false, "x" + want: false, strings.TrimSuffix(want, "b"): !strings.HasSuffix(want, "b")} {
			if HasLetters(in, []byte(letters)) != has {
				t.Errorf("%q has the letters %q: %v", in, letters, !has)
			}
		}
		lower := strings.Map(Lower, strings.ToValidUTF8(in, "\uFFFD"))
		if got := string(AppendLower([]byte(">"), in)); got != ">"+lower {
			t.Errorf("%q in lower case: %q, want %q", in, got, lower)
		}
	}
	other := "x"
	Replacement.Store(&other)
	if got := Message("a") + Message(""); got != "x" {
		t.Errorf("replaced: %q", got)
	}
	if Replacement.Store(nil); Message("a")+Message("") != "a" {
		t.Error("a sentence is not as it is")
	}
}

func TestFirst(t *testing.T) {
	tests := []struct {
		name, text, first, clip string
		n                       int
	}{
		{"shorter", "ab", "ab", "ab", 3},
		{"as long", "äöü", "äöü", "äöü", 3},
		{"longer", "äöüß", "äöü", "äöü…", 3},
		{"bytes that are no text count one each", "\xff\xfe\xfdx", "\xff\xfe\xfd", "\xff\xfe\xfd…", 3},
		{"nothing", "ab", "", "…", 0},
		{"less than nothing", "ab", "", "…", -1},
		{"empty", "", "", "", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := First(test.text, test.n); got != test.first {
				t.Errorf("First: %q, want %q", got, test.first)
			}
			if got := Clip(test.text, test.n); got != test.clip {
				t.Errorf("Clip: %q, want %q", got, test.clip)
			}
		})
	}
}

// Case, punctuation and spaces do not tell names apart; all beyond ASCII does.
func TestFoldRune(t *testing.T) {
	for name, want := range map[string]string{"aAz-09_zA .": "aaz09za", "\u0080É日": "\u0080É日", "@[`{/:": "", "": ""} {
		if got := strings.Map(FoldRune, name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestLazyRegexp(t *testing.T) {
	digits := LazyRegexp(`^\d+$`)
	if !digits().MatchString("12") || digits().MatchString("x") {
		t.Error("another expression")
	}
	if first, again := digits(), digits(); first != again {
		t.Error("compiled twice")
	}
	wrong := LazyRegexp(`(`)
	defer func() {
		if recover() == nil {
			t.Error("a wrong expression passes")
		}
	}()
	wrong()
}

func FuzzGlob(f *testing.F) {
	for _, seed := range [][2]string{{"[!r]*", "read"}, {"{a,b*}", "bc"}, {`\`, ""}, {"[]-a]", "_"}, {"{[,}],\xff}", "\xff"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		g, err := CompileGlob(text)
		if (g == nil) != (err != nil) {
			t.Fatalf("%q: %v, %v", text, g, err)
		}
		if err != nil {
			return
		}
		matches := g.Match(name)
		if !strings.ContainsAny(text, `*?[]{}\`) && matches != (text == name) {
			t.Fatalf("%q matches %q: %v", text, name, matches)
		}
		// A glob in braces, beside one that has nothing, is the same glob.
		if len(text) < longest-8 {
			if braces, err := CompileGlob("{" + strings.Join([]string{"x[!a-b]y", text}, ",") + "}"); err == nil && matches && !braces.Match(name) && !strings.Contains(text, ",") {
				t.Fatalf("{%q} does not match %q", text, name)
			}
			if all, err := CompileGlob("*" + text + "*"); err != nil || matches && !all.Match("x"+name+"/") {
				t.Fatalf("*%q* does not match %q: %v", text, name, err)
			}
		}
		// A name that is written as a glob matches itself alone.
		var quoted strings.Builder
		for i := range len(name) {
			if name[i] < 0x80 {
				quoted.WriteByte('\\')
			}
			quoted.WriteByte(name[i])
		}
		if quoted.Len() <= longest {
			own, err := CompileGlob(quoted.String())
			if err != nil || !own.Match(name) || own.Match(name+"x") || text != name && own.Match(text) {
				t.Fatalf("%q as a glob: %v", name, err)
			}
		}
	})
}

func TestReadNumbers(t *testing.T) {
	for _, c := range []struct {
		text  string
		float float64
		int   int64
		ok    [2]bool // as a float, as an integer
	}{
		{" 7 ", 7, 7, [2]bool{true, true}}, {"+7", 7, 7, [2]bool{true, true}}, {"-7", -7, -7, [2]bool{true, true}}, {"1_0", 10, 10, [2]bool{true, true}},
		{"010", 10, 10, [2]bool{true, true}}, {"\u00a0٧\u2007", 7, 7, [2]bool{true, true}}, {"१०", 10, 10, [2]bool{true, true}},
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

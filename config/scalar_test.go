package config

import (
	"math"
	"strings"
	"testing"
	"unicode"
)

func TestPlainScalars(t *testing.T) {
	for _, c := range []struct {
		text  string
		kind  kind
		float float64
	}{
		{"", null, 0}, {"~", null, 0}, {"NULL", null, 0}, {"nULL", text, 0},
		{"yes", boolean, 0}, {"Off", boolean, 0}, {"y", text, 0}, {"oN", text, 0}, {"TRUE", boolean, 0},
		{"0", integer, 0}, {"-0", integer, 0}, {"+6", integer, 6}, {"12_3", integer, 123},
		{"010", integer, 8}, {"-010", integer, -8}, {"0_7", integer, 7}, {"09", text, 0}, {"0o7", text, 0}, {"00", integer, 0},
		{"0x1F", integer, 31}, {"-0x1f", integer, -31}, {"0X1F", text, 0}, {"0b101", integer, 5},
		{"1:30", integer, 90}, {"-1:30", integer, -90}, {"1:60", text, 0}, {"0:30", text, 0}, {"190:20:30", integer, 685230},
		{"1:30.5", decimal, 90.5}, {"0:30.5", decimal, 30.5},
		{"1.5", decimal, 1.5}, {"1.", decimal, 1}, {".5", decimal, .5}, {"-.5", text, 0}, {"1_0._5", decimal, 10.5},
		{"1e1", text, 0}, {"1.0e1", text, 0}, {"1.0e+1", decimal, 10}, {"1.e-1", decimal, .1}, {"1.0e+400", decimal, math.Inf(1)},
		{".inf", decimal, math.Inf(1)}, {"-.INF", decimal, math.Inf(-1)}, {"inf", text, 0}, {".nAn", text, 0},
		{"2026-01-02", date, 0}, {"2026-1-2", text, 0}, {"2026-1-2 3:04:05", date, 0}, {"2026-01-02T03:04:05.6Z", date, 0},
		{"<<", special, 0}, {"=", special, 0}, {"-", text, 0}, {"_1", text, 0}, {"1 2", text, 0},
		{"9223372036854775807", integer, math.MaxInt64}, {strings.Repeat("9", 309), integer, math.Inf(1)},
		{"-" + strings.Repeat("9", 4300), integer, math.Inf(-1)}, {"0x" + strings.Repeat("f", 5000), integer, math.Inf(1)},
		{"1" + strings.Repeat(":0", 5000), integer, math.Inf(1)}, {"0" + strings.Repeat("0", 5000) + "7", integer, 7},
	} {
		v, problem := resolvePlain(c.text)
		if v.kind != c.kind || v.float != c.float || problem != "" {
			t.Errorf("%.40s: kind %d, %v, %q; want kind %d, %v", c.text, v.kind, v.float, problem, c.kind, c.float)
		}
	}
	if v, _ := resolvePlain(".nan"); v.kind != decimal || !math.IsNaN(v.float) {
		t.Errorf(".nan: %+v", v)
	}
	for _, s := range []string{"yes", "On", "TRUE"} {
		if v, _ := resolvePlain(s); !v.yes {
			t.Errorf("%s is not true", s)
		}
	}
}

func TestIntegersSaturate(t *testing.T) {
	for text, want := range map[string]int64{
		"9223372036854775806": math.MaxInt64 - 1, "9223372036854775808": math.MaxInt64, "-9223372036854775808": math.MinInt64,
		"-9223372036854775809": math.MinInt64, "0xFFFFFFFFFFFFFFFFFFFF": math.MaxInt64, "9007199254740993": 9007199254740993,
	} {
		if v, _ := resolvePlain(text); v.int != want {
			t.Errorf("%s: %d, want %d", text, v.int, want)
		}
	}
}

// TestUnloadable has what the reference's loader cannot construct, so that the
// agent would start without any of the file.
func TestUnloadable(t *testing.T) {
	for _, c := range []struct{ yaml, at string }{
		{"a: 2026-02-30\n", "1:4"}, {"a: 2026-13-01\n", "1:4"}, {"a: 0000-01-01\n", "1:4"},
		{"a: 2026-01-02 24:00:00\n", "1:4"}, {"a: 2026-01-02 10:00:00 +24:00\n", "1:4"},
		{"a: 0b_\n", "1:4"}, {"a: 0x__\n", "1:4"}, {"a: " + strings.Repeat("1", 4301) + "\n", "1:4"},
		{"a: 1:" + strings.Repeat("0:", 200) + "0.5\n", "1:4"},
		{"a: =\n", "1:4"}, {"a: <<\n", "1:4"}, {"a:\n  b: !vault x\n", "2:6"}, {"a: !vault {b: 1}\n", "1:4"}, {"a: !vault [b]\n", "1:4"},
		{"a: !!int x\n", "1:4"}, {"a: !!float x\n", "1:4"}, {"a: !!bool maybe\n", "1:4"}, {"a: !!timestamp x\n", "1:4"}, {"a: !!map x\n", "1:4"},
		{"a: !!seq {}\n", "1:4"}, {"a: !!map []\n", "1:4"}, {"a: !%1b x\n", "1:4"},
		{"[a]: 1\n", "1:1"}, {"x: 1\n? {a: b}\n: 1\n", "2:3"}, {"<<: 5\n", "1:5"}, {"a: {<<: [{}, 5]}\n", "1:9"},
		{"a: &x 1\nb: &x 2\n", "2:4"}, {"a:\tb\n", "1:3"}, {"a: b\tc\n", "1:5"}, {"a: b\t\n", "1:5"}, {"- a\n-\tb\n", "2:2"}, {"a\t: b\n", "1:2"},
	} {
		f, err := Parse("", []byte(c.yaml))
		checkFile(t, f, err)
		if err == nil {
			t.Errorf("%.60q: accepted", c.yaml)
			continue
		}
		if got := err.Error(); !strings.HasPrefix(got, c.at+": ") {
			t.Errorf("%.60q: %s, want %s", c.yaml, got, c.at)
		}
	}
	for _, yaml := range []string{
		"=: 1\n", "? a\n: b\n", "'<<': 5\n", "a: !!set {b, c}\n", "a: !!omap [b: 1]\n", "a: !!binary aGk=\n", "a: &x [*x]\n", "<<: {b: 1}\n", "<<: []\n",
		"a: !!null x\n", "a: 2024-02-29\n", "a: \"b\tc\"\n", "a: |\n  b\tc\n  \td\n", "# a\tb\n", "a: !!int ' 7 '\n", "&t a: 1\n", "tools: &t {<<: *t}\n",
	} {
		f, err := Parse("", []byte(yaml))
		checkFile(t, f, err)
		if err != nil || len(said(f.Warnings)) > 0 {
			t.Errorf("%q: %v %v", yaml, err, f.Warnings)
		}
	}
}

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
		{"-INF", math.Inf(-1), 0, [2]bool{true, false}}, {"Infinity", math.Inf(1), 0, [2]bool{true, false}}, {"1e400", math.Inf(1), 0, [2]bool{true, false}},
		{"", 0, 0, [2]bool{}}, {"+", 0, 0, [2]bool{}}, {"+-7", 0, 0, [2]bool{}}, {"_7", 0, 0, [2]bool{}}, {"7_", 0, 0, [2]bool{}}, {"1__0", 0, 0, [2]bool{}},
		{"1_.5", 0, 0, [2]bool{}}, {"0x10", 0, 0, [2]bool{}}, {"0x1p4", 0, 0, [2]bool{}}, {"1 0", 0, 0, [2]bool{}}, {"\x1c7", 0, 0, [2]bool{}}, {"7%", 0, 0, [2]bool{}},
		{"9999999999999999999999", 9999999999999999999999, math.MaxInt64, [2]bool{true, true}}, {strings.Repeat("1", 4301), math.Inf(1), 0, [2]bool{true, false}},
	} {
		f, ok := readFloat(c.text)
		if ok != c.ok[0] || ok && f != c.float {
			t.Errorf("%.40q: %v, %v as a float", c.text, f, ok)
		}
		n, ok := readInt(c.text)
		if ok != c.ok[1] || ok && n != c.int {
			t.Errorf("%.40q: %v, %v as an integer", c.text, n, ok)
		}
	}
	if f, ok := readFloat("+NaN"); !ok || !math.IsNaN(f) {
		t.Errorf("+NaN: %v, %v", f, ok)
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

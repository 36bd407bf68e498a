package yamltext

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"caliper/model/jsontree"
	"caliper/model/require"
)

func TestJSON(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, yaml, want string }{
		{"order and kinds", "b: 1\na: [x, 'y', \"z\\n\", null, ~, true, yes, 1.50, 0x10, 1_000, .inf, 2020-01-01]\n", `{"b":1,"a":["x","y","z\n",null,null,true,"yes",1.50,16,1000,".inf","2020-01-01"]}`},
		{"keys are texts", "200: a\ntrue: b\n? [x]\n: c\n", `{"200":"a","true":"b","":"c"}`},
		{"blocks", "a: |\n  one\n  two\nb: >\n  one\n  two\n", `{"a":"one\ntwo\n","b":"one two\n"}`},
		{"aliases", "a: &x [1, yes]\nb: *x\n", `{"a":[1,"yes"],"b":[1,"yes"]}`},
		{"merges", "a: &a {k: 1, l: 2}\nb: &b {l: 3, m: 4}\nc:\n  l: 0\n  <<: [*a, *b]\n", `{"a":{"k":1,"l":2},"b":{"l":3,"m":4},"c":{"l":0,"k":1,"m":4}}`},
		{"repeated names stay", "a: 1\na: 2\n", `{"a":1,"a":2}`},
		{"version", "# ours\n%YAML 1.2\n---\na: '%YAML 1.2'\n", `{"a":"%YAML 1.2"}`},
		{"documents", "---\na: 1\n---\nb: 2\n", "{\"a\":1}\n{\"b\":2}"},
		{"byte order mark", "\uFEFFa: ä\n", `{"a":"ä"}`},
		{"long numbers", "a: 123456789012345678901234567890\nb: -0.0\nc: 1e5\nd: 007\n", `{"a":123456789012345678901234567890,"b":-0.0,"c":1e5,"d":7}`},
		{"floats of YAML", "a: 1_0.5\nb: .5\nc: -.INF\nd: .nan\ne: !!float 7\nf: !!int '0o17'\n", `{"a":10.5,"b":0.5,"c":"-.INF","d":".nan","e":7,"f":15}`},
		{"keys that are aliases", "a: &k x\nb: {*k : 1, <<: 7}\n", `{"a":"x","b":{"x":1}}`},
	} {
		text, fault := JSON(jsontree.NewText([]byte(c.yaml)))
		if fault != nil || strings.TrimSpace(string(text.Data)) != c.want {
			t.Errorf("%s: %v, %s, want %s", c.name, fault, text.Data, c.want)
		}
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	bomb := "a: &a [1,1,1,1,1,1,1,1,1]\n"
	for c := 'b'; c < 'j'; c++ {
		bomb += string(c) + ": &" + string(c) + " [" + strings.Repeat("*"+string(c-1)+",", 9) + "]\n"
	}
	for _, c := range []struct {
		name, yaml, code string
		at               int
	}{
		{"syntax", "a: 1\nb: *sesame\n", Syntax, 0},
		{"in the third line", "a:\n  b: 1\n\tc: 2\n", Syntax, 3},
		{"empty", "# nothing\n", Empty, 0},
		{"bomb", bomb, Deep, -1},
		{"in itself", "a: &a\n  b: *a\n", Deep, -1},
		{"merges itself", "a: &a\n  <<: *a\n", Deep, -1},
		{"deep", strings.Repeat("[", 300) + strings.Repeat("]", 300), Deep, -1},
	} {
		_, fault := JSON(jsontree.NewText([]byte(c.yaml)))
		if fault == nil || fault.Code != c.code || c.at >= 0 && fault.At != c.at || strings.Contains(fault.Message, "sesame") {
			t.Errorf("%s: %+v", c.name, fault)
		}
	}
}

// Long lines take no longer than others.
func TestLongLines(t *testing.T) {
	t.Parallel()
	long := "a: [" + strings.Repeat("ä, ", 100_000) + "end]"
	text, fault := JSON(jsontree.NewText([]byte(long)))
	if fault != nil {
		t.Fatal(fault)
	}
	if got, want := text.Origin(strings.Index(string(text.Data), `"end`)), strings.Index(long, "end"); got != want {
		t.Errorf("the end is at %d, want %d", got, want)
	}
}

// What is as large as the limits passes, and what is larger by one does not.
func TestLimits(t *testing.T) {
	t.Parallel()
	times := func(n int, text string) string { return "a: &a " + text + "\nb: [" + strings.Repeat("*a,", n) + "]" }
	for _, c := range []struct {
		name string
		make func(n int) string
		most int
	}{
		{"depth", func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }, 201},
		{"aliases", func(n int) string { return times(n, "1") }, 1 << 17},
		{"bytes", func(n int) string { return times(n, strings.Repeat("x", 100_000)) }, 171},
	} {
		_, fits := JSON(jsontree.NewText([]byte(c.make(c.most))))
		_, fault := JSON(jsontree.NewText([]byte(c.make(c.most + 1))))
		if fits != nil || fault == nil || fault.Code != Deep {
			t.Errorf("%s: %v and %v", c.name, fits, fault)
		}
	}
}

// Offsets lead to the values and keys of the YAML, behind wide characters too.
func TestOrigin(t *testing.T) {
	t.Parallel()
	yaml := "# first\nä: {ü: one}\nb:\n  - two\n"
	text, fault := JSON(jsontree.NewText([]byte(yaml)))
	if fault != nil {
		t.Fatal(fault)
	}
	for _, word := range []string{"ä", "ü", "one", "b", "two"} {
		if got, want := text.Origin(strings.Index(string(text.Data), `"`+word)), strings.Index(yaml, word); word != "b" && got != want {
			t.Errorf("%s is at %d, want %d", word, got, want)
		}
	}
}

func FuzzJSON(f *testing.F) {
	for _, seed := range []string{"a: &x [1, yes]\nb: *x\n", "a: {<<: {b: 1}, b: 2}\n", "---\n- |\n x\n--- !t\n? k\n: v\n", "a: &a\n  <<: *a\n", "\"\\ud800\": \xff"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		text, fault := JSON(jsontree.NewText(data))
		if fault != nil {
			if fault.At < 0 || fault.At > len(data) {
				t.Fatalf("%+v", fault)
			}
			return
		}
		for line := range strings.Lines(string(text.Data)) {
			if !json.Valid([]byte(line)) {
				t.Fatalf("%q becomes %q", data, line)
			}
		}
		for at := range text.Data {
			if o := text.Origin(at); o < 0 || o > len(data) {
				t.Fatalf("offset %d leads to %d of %d", at, o, len(data))
			}
		}
	})
}

func TestDirectives(t *testing.T) {
	const body = "a: 3\n"
	for _, c := range []struct {
		name, yaml string
		want       float64 // 0: refused
	}{
		{"version 1.1", "%YAML 1.1\n---\n" + body, 3},
		{"version 1.2", "%YAML 1.2\n---\n" + body, 3},
		{"version 1.12", "%YAML 1.12\n---\n" + body, 3},
		{"after comments and blank lines", "# a\n\n  # b\n%YAML  1.2 # c\n# d\n---\n" + body, 3},
		{"other line breaks", "%YAML 1.2\r\n---\r\n" + body, 3},
		{"NEL", "%YAML 1.2\u0085---\n" + body, 3},
		{"with a tag", "%YAML 1.2\n%TAG !x! tag:yaml.org,2002:\n---\na: !x!int 3\n", 3},
		{"LS", "%YAML 1.2\u2028---\n" + body, 3},
		{"an unknown directive", "%FOO bar % baz\n---\n" + body, 3},
		{"unknown ones without arguments", "%FOO\r\n%BAR\n---\n" + body, 3},
		{"an unknown directive and a tab", "%FOO\tbar\n---\n" + body, 0},
		{"no document", "%YAML 1.2\n", 0},
		{"YAML 1.1 rules all the same", "%YAML 1.2\n---\na: 010\n", 8},
		{"version 2.0", "%YAML 2.0\n---\n" + body, 0},
		{"no version", "%YAML\n---\n" + body, 0},
		{"twice", "%YAML 1.2\n%YAML 1.1\n---\n" + body, 0},
		{"no document start", "%YAML 1.2\n" + body, 0},
		{"no name", "%\n---\n" + body, 0},
		{"after a line of one character", "{\n%FOO bar\na: 3}\n", 0},
		{"in a value", "a: 3\nb:\n    - |\n     a\n%YAML 1.2\n", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, data := 0.0, []byte(c.yaml)
			d, err := Load("c.yaml", data)
			if err == nil {
				v, _ := Resolve(Entries(d.Root)[0].Val)
				got = v.Float
			}
			if got != c.want || string(data) != c.yaml {
				t.Errorf("a is %v, error %v; want %v; the file is %q", got, err, c.want, data)
			}
		})
	}
}

func TestFrontMatter(t *testing.T) {
	long := "---\n" + strings.Repeat("x", MaxSize-8)
	for _, c := range []struct {
		name, data, front string
		ok                bool
	}{
		{"nothing", "", "", false},
		{"no fence", "a: 1\n---\n", "", false},
		{"one fence", "---\na: 1\n", "", false},
		{"two", "---\na: 1\n---\nb\n", "---\na: 1\n", true},
		{"nothing between", "---\n---", "---\n", true},
		{"a mark, blanks and carriage returns", "\ufeff--- \t\r\na: 1\r\n---\r\n", "--- \t\r\na: 1\r\n", true},
		{"an indented fence is none", "---\n ---\n", "", false},
		{"an empty line at the top", "\n---\n---\n", "", false},
		{"as large as is looked at", long + "\n---", long + "\n", true},
		{"larger", long + "x\n---", "", false},
	} {
		if front, ok := FrontMatter([]byte(c.data)); string(front) != c.front || ok != c.ok {
			t.Errorf("%s: %.40q, %v", c.name, front, ok)
		}
	}
}

// keys returns the entries of the first value of a file, as name=value.
func keys(t *testing.T, text string) string {
	t.Helper()
	d, err := Load("", []byte(text))
	require.NoError(t, err)
	all := Entries(d.Root)
	var out []string
	for _, e := range Entries(all[len(all)-1].Val) {
		name := e.Name
		if !e.IsText {
			name = "(" + name + ")"
		}
		if e.First != nil {
			name += "!"
		}
		v, _ := Resolve(e.Val)
		out = append(out, name+"="+v.Source())
	}
	return strings.Join(out, " ")
}

func TestEntries(t *testing.T) {
	for _, c := range []struct{ name, yaml, want string }{
		{"in order", "m: {b: 1, a: 2}", "b=1 a=2"},
		{"the last of two, at the place of the first", "m: {a: 1, b: 2, a: 3}", "a!=3 b=2"},
		{"a number is not a text", "m: {1: a, '1': b}", "(1)=a 1=b"},
		{"a boolean is not a text", "m: {on: a, 'on': b}", "(on)=a on=b"},
		{"a merged mapping comes first", "m: {b: 1, <<: {a: 2}}", "a=2 b=1"},
		{"the mapping wins over a merged one", "m: {<<: {a: 1}, a: 2}", "a=2"},
		{"a later merge wins", "m: {<<: {a: 1}, b: 0, <<: {a: 2}}", "a=2 b=0"},
		{"the first of a list wins", "m: {<<: [{a: 1}, {a: 2, c: 3}]}", "a=1 c=3"},
		{"an alias", "x: &x {a: 1}\nm: {<<: *x, b: 2}", "a=1 b=2"},
		{"an alias of a list", "x: &x [{a: 1}, {b: 2}]\nm: {<<: *x}", "b=2 a=1"},
		{"merged in turn", "x: &x {a: 1}\ny: &y {<<: *x, b: 2}\nm: {<<: *y, c: 3}", "a=1 b=2 c=3"},
		{"the same mapping twice", "x: &x {a: 1}\nm: {<<: [*x, *x]}", "a=1"},
		{"a mapping that merges itself", "m: &m {a: 1, <<: *m}", "a=1"},
		{"no mapping", "m: [a]", ""},
	} {
		if got := keys(t, c.yaml); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestPlace(t *testing.T) {
	for text, want := range map[string]string{"a:": "a", "a: b": "b", "a: ''": "", "a: |\n  ": ""} {
		d, err := Load("", []byte(text))
		require.NoError(t, err)
		if got := Entries(d.Root)[0].Place().Value; got != want {
			t.Errorf("%q: the place of %q, want %q", text, got, want)
		}
	}
}

func TestSource(t *testing.T) {
	for _, c := range []struct{ yaml, want string }{
		{"plain text", "plain text"}, {"'it''s'", `"it's"`}, {"~", "null"}, {"", "null"}, {"0x1F", "0x1F"},
		{"[a, 'b', 3]", `[a, "b", 3]`}, {"{a: 1, b: [c]}", "{a: 1, b: [c]}"}, {"- a\n- b: c", "[a, {b: c}]"},
		{"[[[[[a]]]]]", "[[[[…]]]]"}, {"[]", "[]"}, {"{}", "{}"}, {"&x [*x]", "[[[[…]]]]"},
		{"[" + strings.Repeat("aaaa, ", 200) + "b]", "[" + strings.Repeat("aaaa, ", 13) + "a…"},
	} {
		d, err := Load("", []byte(c.yaml))
		if err != nil {
			t.Fatal(c.yaml, err)
		}
		v := Value{}
		if d.Root != nil {
			v, _ = Resolve(d.Root)
		}
		if got := v.Source(); got != c.want {
			t.Errorf("%.40q: %s, want %s", c.yaml, got, c.want)
		}
	}
}

// TestJoin: names on a path are quoted where they could be read as two, or as none.
func TestJoin(t *testing.T) {
	for _, c := range [][3]string{{"", "a", "a"}, {"a", "b", "a.b"}, {"a", "", `a.""`}, {"a", "b.c", `a."b.c"`}, {"", "b c", `"b c"`}, {"a", "[0]", `a."[0]"`}, {"a", `it's`, `a."it's"`}} {
		if got := Join(c[0], c[1]); got != c[2] {
			t.Errorf("%s, want %s", got, c[2])
		}
	}
	d, err := Load("f", []byte("é: x\nb: &l [1, yes, 'no', ~]\nc: *l\n"))
	require.NoError(t, err)
	for i, place := range [][2]int{{1, 1}, {2, 1}, {3, 1}} {
		e := Entries(d.Root)[i]
		if line, col := d.Position(e.Key); line != place[0] || col != place[1] {
			t.Errorf("%s is at %d:%d", e.Name, line, col)
		}
		if i == 0 {
			continue
		}
		var items []string
		for _, v := range Items(e.Val) {
			items = append(items, v.Source())
		}
		if strings.Join(items, " ") != `1 yes "no" null` {
			t.Errorf("%s has the items %q", e.Name, items)
		}
	}
}

func TestPlainScalars(t *testing.T) {
	for _, c := range []struct {
		text  string
		kind  Kind
		float float64
	}{
		{"", Null, 0}, {"~", Null, 0}, {"NULL", Null, 0}, {"nULL", Text, 0},
		{"yes", Boolean, 0}, {"Off", Boolean, 0}, {"y", Text, 0}, {"oN", Text, 0}, {"TRUE", Boolean, 0},
		{"0", Integer, 0}, {"-0", Integer, 0}, {"+6", Integer, 6}, {"12_3", Integer, 123},
		{"010", Integer, 8}, {"-010", Integer, -8}, {"0_7", Integer, 7}, {"09", Text, 0}, {"0o7", Text, 0}, {"00", Integer, 0},
		{"0x1F", Integer, 31}, {"-0x1f", Integer, -31}, {"0X1F", Text, 0}, {"0b101", Integer, 5},
		{"1:30", Integer, 90}, {"-1:30", Integer, -90}, {"1:60", Text, 0}, {"0:30", Text, 0}, {"190:20:30", Integer, 685230},
		{"-1.5", Decimal, -1.5}, {"1:30.5", Decimal, 90.5}, {"0:30.5", Decimal, 30.5},
		{"1.5", Decimal, 1.5}, {"1.", Decimal, 1}, {".5", Decimal, .5}, {"-.5", Text, 0}, {"1_0._5", Decimal, 10.5},
		{"1e1", Text, 0}, {"1.0e1", Text, 0}, {"1.0e+1", Decimal, 10}, {"1.e-1", Decimal, .1}, {"1.0e+400", Decimal, math.Inf(1)},
		{".inf", Decimal, math.Inf(1)}, {"-.INF", Decimal, math.Inf(-1)}, {"inf", Text, 0}, {".nAn", Text, 0},
		{"2026-01-02", Date, 0}, {"2026-1-2", Text, 0}, {"2026-1-2 3:04:05", Date, 0}, {"2026-01-02T03:04:05.6Z", Date, 0},
		{"<<", Special, 0}, {"=", Special, 0}, {"-", Text, 0}, {"_1", Text, 0}, {"1 2", Text, 0},
		{"9223372036854775807", Integer, math.MaxInt64}, {strings.Repeat("9", 309), Integer, math.Inf(1)},
		{"-" + strings.Repeat("9", 4300), Integer, math.Inf(-1)}, {"0x" + strings.Repeat("f", 5000), Integer, math.Inf(1)},
		{"1" + strings.Repeat(":0", 5000), Integer, math.Inf(1)}, {"0" + strings.Repeat("0", 5000) + "7", Integer, 7},
	} {
		v, problem := Plain(c.text)
		if v.Kind != c.kind || v.Float != c.float || problem != "" {
			t.Errorf("%.40s: kind %d, %v, %q; want kind %d, %v", c.text, v.Kind, v.Float, problem, c.kind, c.float)
		}
	}
	if v, _ := Plain(".nan"); v.Kind != Decimal || !math.IsNaN(v.Float) {
		t.Errorf(".nan: %+v", v)
	}
	for _, s := range []string{"yes", "On", "TRUE"} {
		if v, _ := Plain(s); !v.Yes {
			t.Errorf("%s is not true", s)
		}
	}
}

func TestIntegersSaturate(t *testing.T) {
	for text, want := range map[string]int64{
		"9223372036854775806": math.MaxInt64 - 1, "9223372036854775808": math.MaxInt64, "-9223372036854775808": math.MinInt64,
		"-9223372036854775809": math.MinInt64, "0xFFFFFFFFFFFFFFFFFFFF": math.MaxInt64, "9007199254740993": 9007199254740993,
	} {
		if v, _ := Plain(text); v.Int != want {
			t.Errorf("%s: %d, want %d", text, v.Int, want)
		}
	}
}

func TestTruthy(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "~": false, "no": false, "yes": true, "0": false, "2": true, "0.0": false, ".nan": true, "''": false, "'no'": true,
		"x": true, "2026-01-02": true, "[]": false, "[a]": true, "{}": false, "{a: 1}": true, "!!binary ''": false, "!!binary aGk=": true,
	} {
		d, err := Load("", []byte("a: "+text))
		if err != nil {
			t.Fatal(text, err)
		}
		if v, problem := Resolve(Entries(d.Root)[0].Val); v.Truthy() != want || problem != "" {
			t.Errorf("%s is truthy: %t, %s; want %t", text, v.Truthy(), problem, want)
		}
	}
}

func TestTimeOfDay(t *testing.T) {
	for text, good := range map[string]bool{"0001-01-01": true, "0000-01-01": false, "2026-02-29": false, "2024-02-29": true, "2026-00-01": false} {
		if _, problem := Plain(text); (problem == "") != good {
			t.Errorf("%s: %q", text, problem)
		}
	}
	for text, good := range map[string]bool{
		"23:59:59": true, "24:00:00": false, "00:60:00": false, "00:00:60": false, "10:00:00 +23:59": true, "10:00:00 +24:00": false, "10:00:00 +23:60": false, "10:00:00 +00:99": true,
	} {
		if _, problem := Plain("2026-01-02 " + text); (problem == "") != good {
			t.Errorf("%s: %q", text, problem)
		}
	}
}

package yamltext

import (
	"encoding/json"
	"strings"
	"testing"

	"caliper/model/jsontree"
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
		{"an unknown directive", "%FOO bar % baz\n---\n" + body, 3},
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
			got := 0.0
			d, err := Load("c.yaml", []byte(c.yaml))
			if err == nil {
				v, _ := Resolve(Entries(d.Root)[0].Val)
				got = v.Float
			}
			if got != c.want {
				t.Errorf("a is %v, error %v; want %v", got, err, c.want)
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

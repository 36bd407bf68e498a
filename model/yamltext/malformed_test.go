package yamltext

import (
	"errors"
	"strings"
	"testing"

	"caliper/model"
)

func TestMalformed(t *testing.T) {
	for _, c := range []struct{ name, yaml, at, code string }{
		{"tab indentation", "tools:\n\ttool_search: off\n", "2:1", "malformed"},
		{"tab after spaces", "tools:\n  \ttool_search: off\n", "2:3", "malformed"},
		{"open flow mapping", "tools:\n  tool_search: {enabled: off\n", "2:16", "malformed"},
		{"open flow list", "a: 1\nb: 2\ntools:\n  core: [x, y\n  y: 3\nz: 4\n", "4:9", "malformed"},
		{"open quote", "a: 1\nb: \"unclosed\nc: 3\n", "2:4", "malformed"},
		{"two colons", "x: 1\na: b: c\nd: e\n", "2:5", "malformed"},
		{"two colons after a wide character", "é: ü: 1\n", "1:7", "malformed"},
		{"indented too much", "a: 1\n b: 2\n", "2:3", "malformed"},
		{"indented too little", "a:\n  b: 1\n c: 2\nd: 1\n", "3:2", "malformed"},
		{"key without colon", "a: 1\nb\nc: 2\n", "2:1", "malformed"},
		{"item among keys", "k: 1\na: 1\n- b\nc: 1\n", "3:1", "malformed"},
		{"bracket too many", "z: 1\na: [b]]\nc: 3\nd: 4\n", "2:1", "malformed"},
		{"text after a quote", "a: 1\nb: 'it's'\nc: 1\n", "2:1", "malformed"},
		{"reserved character", "q: 1\na: @x\nb: 1\n", "2:4", "malformed"},
		{"percent", "a: %x\nb: 1\n", "1:4", "malformed"},
		{"no such anchor", "x: 1\na: *foo\nb: 1\nc: 3\n", "2:4", "malformed"},
		{"bad escape", "z: 1\na: \"\\q\"\nb: 2\n", "2:1", "malformed"},
		{"several documents", "a: 1\n---\nb: 2\n", "2:1", "several_documents"},
		{"empty second document", "a: 1\n---\n", "2:1", "several_documents"},
		{"malformed second document", "a: 1\n---\nb: @\n", "3:4", "malformed"},
		{"control character", "a: 1\nb: é\x01\n", "2:6", "bad_character"},
		{"the last control character", "a: \x1f\n", "1:4", "bad_character"},
		{"the first control character beyond ASCII", "a: \t\u0085\u00a0~\n \u0080", "2:2", "bad_character"},
		{"the last control character beyond ASCII", "a: \u009f\n", "1:4", "bad_character"},
		{"no character", "a: \ufffe\n", "1:4", "bad_character"},
		{"delete character", "\x7f", "1:1", "bad_character"},
		{"not UTF-8", "a: 1\nb: \xff\n", "2:4", "bad_character"},
		{"noncharacter", "a: \uffff", "1:4", "bad_character"},
		{"after a byte order mark", "\ufeffa: b: c\n", "1:5", "malformed"},
		{"with carriage returns", "a: 1\r\nb: 2\r\n c: 3\r\n", "3:3", "malformed"},
		{"nested without end", strings.Repeat("[", 20000), "1:10005", "malformed"},
		{"too large", "a: " + strings.Repeat("x", 1<<20-2), "1:1", "too_large"},
		{"a handle of no tag, behind a blank line", "  \n!2!x", "1:1", "malformed"},
		{"the same with a carriage return", "  \r\n!2!x", "1:1", "malformed"},
		{"behind the last line", ">\r\n: ,\u2028", "2:7", "malformed"},
		{"unsupported version", "%YAML 9.9\n---\na: 1\n", "1:1", "malformed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Load("", []byte(c.yaml))
			if err == nil {
				t.Fatal("accepted")
			}
			if !strings.HasPrefix(err.Error(), c.at+": ") {
				t.Errorf("%v, want %s", err, c.at)
			}
			if d := (model.Diagnostic{}); !errors.As(err, &d) || d.Code != c.code {
				t.Errorf("%v has the code %q, want %s", err, d.Code, c.code)
			}
			if strings.Contains(err.Error(), "yaml:") {
				t.Errorf("%v names the library", err)
			}
		})
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
		{"a: !!int x\n", "1:4"}, {"a: !!int _\n", "1:4"}, {"a: !!int +\n", "1:4"}, {"a: !!float x\n", "1:4"}, {"a: !!bool maybe\n", "1:4"}, {"a: !!timestamp x\n", "1:4"}, {"a: !!map x\n", "1:4"},
		{"a: !!seq {}\n", "1:4"}, {"a: !!map []\n", "1:4"}, {"a: !%1b x\n", "1:4"},
		{"[a]: 1\n", "1:1"}, {"x: 1\n? {a: b}\n: 1\n", "2:3"}, {"<<: 5\n", "1:5"}, {"a: {<<: [{}, 5]}\n", "1:9"},
		{"a: &x 1\nb: &x 2\n", "2:4"}, {"a:\tb\n", "1:3"}, {"a: b\tc\n", "1:5"}, {"a: b\t\n", "1:5"}, {"- a\n-\tb\n", "2:2"}, {"a\t: b\n", "1:2"},
	} {
		_, err := Load("", []byte(c.yaml))
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
		if _, err := Load("", []byte(yaml)); err != nil {
			t.Errorf("%q: %v", yaml, err)
		}
	}
}

// TestBreaksLine: the line breaks of YAML 1.1, and what only begins like one.
func TestBreaksLine(t *testing.T) {
	for text, want := range map[string]bool{
		"\na": true, "\ra": true, "\r": true, "\u0085a": true, "\u2028a": true, "\u2029": true,
		"\r\n": false, "\xc2": false, "\u00a0": false, "\xe2\x80": false, "\xe2": false, "\u2014": false, "\u20ac": false, "\u20a8": false, "a\n": false,
	} {
		if got := BreaksLine([]byte(text)); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

func TestPositions(t *testing.T) {
	data := "é=1\r\nb\u2028c\rd\nlast"
	lines := newLineTable([]byte(data))
	for _, c := range []struct {
		line, column int // as the library counts
		text         string
		wantLine     int
		wantCol      int
	}{
		{1, 1, "é", 1, 1}, {1, 2, "=", 1, 3}, {2, 1, "b", 2, 1}, {3, 1, "c", 2, 5}, {4, 1, "d", 2, 7}, {5, 1, "last", 3, 1}, {5, 4, "t", 3, 4},
		{5, 9, "", 3, 5}, {9, 1, "", 3, 5}, {0, 5, "é", 1, 1},
	} {
		at := lines.offset(c.line, c.column)
		line, col := lines.Position(at)
		if !strings.HasPrefix(data[at:], c.text) || line != c.wantLine || col != c.wantCol {
			t.Errorf("%d:%d is %q at %d:%d, want %q at %d:%d", c.line, c.column, data[at:], line, col, c.text, c.wantLine, c.wantCol)
		}
	}
	long := strings.Repeat("é", 1000) + "x"
	if at := newLineTable([]byte(long)).offset(1, 1001); at != 2000 {
		t.Errorf("column 1001 is at %d, want 2000", at)
	}
}

package config

import (
	"strings"
	"testing"
)

func TestMalformed(t *testing.T) {
	for _, c := range []struct{ name, yaml, at, code string }{
		{"tab indentation", "tools:\n\ttool_search: off\n", "2:1", "malformed"},
		{"tab after good lines", "a: 1\ntools:\n  x: 1\n\ttool_search: off\n", "4:1", "malformed"},
		{"tab after spaces", "tools:\n  \ttool_search: off\n", "2:3", "malformed"},
		{"open flow mapping", "tools:\n  tool_search: {enabled: off\n", "2:16", "malformed"},
		{"open flow mapping in the first line", "tools: {a: 1\nb: 2\n", "1:8", "malformed"},
		{"open flow list", "a: 1\nb: 2\ntools:\n  core: [x, y\n  y: 3\nz: 4\n", "4:9", "malformed"},
		{"open quote", "a: 1\nb: \"unclosed\nc: 3\n", "2:4", "malformed"},
		{"open quote in the first line", "a: 'x\n", "1:4", "malformed"},
		{"two colons", "x: 1\na: b: c\nd: e\n", "2:5", "malformed"},
		{"two colons after a wide character", "é: ü: 1\n", "1:7", "malformed"},
		{"indented too much", "a: 1\n b: 2\n", "2:3", "malformed"},
		{"indented too little", "a:\n  b: 1\n c: 2\nd: 1\n", "3:2", "malformed"},
		{"key without colon", "a: 1\nb\nc: 2\n", "2:1", "malformed"},
		{"item among keys", "k: 1\na: 1\n- b\nc: 1\n", "3:1", "malformed"},
		{"key among items", "- a\nb: 1\nc: 2\n", "2:1", "malformed"},
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
		{"delete character", "\x7f", "1:1", "bad_character"},
		{"nul", "a: 1\x00", "1:5", "bad_character"},
		{"not UTF-8", "a: 1\nb: \xff\n", "2:4", "bad_character"},
		{"UTF-16", "\xff\xfea\x00:\x00", "1:1", "bad_character"},
		{"noncharacter", "a: \uffff", "1:4", "bad_character"},
		{"after a byte order mark", "\ufeffa: b: c\n", "1:5", "malformed"},
		{"with carriage returns", "a: 1\r\nb: 2\r\n c: 3\r\n", "3:3", "malformed"},
		{"unsupported version", "%YAML 9.9\n---\na: 1\n", "1:1", "malformed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := Parse("", []byte(c.yaml))
			checkFile(t, f, err)
			if err == nil {
				t.Fatal("accepted")
			}
			if !strings.HasPrefix(err.Error(), c.at+": ") {
				t.Errorf("%v, want %s", err, c.at)
			}
			checkCode(t, err, c.code)
			if strings.Contains(err.Error(), "yaml:") {
				t.Errorf("%v names the library", err)
			}
		})
	}
}

func TestErrorNamesTheFile(t *testing.T) {
	_, err := Parse("dir/config.yaml", []byte("a: b: c\n"))
	if want := "dir/config.yaml:1:5: mapping values are not allowed in this context"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
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
		line, col := lines.position(at)
		if !strings.HasPrefix(data[at:], c.text) || line != c.wantLine || col != c.wantCol {
			t.Errorf("%d:%d is %q at %d:%d, want %q at %d:%d", c.line, c.column, data[at:], line, col, c.text, c.wantLine, c.wantCol)
		}
	}
	long := strings.Repeat("é", 1000) + "x"
	if at := newLineTable([]byte(long)).offset(1, 1001); at != 2000 {
		t.Errorf("column 1001 is at %d, want 2000", at)
	}
}

package rescue

import (
	"strings"
	"testing"
)

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     Kind
	}{
		{"empty", "", Text},
		{"array", " [1, 2]\n", JSONArray},
		{"empty array", "[]", JSONArray},
		{"object", "{\"a\": [1, {\"b\": null}]}", JSONObject},
		{"every scalar", `[0, -1.5e+3, true, false, null, "\u00e9\\"]`, JSONArray},
		{"JSON of a text", `"a text"`, Text},
		{"JSON of a number", "123", Text},
		{"cut JSON", `[{"a": 1}, {"a": `, Text},
		{"cut JSON that ends well", `[{"a": [1, 2]`, Text},
		{"brackets of a log", "[INFO] a\n[WARN] b [x]", Text},
		{"lines of JSON", "{\"a\":1}\n{\"a\":2}\n", JSONLines},
		{"lines of JSON with blank ones between", "[1]\r\n\r\n[2]\r\n", JSONLines},
		{"values of several lines", "{\n\"a\":1}\n{\"a\":2}\n", Text},
		{"a later value of several lines", "{\"a\":1}\n{\"a\":\n2}\n", Text},
		{"values on one line", "{\"a\":1} {\"a\":2}", Text},
		{"lines of JSON and of a number", "{\"a\":1}\n7\n{\"a\":2}", Text},
		{"lines of JSON and of a log", "{\"a\":1}\n[INFO] x\n{\"a\":2}", Text},
		{"lines of JSON of which one is broken", "{\"a\":1}\n{\"a\":}\n{\"a\":2}", Text},
		{"git diff", "diff --git a/x.go b/x.go\nindex 1..2 100644\n--- a/x.go\n+++ b/x.go\n@@ -1 +1,2 @@\n-a\n+b\n", Diff},
		{"unified diff", "--- x\t2026\n+++ y\t2026\n@@ -1,3 +1,3 @@\n a\n", Diff},
		{"plain diff", "diff -r a/x b/x\n3c3,4\n< a\n---\n> b\n", Diff},
		{"git show", "commit 0123abcd\nAuthor: A\n\n    say\n\ndiff --git a/x b/x\n", Diff},
		{"git diff below a line that announces it", "Unstaged changes:\n\ndiff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b\n", Diff},
		{"git show of mcp-server-git", "Commit: '0123abcd'\nAuthor: 'A'\n\n--- x\n+++ x\n@@ -1 +1 @@\n-a\n+b\n", Diff},
		{"diff of a merge", "diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1 -1 +1 @@@\n- a\n", Diff},
		{"git log", "commit 0123abcd\nAuthor: A\n\n    say\n", Text},
		{"YAML documents", "--- \na: 1\n--- \nb: 2\n", Text},
		{"words about a diff", "diff -u compares files\n", Text},
		{"XML without a declaration", "<rows a=\"1\">\n<row/>\n</rows>\n", XML},
		{"XML of a namespace after a byte order mark", "\ufeff<soap:Envelope xmlns:soap=\"x\"></soap:Envelope>", XML},
		{"XML after a comment", "<!-- a\nb -->\n<rows><row/></rows>", XML},
		{"XML of a type", "<!DOCTYPE plist PUBLIC \"-//A//B\" \"c\">\n<plist><a/></plist>", XML},
		{"whole page after a comment", "<!-- x -->\n<html><body></body></html>", Text},
		{"part of a page that is no div", "<p>para</p>", Text},
		{"a tag and a text", "<note> mind this </b>", Text},
		{"comma at the end", "[1,]", Text},
		{"single quotes", "{'a': 1}", Text},
		{"invalid UTF-8 in a string", "[\"a text of some length \xff\"]", JSONArray},
		{"a date in brackets", "[2026-01-02]\n", Text},
		{"a leading zero", "[01]", Text},
		{"page", "<!DOCTYPE html>\n<html><body>x</body></html>", HTML},
		{"page after a comment", "<!-- x\ny -->\n<HTML lang=en>", Text},
		{"page after a byte order mark", "\ufeff<html>", Text},
		{"page after spaces of all kinds", "\u00a0\u2028\x1c\x85<html> and more words", Text},
		{"page after more spaces", "\u00a0\u2028\x1c\u0085\v<!DocType\u3000\n hTML>", HTML},
		{"document type of another kind", "<!DOCTYPE svg>", Text},
		{"document type without a space", "<!DOCTYPEhtml>", Text},
		{"a longer name", "<divider>", HTML},
		{"part of a page", "<div class=\"a\"><p>x</p></div>", HTML},
		{"XML", "<?xml version=\"1.0\"?>\n<feed>\n<entry>\n<id>1</id>\n</entry>\n</feed>", XML},
		{"Go", "package x\n\nimport \"fmt\"\n\nfunc main() {\n\tfmt.Println(1)\n}\n", Code},
		{"Python", "import os\n\ndef f(x):\n    return x\n\nclass A:\n    pass\n", Code},
		{"C", "#include <stdio.h>\nint main(void) {\n  puts(\"x\");\n  return 0;\n}\n", Text},
		{"shell", "#!/bin/sh\nset -e;\nif [ -f x ]; then\n  cat x;\nfi;\n", Code},
		{"prose", "It was late.\nNobody spoke; nothing moved.\nThen the bell rang.\n", Text},
		{"log", "2026-01-01 INFO start\n2026-01-01 ERROR x: y\n2026-01-01 INFO stop\n", Text},
		{"markdown", "# Title\n\nSome words here.\n\n- one\n- two\n\nMore words.\n", Text},
		{"zero byte", "abc\x00def", Text},
		{"zero byte among bytes that are no text", "abcdefghijklmnop\x00\xff", Binary},
		{"a byte that is no text", "abcdefghijklmnop\xff", Text},
		{"not a number", `[NaN, Infinity, -Infinity, -1]`, JSONArray},
		{"nearly not a number", `[Nan]`, Text},
		{"nearly infinite", `[-Infinit]`, Text},
		{"plus infinity", `[+Infinity]`, Text},
		{"minus alone", `[-]`, Text},
		{"JSON after a space that is none to it", "\u00a0[1]", Text},
		{"PNG", "\x89PNG\r\n\x1a\n\x01\x02\x03\xff\xfe\xfd", Binary},
		{"latin-1", strings.Repeat("caf\xe9 au lait ", 20), Text},
		{"mostly invalid", strings.Repeat("\xff\xfea", 20), Binary},
		{"colours of a terminal", "\x1b[31mred\x1b[0m and more\n", Text},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Detect([]byte(c.in)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// Both ends count, and a sample may begin inside a character.
func TestDetectLarge(t *testing.T) {
	for name, c := range map[string]struct {
		in   string
		want Kind
	}{
		"array":             {"[" + strings.Repeat(`{"a":"世"},`, 50000) + "1]", JSONArray},
		"broken array":      {"[" + strings.Repeat(`{"a":"世"},`, 50000) + "}]", Text},
		"JSON lines":        {strings.Repeat("{\"a\":\"世\"}\n", 50000), JSONLines},
		"text":              {strings.Repeat("世", 100000), Text},
		"binary at the end": {strings.Repeat("a", 200000) + "\x00\xff", Binary},
	} {
		if got := Detect([]byte(c.in)); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

package rescue

import (
	"bytes"
	"encoding/json"
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
		{"object", "{\"a\": [1, {\"b\": null}]}", JSONObject},
		{"every scalar", `[0, -1.5e+3, true, false, null, "\u00e9\\"]`, JSONArray},
		{"JSON of a text", `"a text"`, Text},
		{"JSON of a number", "123", Text},
		{"cut JSON", `[{"a": 1}, {"a": `, Text},
		{"brackets of a log", "[INFO] a\n[WARN] b [x]", Text},
		{"lines of JSON", "{\"a\":1}\n{\"a\":2}\n", JSONLines},
		{"lines of JSON with blank ones between", "[1]\r\n\r\n[2]\r\n", JSONLines},
		{"values of several lines", "{\n\"a\":1}\n{\"a\":2}\n", Text},
		{"values on one line", "{\"a\":1} {\"a\":2}", Text},
		{"lines of JSON and of a log", "{\"a\":1}\n[INFO] x\n{\"a\":2}", Text},
		{"lines of JSON of which one is broken", "{\"a\":1}\n{\"a\":}\n{\"a\":2}", Text},
		{"git diff", "diff --git a/x.go b/x.go\nindex 1..2 100644\n--- a/x.go\n+++ b/x.go\n@@ -1 +1,2 @@\n-a\n+b\n", Diff},
		{"plain diff", "diff -r a/x b/x\n3c3,4\n< a\n---\n> b\n", Diff},
		{"git show", "commit 0123abcd\nAuthor: A\n\n    say\n\ndiff --git a/x b/x\n", Diff},
		{"git diff below a line that announces it", "Unstaged changes:\n\ndiff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b\n", Diff},
		{"git show of mcp-server-git", "Commit: '0123abcd'\nAuthor: 'A'\n\n--- x\n+++ x\n@@ -1 +1 @@\n-a\n+b\n", Diff},
		{"git log", "commit 0123abcd\nAuthor: A\n\n    say\n", Text},
		{"YAML documents", "--- \na: 1\n--- \nb: 2\n", Text},
		{"XML without a declaration", "<rows a=\"1\">\n<row/>\n</rows>\n", XML},
		{"XML of a namespace after a byte order mark", "\ufeff<soap:Envelope xmlns:soap=\"x\"></soap:Envelope>", XML},
		{"XML after a comment", "<!-- a\nb -->\n<rows><row/></rows>", XML},
		{"XML of a type", "<!DOCTYPE plist PUBLIC \"-//A//B\" \"c\">\n<plist><a/></plist>", XML},
		{"whole page after a comment", "<!-- x -->\n<html><body></body></html>", Text},
		{"part of a page that is no div", "<p>para</p>", Text},
		{"a tag and a text", "<note> mind this </b>", Text},
		{"comma at the end", "[1,]", Text},
		{"invalid UTF-8 in a string", "[\"a text of some length \xff\"]", JSONArray},
		{"a date in brackets", "[2026-01-02]\n", Text},
		{"a leading zero", "[01]", Text},
		{"page", "<!DOCTYPE html>\n<html><body>x</body></html>", HTML},
		{"page after a comment", "<!-- x\ny -->\n<HTML lang=en>", Text},
		{"page after spaces of all kinds", "\u00a0\u2028\x1c\x85<html> and more words", Text},
		{"page after more spaces", "\u00a0\u2028\x1c\u0085\v<!DocType\u3000\n hTML>", HTML},
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

func TestUnwrap(t *testing.T) {
	for _, c := range []struct{ name, in, want, envelope string }{
		{"one text", `{"content":[{"type":"text","text":"a\nb"}]}`, "a\nb", "MCP content"},
		{"text before type", ` { "content" : [ { "text" : "a" , "type" : "text" } ] } `, "a", "MCP content"},
		{"two texts", `{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`, "a\nb", "MCP content"},
		{"error", `{"isError":true,"content":[{"type":"text","text":"no"}]}`, "no", "MCP content of an error"},
		{"no error", `{"isError":false,"content":[{"type":"text","text":"yes"}]}`, "yes", "MCP content"},
		{"image named", `{"content":[{"type":"text","text":"a"},{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}]}`,
			"a\n[image block, 61 bytes]", "MCP content, without the tokens of what is not text"},
		{"barest block", `{"content":[{"type":"image"}]}`, "[image block]", "MCP content, without the tokens of what is not text"},
		{"hostile type", `{"content":[{"type":"x\nblob 1","data":"........................"}]}`, "[other block, 54 bytes]", "MCP content, without the tokens of what is not text"},
		{"resource with text", `{"content":[{"type":"resource","resource":{"uri":"f:///a","text":"body"}}]}`, "body", "MCP content"},
		{"resource without", `{"content":[{"type":"resource","resource":{"uri":"f:///a","blob":"AAAA"}}]}`,
			"[resource block, 61 bytes]", "MCP content, without the tokens of what is not text"},
		{"no blocks", `{"content":[]}`, "", "MCP content"},
		{"structured beside text", `{"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"a":1}}`, `{"a":1}`, "MCP content"},
		{"structured alone", `{"content":[],"structuredContent":{"a": 1}}`, `{"a": 1}`, "MCP content"},
		{"structured before an image", `{"structuredContent":{"a":1},"content":[{"type":"image","data":"AAAAAAAAAAAAAA"}]}`,
			"{\"a\":1}\n[image block, 40 bytes]", "MCP content, without the tokens of what is not text"},
		{"result", `{"result":"a\r\nb"}`, "a\r\nb", "result"},
		{"result, structured", `{"result":"a","structuredContent":[1]}`, "a", "result"},
		{"content in a result text", `{"result":"{\"content\":[{\"type\":\"text\",\"text\":\"a\\nb\"}]}"}`, "a\nb", "result > MCP content"},
		{"result in a result", `{"result":"{\"result\":\"a\\\"b\"}"}`, `a"b`, "result > result"},
		{"JSON-RPC", `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"a"}]}}`, "a", "result > MCP content"},
		{"result in content", `{"content":[{"type":"text","text":"{\"result\":\"a\"}"}]}`, "a", "MCP content > result"},
		{"escapes", `{"result":"\u0041\u00e9\u4e16\ud83d\ude00\/\"\\\b\f\t"}`, "Aé世😀/\"\\\b\f\t", "result"},
		{"lone surrogates", `{"result":"\ud800x\udc00\ud800\u0041"}`, "\uFFFDx\uFFFD\uFFFDA", "result"},
		{"invalid UTF-8 stays", "{\"result\":\"\xff\"}", "\xff", "result"},

		{"a result that is an object", `{"result":{"a":1}}`, "", ""},
		{"a result that is a number", `{"result":1}`, "", ""},
		{"another member", `{"result":"a","status":"ok"}`, "", ""},
		{"content and result", `{"content":[],"result":"a"}`, "", ""},
		{"repeated", `{"result":"a","result":"b"}`, "b", "result"},
		{"repeated content", `{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"content":[{"type":"text","text":"c"}]}`, "c", "MCP content"},
		{"repeated text", `{"content":[{"type":"image","text":"a","type":"text","text":"b"}]}`, "b", "MCP content"},
		{"a text that is none after all", `{"content":[{"type":"text","text":"a","text":1}]}`, "", ""},
		{"a type that is none after all", `{"content":[{"type":"text","text":"a","type":1}]}`, "", ""},
		{"repeated resource", `{"content":[{"type":"resource","resource":{"text":"a"},"resource":{"text":"b","text":"c"}}]}`, "c", "MCP content"},
		{"a resource that is none after all", `{"content":[{"type":"resource","resource":{"text":"a"},"resource":{}}]}`, "[resource block, 57 bytes]", "MCP content, without the tokens of what is not text"},
		{"a result that is an object after all", `{"result":"a","result":{"result":"b"}}`, "b", "result > result"},
		{"a result that is a text after all", `{"result":{"result":"b"},"result":"a"}`, "a", "result"},
		{"content is a text", `{"content":"a"}`, "", ""},
		{"a block without type", `{"content":[{"text":"a"}]}`, "", ""},
		{"a text without text", `{"content":[{"type":"text"}]}`, "", ""},
		{"a block that is none", `{"content":["a"]}`, "", ""},
		{"blocks alone", `[{"type":"text","text":"a"},{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}]`,
			"a\n[image block, 61 bytes]", "content blocks, without the tokens of what is not text"},
		{"blocks of Anthropic alone", `[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}]`,
			"[image block, 90 bytes]", "content blocks, without the tokens of what is not text"},
		{"blocks of OpenAI alone", `[{"type":"input_text","text":"a"},{"type":"input_image","image_url":"data:image/png;base64,iVBORw0KGgo="}]`,
			"a\n[input_image block, 71 bytes]", "content blocks, without the tokens of what is not text"},
		{"a file of OpenAI alone", `[{"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,JVBERi0="}]`,
			"[input_file block, 91 bytes]", "content blocks, without the tokens of what is not text"},
		{"an image of Chat Completions", `[{"type":"text","text":"a"},{"type":"image_url","image_url":{"detail":"low","url":"data:image/png;base64,iVBORw0KGgo="}}]`,
			"a\n[image_url block, 92 bytes]", "content blocks, without the tokens of what is not text"},
		{"a sound of Chat Completions", `[{"type":"input_audio","input_audio":{"data":"UklGRg==","format":"wav"}}]`,
			"[input_audio block, 71 bytes]", "content blocks, without the tokens of what is not text"},
		{"a file of Chat Completions", `[{"type":"file","file":{"file_data":"JVBERi0=","filename":"a.pdf"}}]`,
			"[file block, 66 bytes]", "content blocks, without the tokens of what is not text"},
		{"an image of LangChain", `[{"type":"image","source_type":"base64","mime_type":"image/png","data":"iVBORw0KGgo="}]`,
			"[image block, 85 bytes]", "content blocks, without the tokens of what is not text"},
		{"images of Chat Completions that are elsewhere", `[{"type":"image_url","image_url":{"url":"https://example.com/a.png"}}]`, "", ""},
		{"the last of equal names", `[{"type":"image_url","image_url":{"url":"data:,"},"image_url":{"url":"https://example.com/a.png"}}]`, "", ""},
		{"files that are elsewhere", `[{"type":"file","file":{"file_id":"file-1","filename":"a.pdf"}}]`, "", ""},
		{"records with pictures", `[{"type":"product","image_url":"data:image/png;base64,iVBORw0KGgo="}]`, "", ""},
		{"records of files", `[{"type":"file","file":"data:a","name":"b"},{"type":"dir","name":"c"}]`, "", ""},
		{"images of OpenAI that are elsewhere", `[{"type":"input_image","image_url":"https://example.com/a.png"}]`, "", ""},
		{"texts of OpenAI alone", `[{"type":"input_text","text":"a"}]`, "", ""},
		{"blocks of OpenAI in content", `{"content":[{"type":"input_text","text":"a"}]}`, "a", "MCP content"},
		{"records of images", `[{"type":"text","text":"a"},{"type":"image","url":"f:///a"}]`, "", ""},
		{"records of sounds", `[{"type":"audio","data":"a.wav"}]`, "", ""},
		{"records of other types", `[{"type":"event","data":"a","mimeType":"b"}]`, "", ""},
		{"an image and a number", `[{"type":"image","data":"a","mimeType":"b"},1]`, "", ""},
		{"an empty array", `[]`, "", ""},
		{"an array", `[{"type":"text","text":"a"}]`, "", ""},
		{"more after it", `{"result":"a"} {}`, "", ""},
		{"cut", `{"result":"a`, "", ""},
		{"cut in an escape", `{"result":"\u00`, "", ""},
		{"no such escape", `{"result":"\x41"}`, "", ""},
		{"line break in a string", "{\"result\":\"a\nb\"}", "", ""},
		{"comma at the end", `{"result":"a",}`, "", ""},
		{"empty", "", "", ""},
		{"empty object", "{}", "", ""},
		{"plain", "a\nb", "", ""},
		{"too deep", `{"_meta":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `,"result":"a"}`, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.envelope == "" {
				c.want = c.in
			}
			got, envelope := Unwrap([]byte(c.in))
			if string(got) != c.want || envelope != c.envelope {
				t.Errorf("got %q of %q, want %q of %q", got, envelope, c.want, c.envelope)
			}
			if len(got) > len(c.in) {
				t.Error("holds more than its envelope")
			}
		})
	}
}

func TestUnwrapLayersAreBounded(t *testing.T) {
	text := "core"
	for range 6 {
		b, _ := json.Marshal(map[string]string{"result": text})
		text = string(b)
	}
	got, envelope := Unwrap([]byte(text))
	if strings.Count(envelope, "result") != 4 || !bytes.HasPrefix(got, []byte(`{"result":`)) {
		t.Errorf("%q of %q", got, envelope)
	}
}

// More blocks than an envelope may have make it a text.
func TestUnwrapBlocksAreBounded(t *testing.T) {
	for n, want := range map[int]string{65536: "MCP content", 65537: ""} {
		block := `{"type":"text","text":""}`
		if _, envelope := Unwrap([]byte(`{"content":[` + strings.Repeat(block+",", n-1) + block + `]}`)); envelope != want {
			t.Errorf("%d blocks: %q", n, envelope)
		}
	}
}

func TestUnwrapLargeTexts(t *testing.T) {
	for _, pad := range []int{0, 1, 2, 5, 11} {
		text := strings.Repeat("x", pad) + strings.Repeat("\\ \"\n世😀\u0001", 20000)
		inner, _ := json.Marshal(text)
		ascii := strings.NewReplacer("世", `\u4e16`, "😀", `\ud83d\ude00`).Replace(string(inner))
		for _, one := range []string{string(inner), ascii} {
			in := `{"content":[{"type":"text","text":` + one + `},{"type":"text","text":` + one + `}]}`
			if got, _ := Unwrap([]byte(in)); string(got) != text+"\n"+text {
				t.Fatalf("padding %d: the text changed", pad)
			}
		}
	}
}

func FuzzUnwrap(f *testing.F) {
	f.Add([]byte(`{"content":[{"type":"text","text":"a\u00e9"},{"type":"image"}],"isError":true}`))
	f.Add([]byte(`{"result":"{\"result\":\"\\ud83d\\ude00\"}","_meta":{"a":[1,2]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		text, envelope := Unwrap(data)
		if len(text) > len(data) {
			t.Fatalf("%d bytes came out of %d", len(text), len(data))
		}
		if envelope == "" && !bytes.Equal(text, data) {
			t.Fatal("changed without an envelope")
		}
		if envelope != "" && bytes.ContainsRune(data, '{') == false {
			t.Fatal("an envelope without an object")
		}
		s := newScanner(data)
		if _, _, ok := s.Value(); ok && s.AtEnd() != json.Valid(data) && json.Valid(data) {
			t.Fatalf("%q is JSON to one and not to the other", data)
		} else if !ok && json.Valid(data) && bytes.Count(data, []byte{'{'})+bytes.Count(data, []byte{'['}) <= maxDepth {
			t.Fatalf("%q is JSON and was refused", data)
		}
	})
}

package rescue

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

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
	for range maxLayers + 2 {
		b, _ := json.Marshal(map[string]string{"result": text})
		text = string(b)
	}
	got, envelope := Unwrap([]byte(text))
	if strings.Count(envelope, "result") != maxLayers || !bytes.HasPrefix(got, []byte(`{"result":`)) {
		t.Errorf("%q of %q", got, envelope)
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

package model

import (
	"bytes"
	"testing"
)

// FuzzEvents is the reader of event streams: what it keeps stands in the
// source, in the same order.
func FuzzEvents(f *testing.F) {
	for _, seed := range []string{
		"data: {\"a\":1}\n\n", "event: x\r\ndata:[\r\ndata: 1]\r\n\r\n", ":\rdata: {}\r\rdata: x\r\rdata: {", "\uFEFFid: 1\ndata: {\"tools\":[]}", "data:[DONE]\n\ndata:{}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		checkParse(t, data)
		source := newText(data)
		source.isEvents()
		checkOrigins(t, data, source.events())
	})
}

// FuzzRepair is the reader of what is not strict JSON: comments, bytes that are
// not UTF-8, repeated names.
func FuzzRepair(f *testing.F) {
	for _, seed := range []string{
		"{\"a\":1,/* x */\"a\":2,}", "[1,//\xff\n\"\xff\\ud800\",]", "\uFEFF{\"\\u0061\":{},\"a\":[{\"b\":1,\"b\":2}]}", "// \"\n[\"//\"]", "/*/[,]", `"\`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		checkParse(t, data)
		repaired, findings := newText(data).repair()
		if repaired.copied != (len(findings) > 0) {
			t.Fatalf("copied %v with %d findings", repaired.copied, len(findings))
		}
		again, findings := repaired.repair()
		if !bytes.Equal(again.data, repaired.data) {
			t.Fatalf("%q repaired again is %q, with %v", repaired.data, again.data, findings)
		}
		mended, _ := newText(data).repairEncoding()
		checkOrigins(t, data, mended)
	})
}

// checkOrigins fails unless every byte of a text leads to one that equals it or
// was replaced.
func checkOrigins(t *testing.T, data []byte, text *text) {
	last := -1
	for i, b := range text.data {
		at := text.origin(i)
		if at < last || at > len(data) {
			t.Fatalf("%q: byte %d stands at %d, behind one at %d", data, i, at, last)
		}
		if last = at; b < 0x80 && data[at] != b {
			t.Fatalf("%q: byte %d is %q, in the source %q", data, i, b, data[at])
		}
	}
}

// FuzzConfiguration is the recognition of TOML and YAML.
func FuzzConfiguration(f *testing.F) {
	for _, seed := range []string{
		"[mcp_servers.a]\nx = 1\n[mcp_servers.\"b c\".env]\n", "mcp_servers:\n  a:\n    b: c\n  d: {}\n", "---\nmcpServers:\n- name: a\n", "[[x]]\n", "a = 1", "#\n\nmcp_servers: {}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		checkParse(t, data)
		if finding, ok := newText(data).otherSyntax("x"); ok && (finding.at < 0 || finding.at > len(data) || finding.message == "") {
			t.Fatalf("%q: %+v", data, finding)
		}
	})
}

// FuzzGeminiSchema: JSON stays JSON, and a translation needs no other.
func FuzzGeminiSchema(f *testing.F) {
	for _, seed := range []string{
		`{"type":"OBJECT","properties":{"a":{"type":"STRING","nullable":true,"enum":["A"]}}}`, `{"anyOf":[{"type":"ARRAY","items":{"type":"NULL"}}],"nullable":true,"minItems":"1"}`,
		`{"nullable":true,"type":["string"],"type2":"STRING"}`, `{ "default" : { "nullable" : true } }`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if !strictJSON(data) || bytes.TrimSpace(data)[0] != '{' {
			return
		}
		once := geminiSchema(bytes.TrimSpace(data))
		if !strictJSON(once) {
			t.Fatalf("%q becomes %q", data, once)
		}
		if twice := geminiSchema(once); !bytes.Equal(once, twice) {
			t.Fatalf("%q becomes %q, and that %q", data, once, twice)
		}
	})
}

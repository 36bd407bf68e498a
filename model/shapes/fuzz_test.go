package shapes

import (
	"bytes"
	"testing"

	"caliper/model/jsontree"
)

// FuzzConfiguration is the recognition of TOML and YAML.
func FuzzConfiguration(f *testing.F) {
	for _, seed := range []string{
		"[mcp_servers.a]\nx = 1\n[mcp_servers.\"b c\".env]\n", "mcp_servers:\n  a:\n    b: c\n  d: {}\n", "---\nmcpServers:\n- name: a\n", "[[x]]\n", "a = 1", "#\n\nmcp_servers: {}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		checkParse(t, data)
		if finding, ok := asTOML(jsontree.NewText(data), "x"); ok && (finding.At < 0 || finding.At > len(data) || finding.Message == "") {
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

package shapes

import (
	"strings"
	"testing"

	"caliper/model/jsontree"
)

// FuzzJSONOfPython: JSON stays JSON and means the same, and anything else is read
// without a panic.
func FuzzJSONOfPython(f *testing.F) {
	for _, seed := range []string{`[{'name': 'a', "b": True}]`, `{"a":"\u0041"}`, `'\x`, `[1, -2.5, None]`, `"\/"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		out := jsonOfPython(data)
		n, err := jsontree.Parse(data, jsontree.Strict)
		if err != nil || out == nil {
			return
		}
		again, err := jsontree.Parse(out, jsontree.Strict)
		if err != nil {
			t.Fatalf("%q becomes %q: %v", data, out, err)
		}
		if !again.Equal(n) && !strings.Contains(string(data), `\u`) { // Python pairs no surrogates
			t.Fatalf("%q becomes %q", data, out)
		}
	})
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
		if finding, ok := asTOML(jsontree.NewText(data), "x"); ok && (finding.At < 0 || finding.At > len(data) || finding.Message == "") {
			t.Fatalf("%q: %+v", data, finding)
		}
	})
}

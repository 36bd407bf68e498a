package live

import (
	"strings"
	"testing"
)

// A list in one line of the head is written, and all other bytes stay; another list is refused.
func TestWriteSubagent(t *testing.T) {
	for name, tt := range map[string]struct{ data, key, items, want string }{
		"added":                 {"---\nname: a\ntools: Read\n---\ntools: no\n", "tools", "Read mcp__p__t", "---\nname: a\ntools: Read, mcp__p__t\n---\ntools: no\n"},
		"a star":                {"---\nname: a\ntools: Read, mcp__p__*\n---\n", "tools", "Read x", "---\nname: a\ntools: Read, x\n---\n"},
		"emptied":               {"---\nname: a\ndisallowedTools: x\ncolor: red\n---\n", "disallowedTools", "", "---\nname: a\ndisallowedTools:\ncolor: red\n---\n"},
		"lines of Windows":      {"\ufeff---\r\nname: a\r\ntools: Read\r\n---\r\n", "tools", "Read x", "\ufeff---\r\nname: a\r\ntools: Read, x\r\n---\r\n"},
		"a list in brackets":    {"---\nname: a\ntools: [Read]\n---\n", "tools", "Read x", ""},
		"a list of lines":       {"---\nname: a\ntools:\n  - Read\n---\n", "tools", "Read x", ""},
		"a comment":             {"---\nname: a\ntools: Read # all\n---\n", "tools", "Read x", ""},
		"no line of the head":   {"---\nname: a\n---\ntools: Read\n", "tools", "x", ""},
		"no head":               {"tools: Read\n", "tools", "x", ""},
		"an item that is a key": {"---\nname: a\ntools: Read\n---\n", "tools", "x:y", ""},
	} {
		got, err := WriteSubagent("a.md", []byte(tt.data), tt.key, strings.Fields(tt.items))
		if string(got) != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

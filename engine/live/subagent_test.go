package live

import (
	"strings"
	"testing"
)

// TestSubagent: what the lists of a subagent give it, as measured on Claude Code 2.1.332.
func TestSubagent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ head, tool, want string }{
		{"name: mate", "mcp__port__sink", ""}, {"name: mate\ntools: \"*\"", "mcp__port__sink", ""},
		{"name: mate\ntools: Read, mcp__port", "mcp__port__sink", ""}, {"name: mate\ntools: [mcp__port__*]", "mcp__port__sink", ""}, {"name: mate\ntools:\n- mcp__port__sink", "mcp__port__sink", ""},
		{"name: mate\ntools: mcp__port__s*", "mcp__port__sink", "tools"}, {"name: mate\ntools: mcp__*", "mcp__port__sink", "tools"}, {"name: mate\ntools: Read", "ToolSearch", "tools"},
		{"name: mate\ndisallowedTools: mcp__port", "mcp__port__sink", "disallowedTools"}, {"name: mate\ndisallowedTools: mcp__port__s*", "mcp__port__sink", ""},
		{"name: mate\ntools: mcp__port\ndisallowedTools: mcp__port__sink", "mcp__port__sink", "disallowedTools"}, {"name: mate\ntools: mcp__port\ndisallowedTools: mcp__port__sink", "mcp__port__list", ""},
	} {
		file := "---\n" + c.head + "\n---\nYou are a mate.\n"
		for _, text := range []string{file, "\ufeff" + strings.ReplaceAll(file, "\n", "\r\n")} {
			by, ok := readSubagent("m.md", []byte(text)).Takes(c.tool)
			if ok != (c.want == "") || !ok && (by.Key != c.want || by.File != "m.md") {
				t.Errorf("%q, %s: %v of %s, want %q", text, c.tool, ok, by.Key, c.want)
			}
		}
	}
	for _, text := range []string{"", "name: mate\n", "---\nname: [\n---\n", "---\nname: mate\n"} {
		if s := readSubagent("m.md", []byte(text)); s.Name != "" {
			t.Errorf("%q is %s", text, s.Name)
		}
	}
}

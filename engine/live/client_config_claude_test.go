package live

import (
	"fmt"
	"strings"
	"testing"

	"caliper/model/require"
)

// Whatever the files of Claude Code hold, a server is off with a reason or as its entry has
// it, two readings agree, and no fault repeats a value.
func FuzzReadClaudeRules(f *testing.F) {
	f.Add(`{"projects":{"/p":{"disabledMcpServers":["a"],"disabledMcpjsonServers":["b"]}}}`, `{"permissions":{"deny":["mcp__a__r*","mcp__b"]}}`)
	f.Add(`{"projects":[]}`, `{"allowedMcpServers":[{"serverName":"a"},{"serverUrl":"SECRET"}],"deniedMcpServers":[{"serverCommand":["SECRET"]}]}`)
	f.Add(`{`, `{"disabledMcpjsonServers": SECRET`)
	f.Fuzz(func(t *testing.T, state, settings string) {
		text := ""
		for range 2 {
			c, err := ParseClientConfig(".mcp.json", []byte(`{"mcpServers":{"a":{"command":"x"},"b":{"url":"u"}}}`))
			require.NoError(t, err)
			rules, faults := ReadClaudeRules("/p", ClaudeFile{"state", []byte(state)}, []ClaudeFile{{"settings", []byte(settings)}})
			rules.Heed(&c, true)
			now := fmt.Sprint(faults)
			for _, s := range c.Servers {
				now += "\n" + describe(s)
				if !s.Enabled && s.Off == "" {
					t.Errorf("%s is off without a reason", s.Name)
				}
			}
			if text != "" && text != now {
				t.Errorf("%s, then %s", text, now)
			}
			if text = now; strings.Contains(fmt.Sprint(faults), "SECRET") {
				t.Errorf("a fault repeats a value: %s", faults)
			}
		}
	})
}

// TestUnreadLists: a list of several files that is not read is named once.
func TestUnreadLists(t *testing.T) {
	const lists = `{"deniedMcpServers":[{"serverUrl":"u"}],"allowedMcpServers":[{"serverCommand":["x"]},{"serverName":"a"}]}`
	r, faults := ReadClaudeRules("/p", ClaudeFile{"state", nil}, []ClaudeFile{{"one", []byte(lists)}, {"two", []byte(lists)}})
	if got := strings.Join(r.unread, " "); got != "allowedMcpServers deniedMcpServers" || r.allowed != nil || len(faults) > 0 {
		t.Errorf("not read: %s; allowed %q; %q", got, r.allowed, faults)
	}
}

package engine

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"caliper/config"
)

// TestInvoke: what a person approved runs, and nothing else does.
func TestInvoke(t *testing.T) {
	t.Parallel()
	const tool, other = "mcp_harbor_book", "mcp_harbor_sink"
	inside := func(name string) json.RawMessage {
		return json.RawMessage(fmt.Sprintf(`{"name":%q,"arguments":{"berth":1}}`, name))
	}
	rules := func(actions ...config.Action) []config.Rule {
		var out []config.Rule
		for _, a := range actions {
			out = append(out, config.Rule{Match: tool, Action: a})
		}
		return out
	}
	for name, c := range map[string]struct {
		policy   []config.Rule
		call     string
		args     json.RawMessage
		approved string
		code     string
	}{
		"no rule":                   {nil, ToolCall, inside(tool), "", CodeOK},
		"nobody asked":              {rules(config.Approve), ToolCall, inside(tool), "", CodeNeedsApproval},
		"approved":                  {rules(config.Approve), ToolCall, inside(tool), tool, CodeOK},
		"observed, and asked":       {rules(config.Observe, config.Approve), ToolCall, inside(tool), "", CodeNeedsApproval},
		"asked, and observed":       {rules(config.Approve, config.Observe), ToolCall, inside(tool), "", CodeNeedsApproval},
		"another tool was approved": {rules(config.Approve), ToolCall, inside(tool), other, CodeNeedsApproval},
		"denied, though approved":   {rules(config.Approve, config.Deny), ToolCall, inside(tool), tool, CodeDenied},
		"deferred, called directly": {nil, tool, json.RawMessage(`{}`), tool, CodeDeferred},
		"unknown":                   {nil, ToolCall, inside("mcp_harbor_fly"), "mcp_harbor_fly", CodeUnknownTool},
	} {
		s := snapshotOf(t, "wide")
		s.Config.Policy = c.policy
		for _, g := range []config.Generation{config.September2026, config.June2026} { // the last one stays
			s.Config.ToolSearch.Generation = g
			if got := s.Invoke(ToolCall, inside(other), ""); got.Name != other {
				t.Errorf("%s: the name is %q", g, got.Name)
			}
		}
		got := s.Invoke(c.call, c.args, c.approved)
		if got.Code != c.code || got.Authorized != (c.code == CodeOK) {
			t.Errorf("%s: %s, authorized %v; want %s: %s", name, got.Code, got.Authorized, c.code, got.Message)
		}
		if detail := details(got)["policy"]; strings.Contains(detail, "was approved") != (got.Authorized && c.approved != "") {
			t.Errorf("%s: the policy says %q", name, detail)
		}
		if got.Authorized && (string(got.RealName) != tool || string(got.Arguments) != `{"berth":1}`) {
			t.Errorf("%s: %s with %s", name, got.RealName, got.Arguments)
		}
	}
}

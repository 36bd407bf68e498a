package rescue

import (
	"context"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/safetext"
	"caliper/model/shapes"
)

const testRegistry = `{"toolsets":{
 "web":{"tools":["web_search"]},
 "mcp-github":{"tools":["mcp_github_list_issues","shared_name","read_file"]},
 "mcp-gitlab":{"tools":["both_mcp"]},
 "skills":{"tools":["skill_view"]},
 "file":{"tools":["search_files"]},
 "plug":{"tools":["plug_dump","mcp_like"]}},
"tools":[
 {"type":"function","toolset":"web","function":{"name":"web_search","description":"d","parameters":{"type":"object"}}},
 {"type":"function","toolset":"mcp-github","function":{"name":"mcp_github_list_issues","description":"d","parameters":{"type":"object"}}},
 {"type":"function","toolset":"mcp-github","function":{"name":"shared_name","description":"d","parameters":{"type":"object"}}},
 {"type":"function","toolset":"plug","function":{"name":"shared_name","description":"e","parameters":{"type":"object"}}},
 {"type":"function","toolset":"mcp-github","function":{"name":"both_mcp","description":"d","parameters":{"type":"object"}}},
 {"type":"function","toolset":"mcp-gitlab","function":{"name":"both_mcp","description":"e","parameters":{"type":"object"}}},
 {"type":"function","toolset":"mcp-github","function":{"name":"read_file","description":"d","parameters":{"type":"object"}}},
 {"type":"function","toolset":"file","function":{"name":"search_files","description":"d","parameters":{"type":"object"}}},
 {"type":"function","toolset":"plug","function":{"name":"plug_dump","description":"d","parameters":{"type":"object"}}},
 {"type":"function","toolset":"plug","function":{"name":"mcp_like","description":"d","parameters":{"type":"object"}}},
 {"type":"function","toolset":"mcp-github","function":{"name":"mcp_github_log","description":"d","parameters":{"type":"object"}},"_meta":{"anthropic/maxResultSizeChars":40000}},
 {"type":"function","toolset":"mcp-github","function":{"name":"mcp_github_all","description":"d","parameters":{"type":"object"}},"_meta":{"anthropic/maxResultSizeChars":1e30}},
 {"type":"function","toolset":"mcp-github","function":{"name":"mcp_github_few","description":"d","parameters":{"type":"object"}},"_meta":{"anthropic/maxResultSizeChars":10}},
 {"type":"function","toolset":"mcp-github","function":{"name":"mcp_github_text","description":"d","parameters":{"type":"object"}},"_meta":{"anthropic/maxResultSizeChars":"40000"}},
 {"type":"function","function":{"name":"mcp_bare","description":"d","parameters":{"type":"object"}}}]}`

func TestDecide(t *testing.T) {
	r, err := shapes.Parse(context.Background(), model.Source{Name: "r.json", Data: []byte(testRegistry)})
	require.NoError(t, err)
	l := config.Default().Rescue
	l.ExcludeTools = []string{"mcp_github_secret", "browser_console"}
	const long = 12001
	for _, c := range []struct {
		name, tool string
		chars      int
		registry   *model.Registry
		rescue     bool
		rule       string
	}{
		{"MCP tool, long", "mcp_github_list_issues", long, r, true, RuleMCP},
		{"MCP tool, at the limit", "mcp_github_list_issues", 12000, r, false, RuleWithin},
		{"as much as its server asks for", "mcp_github_log", 40000, r, false, RuleWithin},
		{"more than its server asks for", "mcp_github_log", 40001, r, true, RuleMCP},
		{"the most that a server is given", "mcp_github_all", 500_000, r, false, RuleWithin},
		{"more than any server is given", "mcp_github_all", 500_001, r, true, RuleMCP},
		{"a server that asks for less", "mcp_github_few", 12000, r, false, RuleWithin},
		{"a server that asks with a text", "mcp_github_text", long, r, true, RuleMCP},
		{"web tool", "web_search", long, r, true, RuleWeb},
		{"browser tool", "browser_get_images", long, r, true, RuleWeb},
		{"browser tool that is not listed", "browser_click", long, r, false, RuleUnknown},
		{"excluded browser tool", "browser_console", long, r, false, RuleExcluded},
		{"excluded MCP tool", "mcp_github_secret", long, r, false, RuleExcluded},
		{"fetching again", "rescuer_fetch", 1 << 30, r, false, RuleInternal},
		{"delegate", "delegate_task", long, nil, false, RuleInternal},
		{"memory", "memory", long, nil, false, RuleInternal},
		{"bridge", "tool_describe", long, r, false, RuleUnknown},
		{"file reader", "search_files", long, r, false, RuleFile},
		{"file reader, no registry", "read_file", long, nil, false, RuleFile},
		{"an MCP server's file reader", "read_file", long, r, true, RuleMCP},
		{"terminal", "terminal", long, r, false, RuleTerminal},
		{"plugin tool", "plug_dump", long, r, false, RuleOther},
		{"plugin tool named like MCP", "mcp_like", long, r, false, RuleOther},
		{"unknown name like MCP", "mcp_new_tool", long, r, true, RuleMCPName},
		{"unknown name like MCP, no registry", "mcp_new_tool", long, nil, true, RuleMCPName},
		{"unknown name", "whatever", long, r, false, RuleUnknown},
		{"a toolset's name is no tool", "mcp-github", long, r, false, RuleUnknown},
		{"in the registry without a toolset", "mcp_bare", long, r, false, RuleUnknown},
		{"shared with a plugin", "shared_name", long, r, false, RuleOther},
		{"qualified, of the MCP server", "mcp-github/shared_name", long, r, true, RuleMCP},
		{"shared by two MCP servers", "both_mcp", long, r, true, RuleMCP},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Decide(c.registry, l, c.tool, c.chars)
			if d.Rescue != c.rescue || d.Rule != c.rule {
				t.Errorf("got %+v, want %v by %s", d, c.rescue, c.rule)
			}
			if !strings.Contains(d.String(), "rescued") || safetext.Line(d.String()) != d.String() {
				t.Errorf("text: %q", d.String())
			}
			if !slices.ContainsFunc(Rules(l), func(r Rule) bool { return r.Code == d.Rule }) {
				t.Errorf("the rule %s is not listed as it decides", d.Rule)
			}
		})
	}
}

func TestDecisionTextIsSafe(t *testing.T) {
	d := Decide(nil, config.Default().Rescue, "mcp_\x1b[2J\n\u202e"+strings.Repeat("x", 1000), 20000)
	if safetext.Line(d.String()) != d.String() || len(d.String()) > 300 {
		t.Errorf("%q", d.String())
	}
}

func TestLimitOfZeroRescuesAll(t *testing.T) {
	l := config.Default().Rescue
	l.MaxResultChars = 0
	if !Decide(nil, l, "mcp_x", 1).Rescue || Decide(nil, l, "mcp_x", 0).Rescue {
		t.Error("more than 0 is rescued, and 0 is not")
	}
}

func TestRulesAreStable(t *testing.T) {
	var codes []string
	for _, r := range Rules(config.Default().Rescue) {
		codes = append(codes, r.Code)
		if safetext.Line(r.Text) != r.Text || r.Text == "" {
			t.Errorf("%s: %q", r.Code, r.Text)
		}
	}
	want := []string{"plugin_off", "internal", "excluded", "within_limit", "web_tool", "mcp_toolset", "mcp_name", "file_tool", "terminal",
		"other_toolset", "no_toolset"}
	if !slices.Equal(codes, want) {
		t.Errorf("got %v", codes)
	}
}

// TestDecisionOfOne: one character and one name are no plurals.
func TestDecisionOfOne(t *testing.T) {
	l := Limits{MaxResultChars: 1, ExcludeTools: []string{"x"}}
	texts := ""
	for _, r := range Rules(l) {
		texts += r.Text + "\n"
	}
	d := Decide(nil, l, "mcp_x", 1)
	texts += d.String()
	for _, want := range []string{"never: the 1 name of exclude_tools\n", "more than 1 character, or what", "1 character is not more than 1"} {
		if !strings.Contains(texts, want) {
			t.Errorf("lacks %q:\n%s", want, texts)
		}
	}
}

// TestOff: nothing is rescued while the agent does not load the plugin.
func TestOff(t *testing.T) {
	l := config.Default().Rescue
	l.Off = "plugins.enabled"
	for _, tool := range []string{"mcp_x", "web_search", "memory", ""} {
		if d := Decide(nil, l, tool, 1<<30); d.Rescue || d.Rule != RuleOff || !strings.Contains(d.String(), "plugins.enabled switches rescue off") {
			t.Errorf("%s: %+v", tool, d)
		}
	}
}

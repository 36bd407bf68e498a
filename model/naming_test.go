package model

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "caliper/model/require"
	"caliper/model/safetext"
)

func TestPatterns(t *testing.T) {
	for n, want := range map[Naming]string{HermesNaming: "mcp_<server>_<tool>", DoubleNaming: "mcp__<server>__<tool>", LaterNaming: "mcp__<server>__<tool>"} {
		if n.Pattern() != want {
			t.Errorf("%s: %s", n, n.Pattern())
		}
	}
}

func TestToolName(t *testing.T) {
	long := strings.Repeat("x", 80)
	for _, c := range []struct {
		n                  Naming
		server, tool, want string
	}{
		{HermesNaming, "my server (work)", "get-it", "mcp_my_server__work__get_it"},
		{DoubleNaming, "gh", "a.b:c", "mcp__gh__a_b_c"},
		{DoubleNaming, "every-thing", "get-env", "mcp__every-thing__get-env"},
		{HermesNaming, "é", "日本", "mcp_____"},
		{HermesNaming, "s", long[:58], "mcp_s_" + long[:58]}, // 64 bytes are not cut
		{HermesNaming, "s", long, "mcp_s_" + long[:49] + "_" + "4e5a3a0e"},
		{LaterNaming, "s", long, "mcp__s__" + long[:47] + "_" + "4e5a3a0e"},
		{DoubleNaming, "s", long + "y", "mcp__s__" + long + "y"},
	} {
		got := c.n.ToolName(c.server, c.tool)
		if c.tool == long {
			c.want = c.want[:56] + got[56:]
		}
		if got != c.want || len(got) > 64 && c.n != DoubleNaming {
			t.Errorf("%s %s: %s, want %s", c.server, c.tool, got, c.want)
		}
	}
	if a, b := HermesNaming.ToolName("s", long+"a"), HermesNaming.ToolName("s", long+"b"); a == b {
		t.Errorf("both are %s", a)
	}
	plain := map[Naming]*regexp.Regexp{
		HermesNaming: regexp.MustCompile(`^mcp_[A-Za-z0-9_]{1,60}$`), DoubleNaming: regexp.MustCompile(`^mcp__[A-Za-z0-9_-]+$`),
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]Naming{HermesNaming, DoubleNaming}).Draw(t, "naming")
		server, tool := rapid.String().Draw(t, "server"), rapid.String().Draw(t, "tool")
		if name := n.ToolName(server, tool); !plain[n].MatchString(name) || name != n.ToolName(server, tool) {
			t.Fatalf("%q", name)
		}
	})
}

// A tool is found by every name that an agent gives it, where people write names; a call
// by another name than its own reaches nothing.
func TestAliases(t *testing.T) {
	long := strings.Repeat("x", 60)
	for _, c := range []struct {
		name    string
		tool    Tool
		aliases []string
	}{
		{"made by one generation", Tool{Name: "mcp_git_hub_get_it", Server: "git hub", OriginalName: "get-it"},
			[]string{"mcp__git_hub__get_it", "mcp__git_hub__get-it", "git hub-get-it"}},
		{"made by the other", Tool{Name: "mcp__git_hub__get_it", Server: "git hub"},
			[]string{"mcp_git_hub_get_it", "git hub-get_it"}},
		{"made by Claude Code", Tool{Name: "mcp__git-hub__get-it", Server: "git-hub"},
			[]string{"mcp__git_hub__get_it", "mcp_git_hub_get_it", "git-hub-get-it"}},
		{"cut by an agent that cuts", Tool{Name: HermesNaming.ToolName("s", long), Server: "s", OriginalName: long},
			[]string{LaterNaming.ToolName("s", long), "mcp__s__" + long, "s-" + long}},
		{"named by its server alone", Tool{Name: "get_it", Server: "gh", OriginalName: "get_it", Toolset: "mcp__gh"},
			[]string{"mcp__gh__get_it", "mcp_gh_get_it", "gh-get_it"}},
		{"renamed by somebody", Tool{Name: "mcp_gh_fetch", Server: "gh", OriginalName: "get_it"}, []string{"mcp__gh__fetch", "gh-fetch"}},
		{"of a server that nobody knows", Tool{Name: "get_it", Server: "gh"}, nil},
		{"in a namespace", Tool{Name: "get_it", Toolset: "desk"}, []string{"desk__get_it"}},
		{"of no server and no toolset", Tool{Name: "mcp_git_hub_get_it", Toolset: NoToolset, OriginalName: "get_it"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.tool.Aliases(); !slices.Equal(got, c.aliases) {
				t.Errorf("%q, want %q", got, c.aliases)
			}
			r := NewRegistry([]*Tool{&c.tool}, nil)
			for _, name := range c.aliases {
				if len(r.Called(name)) != 1 || r.Lookup(name) != nil || len(r.Called(c.tool.Name)) != 1 {
					t.Errorf("%s is not found by %s", c.tool.Name, name)
				}
			}
		})
	}
}

// TestFoldName: what agents make of one name folds into one.
func TestFoldName(t *testing.T) {
	for in, want := range map[string]string{"": "", "a__b": "a_b", "a.b/c_d": "a_b_c_d", "a._/b": "a_b", "__a--b__": "_a--b_", "aa": "aa"} {
		if got := FoldName(in); got != want {
			t.Errorf("%q folds into %q, want %q", in, got, want)
		}
	}
}

// Every provider's rule at its edges.
func TestNameRules(t *testing.T) {
	const plain = "azAZ09_-"
	for _, c := range []struct {
		provider     string
		takes, wants string // characters
		first        string // characters that cannot be the first
		longest      int
		text         string
	}{
		{"OpenAI", plain, "./: é", "", 64, "letters, digits, _ and -, 64 characters"},
		{"Anthropic", plain, "./: é", "", 128, "letters, digits, _ and -, 128 characters"},
		{"Gemini", plain + ".:", "/ é", "09-.:", 128, "letters, digits, ., :, _ and -, 128 characters, a letter or _ first"},
		{"Bedrock", plain, "./: é", "", 64, "letters, digits, _ and -, 64 characters"},
		{"MCP", plain + ".", "/: é", "", 128, "letters, digits, ., _ and -, 128 characters"},
		{ToolSearch, plain, "./: é", "", 64, "letters, digits, _ and -, 64 characters"},
	} {
		r, ok := NameRuleOf(c.provider)
		if !ok || r.String() != c.text || r.Longest != c.longest || r.Advice != (c.provider == "MCP") {
			t.Errorf("%s: %+v", c.provider, r)
		}
		for b := rune(0); b < 0x100; b++ {
			want := strings.ContainsRune(c.takes, b) || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9'
			if odd, is := r.Odd("a" + string(b)); is == want || is && odd != b {
				t.Errorf("%s and %q: odd %v", c.provider, b, is)
			}
			first := strings.ContainsRune(c.first, b) || c.first != "" && '0' <= b && b <= '9'
			if start, bad := r.BadStart(string(b) + "a"); bad != first || bad && start != b {
				t.Errorf("%s and %q first: bad %v", c.provider, b, bad)
			}
		}
		for _, odd := range c.wants {
			if _, is := r.Odd(string(odd)); !is {
				t.Errorf("%s takes %q", c.provider, odd)
			}
		}
	}
	if _, ok := NameRuleOf("nobody"); ok {
		t.Error("nobody has a rule")
	}
	if _, bad := NameRules[2].BadStart(""); bad {
		t.Error("no name begins badly")
	}
}

// Tools that share a name are all found by it, and each by a name of its own.
func TestTwins(t *testing.T) {
	tools := []*Tool{{Name: "a", Toolset: "x"}, {Name: "b", Toolset: "x"}, {Name: "a", Toolset: "y"}, {Name: "a", Toolset: "x"}}
	r := NewRegistry(tools, []*Toolset{{Name: "x"}, {Name: "y"}})
	if got, want := r.Lookup("a"), []*Tool{tools[0], tools[2], tools[3]}; !slices.Equal(got, want) {
		t.Errorf("a: %v", got)
	}
	for i, name := range []string{"x/a", "b", "y/a", "x/a#2"} {
		if got := r.Lookup(name); tools[i].Qualified != name || !slices.Equal(got, tools[i:i+1]) || r.Named(name) != tools[i] {
			t.Errorf("%s: %v, and the tool is %s", name, got, tools[i].Qualified)
		}
	}
	if got := r.Lookup("c"); got != nil || r.Named("c") != nil || r.Named("a") != nil {
		t.Errorf("c: %v", got)
	}
	set, ok := r.Toolset("y")
	if none, found := r.Toolset("z"); !ok || set != r.Toolsets[1] || none != nil || found {
		t.Errorf("toolsets %v and %v", set, none)
	}
}

// Definitions in three sources: two in one, one behind other text, one that is only named.
func TestPlaces(t *testing.T) {
	sources := []Source{{Name: "a.json", Data: []byte("[\n  {\"a\":1},\n {\"b\":2}]")}, {Name: "b.json", Data: []byte(`- {}`)}, {Name: "c.json", Data: []byte(`"d"`)}}
	tools := []*Tool{{Name: "a", At: Offset{0, 4}}, {Name: "b", At: Offset{0, 14}}, {Name: "c", At: Offset{1, 2}}, {Name: "d", At: Offset{2, 0}}, {Name: "e", At: Offset{0, 4}, Operation: true}, {Name: "f", At: Offset{2, 3}}}
	r := NewRegistry(tools, nil)
	r.Sources = sources
	for i, want := range []string{"a.json:2:3 {\"a\":1},\n ", "a.json:3:2 {\"b\":2}]", "b.json:1:3 {}", "c.json:1:1 ", "a.json:2:3 ", "c.json:1:4 "} {
		file, line, col := r.Where(tools[i])
		if got := fmt.Sprintf("%s:%d:%d %s", file, line, col, r.Entry(tools[i])); got != want {
			t.Errorf("%s: %q, want %q", tools[i].Name, got, want)
		}
	}
	for _, other := range []*Tool{{Index: 0, At: Offset{0, 4}}, {Index: 6, At: Offset{0, 4}}} {
		if got := r.Entry(other); got != nil {
			t.Errorf("another registry's: %q", got)
		}
	}
}

// The hash of a definition covers what is sent around the function, and is kept.
func TestContent(t *testing.T) {
	plain, envelope := Tool{Function: []byte(`{}`)}, Envelope{`{"x":1,"function":`, `,"y":2}`}
	around := Tool{Function: []byte(`{}`), Envelope: &envelope}
	shifted := Tool{Function: []byte(`{}`), Envelope: &Envelope{envelope.Before + ",", envelope.After[1:]}}
	seen := map[Hash]bool{}
	for _, x := range []*Tool{&plain, &around, &shifted, {Function: []byte(`{ }`)}} {
		if sum := x.Content(); sum == (Hash{}) || sum != x.Content() || seen[sum] {
			t.Errorf("%v: %x", x, sum)
		} else {
			seen[sum] = true
		}
	}
	if kept := (&Tool{Hash: Hash{7}}); kept.Content() != kept.Hash {
		t.Error("a hash that is known is made again")
	}
	for x, want := range map[*Tool]Envelope{&plain: {`{"type":"function","function":`, `}`}, &around: envelope} {
		if before, after := x.Around(); before != want.Before || after != want.After {
			t.Errorf("around it stand %q and %q", before, after)
		}
	}
	odd := Tool{Toolset: "a\x1b[31m", Description: "b\n"}
	if odd.ShownToolset() != safetext.Line(odd.Toolset) || odd.ShownDescription() != safetext.Line(odd.Description) {
		t.Error("shown as it is")
	}
}

// A diagnostic leaves out what is unknown.
func TestDiagnostics(t *testing.T) {
	for _, c := range []struct {
		d           Diagnostic
		text, brief string
	}{
		{Diagnostic{File: "/a/b.json", Line: 2, Col: 3, Path: "tools[4]", Message: "bad"}, "/a/b.json:2:3: tools[4]: bad", "b.json:2:3: tools[4]: bad"},
		{Diagnostic{File: "/a/b.json", Message: "bad"}, "/a/b.json: bad", "b.json: bad"},
		{Diagnostic{Line: 2, Col: 3, Message: "bad"}, "2:3: bad", "2:3: bad"},
		{Diagnostic{Path: "x", Message: "bad"}, "x: bad", "x: bad"},
	} {
		if c.d.Error() != c.text || c.d.Brief() != c.brief {
			t.Errorf("%q, briefly %q; want %q and %q", c.d.Error(), c.d.Brief(), c.text, c.brief)
		}
	}
}

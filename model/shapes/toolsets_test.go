package shapes

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"caliper/model"
	"caliper/model/clientfile"
	"caliper/model/require"
	"caliper/model/safetext"
)

// Tools that name no toolset get the one of the server their names tell.
func TestInferredToolsets(t *testing.T) {
	for _, c := range []struct {
		name    string
		servers []string
		text    string
		want    string // per tool: name, toolset, server and name there
		notes   string // which name is taken for which server
	}{
		{"the longest configured name wins", []string{"git", "git-hub", "git_hub_x"}, names("mcp_git_hub_open", "mcp_git_open", "mcp_git_hub_x_open"),
			"mcp-git-hub git-hub/open, mcp-git git/open, mcp-git_hub_x git_hub_x/open", "3 known mcp-git-hub, mcp-git, mcp-git_hub_x"},
		{"double underscores", []string{"git-hub", "a.b"}, names("mcp__git-hub__open", "mcp__git_hub__open", "mcp__a_b__x"),
			"mcp-git-hub git-hub/open, mcp-git-hub git-hub/open, mcp-a.b a.b/x", "3 known mcp-git-hub, mcp-a.b"},
		{"the first word", nil, names("mcp_git_hub_open", "mcp__git_hub__open"),
			"mcp-git git/hub_open, mcp-git_hub git_hub/open", "2 guessed mcp-git, mcp-git_hub"},
		{"the first word beside a configured one", []string{"wiki"}, names("mcp_git_hub_open", "mcp_wiki_read"),
			"mcp-git git/hub_open, mcp-wiki wiki/read", "1 guessed mcp-git, 1 known mcp-wiki"},
		{"a server whose name is all", []string{"git"}, names("mcp_git_", "mcp_git", "mcp__git__", "mcp_", "mcp__", "xmcp_git_a", "MCP_git_a", "mcp___a"), "(none), (none), (none), (none), (none), (none), (none), (none)", ""},
		{"no name at all", []string{"", "git"}, names("mcp__x_y", "mcp___b"), "(none), (none)", ""},
		{"the toolset of a server in the dump", nil, `{"toolsets":{"forge":{"server":"git-hub"},"mcp-a-b":{}},"tools":[{"function":{"name":"mcp_git_hub_x"}},{"function":{"name":"mcp_a_b_x"}}]}`,
			"forge git-hub/x, mcp-a-b a-b/x", "2 known forge, mcp-a-b"},
		{"the toolset that another tool names", nil, `[{"function":{"name":"mcp_a_b_x"}},{"function":{"name":"y"},"toolset":"mcp-a-b"}]`,
			"mcp-a-b a-b/x, mcp-a-b", "1 known mcp-a-b"},
		{"a toolset that is no server's", nil, `{"toolsets":{"web":{"tools":["mcp_a_x"]},"a":{}},"tools":[{"function":{"name":"mcp_a_x"}},{"function":{"name":"mcp_a_y"}}]}`,
			"web, mcp-a a/y", "1 guessed mcp-a"},
		{"a tool that names its server", nil, `[{"function":{"name":"mcp_a_b_x"},"server":"a b"}]`, "mcp-a a b/", "1 guessed mcp-a"},
		{"two servers of one prefix", []string{"a-b", "a_b"}, names("mcp_a_b_x"), "mcp-a-b a-b/x", "1 known mcp-a-b"},
		{"many", nil, names("mcp_a_x", "mcp_b_x", "mcp_c_x", "mcp_d_x", "mcp_e_x", "mcp_f_x", "mcp_g_x", "mcp_a_y"),
			"mcp-a a/x, mcp-b b/x, mcp-c c/x, mcp-d d/x, mcp-e e/x, mcp-f f/x, mcp-g g/x, mcp-a a/y", "8 guessed mcp-a, mcp-b, mcp-c, mcp-d, mcp-e and 2 more"},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := model.Source{Name: "a.json", Data: []byte(c.text), Servers: c.servers}
			r, err := Parse(context.Background(), source)
			require.NoError(t, err)
			if got := placesOf(r); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if got := inferredNotes(t, r); got != c.notes {
				t.Errorf("notes %q, want %q", got, c.notes)
			}
			for _, tool := range r.Tools {
				set, ok := r.Toolset(tool.Toolset)
				if !ok || tool.Server == "" && tool.OriginalName != "" || strings.HasPrefix(set.Name, "mcp-") && set.Server != set.Name[4:] {
					t.Errorf("%s of %q in %+v", tool.Name, tool.Server, set)
				}
			}
		})
	}
}

// A name of a megabyte of underscores costs no more than a look at it.
func TestInferredOfLongNames(t *testing.T) {
	long := "mcp_" + strings.Repeat("a_", 1<<20)
	source := model.Source{Name: "a.json", Data: []byte(names(long, long+"b")), Servers: []string{strings.TrimSuffix(long, "_"), strings.TrimPrefix(long, "mcp_")}}
	r, err := Parse(context.Background(), source)
	if err != nil || r.Tools[0].Toolset != "mcp-a" {
		t.Fatalf("%v, %v", r, err)
	}
}

// names returns a request with tools of these names.
func names(all ...string) string {
	var tools []string
	for _, n := range all {
		tools = append(tools, fmt.Sprintf(`{"type":"function","function":{"name":%q}}`, n))
	}
	return `{"model":"m","messages":[],"tools":[` + strings.Join(tools, ",") + `]}`
}

// placesOf returns the toolset of every tool, with its server and name there.
func placesOf(r *model.Registry) string {
	var all []string
	for _, t := range r.Tools {
		at := t.Toolset
		if t.Server != "" || t.OriginalName != "" {
			at += " " + t.Server + "/" + t.OriginalName
		}
		all = append(all, at)
	}
	return strings.Join(all, ", ")
}

// inferredNotes returns what the warnings say of tools that name no toolset,
// which must be all that they say.
func inferredNotes(t *testing.T, r *model.Registry) string {
	t.Helper()
	var all []string
	for _, w := range r.Warnings {
		if w.Code == "unlisted_tool" || w.Code == "name_rule" {
			continue
		}
		var n int
		if _, err := fmt.Sscanf(w.Message, "%d tool", &n); err != nil || w.Code != "toolset_inferred" || w.Line != 1 || w.Path == "" {
			t.Errorf("%s: %v", w.Code, w)
		}
		_, sets, _ := strings.Cut(w.Message, "; taken for ")
		sets, how, _ := strings.Cut(sets, ", by ")
		kind := map[bool]string{true: "guessed", false: "known"}[strings.HasPrefix(how, "the first word")]
		all = append(all, fmt.Sprintf("%d %s %s", n, kind, sets))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// The server in a tool's name is the longest that is known to be one, else the
// first word.
func TestServerInName(t *testing.T) {
	long := strings.Repeat("a_", 125) + "b" // its prefix is as long as is looked at
	for _, c := range []struct{ name, toolset, tool, want string }{
		{"nothing is known", "other", "mcp_sea_level_tide", "mcp-sea"},
		{"a server", "mcp-sea_level", "mcp_sea_level_tide", "mcp-sea_level"},
		{"a toolset that is no server", "sea_level", "mcp_sea_level_tide", "mcp-sea"},
		{"the longest prefix", "mcp-" + long, "mcp_" + long + "_tide", "mcp-" + long},
		{"a longer one", "mcp-" + long + "c", "mcp_" + long + "c_tide", "mcp-a"},
	} {
		r := parse(t, fmt.Sprintf(`{"toolsets":{},"tools":[{"type":"function","function":{"name":"x"},"toolset":%q},{"type":"function","function":{"name":%q}}]}`, c.toolset, c.tool))
		if got := r.Tools[1].Toolset; got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// The message about an entry of a registry names three ways to reach its servers, in one line.
func TestRegistryMessage(t *testing.T) {
	f := clientfile.File{Ways: []string{"", strings.Repeat("x", 201), "one", "two\x1b[2J", "three", "four"}}
	if got := registryMessage(f, "r.json"); !strings.HasSuffix(got, ": one, "+safetext.Line("two\x1b[2J")+", three") {
		t.Errorf("%q", got)
	}
}

// Definitions by their names, and those in the envelope of an API, belong to the file's
// server; tools that are switched off are left out, with a warning.
func TestListingsOfOtherForms(t *testing.T) {
	const a, b = `{"description":"A.","inputSchema":{"type":"object","properties":{}}}`, `{"description":"B.","input_schema":{"type":"object"}}`
	const named = `{"name":"a","description":"A.","inputSchema":{"type":"object"}}`
	for _, c := range []struct{ name, text, want, warns string }{
		{"by name", `{"a":` + a + `,"c":` + a + `}`, "mcp_f_a mcp_f_c", ""},
		{"by name, of Anthropic", `{"a":` + b + `}`, "a", ""},
		{"by name, of OpenAI", `{"a":{"description":"A.","parameters":{"type":"object"}}}`, "a", ""},
		{"by name, in tools", `{"version":1,"tools":{"a":` + a + `}}`, "mcp_f_a", ""},
		{"by name, and named within", `{"x":` + named + `,"c":` + a + `}`, "mcp_f_a mcp_f_c", ""},
		{"data", `{"success":true,"data":{"count":1,"tools":[` + named + `]}}`, "mcp_f_a", ""},
		{"an answer in an answer", `{"ok":true,"response":{"data":{"tools":[` + named + `]}}}`, "mcp_f_a", ""},
		{"an answer of a server", `{"s":{"data":{"tools":[` + named + `]}}}`, "mcp_s_a", ""},
		{"items", `{"items":[` + named + `],"nextPageToken":null}`, "mcp_f_a", ""},
		{"content", `{"content":[` + named + `]}`, "mcp_f_a", ""},
		{"servers, of which one is called data", `{"data":{"tools":[` + named + `]},"forge":{"tools":[` + named + `]}}`, "mcp_data_a mcp_forge_a", ""},
		{"servers in a list", `[{"name":"sea","tools":[` + named + `]},{"server":"sky","tools":[` + named + `]}]`, "mcp_sea_a mcp_sky_a", ""},
		{"servers in a list of servers", `{"servers":[{"name":"sea","tools":[` + named + `]},{"name":"sky","tools":[]}]}`, "mcp_sea_a", ""},
		{"servers by name in servers, one with tools by name", `{"servers":{"sea":{"tools":[` + named + `]},"sky":{"tools":{"b":` + a + `}}}}`, "mcp_sea_a mcp_sky_b", ""},
		{"servers in servers, the first without a tool", `{"servers":[{"name":"sea","tools":[]},{"name":"sky","tools":[{"name":"b"},` + named + `]}]}`, "mcp_sky_b mcp_sky_a", ""},
		{"servers by name in servers, one without a tool", `{"servers":{"sea":{"tools":[]},"sky":{"tools":[` + named + `]}}}`, "mcp_sky_a", ""},
		{"servers in a list, one with tools by name", `[{"name":"sky","tools":{"b":` + a + `}}]`, "mcp_sky_b", ""},
		{"servers by identifier", `{"servers":[{"id":"sea","tools":[` + named + `]},{"id":"sky","name":"blue","tools":[` + named + `]}]}`, "mcp_sea_a mcp_blue_a", ""},
		{"servers in an answer", `{"data":{"servers":{"sea":{"tools":[` + named + `]}}}}`, "mcp_sea_a", ""},
		{"a list of servers in an answer", `{"ok":true,"result":{"servers":[{"name":"sea","tools":[` + named + `]}]}}`, "mcp_sea_a", ""},
		{"servers in a server", `{"servers":{"sea":{"tools":[` + named + `],"servers":{"sky":{"tools":[` + named + `]}}}}}`, "mcp_sea_a", "nested_servers"},
		{"a listing in a listing", `{"tools":[{"name":"sea","tools":[` + named + `]}]}`, "mcp_sea_a", ""},
		{"switched off", `{"tools":[` + named + `,{"name":"off","input_schema":{"type":"object"},"enabled":false}]}`, "mcp_f_a", "disabled_tool"},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := model.Source{Name: "f.json", Data: []byte(c.text)}
			r, err := Parse(context.Background(), source)
			require.NoError(t, err)
			var names []string
			for _, tool := range r.Tools {
				names = append(names, tool.Name)
				if !strings.Contains(string(tool.Function), `"name":"`+tool.Name+`"`) {
					t.Errorf("%s is sent as %s", tool.Name, tool.Function)
				}
			}
			warned := ""
			for _, w := range r.Warnings {
				warned += w.Code
			}
			if got := strings.Join(names, " "); got != c.want || warned != c.warns {
				t.Errorf("%s, warned %q; want %s, %q", got, warned, c.want, c.warns)
			}
		})
	}
}

package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/hosts"
	"caliper/engine/internal/fixture"
	"caliper/engine/tokens"
	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/require"
)

// forge is a registry of servers with tools of like names, and sessions over
// it.
func forge(t testing.TB) Inputs {
	t.Helper()
	var tools []string
	for toolset, names := range map[string][]string{
		"mcp-forge": {"mcp_forge_list_commits", "mcp_forge_get_commit", "mcp_forge_merge_pull_request", "mcp_forge_list_pull_requests",
			"mcp_forge_create_issue", "mcp_forge_add_issue_comment", "mcp_forge_call_tool", "mcp_forge_delete_branch"},
		"mcp-anvil": {"mcp_anvil_list_commits", "mcp_anvil_create_branch", "mcp_anvil_search_tools"},
		"files":     {"readFile", "write-file"},
	} {
		for _, name := range names {
			tools = append(tools, fmt.Sprintf(`{"type":"function","toolset":%q,"function":{"name":%q,"description":"No tool of nope."}}`, toolset, name))
		}
	}
	slices.Sort(tools)
	r := fixture.Parse(t, []byte(`{"toolsets":{},"tools":[`+strings.Join(tools, ",")+`]}`))
	c := config.Default()
	c.Core = nil
	c.ToolSearch.Enabled = config.On
	c.Sessions = []config.Session{{Name: "default"}, {Name: "anvil", Enabled: []string{"mcp-anvil"}}}
	return Inputs{Registry: r, Config: c}
}

func TestSuggest(t *testing.T) {
	tests := []struct {
		name string
		want []string
	}{
		{"mcp_forge_list_commit", []string{"mcp_forge_list_commits", "mcp_anvil_list_commits"}},
		{"mcp_forg_list_commits", []string{"mcp_forge_list_commits", "mcp_anvil_list_commits"}},
		{"mcp_forge_lsit_commits", []string{"mcp_forge_list_commits"}},
		{"create_isue", []string{"mcp_forge_create_issue"}},
		{"forge.add-issue-comment", []string{"mcp_forge_add_issue_comment"}},
		{"add_comment_issue", []string{"mcp_forge_add_issue_comment"}},
		{"listPullRequests", []string{"mcp_forge_list_pull_requests"}},
		{"pull_request", []string{"mcp_forge_merge_pull_request", "mcp_forge_list_pull_requests"}},
		{"read_file", []string{"readFile"}},
		{"WriteFile", []string{"write-file"}},
		{"branch", []string{"mcp_anvil_create_branch", "mcp_forge_delete_branch"}},
		{"nope_tool", nil}, // all descriptions have both words
		{"forge", nil},
		{"send_mail", nil},
		{"mcp_forge_fly", nil},
		{"mcp", nil},
		{"_", nil},
		{"", nil},
		{strings.Repeat("list_commits_", 1000), nil},
	}
	s := built(t, forge(t))
	for _, tt := range tests {
		if got := s.Suggest(tt.name); !slices.Equal(got, tt.want) {
			t.Errorf("%.40s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// To a model, only tools in scope are offered, of another server too.
func TestSuggestInScope(t *testing.T) {
	in := forge(t)
	in.Session = "anvil"
	s := built(t, in)
	for name, want := range map[string]string{
		"mcp_forge_list_commit":   `"suggestions":["mcp_anvil_list_commits"]`,
		"mcp_forge_list_commits":  `"suggestions":["mcp_anvil_list_commits"]`, // out of scope
		"mcp_forge_delete_branch": `"code":"out_of_scope"`,
		"mcp_forge_create_issue":  `"code":"out_of_scope"`,
	} {
		got := string(s.Call(name, nil).ModelSees)
		if !strings.Contains(got, want) || strings.Contains(got, "suggestions") != strings.Contains(want, "suggestions") {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// What a tool is called beside its server goes by the server's own name, where
// the toolset has another.
func TestSuggestByServer(t *testing.T) {
	registry := fixture.Parse(t, []byte(`{
		"toolsets": {"workshop": {"server": "long-lathe"}},
		"tools": [{"type":"function","toolset":"workshop","function":{"name":"long_lathe_cut"}}]}`))
	s := built(t, Inputs{Registry: registry, Config: config.Default()})
	for name, want := range map[string][]string{"cut": {"long_lathe_cut"}, "long_lathe_saw": nil} {
		if got := s.Suggest(name); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestDescribe(t *testing.T) {
	tests := []struct {
		name    string
		session string
		tool    string
		code    string // CodeOK: shown
	}{
		{"deferred", "wide", "mcp_harbor_book", CodeOK},
		{"spaces around the name", "wide", " mcp_harbor_book ", CodeOK},
		{"core", "wide", "read_file", CodeOK},
		{"qualified name", "wide", "mcp-tide/horn", CodeOK},
		{"takes a bridge name", "wide", "tool_search", CodeOK},
		{"denied by policy", "wide", "mcp_harbor_sink", CodeOK},
		{"blank", "wide", " ", CodeMissingName},
		{"unknown", "wide", "mcp_harbor_fly", CodeUnknownTool},
		{"the bridge's own", "wide", "tool_call", CodeUnknownTool},
		{"two of the name", "wide", "horn", CodeAmbiguousName},
		{"not available", "wide", "mcp_tide_broken", CodeOutOfScope},
		{"outside the scope", "harbor", "mcp_tide_read", CodeOutOfScope},
		{"core outside the scope", "harbor", "read_file", CodeOutOfScope},
		{"qualified, outside the scope", "harbor", "mcp-tide/horn", CodeOutOfScope},
		{"nothing granted", "idle", "mcp_harbor_book", CodeOutOfScope},
	}
	for _, tt := range tests {
		tool, fault := snapshotOf(t, tt.session).Describe(tt.tool)
		switch {
		case tt.code == CodeOK && (tool == nil || fault != nil):
			t.Errorf("%s: %+v", tt.name, fault)
		case tt.code != CodeOK && (tool != nil || fault == nil || fault.Code != tt.code):
			t.Errorf("%s: %v, %+v, want %s", tt.name, tool, fault, tt.code)
		case fault != nil && fault.Parameters != nil:
			t.Errorf("%s: the fault shows a schema", tt.name)
		}
	}
}

// A selected tool of another registry is not sent, whatever its place there.
func TestStrangersAreNotSent(t *testing.T) {
	s := built(t, gateInputs(t, "wide"))
	n := len(s.Registry.Tools)
	strangers := built(t, fleetInputs(t, n+2)).Registry.Tools
	for _, at := range []int{0, n - 1, n, n + 1} {
		if a := s.Assemble("keyword", strangers[at:at+1]); slices.Contains(a.Tools, strangers[at]) {
			t.Errorf("tool %d of another registry of %d is sent: %v", at, len(strangers), strangers[at].Name)
		}
	}
}

// No session is shown or offered a tool that it is not granted, by any name.
func TestDescribeStaysInScope(t *testing.T) {
	for _, session := range []string{"wide", "harbor", "idle"} {
		s := snapshotOf(t, session)
		for _, want := range s.Registry.Tools {
			for _, name := range []string{want.Name, want.Qualified, want.Name + "x"} {
				tool, fault := s.Describe(name)
				if tool != nil && !s.Granted(tool) {
					t.Errorf("%s: %s shows %s", session, name, tool.Qualified)
				}
				if fault == nil {
					continue
				}
				for _, offered := range fault.Suggestions {
					if found := s.bearers(offered); len(found) != 1 || !s.Granted(found[0]) {
						t.Errorf("%s: %s offers %s", session, name, offered)
					}
				}
			}
		}
	}
}

// Either scope gate alone refuses: without the other one the answer is the same.
func TestDescribeGatesAreIndependent(t *testing.T) {
	s := snapshotOf(t, "harbor")
	for _, without := range []string{"scope_granted", "scope_executor"} {
		gates := slices.DeleteFunc(slices.Clone(personGates), func(g gate) bool { return g.name == without })
		a := &attempt{snapshot: s, called: "mcp_tide_read"}
		var fault *Fault
		for _, g := range gates {
			if _, fault = g.check(a); fault != nil {
				break
			}
		}
		if fault == nil || fault.Code != CodeOutOfScope {
			t.Errorf("without %s: %+v", without, fault)
		}
	}
}

// TestLaterDescribe: what tool_describe of september-2026 answers to each kind of name.
func TestLaterDescribe(t *testing.T) {
	for _, c := range []struct{ session, arguments, want string }{
		{"wide", `{"names":7}`, CodeNotArray},
		{"wide", `{"names":["a","a"]}`, `"not_found":["a"]`},
		{"wide", `{"names":["read_file"]}`, CodeDirectlyListed},
		{"harbor", `{"names":["read_file"]}`, CodeNotOffered},
	} {
		in := gateInputs(t, c.session)
		in.Config.ToolSearch.Generation = config.September2026
		s := built(t, in)
		if got, _ := s.Bridge(ToolDescribe, json.RawMessage(c.arguments)); !strings.Contains(string(got), c.want) {
			t.Errorf("%s: %s is answered with %s, want %s", c.session, c.arguments, got, c.want)
		}
		if f := s.laterName("MCP Harbor-Book", s.offered); f.Code != CodeNotOffered || !strings.Contains(f.Message, "the name is mcp_harbor_book") {
			t.Errorf("%s: of another spelling: %+v", c.session, f)
		}
	}
	s := toolSnapshot(t, reef, false, false)
	s.Config.ToolSearch.Generation = config.September2026
	if d := jsontree.Encode(s.described(s.Registry.Tools[1])); string(d) != `{"description":"","parameters":{}}` {
		t.Errorf("a tool of a name alone is described as %s", d)
	}
}

// TestLaterCalls: what tool_call of september-2026 says of each call, and at which gate.
func TestLaterCalls(t *testing.T) {
	const berth, fits = `"name":"mcp__dock__open_berth","arguments":`, `{"ship":"Ada","metres":9}`
	s := faultSnapshot(t, config.September2026)
	for _, c := range []struct{ arguments, gate, code, says, name string }{
		{`{"calls":[{` + berth + fits + `}]}`, "", CodeOK, `"dry_run":true`, "mcp__dock__open_berth"},
		{`{"calls":[7]}`, "name", CodeEntryNotObject, `{"error":"a call is an object`, ""},
		{`{"calls":[{` + berth + fits + `},7]}`, "name", CodeEntryNotObject, `{"error":"calls[1]: a call is an object`, ""},
		{`{"name":"tool_search"}`, "name", CodeBridgeRecursion, "is called directly", "tool_search"},
		{`{` + berth + `{"ship":"Ada"}}`, "schema", CodeMissingRequired, `"parameters":{"type":"object"`, "mcp__dock__open_berth"},
		{`{` + berth + `{"ship":"Ada","metres":1}}`, "schema", CodeSchemaViolation, `"parameters":{"type":"object"`, "mcp__dock__open_berth"},
		{`{"name":"open_berth"}`, "known", CodeUnknownName, "no tool is called", "open_berth"},
		{`{"name":"open_berths"}`, "known", CodeUnknownName, "no tool is called", "open_berths"},
	} {
		got := s.Invoke(ToolCall, json.RawMessage(c.arguments), "")
		if string(got.Gate) != c.gate || got.Code != c.code || got.Name != c.name || !strings.Contains(string(got.ModelSees), c.says) {
			t.Errorf("%s: %s at %s of %q: %s", c.arguments, got.Code, got.Gate, got.Name, got.ModelSees)
		}
		if leaks := c.name == "open_berths"; slices.Equal(got.Leaked, []string{"mcp__vault__open_berths"}) != leaks || !leaks && len(got.Leaked) > 0 {
			t.Errorf("%s: it leaks %q", c.arguments, got.Leaked)
		}
		if d := details(got); got.Authorized && (d["deferrable"] != "may be deferred" || d["schema"] != "the arguments fit") {
			t.Errorf("%s: %q", c.arguments, d)
		}
	}
	if got := s.Call("mcp__dock__open_berth", json.RawMessage(`[1]`)); got.Code != CodeNotObject || got.Gate != "arguments" {
		t.Errorf("a list of arguments: %s at %s", got.Code, got.Gate)
	}
	for i, most := range []int{7, 10} {
		tool, key := []string{ToolSearch, ToolDescribe}[i], []string{"queries", "names"}[i]
		for n := range 2 {
			var texts []string
			for j := range most + n {
				texts = append(texts, fmt.Sprintf(`"berth %d"`, j))
			}
			if got, ok := s.Bridge(tool, json.RawMessage(`{"`+key+`":[`+strings.Join(texts, ",")+`]}`)); ok != (n == 0) {
				t.Errorf("%d %s, of at most %d: %s", len(texts), key, most, got)
			}
		}
	}
	for _, c := range []struct {
		list  string
		names []string
		ends  string
	}{{"", nil, "are available."}, {"a list", []string{"dig"}, "are available.\\na list"}, {"", []string{"dig"}, "are available. Their names: dig"}} {
		if got := laterBridge(7, c.list, c.names); len(got) != 3 || !strings.Contains(string(got[0]), c.ends+`"`) {
			t.Errorf("%q and %q: %s", c.list, c.names, got)
		}
	}
}

// catalogWith puts a tool into the catalog of a snapshot, which is then wrong.
func catalogWith(s *Snapshot, t *model.Tool) {
	l := s.catalog.list()
	l.tools, l.at = append(slices.Clone(l.tools), t), slices.Clone(l.at)
	l.at[t.Index] = int32(len(l.tools))
	s.catalog = &catalog{list: func() contents { return l }, index: s.catalog.index}
}

// onDemandInputs are inputs of a registry of n tools.
func onDemandInputs(t *testing.T, n int, mode config.Mode, selection string) Inputs {
	t.Helper()
	r := fixture.Parse(t, fixture.Dump(n, 3))
	c := config.Default()
	c.ToolSearch.Enabled, c.Selection = mode, selection
	return Inputs{Registry: r, Config: c}
}

// A snapshot that puts its work off gives the answers of one that does not.
func TestOnDemandIsTheSame(t *testing.T) {
	for _, n := range []int{0, 3, 400} {
		for _, mode := range []config.Mode{config.Auto, config.On, config.Off} {
			for _, selection := range []string{config.SelectToolSearch, config.SelectLazy, config.SelectKeyword} {
				in := onDemandInputs(t, n, mode, selection)
				for _, length := range []int{0, 20_000, 2_000_000} {
					in.Config.ContextLength, in.Tokenizer = &length, tokens.Chars4
					want := built(t, in)
					later := in
					later.OnDemand = true
					got := built(t, later)
					if got.sizes.Counted() && n > 0 && selection == config.SelectToolSearch && mode == config.On {
						t.Errorf("%d tools, %s: the definitions are counted before that is needed", n, mode)
					}
					if g, w := got.Search("get the status of a branch", 0, n), want.Search("get the status of a branch", 0, n); !reflect.DeepEqual(g, w) {
						t.Errorf("%d tools, %s: %+v, want %+v", n, mode, g, w)
					}
					if got.Active() != want.Active() || got.activation != want.activation || !slices.Equal(got.Catalog(), want.Catalog()) {
						t.Errorf("%d tools, %s, %s: %+v, want %+v", n, mode, selection, got.activation, want.activation)
					}
					if g, w := got.Budget(true), want.Budget(true); !reflect.DeepEqual(g, w) {
						t.Errorf("%d tools, %s, %s: %+v, want %+v", n, mode, selection, g, w)
					}
				}
			}
		}
	}
}

// What grows with the registry is made in the build, not by the first call, which a screen waits for.
func TestFirstCallIsCheap(t *testing.T) {
	s := built(t, onDemandInputs(t, 5000, config.On, config.SelectToolSearch))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s.Call(s.Registry.Tools[0].Name, []byte("{}"))
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 100<<10 {
		t.Errorf("the first call takes %d bytes", took)
	}
}

// The decision of tool search counts no more tools than decide it.
func TestActivationCountsUpToTheThreshold(t *testing.T) {
	in := onDemandInputs(t, 2000, config.Auto, config.SelectToolSearch)
	in.OnDemand = true
	b := NewBuilder()
	s, err := b.Build(t.Context(), in)
	if err != nil || !s.Active() {
		t.Fatal(err, s.Active())
	}
	if n := s.sizes.Cache.Len(); n == 0 || n > 1000 {
		t.Errorf("%d of 2000 tools were counted to reach 20,000 tokens", n)
	}
}

func TestPrepareIsInterrupted(t *testing.T) {
	in := onDemandInputs(t, 500, config.Auto, config.SelectToolSearch)
	in.OnDemand = true
	s := built(t, in)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, w := range []Work{WorkCounting, WorkIndexing} {
		if err := s.Prepare(ctx, w); !errors.Is(err, context.Canceled) {
			t.Errorf("work %d: %v", w, err)
		}
		if err := s.Prepare(t.Context(), w); err != nil {
			t.Errorf("work %d after an interrupted one: %v", w, err)
		}
	}
	if n := s.index().Len(); n != len(s.Catalog()) {
		t.Errorf("an index of %d documents for %d tools", n, len(s.Catalog()))
	}
}

func TestSortedByName(t *testing.T) {
	for _, n := range []int{0, 1, 900} {
		tools := fixture.Tools(n, 7)
		for i, tool := range tools {
			tool.Index = i
			if i%3 == 0 {
				tool.Name = tools[i/2].Name
			}
		}
		want := slices.Clone(tools)
		slices.SortStableFunc(want, func(a, b *model.Tool) int {
			return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Qualified, b.Qualified))
		})
		if !slices.Equal(sortedByName(tools), want) {
			t.Errorf("%d tools are not by name", n)
		}
	}
}

func TestIndexOverOtherTools(t *testing.T) {
	r := fixture.Parse(t, fixture.Dump(60, 3))
	for _, ranker := range config.Rankers {
		c := config.Default()
		c.Core, c.ToolSearch.Ranker = []string{}, ranker
		s := built(t, Inputs{Registry: r, Config: c})
		same, err := s.IndexOver(t.Context(), slices.Clone(s.Catalog()))
		if err != nil || same != s.index() {
			t.Errorf("%s: the catalog is indexed anew, %v", ranker, err)
		}
		some := []*model.Tool{s.Catalog()[7], s.Catalog()[3], s.Catalog()[50]}
		index, err := s.IndexOver(t.Context(), some)
		require.NoError(t, err)
		hits := index.Search(some[2].Name, 3).Hits
		if len(hits) == 0 || hits[0].Doc != 2 {
			t.Errorf("%s: %q finds %v among three", ranker, some[2].Name, hits)
		}
	}
}

// Every ranker and host that can be configured can be made, and no other.
func TestRankersAreConfigured(t *testing.T) {
	all := slices.Concat(config.Rankers, hosts.Foreign())
	if got, want := slices.Sorted(maps.Keys(rankers)), slices.Sorted(slices.Values(all)); !slices.Equal(got, want) {
		t.Errorf("the engine has the rankers %v, the configuration %v", got, want)
	}
}

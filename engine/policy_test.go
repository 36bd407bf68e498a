package engine

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/hosts"
	"caliper/engine/internal/fixture"
	"caliper/model"
	"caliper/model/require"

	"pgregory.net/rapid"
)

// What neither the registry nor the configuration shows alone is a warning at its place.
func TestWarnings(t *testing.T) {
	const tow = `{"type":"function","function":{"name":"mcp_harbor_tow","description":"x"}}`
	for _, c := range []struct {
		name, registry, config, session string
		want                            []string
	}{
		{"nothing", `[` + tow + `]`, ``, "", nil},
		{"rules that match nothing or cannot be read", `[` + tow + `]`,
			"policy:\n  - {match: mcp_harbor_*, action: deny}\n  - {match: mcp_harbour_*, action: approve}\n  - {match: 'mcp_[', action: deny}\n  - {match: '*', action: approve}\n", "", []string{
				"c.yaml:3:5 idle_rule policy[1].match mcp_harbour_* matches no tool, so that the rule does nothing (approve)",
				"c.yaml:4:5 malformed_glob policy[2].match mcp_[: [ without its ]; the rule is for every tool (deny)",
			}},
		{"a name that the agent does not know either, at the platform", `{"toolsets": {"web": {}}, "tools": []}`,
			"platform_toolsets: {cli: [webb, hermes-cli, no_mcp, homeassistant]}", "",
			[]string{"c.yaml:1:1 unknown_toolset platform_toolsets.cli no toolset is called webb; did you mean web?"}},
		{"names of a session, in both lists", `{"toolsets": {"dock": {"tools": ["crane"]}}, "tools": []}`,
			"sessions:\n  a: {enabled_toolsets: [dick], disabled_toolsets: [nothing]}", "a", []string{
				"c.yaml:2:1 unknown_toolset sessions.a no toolset is called dick; did you mean dock?",
				"c.yaml:2:1 unknown_toolset sessions.a no toolset is called nothing",
			}},
		{"without a registry every name would be unknown", `[]`, "sessions:\n  a: {enabled_toolsets: [dick]}", "a", nil},
		{"an inclusion", `{"toolsets": {"dock": {"includes": ["dock", "gone"]}}, "tools": []}`, ``, "",
			[]string{"r.json unknown_toolset toolsets.dock.includes no toolset is called gone"}},
		{"names of the bridge and of the core", `{"tools": [
			{"type":"function","function":{"name":"tool_call"},"toolset":"web"},
			{"type":"function","function":{"name":"terminal"},"toolset":"mcp-x"},
			{"type":"function","function":{"name":"read_file"},"toolset":"web"}]}`, ``, "", []string{
			"r.json:2:4 bridge_name  tool_call is a bridge name: this tool is never sent",
			"r.json:3:4 core_name  terminal of mcp-x has a core tool's name, so it is always sent in full",
		}},
		{"pre-selection sends no core tool in full", `{"tools": [{"type":"function","function":{"name":"terminal"},"toolset":"mcp-x"}]}`,
			"tools: {selection: hybrid}", "", nil},
		{"a ranker with nothing to learn from", `[` + tow + `]`, "tools: {tool_search: {ranker: learned, learn_over: hybrid}}", "",
			[]string{"c.yaml nothing_learned tools.tool_search.ranker learned ranks as hybrid: no file of labelled queries is named"}},
	} {
		f, err := config.Parse("c.yaml", []byte(c.config))
		require.NoError(t, err)
		r := fixture.Parse(t, []byte(c.registry))
		s := built(t, Inputs{Registry: r, Config: f.Config, Session: c.session})
		var got []string
		for _, d := range s.Warnings("c.yaml") {
			got = append(got, d.Position()+" "+d.Code+" "+d.Path+" "+d.Message)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Without tools a rule that matches none is no fault; one that cannot be read is.
func TestRuleFaultsWithoutTools(t *testing.T) {
	c := config.Default()
	c.Policy = []config.Rule{{Match: "mcp_*", Action: config.Deny}, {Match: "mcp_[", Action: config.Deny}}
	s := built(t, Inputs{Registry: new(model.Registry), Config: c})
	if faults := s.RuleFaults(); len(faults) != 1 || faults[0].Index != 1 {
		t.Errorf("%v", faults)
	}
}

// The first gate that refuses a tool is known, and whether an approval could help.
func TestRefusals(t *testing.T) {
	tools := toolSnapshot(t, `{}`, false, false).Registry.Tools[:1]
	asked, denied := config.Rule{Match: "*", Action: config.Approve}, config.Rule{Match: "*", Action: config.Deny}
	later := func(r config.Rule) config.Rule { r.Stage = config.StagePre; return r }
	ask := Denial{Gate: "policy", Code: CodeNeedsApproval}
	final := ask
	final.Final = true
	for _, c := range []struct {
		rules []config.Rule
		want  Denial
	}{
		{[]config.Rule{denied}, Denial{Gate: "policy", Code: CodeDenied, Final: true}},
		{[]config.Rule{asked}, ask},
		{[]config.Rule{asked, later(asked)}, ask},
		{[]config.Rule{asked, later(denied)}, final},
		{[]config.Rule{denied, later(asked)}, Denial{Gate: "policy", Code: CodeDenied, Final: true}},
		{[]config.Rule{later(asked)}, Denial{Gate: GatePreCall, Code: CodeNeedsApproval}},
	} {
		if got := refusals(c.rules, tools); len(got) != 1 || got[0] != c.want {
			t.Errorf("%+v: %+v, want %+v", c.rules, got, c.want)
		}
	}
}

// callTwice takes a call of mcp_reef_dive through the bridge and directly,
// under a policy and hooks.
func callTwice(t testing.TB, rules []config.Rule, hooks []config.Hook) map[string]Trace {
	t.Helper()
	bridged, direct := toolSnapshot(t, `{}`, false, false), toolSnapshot(t, `{}`, true, false)
	for _, s := range []*Snapshot{bridged, direct} {
		s.Config.Policy, s.Config.Hooks = rules, hooks
	}
	return map[string]Trace{"bridged": bridged.Call("mcp_reef_dive", nil), "direct": direct.Direct("mcp_reef_dive", nil)}
}

func TestHooksAreRowsInTheAgentsOrder(t *testing.T) {
	for path, got := range callTwice(t, nil, nil) {
		var rows []string
		for _, s := range got.Steps {
			if s.Verdict != Pass || s.Detail == "" {
				t.Errorf("%s: %s is %s, %q", path, s.Gate, s.Verdict, s.Detail)
			}
			rows = append(rows, s.Gate)
		}
		want := []string{"schema", "policy", "pre_call", "guardrail", "approval", "post_call"}
		if !slices.Equal(rows[len(rows)-len(want):], want) {
			t.Errorf("%s: rows %q, want %q at the end", path, rows, want)
		}
		if executor := stepOf(t, got, "scope_executor").Detail; path == "bridged" && !strings.Contains(executor, "sequential and concurrent") {
			t.Errorf("%s: %q names not both paths of the executor", path, executor)
		}
	}
}

// TestRulesByStage asks that a rule stops a call at its own stage, by its own
// code, through the bridge and directly, and nowhere else.
func TestRulesByStage(t *testing.T) {
	for _, test := range []struct {
		stage  config.Stage
		action config.Action
		code   string
		gate   string
	}{
		{"", config.Deny, CodeDenied, "policy"},
		{"", config.Approve, CodeNeedsApproval, "policy"},
		{"", config.Observe, CodeOK, ""},
		{config.StagePre, config.Deny, CodeDenied, GatePreCall},
		{config.StagePre, config.Approve, CodeNeedsApproval, GatePreCall},
		{config.StageGuardrail, config.Deny, CodeDenied, GateGuardrail},
		{config.StageGuardrail, config.Approve, CodeNeedsApproval, GateGuardrail},
		{config.StageApproval, config.Deny, CodeDenied, GateApproval},
		{config.StageApproval, config.Approve, CodeNeedsApproval, GateApproval},
		{config.StageApproval, config.Observe, CodeOK, ""},
		{config.StagePost, config.Observe, CodeOK, ""},
	} {
		for path, got := range callTwice(t, []config.Rule{{Match: "mcp_reef_*", Action: test.action, Stage: test.stage}}, nil) {
			if got.Code != test.code || string(got.Gate) != test.gate || got.Authorized != (test.code == CodeOK) || got.RealName != "mcp_reef_dive" {
				t.Errorf("%s, %s at stage %q: %s at %q, want %s at %q", path, test.action, test.stage, got.Code, got.Gate, test.code, test.gate)
			}
			checkTrace(t, got)
			observed := 0
			for _, s := range got.Steps {
				if strings.Contains(s.Detail, "observes") {
					observed++
				}
			}
			if (observed == 1) != (test.action == config.Observe) {
				t.Errorf("%s, %s at stage %q: observed %d times", path, test.action, test.stage, observed)
			}
		}
		for path, got := range callTwice(t, []config.Rule{{Match: "mcp_other_*", Action: test.action, Stage: test.stage}}, nil) {
			if !got.Authorized {
				t.Errorf("%s, a rule for others: %s", path, got.Code)
			}
		}
	}
	for path, got := range callTwice(t, []config.Rule{{Match: "*", Action: config.Observe, Stage: config.StagePre}, {Match: "*", Action: config.Deny, Stage: config.StagePre},
		{Match: "*", Action: config.Approve, Stage: config.StagePre}}, nil) {
		if got.Code != CodeDenied || got.Gate != GatePreCall {
			t.Errorf("%s: %s at %s, want the denial to win", path, got.Code, got.Gate)
		}
	}
}

func TestAgentHooksAreShownAndNotRun(t *testing.T) {
	hooks := []config.Hook{
		{Event: "post_tool_call", Command: "log.sh"},
		{Event: "pre_tool_call", Matcher: "mcp_reef_.*", Command: "guard.sh\x1b[2J"},
		{Event: "pre_tool_call", Matcher: "mcp_reef", Command: "half.sh"},
		{Event: "pre_tool_call", Matcher: "(?<=x)y", Command: "odd.sh"},
		{Event: "pre_tool_call", Matcher: "a)|(mcp_reef_dive", Command: "broken.sh"},
		{Event: "post_tool_call", Matcher: "mcp_reef_dive", Command: "cut.sh"},
	}
	for path, got := range callTwice(t, nil, hooks) {
		if !got.Authorized {
			t.Errorf("%s: %s", path, got.Code)
		}
		var rows []string
		for _, s := range got.Steps {
			if strings.HasPrefix(s.Gate, "hook ") || slices.Contains([]string{GatePreCall, GatePostCall}, s.Gate) {
				rows = append(rows, s.Gate+" "+string(s.Verdict))
			}
			if strings.Contains(s.Detail, "\x1b") || strings.Contains(s.Detail, "half.sh") {
				t.Errorf("%s: row %q", path, s.Detail)
			}
			if may := strings.HasPrefix(s.Detail, "may see"); may != (strings.HasSuffix(s.Detail, "odd.sh") || strings.HasSuffix(s.Detail, "broken.sh")) {
				t.Errorf("%s: row %q", path, s.Detail)
			}
		}
		want := []string{"pre_call pass", "hook pre_tool_call skip", "hook pre_tool_call skip", "hook pre_tool_call skip", "post_call pass", "hook post_tool_call skip", "hook post_tool_call skip"}
		if !slices.Equal(rows, want) {
			t.Errorf("%s: rows %q, want %q", path, rows, want)
		}
	}
	for path, got := range callTwice(t, []config.Rule{{Match: "*", Action: config.Deny}}, hooks) {
		if slices.ContainsFunc(got.Steps, func(s Step) bool { return strings.HasPrefix(s.Gate, "hook ") }) {
			t.Errorf("%s: a hook would see a call that is denied before it", path)
		}
	}
	s := snapshotOf(t, "wide")
	s.Config.Hooks, s.Config.Policy = hooks, []config.Rule{{Match: "*", Action: config.Deny}, {Match: "*", Action: config.Deny, Stage: config.StagePre}}
	if got := s.Direct(ToolSearch, []byte(`{"query":"ship"}`)); !got.Authorized || slices.ContainsFunc(got.Steps, func(s Step) bool { return strings.HasPrefix(s.Gate, "hook ") }) {
		t.Errorf("a search meets a hook or a rule: %v", got.Steps)
	}
}

// A hook's texts are cut in its row.
func TestHookTextsAreCut(t *testing.T) {
	for _, test := range []struct{ length, shown int }{{119, 119}, {120, 120}, {121, 120}, {400, 120}} {
		in := gateInputs(t, "wide")
		in.Config.Hooks = []config.Hook{{Event: "pre_tool_call", Command: strings.Repeat("x", test.length)}}
		s := built(t, in)
		detail := details(s.Call("mcp_harbor_book", berth))["hook pre_tool_call"]
		if got := strings.Count(detail[strings.Index(detail, ":")+1:], "x"); got != test.shown {
			t.Errorf("a command of %d is shown with %d: %q", test.length, got, detail)
		}
	}
}

// hostedBy returns a snapshot of tools of a task list under a host.
func hostedBy(t fixture.T, host string, names ...string) *Snapshot {
	var tools []string
	for _, name := range names {
		tools = append(tools, fmt.Sprintf(`{"type":"function","function":{"name":"mcp__work__%s","description":"A tool for %s of files.","parameters":{"type":"object","properties":{"id":{"type":"string"}}}},"toolset":"mcp-work","server":"work","original_name":"%s"}`, name, name, name))
	}
	c := config.Default()
	c.Host = host
	return built(t, Inputs{Registry: fixture.Registry(t, tools...), Config: c})
}

// A snapshot under a host ranks as the host does: its own tools have ranks and take places of
// the limit, and the leaves of an explanation add up to the score.
func TestHosted(t *testing.T) {
	names := []string{"create_task", "read", "list_tasks", "stop", "web_search", "task", "create", "send"}
	rapid.Check(t, func(t *rapid.T) {
		h := hosts.All[rapid.IntRange(0, len(hosts.All)-1).Draw(t, "host")]
		if h.Generation != "" {
			return
		}
		s := hostedBy(t, h.Name, names...)
		query := rapid.StringMatching(`((create|task|list|of|mcp__work__read|web|files|x) ){1,3}`).Draw(t, "query")
		want := hosts.New(h, s.Registry.Tools).Search(h.Asked(query), -1)
		got := s.Search(query, 0, len(names))
		if len(s.Catalog()) != len(names) || got.Limit+len(got.Own) != h.Limit {
			t.Fatalf("a catalog of %d, a limit of %d with %d own", len(s.Catalog()), got.Limit, len(got.Own))
		}
		for rank, hit := range want {
			if hit.Tool == nil {
				if rank < h.Limit && !slices.Contains(got.Own, hit.Name) {
					t.Fatalf("%s is not among the own tools %v", hit.Name, got.Own)
				}
				continue
			}
			i := slices.IndexFunc(got.Hits, func(g Hit) bool { return g.Tool == hit.Tool })
			if i < 0 || got.Hits[i].Rank != rank+1 || got.Hits[i].Score != hit.Score || got.Hits[i].Within != (rank < h.Limit) {
				t.Fatalf("%s: rank %d, got %+v", hit.Name, rank+1, got.Hits)
			}
			if rank, _, ok := s.Rank(query, hit.Tool); !ok || rank != got.Hits[i].Rank {
				t.Fatalf("Rank is %d, in the hits %d", rank, got.Hits[i].Rank)
			}
		}
		for doc, tool := range s.Catalog() {
			found := slices.ContainsFunc(got.Hits, func(g Hit) bool { return g.Tool == tool })
			if s.index().Finds(query, doc) != found {
				t.Fatalf("Finds %s: %t", tool.Name, !found)
			}
			e, _ := s.Explain(query, tool)
			sum := 0.0
			for _, leaf := range e.Children {
				sum += leaf.Value
			}
			if len(e.Children) > 0 && math.Abs(sum-e.Value) > 1e-9 {
				t.Fatalf("%s: leaves add up to %v of %v", tool.Name, sum, e.Value)
			}
		}
	})
}

// Under a host no tool is core, whatever the configuration says, and the number of tools
// decides whether it searches.
func TestHostDecides(t *testing.T) {
	for host, want := range map[string]bool{"claude-code": true, "copilot-cli": false, "hermes-2026-06": false} {
		s := hostedBy(t, host, "terminal", "todo")
		if s.Active() != want {
			t.Errorf("%s: active %t", host, s.Active())
		}
		if b := s.Budget(false); b.Measured() == (host == "claude-code") || (b.Host == "") != (host == "hermes-2026-06") {
			t.Errorf("%s: the budget is of %q, measured %t", host, b.Host, b.Measured())
		}
		if s.Host().Name != host {
			t.Errorf("the host is %s, not %s", s.Host().Name, host)
		}
		in := s.inputs // the setting of the reference agent, in a session that searches and in one that is sent all
		in.Config.Selection, in.Config.Sessions = config.SelectLazy, []config.Session{{Name: "search"}, {Name: "all", InFull: host != "hermes-2026-06"}}
		a, err := built(t, in).Activations(t.Context())
		require.NoError(t, err)
		if reference := host == "hermes-2026-06"; a[0].Active != (want || reference) || a[1].Active != reference || PreSelects(built(t, in).Assembly().Strategy) != reference {
			t.Errorf("%s pre-selects: %+v", host, a)
		}
	}
	c := config.Default()
	c.Host = "pi"
	tool := model.Tool{Name: "terminal"}
	if NewClassifier(c).Class(tool.Name, "core", true) != Deferrable || NewClassifier(config.Default()).Class(tool.Name, "core", true) != Visible {
		t.Error("a core tool is sent by a host that has none")
	}
}

// A host decides by the number of tools that may be deferred and are granted.
func TestHostCounts(t *testing.T) {
	for _, h := range hosts.All {
		least := 0 // tools for which it searches
		for ; least < 1000 && !h.Searches(least); least++ {
		}
		if h.Generation != "" || least == 0 || least == 1000 {
			continue
		}
		var tools []string
		for i := range least + 1 {
			toolset := "mcp-work"
			if i >= least-1 {
				toolset = fmt.Sprintf("mcp-more%d", i)
			}
			tools = append(tools, fixture.Entry(fmt.Sprintf("t%d", i), "A tool.", toolset))
		}
		for _, c := range []struct {
			enabled []string
			want    bool
		}{{nil, true}, {[]string{"mcp-work"}, false}, {[]string{"mcp-work", fmt.Sprintf("mcp-more%d", least)}, true}} {
			conf := config.Default()
			conf.Host, conf.Sessions = h.Name, []config.Session{{Name: "s", Enabled: c.enabled}}
			s := built(t, Inputs{Registry: fixture.Registry(t, tools...), Config: conf})
			if s.Active() != c.want {
				t.Errorf("%s with %q of %d tools: active %v", h.Name, c.enabled, least+1, s.Active())
			}
		}
	}
}

// Where a host's own dictionary decides the order, hits say between which ranks they stand and
// which of them the model gets by chance.
func TestHitsByChance(t *testing.T) {
	s := hostedBy(t, "pi", "read_a", "read_b", "read_c", "read_d", "读写文件", "read_f", "read_g", "文件夹目录一览表", "read_i", "read_j")
	for query, want := range map[string]string{
		"read tool": "false read_a 1-1 sure, read_b 2-2 sure, read_c 3-3 sure, read_d 4-4 sure, read_f 5-5 sure, read_g 6-6 sure, read_i 7-7 sure, read_j 8-8 sure, 读写文件 9-10, 文件夹目录一览表 9-10",
		"tool":      "true read_a 1-3, read_b 2-4, read_c 3-5, read_d 4-6, read_f 5-7, read_g 6-8, read_i 7-9 chance, read_j 8-10 chance, 读写文件 1-10 chance, 文件夹目录一览表 1-10 chance",
	} {
		r := s.Search(query, 0, 10)
		var hits []string
		for _, h := range r.Hits {
			text := fmt.Sprintf("%s %d-%d", h.Tool.OriginalName, h.Best, h.Worst)
			if h.Sure() {
				text += " sure"
			}
			if h.Chance {
				text += " chance"
			}
			hits = append(hits, text)
		}
		if got := fmt.Sprint(r.Untold, " ", strings.Join(hits, ", ")); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	tied := []Hit{{Best: 1, Worst: 1}, {Best: 5, Worst: 8, Chance: true}, {Best: 5, Worst: 8, Chance: true}}
	for _, c := range []struct {
		name     string
		r        Results
		gets, of int
	}{
		{"none by chance", Results{Limit: 5, Hits: tied[:1]}, 0, 0},
		{"one of four", Results{Limit: 5, Hits: tied}, 1, 4},
		{"a place is the host's own tool's", Results{Limit: 5, Own: []string{"Read"}, Hits: tied}, 2, 4},
		{"it cannot be told", Results{Limit: 5, Untold: true, Hits: tied}, 0, 0},
		{"the first of all", Results{Limit: 2, Hits: []Hit{{Best: 1, Worst: 3, Chance: true}}}, 2, 3},
	} {
		if gets, of := c.r.Tied(); gets != c.gets || of != c.of {
			t.Errorf("%s: %d of %d", c.name, gets, of)
		}
	}
}

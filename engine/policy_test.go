package engine

import (
	"slices"
	"testing"

	"caliper/config"
	"caliper/engine/internal/fixture"
	"caliper/model"
	"caliper/model/require"
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

package engine

import (
	"slices"
	"testing"

	"caliper/config"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// A rule that matches nothing and one that matches everything because it cannot
// be read are both told, at the place of the rule.
func TestRuleFaults(t *testing.T) {
	c := config.Default()
	c.Policy = []config.Rule{
		{Match: "mcp_harbor_*", Action: config.Deny, Line: 3, Col: 5},
		{Match: "mcp_harbour_*", Action: config.Approve, Line: 4, Col: 5},
		{Match: "mcp_[", Action: config.Deny, Line: 5, Col: 7},
		{Match: "*", Action: config.Approve, Line: 6, Col: 5},
	}
	build := func(dump string) *Snapshot {
		r, err := shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: []byte(dump)})
		require.NoError(t, err)
		s, err := NewBuilder().Build(t.Context(), Inputs{Registry: r, Config: c})
		require.NoError(t, err)
		return s
	}
	var got []string
	for _, d := range build(`[{"type":"function","function":{"name":"mcp_harbor_tow","description":"x"}}]`).Warnings("c.yaml") {
		got = append(got, d.Position()+" "+d.Code+" "+d.Path+" "+d.Message)
	}
	want := []string{
		"c.yaml:4:5 idle_rule policy[1].match mcp_harbour_* matches no tool, so that the rule does nothing (approve)",
		"c.yaml:5:7 malformed_glob policy[2].match mcp_[: [ without its ]; the rule is for every tool (deny)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("warned of %q, want %q", got, want)
	}
	if faults := build(`[]`).RuleFaults(); len(faults) != 1 || faults[0].Index != 2 {
		t.Errorf("without tools: %v", faults)
	}
}

// The first gate that refuses a tool is known, and whether an approval could help.
func TestRefusals(t *testing.T) {
	tools := toolSnapshot(t, `{}`, false, false).Registry.Tools[:1]
	asked, denied := config.Rule{Match: "*", Action: config.Approve}, config.Rule{Match: "*", Action: config.Deny}
	later := func(r config.Rule) config.Rule { r.Stage = config.StagePre; return r }
	ask := refusal{gate: "policy", code: CodeNeedsApproval}
	final := ask
	final.final = true
	for _, c := range []struct {
		rules []config.Rule
		want  refusal
	}{
		{[]config.Rule{denied}, refusal{"policy", CodeDenied, true}},
		{[]config.Rule{asked}, ask},
		{[]config.Rule{asked, later(asked)}, ask},
		{[]config.Rule{asked, later(denied)}, final},
		{[]config.Rule{denied, later(asked)}, refusal{"policy", CodeDenied, true}},
		{[]config.Rule{later(asked)}, refusal{gate: GatePreCall, code: CodeNeedsApproval}},
	} {
		if got := refusals(c.rules, tools); len(got) != 1 || got[0] != c.want {
			t.Errorf("%+v: %+v, want %+v", c.rules, got, c.want)
		}
	}
}

package engine

import (
	"slices"
	"strings"
	"testing"

	"caliper/config"
)

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

package config

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"caliper/model/require"
)

func TestSessions(t *testing.T) {
	none := []string{}
	for _, c := range []struct {
		name string
		yaml string
		want []Session
		said []string
	}{
		{"absent", "", []Session{{Name: "default"}}, nil},
		{"null", "sessions:\n", []Session{{Name: "default"}}, nil},
		{"empty", "sessions: {}\n", []Session{{Name: "default"}}, nil},
		{"null and empty lists differ", "sessions:\n  a:\n  b: {}\n  c: {enabled_toolsets: , disabled_toolsets: ~}\n  d: {enabled_toolsets: [], disabled_toolsets: []}\n",
			[]Session{{Name: "a", Enabled: nil, Disabled: nil, Line: 2}, {Name: "b", Enabled: nil, Disabled: nil, Line: 3}, {Name: "c", Enabled: nil, Disabled: nil, Line: 4}, {Name: "d", Enabled: none, Disabled: none, Line: 5}}, nil},
		{"names are raw", "sessions:\n  ' a b ': {enabled_toolsets: [' x', \"y\\t\"]}\n",
			[]Session{{Name: " a b ", Enabled: []string{" x", "y\t"}, Disabled: nil, Line: 2}}, nil},
		{"order of the file", "sessions: {z: {}, a: {}, m: {}}\n", []Session{{Name: "z", Enabled: nil, Disabled: nil, Line: 1}, {Name: "a", Enabled: nil, Disabled: nil, Line: 1}, {Name: "m", Enabled: nil, Disabled: nil, Line: 1}}, nil},
		{"duplicate session", "sessions:\n  a: {enabled_toolsets: [x]}\n  b: {}\n  a: {enabled_toolsets: [y]}\n",
			[]Session{{Name: "a", Enabled: []string{"y"}, Disabled: nil, Line: 4}, {Name: "b", Enabled: nil, Disabled: nil, Line: 3}}, []string{"4:3 duplicate_key sessions.a"}},
		{"one name, two kinds", "sessions:\n  1: {enabled_toolsets: [x]}\n  '1': {}\n",
			[]Session{{Name: "1", Enabled: nil, Disabled: nil, Line: 3}}, []string{"2:3 unquoted_name sessions.1", "3:3 duplicate_key sessions.1"}},
		{"duplicate list", "sessions:\n  a:\n    enabled_toolsets: [x]\n    enabled_toolsets: [y]\n",
			[]Session{{Name: "a", Enabled: []string{"y"}, Disabled: nil, Line: 2}}, []string{"4:5 duplicate_key sessions.a.enabled_toolsets"}},
		{"merged session", "x: &x {enabled_toolsets: [p], disabled_toolsets: [q]}\nsessions:\n  a: {<<: *x, disabled_toolsets: []}\n  b: *x\n",
			[]Session{{Name: "a", Enabled: []string{"p"}, Disabled: none, Line: 3}, {Name: "b", Enabled: []string{"p"}, Disabled: []string{"q"}, Line: 4}}, nil},
		{"key of somebody else", "sessions: {a: {title: x}}\n", []Session{{Name: "a", Enabled: nil, Disabled: nil, Line: 1}}, []string{"1:16 unknown_key sessions.a.title"}},
		{"word that YAML takes for a boolean", "sessions: {a: {enabled_toolsets: [on], disabled_toolsets: [2026]}}\n",
			[]Session{{Name: "a", Enabled: []string{"on"}, Disabled: []string{"2026"}, Line: 1}},
			[]string{"1:35 unquoted_name sessions.a.enabled_toolsets[0]", "1:60 unquoted_name sessions.a.disabled_toolsets[0]"}},

		{"a word grants nothing", "sessions: {a: {enabled_toolsets: mcp-x}}\n", []Session{{Name: "a", Enabled: none, Disabled: nil, Line: 1}},
			[]string{"1:34 unusable_scope sessions.a.enabled_toolsets"}},
		{"a mapping grants nothing", "sessions: {a: {enabled_toolsets: {mcp-x: true}}}\n", []Session{{Name: "a", Enabled: none, Disabled: nil, Line: 1}},
			[]string{"1:34 unusable_scope sessions.a.enabled_toolsets"}},
		{"a boolean grants nothing", "sessions: {a: {enabled_toolsets: yes}}\n", []Session{{Name: "a", Enabled: none, Disabled: nil, Line: 1}},
			[]string{"1:34 unusable_scope sessions.a.enabled_toolsets"}},
		{"an item that is not a name grants nothing itself", "sessions: {a: {enabled_toolsets: [x, ~, [y]]}}\n", []Session{{Name: "a", Enabled: []string{"x"}, Disabled: nil, Line: 1}},
			[]string{"1:38 not_a_name sessions.a.enabled_toolsets[1]", "1:41 not_a_name sessions.a.enabled_toolsets[2]"}},
		{"what cannot be taken away", "sessions: {a: {enabled_toolsets: [x], disabled_toolsets: mcp-x}}\n", []Session{{Name: "a", Enabled: none, Disabled: nil, Line: 1}},
			[]string{"1:58 unusable_scope sessions.a.disabled_toolsets"}},
		{"an item that cannot be taken away", "sessions: {a: {disabled_toolsets: [x, {y: z}]}}\n", []Session{{Name: "a", Enabled: none, Disabled: []string{"x"}, Line: 1}},
			[]string{"1:39 unusable_scope sessions.a.disabled_toolsets[1]"}},
		{"misspelt list grants nothing", "sessions: {a: {Enabled_toolset: [x]}}\n", []Session{{Name: "a", Enabled: none, Disabled: nil, Line: 1}},
			[]string{"1:16 unknown_key sessions.a.Enabled_toolset"}},
		{"misspelt list beside a good one", "sessions: {a: {enabled_toolsets: [x], disabled_tolsets: [y]}}\n", []Session{{Name: "a", Enabled: none, Disabled: nil, Line: 1}},
			[]string{"1:39 unknown_key sessions.a.disabled_tolsets"}},
		{"session that is a list", "sessions: {a: [mcp-x]}\n", []Session{{Name: "a", Enabled: none, Disabled: nil, Line: 1}}, []string{"1:15 unusable_session sessions.a"}},
		{"session that is a boolean", "sessions: {a: off}\n", []Session{{Name: "a", Enabled: none, Disabled: nil, Line: 1}}, []string{"1:15 unusable_session sessions.a"}},
		{"sessions that are a list", "sessions: [a, b]\n", []Session{{Name: "default", Enabled: none, Disabled: nil, Line: 1}}, []string{"1:11 unusable_sessions sessions"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := Parse("c.yaml", []byte(c.yaml))
			checkFile(t, f, err)
			require.NoError(t, err)
			if !reflect.DeepEqual(f.Sessions, c.want) {
				t.Errorf("got  %#v\nwant %#v", f.Sessions, c.want)
			}
			if got := said(f.Warnings); !slices.Equal(got, c.said) {
				t.Errorf("said %q\nwant %q", got, c.said)
			}
		})
	}
}

func TestPolicy(t *testing.T) {
	for _, c := range []struct {
		name string
		yaml string
		want []Rule
		said []string
	}{
		{"absent", "", nil, nil},
		{"null", "policy:\n", nil, nil},
		{"empty", "policy: []\n", nil, nil},
		{"rules", "policy:\n- {match: a*, action: approve}\n- action: deny\n  match: '*'\n",
			[]Rule{{"a*", Approve, "", 2, 3}, {"*", Deny, "", 3, 3}}, nil},
		{"merged", "d: &d {action: deny}\npolicy:\n- {<<: *d, match: x}\n", []Rule{{"x", Deny, "", 3, 3}}, nil},
		{"number as a glob", "policy: [{match: 5, action: approve}]\n", []Rule{{"5", Approve, "", 1, 10}}, []string{"1:18 unquoted_name policy[0].match"}},
		{"unknown action denies", "policy: [{match: x, action: allow}]\n", []Rule{{"x", Deny, "", 1, 10}}, []string{"1:29 unusable_action policy[0].action"}},
		{"boolean action denies", "policy: [{match: x, action: no}]\n", []Rule{{"x", Deny, "", 1, 10}}, []string{"1:29 unusable_action policy[0].action"}},
		{"case counts", "policy: [{match: x, action: Approve}]\n", []Rule{{"x", Deny, "", 1, 10}}, []string{"1:29 unusable_action policy[0].action"}},
		{"no action denies", "policy:\n  - match: x\n", []Rule{{"x", Deny, "", 2, 5}}, []string{"2:5 unusable_action policy[0].action"}},
		{"null action denies", "policy:\n  - match: x\n    action:\n", []Rule{{"x", Deny, "", 2, 5}}, []string{"3:5 unusable_action policy[0].action"}},
		{"misspelt match is for every tool", "policy: [{mach: x, action: deny}]\n", []Rule{{"*", Deny, "", 1, 10}},
			[]string{"1:10 unusable_match policy[0].match", "1:11 unknown_key policy[0].mach"}},
		{"list as a match", "policy: [{match: [x], action: deny}]\n", []Rule{{"*", Deny, "", 1, 10}}, []string{"1:18 unusable_match policy[0].match"}},
		{"blank match", "policy: [{match: ' ', action: deny}]\n", []Rule{{"*", Deny, "", 1, 10}}, []string{"1:18 unusable_match policy[0].match"}},
		{"duplicate action", "policy: [{match: x, action: deny, action: approve}]\n", []Rule{{"x", Approve, "", 1, 10}}, []string{"1:35 duplicate_key policy[0].action"}},
		{"word as a rule", "policy:\n  - mcp_*\n", []Rule{{"mcp_*", Deny, "", 2, 5}}, []string{"2:5 unusable_rule policy[0]"}},
		{"null as a rule", "policy: [~]\n", []Rule{{"*", Deny, "", 1, 10}}, []string{"1:10 unusable_rule policy[0]"}},
		{"stages", "policy:\n- {match: a, action: deny, stage: pre}\n- {match: a, action: approve, stage: guardrail}\n- {match: a, action: deny, stage: approval}\n- {match: a, action: observe, stage: post}\n- {match: a, action: observe}\n",
			[]Rule{{"a", Deny, StagePre, 2, 3}, {"a", Approve, StageGuardrail, 3, 3}, {"a", Deny, StageApproval, 4, 3}, {"a", Observe, StagePost, 5, 3}, {"a", Observe, "", 6, 3}}, nil},
		{"unknown stage is asked first", "policy: [{match: x, action: deny, stage: before}]\n", []Rule{{"x", Deny, "", 1, 10}}, []string{"1:42 unusable_stage policy[0].stage"}},
		{"stage that is no text", "policy: [{match: x, action: deny, stage: [pre]}]\n", []Rule{{"x", Deny, "", 1, 10}}, []string{"1:42 unusable_stage policy[0].stage"}},
		{"denial after the call", "policy: [{match: x, action: deny, stage: post}]\n", []Rule{{"x", Deny, "", 1, 10}}, []string{"1:42 unusable_stage policy[0].stage"}},
		{"unknown action after the call", "policy: [{match: x, action: look, stage: post}]\n", []Rule{{"x", Deny, "", 1, 10}},
			[]string{"1:29 unusable_action policy[0].action", "1:42 unusable_stage policy[0].stage"}},
		{"policy that is a mapping", "policy: {match: x, action: approve}\n", []Rule{{"*", Deny, "", 1, 9}}, []string{"1:9 unusable_policy policy"}},
		{"policy that is a word", "policy: deny\n", []Rule{{"*", Deny, "", 1, 9}}, []string{"1:9 unusable_policy policy"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := Parse("c.yaml", []byte(c.yaml))
			checkFile(t, f, err)
			require.NoError(t, err)
			if !slices.Equal(f.Policy, c.want) {
				t.Errorf("got  %+v\nwant %+v", f.Policy, c.want)
			}
			if got := said(f.Warnings); !slices.Equal(got, c.said) {
				t.Errorf("said %q\nwant %q", got, c.said)
			}
		})
	}
}

// A file that has nothing but sessions leaves the default one to choose, and adds it to no list.
func TestChoosable(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"":                                    "default",
		"sessions: {a: {}, b: {}}":            "a b default",
		"sessions: {a: {}, default: {}}":      "a default",
		"sessions: {a: {}}\nmodel: x":         "a",
		"sessions: {a: {}}\nsessions_old: {}": "a",
		"sessions: [a]":                       "default",
	} {
		f, err := Parse("c.yaml", []byte(file))
		require.NoError(t, err)
		var names []string
		for _, s := range f.Choosable() {
			names = append(names, s.Name)
		}
		if got := strings.Join(names, " "); got != want || f.OnlySessions != (len(names) > len(f.Sessions)) {
			t.Errorf("%q: %s, want %s, of the file %d", file, got, want, len(f.Sessions))
		}
	}
}

package config

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"caliper/model/require"
)

// A bundle of the agent is toolsets by name, or all with a core tool; nothing else is one.
func TestBundle(t *testing.T) {
	for name, want := range map[string]string{"safe": "[web vision image_gen] false true", "hermes-webhook": "[web vision clarify] false true", "hermes-cli": "[] true true", "web": "[] false false"} {
		toolsets, core, ok := Bundle(name)
		if got := fmt.Sprint(toolsets, core, ok); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// The agent's own example has no fault, so nothing may be said about its keys.
func TestLaterExample(t *testing.T) {
	data, err := os.ReadFile("testdata/agent_september.yaml")
	require.NoError(t, err)
	f, err := Parse("config.yaml", data)
	if err != nil || len(f.Warnings) > 0 {
		t.Fatal(err, f.Warnings)
	}
	checkFile(t, f, err)
	var names []string
	for _, s := range f.Sessions {
		names = append(names, s.Name)
	}
	if got := strings.Join(names, " "); got != "default cli telegram discord slack signal qqbot" {
		t.Errorf("sessions: %s", got)
	}
	read := map[string]bool{}
	for _, s := range f.Sections {
		read[s.Key] = s.Read
	}
	for key, want := range map[string]bool{
		"platform_toolsets": true, "mcp_servers.tides.tools.include": true, "mcp_servers.tides.lazy": false,
		"mcp_servers.ledger.enabled": true, "agent": false, "sessions": false, "sessions.auto_prune": false,
		"hooks": true, "display": false, "plugins.clone_timeout_seconds": false, "known_plugin_toolsets": true,
	} {
		if got, listed := read[key]; got != want || !listed {
			t.Errorf("%s: read %v, listed %v; want read %v", key, got, listed, want)
		}
	}
}

func TestPlatforms(t *testing.T) {
	for _, c := range []struct {
		name, yaml string
		want       string // session: toolsets, and ! for a platform
		said       []string
	}{
		{"one", "platform_toolsets: {cli: [web, tides]}", "default:nil cli:web,tides!", nil},
		{"no list is the platform's bundle", "platform_toolsets:\n  cli:\n  irc: web\n", "default:nil cli:hermes-cli! irc:hermes-irc!", nil},
		{"an empty list", "platform_toolsets: {cli: []}", "default:nil cli:!", nil},
		{"the last of two", "platform_toolsets:\n  cli: [a]\n  cli: [b]\n", "default:nil cli:b!", []string{"3:3 duplicate_key platform_toolsets.cli"}},
		{"a number and the same as a text", "platform_toolsets: {7: [a], '7': [b]}\n", "default:nil 7:b!", nil},
		{"beside sessions", "sessions: {mine: {enabled_toolsets: [x]}}\nplatform_toolsets: {cli: [web]}\n", "mine:x cli:web!", nil},
		{"of the same name", "sessions: {cli: {enabled_toolsets: [x]}}\nplatform_toolsets: {cli: [web]}\n", "cli:x",
			[]string{"2:26 shadowed_section platform_toolsets.cli"}},
		{"the agent's own sessions", "sessions: {auto_prune: true, retention_days: 9}", "default:nil", nil},
		{"a session called so", "sessions: {auto_prune: {enabled_toolsets: [x]}}", "auto_prune:x", nil},
		{"no mapping", "platform_toolsets: [cli]", "default:nil", nil},
	} {
		f, err := Parse("c.yaml", []byte(c.yaml))
		checkFile(t, f, err)
		var got []string
		for _, s := range f.Sessions {
			names := strings.Join(s.Enabled, ",")
			if s.Enabled == nil {
				names = "nil"
			}
			if s.Platform {
				names += "!"
			}
			got = append(got, s.Name+":"+names)
		}
		if strings.Join(got, " ") != c.want || !slices.Equal(said(f.Warnings), c.said) {
			t.Errorf("%s: %s, want %s; %v", c.name, got, c.want, said(f.Warnings))
		}
	}
}

func TestDisabledToolsets(t *testing.T) {
	for _, c := range []struct {
		yaml string
		want []string
		said []string
	}{
		{"agent: {disabled_toolsets: [memory, ' web ', '']}", []string{"memory", "web"}, []string{}},
		{"agent: {disabled_toolsets: memory}", []string{"memory"}, nil},
		{"agent: {disabled_toolsets: \"['memory', \\\"web\\\"]\"}", []string{"memory", "web"}, nil},
		{"agent: {disabled_toolsets: '[memory'}", []string{"[memory"}, nil},
		{"agent: {disabled_toolsets: 'memory]'}", []string{"memory]"}, nil},
		{"agent: {disabled_toolsets: [a], disabled_toolsets: [b]}", []string{"b"}, []string{"1:33 duplicate_key agent.disabled_toolsets"}},
		{"agent: {disabled_toolsets: }", nil, nil},
		{"agent: {disabled_toolsets: 5}", nil, []string{"1:28 not_a_list agent.disabled_toolsets"}},
		{"agent: {verbose: false}", nil, nil},
	} {
		f, err := Parse("c.yaml", []byte(c.yaml))
		checkFile(t, f, err)
		if len(c.said) == 0 && len(said(f.Warnings)) > 0 || len(c.said) > 0 && !slices.Equal(said(f.Warnings), c.said) || !slices.Equal(f.Agent.Disabled, c.want) {
			t.Errorf("%s: %q %v, want %q", c.yaml, f.Agent.Disabled, said(f.Warnings), c.want)
		}
		given := strings.Contains(c.yaml, "disabled")
		if i := slices.IndexFunc(f.Settings, func(s Setting) bool { return s.Key == "agent.disabled_toolsets" }); i < 0 == given {
			t.Errorf("%s: the setting is %d of them", c.yaml, i)
		} else if given && !reflect.DeepEqual(f.Settings[i].Value, namesOrNil(c.want)) {
			t.Errorf("%s: the setting is %v", c.yaml, f.Settings[i].Value)
		}
	}
}

// A platform knows the plugins that somebody has seen, and the agent names that no
// toolset has.
func TestKnown(t *testing.T) {
	f, err := Parse("c.yaml", []byte("platform_toolsets: {cli: [web], irc: [web], tty: []}\nknown_plugin_toolsets: {cli: [tides, maps], irc: maps}\nmcp_servers: {wiki: {}}\n"))
	require.NoError(t, err)
	got := map[string][]string{}
	for _, s := range f.Sessions {
		got[s.Name] = s.Known
	}
	if want := map[string][]string{"default": nil, "cli": {"tides", "maps"}, "irc": nil, "tty": nil}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for name, want := range map[string]bool{"wiki": true, "hermes-cli": true, "search": true, "no_mcp": true, "web": true, "tides": false, "": false} {
		if got := f.Agent.Knows(name); got != want {
			t.Errorf("knows %q: %v", name, got)
		}
	}
	if s, ok := f.Agent.Server("maps"); ok || s.Name != "" {
		t.Errorf("a server that is not there: %+v", s)
	}
}

func TestServerFilters(t *testing.T) {
	const june, september = "", "tools: {tool_search: {generation: september-2026}}\n"
	for _, c := range []struct {
		tools, generation string
		tool              string
		want              bool
	}{
		{"{}", june, "read_tide", true},
		{"{include: [read_tide]}", june, "read_tide", true},
		{"{include: [read_tide]}", june, "forget", false},
		{"{include: read_tide, exclude: read_tide}", june, "read_tide", true},
		{"{include: read_tide}", june, "forget", false},
		{"{exclude: [forget]}", june, "forget", false},
		{"{include: 5}", june, "forget", true},
		{"{include: []}", june, "forget", true},
		{"{include: []}", september, "forget", false},
		{"{include: ['read_*']}", june, "read_tide", false},
		{"{include: ['read_*']}", september, "read_tide", true},
		{"{include: ['read-[st]ide']}", september, "read_tide", true},
		{"{include: [read_tide]}", june, "list_prompts", true},
		{"{resources: false}", june, "read_resource", false},
		{"{prompts: 'off'}", june, "get_prompt", false},
		{"{resources: false}", june, "get_prompt", true},
	} {
		f, err := Parse("c.yaml", []byte(c.generation+"mcp_servers: {tides: {tools: "+c.tools+"}}\n"))
		checkFile(t, f, err)
		s, ok := f.Agent.Server("tides")
		if got := s.Registers(c.tool, false); !ok || got != c.want {
			t.Errorf("%s %s: %v, want %v", c.tools, c.tool, got, c.want)
		}
	}
	f, _ := Parse("c.yaml", []byte("mcp_servers: {tides: {tools: {include: 5, exclude: }}}\n"))
	if s, _ := f.Agent.Server("tides"); !s.Registers("read_resource", false) || !s.Registers("get_prompt", false) {
		t.Errorf("a server without filters: %+v", s)
	}
	if got := said(f.Warnings); !slices.Equal(got, []string{"1:40 not_a_list mcp_servers.tides.tools.include"}) {
		t.Errorf("no list: %v", got)
	}
	for text, off := range map[string]bool{"no": true, "yes": false, "0": true, "1": false, "-7": false, "'0'": true, "' Off '": true, "'no'": true, "'false'": true, "'true'": false, "''": false, "": false, "0.0": false, "[]": false, "2026-11-29": false} {
		f, _ := Parse("c.yaml", []byte("mcp_servers: {tides: {enabled: "+text+"}}\n"))
		if s, ok := f.Agent.Server("tides"); !ok || s.Off != off {
			t.Errorf("enabled: %s: off is %v", text, s.Off)
		}
	}
	f, _ = Parse("c.yaml", []byte("mcp_servers: {tides: {enabled: no, tools: {includes: [a]}}}\n"))
	if s, _ := f.Agent.Server("tides"); !s.Off || s.Registers("a", true) {
		t.Errorf("a server that is off: %+v", s)
	}
	if got := said(f.Warnings); !slices.Equal(got, []string{"1:44 unknown_key mcp_servers.tides.tools.includes"}) {
		t.Errorf("misspelt: %v", got)
	}
}

func TestFnmatch(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"", "", true}, {"*", "", true}, {"a*c", "abbc", true}, {"a*c", "abcd", false}, {"*b*", "abc", true}, {"a?c", "abc", true}, {"a?c", "ac", false},
		{"[ab]x", "bx", true}, {"[ab]", "]", false}, {"[!ab]x", "bx", false}, {"[!ab]x", "cx", true}, {"[a-c]", "b", true}, {"[a-c]", "-", false}, {"[a-c]", "a", true}, {"[a-c]", "c", true}, {"[a-cx]", "x", true}, {"[a-c-e]", "d", false}, {"[a-c-e]", "-", true}, {"[]]", "]", true}, {"[a-]", "-", true}, {"[a-]", "a", true}, {"[a-c", "b", false},
		{"[ab", "[ab", true}, {"[", "[", true}, {"[", "x", false}, {"[!", "[!", true}, {"[!]a]", "]", false}, {"[!]a]", "b", true}, {"a**b", "ab", true}, {"é?", "éü", true}, {"a", "A", false}, {"a{b,c}", "ab", false},
	} {
		if got := fnmatch(c.pattern, c.name); got != c.want {
			t.Errorf("%q %q: %v", c.pattern, c.name, got)
		}
	}
}

// The core tools of a dump count where nothing else names any.
func TestDefaultCore(t *testing.T) {
	for _, c := range []struct {
		yaml string
		dump []string
		want []string
	}{
		{"tools: {rag_top_k: 5}", []string{"a", "b"}, []string{"a", "b"}},
		{"tools: {core: [c]}", []string{"a"}, []string{"c"}},
		{"tools: {core: 5}", []string{"a"}, []string{"a"}},
		{"", nil, builtinCore},
		{"", []string{}, []string{}},
	} {
		f, err := Parse("c.yaml", []byte(c.yaml))
		f.DefaultCore(c.dump)
		checkFile(t, f, err)
		if !slices.Equal(f.Core, c.want) {
			t.Errorf("%q %q: %q", c.yaml, c.dump, f.Core)
		}
		f.DefaultCore(nil)
		if again, _ := Parse("c.yaml", []byte(c.yaml)); !slices.Equal(f.Core, again.Core) {
			t.Errorf("%q: %q without the dump", c.yaml, f.Core)
		}
	}
}

func TestHooks(t *testing.T) {
	for _, c := range []struct {
		name, yaml string
		want       []Hook
	}{
		{"absent", "", nil},
		{"of tool calls", "hooks:\n  post_tool_call:\n  - {command: ' log.sh ', timeout: 5}\n  pre_tool_call:\n  - matcher: ' mcp_.* '\n    command: guard.sh --strict\n  transform_tool_result: [{command: cut.sh}]\n",
			[]Hook{{"post_tool_call", "", "log.sh"}, {"pre_tool_call", "mcp_.*", "guard.sh --strict"}}},
		{"of other events", "hooks: {on_session_start: [{command: a}], pre_llm_call: [{command: b}], outbound: {pre_tool_call: [{command: c}]}}\n", nil},
		{"not as the agent reads them", "hooks:\n  pre_tool_call: [guard.sh, {matcher: x}, {command: 5}, {command: ' '}, {command: ok, matcher: 5}, null]\n  post_tool_call: {command: log.sh}\n",
			[]Hook{{"pre_tool_call", "", "ok"}}},
		{"no mapping", "hooks: [pre_tool_call]\n", nil},
		{"a mode of the agent", "hooks: {pre_tool_call: }\nhooks_auto_accept: true\n", nil},
		{"not at the top", "plugins: {hooks: {pre_tool_call: [{command: a}]}}\n", nil},
	} {
		f, err := Parse("c.yaml", []byte(c.yaml))
		require.NoError(t, err)
		checkFile(t, f, err)
		if !slices.Equal(f.Hooks, c.want) || len(said(f.Warnings)) > 0 {
			t.Errorf("%s: %+v, want %+v; %v", c.name, f.Hooks, c.want, f.Warnings)
		}
	}
}

// The names of MCP servers are read, and nothing else of them.
func TestServers(t *testing.T) {
	for _, c := range []struct{ name, yaml, want string }{
		{"none", "tools: {}", ""},
		{"in the order of the file", "mcp_servers:\n  git-hub: {command: x}\n  a.b:\n  7: {}\n", "git-hub a.b 7"},
		{"a number and the same as a text", "mcp_servers: {7: {}, b: {}, '7': {}}", "b 7"},
		{"no mapping", "mcp_servers: [a, b]", ""},
		{"null", "mcp_servers:", ""},
		{"by an alias", "x: &s {wiki: {}}\nmcp_servers: *s", "wiki"},
		{"elsewhere", "tools: {mcp_servers: {a: {}}}", ""},
	} {
		f, err := Parse("c.yaml", []byte(c.yaml))
		if err != nil {
			t.Fatal(c.name, err)
		}
		if got := strings.Join(f.Servers, " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestSessions(t *testing.T) {
	none := []string{}
	for _, c := range []struct {
		name string
		yaml string
		want []Session
		said []string
	}{
		{"absent", "", []Session{{Name: "default"}}, nil},
		{"empty", "sessions: {}\n", []Session{{Name: "default"}}, nil},
		{"null and empty lists differ", "sessions:\n  a:\n  b: {}\n  c: {enabled_toolsets: , disabled_toolsets: ~}\n  d: {enabled_toolsets: [], disabled_toolsets: []}\n",
			[]Session{{Name: "a", Enabled: nil, Disabled: nil, Line: 2}, {Name: "b", Enabled: nil, Disabled: nil, Line: 3}, {Name: "c", Enabled: nil, Disabled: nil, Line: 4}, {Name: "d", Enabled: none, Disabled: none, Line: 5}}, nil},
		{"names are raw", "sessions:\n  ' a b ': {enabled_toolsets: [' x', \"y\\t\"]}\n",
			[]Session{{Name: " a b ", Enabled: []string{" x", "y\t"}, Disabled: nil, Line: 2}}, nil},
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
		{"sessions that are a list", "sessions: [a, b]\n", []Session{{Name: "default", Enabled: none, Disabled: nil, Line: 1}}, []string{"1:11 unusable_sessions sessions"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if f := saying(t, c.yaml, c.said); !reflect.DeepEqual(f.Sessions, c.want) {
				t.Errorf("got  %#v\nwant %#v", f.Sessions, c.want)
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
		{"rules", "policy:\n- {match: a*, action: approve}\n- action: deny\n  match: '*'\n",
			[]Rule{{"a*", Approve, "", 2, 3}, {"*", Deny, "", 3, 3}}, nil},
		{"merged", "d: &d {action: deny}\npolicy:\n- {<<: *d, match: x}\n", []Rule{{"x", Deny, "", 3, 3}}, nil},
		{"number as a glob", "policy: [{match: 5, action: approve}]\n", []Rule{{"5", Approve, "", 1, 10}}, []string{"1:18 unquoted_name policy[0].match"}},
		{"unknown action denies", "policy: [{match: x, action: allow}]\n", []Rule{{"x", Deny, "", 1, 10}}, []string{"1:29 unusable_action policy[0].action"}},
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
	} {
		t.Run(c.name, func(t *testing.T) {
			if f := saying(t, c.yaml, c.said); !slices.Equal(f.Policy, c.want) {
				t.Errorf("got  %+v\nwant %+v", f.Policy, c.want)
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

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
		{"[ab]x", "bx", true}, {"[!ab]x", "bx", false}, {"[!ab]x", "cx", true}, {"[a-c]", "b", true}, {"[a-c]", "-", false}, {"[]]", "]", true}, {"[a-]", "-", true}, {"[a-]", "a", true}, {"[a-c", "b", false},
		{"[ab", "[ab", true}, {"a**b", "ab", true}, {"é?", "éü", true}, {"a", "A", false}, {"a{b,c}", "ab", false},
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

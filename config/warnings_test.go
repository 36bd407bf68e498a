package config

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"caliper/model"
	"caliper/model/require"
)

// said returns the place, the code and the path of each warning. That no model
// is named is left out: few files of these tests name one. See allSaid.
func said(list []model.Diagnostic) []string {
	return allSaid(slices.DeleteFunc(slices.Clone(list), func(d model.Diagnostic) bool { return d.Code == "context_unknown" }))
}

// saying returns a file that must give these warnings, as said has them.
func saying(t *testing.T, yaml string, want []string) File {
	t.Helper()
	f, err := Parse("c.yaml", []byte(yaml))
	checkFile(t, f, err)
	require.NoError(t, err)
	if got := said(f.Warnings); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q\n%v", got, want, f.Warnings)
	}
	return f
}

func allSaid(list []model.Diagnostic) []string {
	var out []string
	for _, d := range list {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%d:%d %s %s", d.Line, d.Col, d.Code, d.Path)))
	}
	return out
}

func TestWarnings(t *testing.T) {
	const ts = "tools.tool_search"
	for _, c := range []struct {
		name string
		yaml string
		want []string
	}{
		{"nothing", "", nil},
		{"explicit empty document", "---\n...\n", nil},
		{"top level is a list", "- a\n", []string{"1:1 not_a_mapping"}},
		{"top level is a word", "\n  word\n", []string{"2:3 not_a_mapping"}},
		{"tools is a word", "tools: none\n", []string{"1:8 not_a_mapping tools"}},
		{"others' sections may be anything", "model: relay/large\nother: {tool_search: 5}\n", []string{"1:8 model_not_read model"}},
		{"unknown keys of others", "model: {contxt_length: 5}\ntoolsets: 1\nagents: 2\n", nil},
		{"a misspelt section", "tool: 1\ntools.x: 2\n", []string{"1:1 unknown_key tool"}},
		{"another section beside it", "tool: 1\ntools: {}\n", nil},
		{"quoted off", "tools:\n  tool_search: 'off'\n", []string{"2:16 quoted_off " + ts}},
		{"quoted off on its own line", "tools:\n  tool_search:\n    \"off\"\n", []string{"3:5 quoted_off " + ts}},
		{"other word", "tools: {tool_search: disabled}\n", []string{"1:22 not_a_mapping " + ts}},
		{"legacy true", "tools: {tool_search: yes}\n", []string{"1:22 legacy_boolean " + ts}},
		{"legacy false", "tools: {tool_search: no}\n", nil},
		{"near key", "tools:\n  tool_serch: off\n", []string{"2:3 unknown_key tools.tool_serch"}},
		{"keys that are no text", "tools: {on: 1, 5: 1, tool_search: {no: 1}}\n",
			[]string{"1:9 unknown_key tools.on", "1:16 unknown_key tools.5", "1:36 unknown_key " + ts + ".no"}},
		{"known key that is no text", "tools: {!!binary Y29yZQ==: []}\n", []string{"1:9 unknown_key tools.core"}},
		{"mode", "tools: {tool_search: {enabled: atuo}}\n", []string{"1:32 unknown_mode " + ts + ".enabled"}},
		{"both limits", "tools:\n  tool_search:\n    search_default_limit: 60\n    max_search_limit: 55\n",
			[]string{"3:27 clamped " + ts + ".search_default_limit", "4:23 clamped " + ts + ".max_search_limit"}},
		{"default against maximum", "tools: {tool_search: {max_search_limit: 4}}\n", []string{"1:41 clamped " + ts + ".search_default_limit"}},
		{"refused default against maximum", "tools: {tool_search: {max_search_limit: 4, search_default_limit: x}}\n",
			[]string{"1:66 not_a_number " + ts + ".search_default_limit"}},
		{"quotes change an octal", "tools: {tool_search: {max_search_limit: \"010\"}}\n", []string{"1:41 quotes_matter " + ts + ".max_search_limit"}},
		{"quotes change base 60", "tools: {tool_search: {threshold_pct: '0:30'}}\n", []string{"1:38 not_a_number " + ts + ".threshold_pct"}},
		{"quotes change nothing", "tools: {tool_search: {threshold_pct: '30', enabled: 'on'}}\n", nil},
		{"fallback", "tools:\n  tool_search:\n    enabled: off\n    threshold_pct: 200\n    max_search_limit: .inf\n    ranker: fielded\n",
			[]string{"5:23 section_fallback " + ts + ".max_search_limit"}},
		{"fallback of a number beyond numbers", "tools: {tool_search: {threshold_pct: -1" + strings.Repeat("0", 400) + "}}\n", []string{"1:38 section_fallback " + ts + ".threshold_pct"}},
		{"fallback keeps structural warnings", "tools:\n  tool_search:\n    max_search_limit: -.inf\n    max: 1\n",
			[]string{"3:23 section_fallback " + ts + ".max_search_limit", "4:5 unknown_key " + ts + ".max"}},
		{"not a number", "tools: {tool_search: {threshold_pct: .nan, meaning_weight: .nan, min_confidence: .inf}}\n",
			[]string{"1:38 clamped " + ts + ".threshold_pct", "1:60 not_a_number " + ts + ".meaning_weight", "1:82 not_a_number " + ts + ".min_confidence"}},
		{"a weight beyond numbers loses itself alone", "tools: {tool_search: {meaning_weight: 1" + strings.Repeat("0", 400) + ", ranker: fielded, min_confidence: yes}}\n",
			[]string{"1:39 not_a_number " + ts + ".meaning_weight", "1:475 not_a_number " + ts + ".min_confidence"}},
		{"ranker unknown", "tools: {tool_search: {ranker: bm26}}\n", []string{"1:31 unknown_ranker " + ts + ".ranker"}},
		{"strategy", "tools: {selection: hybird}\n", []string{"1:20 unknown_strategy tools.selection"}},
		{"strategy in a mapping", "tools: {selection: {strategy: keyword, k: 3}}\n", nil},
		{"mapping without strategy", "tools: {selection: {k: 3}}\n", []string{"1:20 unknown_strategy tools.selection"}},
		{"reserved keys", "tools: {rag_top_k: 4, rag_weights: {keyword: 1}}\n", nil},
		{"core is a word", "tools: {core: terminal}\n", []string{"1:15 not_a_list tools.core"}},
		{"core items", "tools:\n  core: [a, on, ~, [b], 12, '', \"on\"]\n",
			[]string{"2:13 unquoted_name tools.core[1]", "2:17 not_a_name tools.core[2]", "2:20 not_a_name tools.core[3]",
				"2:25 unquoted_name tools.core[4]", "2:29 not_a_name tools.core[5]"}},
		{"context", "model: {context_length: 200k}\n", []string{"1:25 not_a_number model.context_length"}},
		{"context is too large", "model: {context_length: 0xFFFFFFFFFFFFFFFFFF}\n", []string{"1:25 not_a_number model.context_length"}},
		{"context in base 60", "model:\n  context_length: 3:20\n", []string{"2:19 context_not_read model.context_length", "2:19 unusual_number model.context_length"}},
		{"context below one", "model:\n  context_length: -1\n", []string{"2:19 context_not_positive model.context_length"}},
		{"context with an exponent", "model: {context_length: 2e5}\n", []string{"1:25 not_a_number model.context_length"}},
		{"context grouped", "model: {context_length: 1_000_000}\n", []string{"1:25 context_not_read model.context_length"}},
		{"null is absent", "model: {context_length: }\ntools: {tool_search: {enabled: ~, max_search_limit: null}, core: , selection: }\nsessions:\npolicy:\n", nil},
		{"duplicate", "tools: {core: []}\ntools:\n  selection: lazy\n  selection: eager\n",
			[]string{"2:1 duplicate_key tools", "4:3 duplicate_key tools.selection"}},
		{"duplicates of others", "a: 1\na: 2\nmodel: {x: 1, x: 2}\n", nil},
		{"own key over a merged one", "b: &b {selection: lazy}\ntools: {selection: eager, <<: *b}\n", nil},
		{"merged value warns where it stands", "b: &b\n  max_search_limit: 99\ntools:\n  tool_search: {<<: *b}\n", []string{"2:21 clamped " + ts + ".max_search_limit"}},
		{"alias warns where it is used", "b: &b 99\ntools:\n  tool_search: {max_search_limit: *b}\n", []string{"3:35 clamped " + ts + ".max_search_limit"}},
		{"tagged value", "tools: {tool_search: {max_search_limit: !!str 99}}\n", []string{"1:41 clamped " + ts + ".max_search_limit"}},
		{"columns count bytes", "é: 1\ntools: {tool_search: {é: 1, max_search_limit: 99}}\n",
			[]string{"2:23 unknown_key " + ts + ".é", "2:48 clamped " + ts + ".max_search_limit"}},
		{"byte order mark", "\ufefftools: {x: 1}\n", []string{"1:9 unknown_key tools.x"}},
		{"carriage returns", "a: 1\r\ntools:\r\n  tool_search:\r\n    max_search_limit: 99\r\n", []string{"4:23 clamped " + ts + ".max_search_limit"}},
		{"line separators are no lines", "a: 'x\u2028y'\ntools: {x: 1}\n", []string{"2:9 unknown_key tools.x"}},
		{"control characters do not get out", "tools: {\"a\\e[2Jb\": 1, \"a.b\": 2}\n",
			[]string{`1:9 unknown_key tools."a\x1b[2Jb"`, `1:23 unknown_key tools."a.b"`}},
		{"order is that of the file", "policy: [x]\ntools: {y: 1}\nsessions: {a: {z: 1}}\n",
			[]string{"1:10 unusable_rule policy[0]", "2:9 unknown_key tools.y", "3:16 unknown_key sessions.a.z"}},
	} {
		t.Run(c.name, func(t *testing.T) { saying(t, c.yaml, c.want) })
	}
}

func TestDidYouMean(t *testing.T) {
	for _, c := range []struct{ yaml, want string }{
		{"sesions: {}", "did you mean sessions?"},
		{"tools: {tool_serch: 1}", "did you mean tool_search?"},
		{"tools: {Core: []}", "did you mean core?"},
		{"tools: {max_search_limit: 5}", "did you mean tools.tool_search.max_search_limit?"},
		{"tools: {tool_search: {treshold_pct: 5}}", "did you mean threshold_pct?"},
		{"tools: {tool_search: {enabled: aut}}", "did you mean auto?"},
		{"tools: {tool_search: {ranker: bm25_gated}}", "did you mean bm25-gated?"},
		{"tools: {selection: toolsearch}", "did you mean tool_search?"},
		{"sessions: {a: {enabled_toolset: [x]}}", "did you mean enabled_toolsets?"},
		{"sessions: {a: {enabled_toolsets: mcp-x}}", "did you mean [mcp-x]?"},
		{"policy: [{match: x, action: denny}]", "; x is denied; did you mean deny?"},
		{"policy: [5]", "5 is not a rule with match and action; every call is denied"},
		{"policy: [{match: x}]", "missing; x is denied"},
		{"policy: [{mach: x, action: deny}]", "did you mean match?"},
		{"tools: {!!binary Y29yZQ==: []}", "unknown key; put it in quotes"},
	} {
		f, err := Parse("", []byte(c.yaml))
		require.NoError(t, err)
		if !slices.ContainsFunc(f.Warnings, func(d model.Diagnostic) bool { return strings.Contains(d.Message, c.want) }) {
			t.Errorf("%s: %v, want %q", c.yaml, f.Warnings, c.want)
		}
	}
	f, _ := Parse("", []byte("tools: {zzz: 1, co: 2}"))
	for _, d := range f.Warnings {
		if strings.Contains(d.Message, "did you mean") {
			t.Errorf("%v suggests something far away", d)
		}
	}
}

// TestAgentConfig loads what a real agent has, with its anchors, numbers in
// odd notations and sections of others, and expects silence.
func TestAgentConfig(t *testing.T) {
	data, err := os.ReadFile("testdata/agent.yaml")
	require.NoError(t, err)
	f, err := Parse("agent.yaml", data)
	require.NoError(t, err)
	checkFile(t, f, nil)
	if len(said(f.Warnings)) > 0 {
		t.Errorf("warnings: %v", f.Warnings)
	}
	if want := (june(Auto, 7.5, 8, 30)); f.ToolSearch != want {
		t.Errorf("%+v, want %+v", f.ToolSearch, want)
	}
	if f.ContextLength == nil || *f.ContextLength != 200000 {
		t.Errorf("context length %v", f.ContextLength)
	}
	if want := []string{"terminal", "read_file", "memory"}; !slices.Equal(f.Core, want) {
		t.Errorf("core %q", f.Core)
	}
	var names []string
	for _, s := range f.Sessions {
		names = append(names, s.Name)
	}
	if want := []string{"default", "harbour-clerk", "night-watch", "locked"}; !slices.Equal(names, want) {
		t.Errorf("sessions %q", names)
	}
	if len(f.Policy) != 2 || f.Policy[0].Action != Approve || f.Policy[1].Match != "mcp_*_delete_*" {
		t.Errorf("policy %+v", f.Policy)
	}
}

func TestSharedAgentConfig(t *testing.T) {
	data, err := os.ReadFile("../../shared/shapes/hermes_config.yaml")
	if err != nil {
		t.Skip("the file is not here")
	}
	if f, err := Parse("config.yaml", data); err != nil || len(said(f.Warnings)) > 0 {
		t.Errorf("%v, warnings %v", err, f.Warnings)
	}
}

func TestErrorNamesTheFile(t *testing.T) {
	_, err := Parse("dir/config.yaml", []byte("a: b: c\n"))
	if want := "dir/config.yaml:1:5: mapping values are not allowed in this context"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// A file that the reader of YAML refuses leaves the defaults, whatever is wrong
// with it; what it refuses is tested in yamltext.
func TestRefusedFileLeavesDefaults(t *testing.T) {
	for _, text := range []string{"tools:\n\ttool_search: off\n", "a: 1\n---\nb: 2\n", "a: 1\x00", "\xff", "a: 2026-02-30\n", "[a]: 1\n", "%YAML 9.9\n---\na: 1\n"} {
		f, err := Parse("", []byte(text))
		if err == nil {
			t.Errorf("%q: accepted", text)
		}
		checkFile(t, f, err)
	}
	for _, text := range []string{"=: 1\n", "a: &x [*x]\n", "<<: {b: 1}\n", "tools: &t {<<: *t}\n", "%YAML 1.2\n---\ntools: {rag_top_k: 3}\n"} {
		f, err := Parse("", []byte(text))
		if err != nil || len(said(f.Warnings)) > 0 {
			t.Errorf("%q: %v %v", text, err, f.Warnings)
		}
		checkFile(t, f, err)
	}
}

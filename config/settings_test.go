package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"caliper/model"
	"caliper/model/require"
)

func settingOf(t *testing.T, f File, key string) Setting {
	t.Helper()
	i := slices.IndexFunc(f.Settings, func(s Setting) bool { return s.Key == key })
	if i < 0 {
		t.Fatalf("no setting %s", key)
	}
	return f.Settings[i]
}

func TestSettingsOrder(t *testing.T) {
	f, _ := Parse("", []byte("policy: []\nsessions: {b: {}, 'a c': {}}\ntools: {core: []}\n"))
	var keys []string
	for _, s := range f.Settings {
		keys = append(keys, s.Key)
	}
	const r = "toolaria."
	want := []string{"model.default", "model.model", "model.context_length",
		"agent.host", "tools.tool_search.generation", "tools.tool_search.enabled", "tools.tool_search.threshold_pct", "tools.tool_search.max_search_limit", "tools.tool_search.search_default_limit", "tools.tool_search.ranker", "tools.tool_search.meaning_weight", "tools.tool_search.learn", "tools.tool_search.learn_over", "tools.tool_search.min_confidence",
		"tools.core", "tools.selection", "tools.rag_top_k", "tools.rag_core", "tools.rag_exclude", "tools.rag_embed_model", "tools.rag_embed_url", "tools.rag_embed_timeout_ms", "tools.rag_floor",
		"tools.rag_rrf_k", "tools.rag_weights.keyword", "tools.rag_weights.semantic", "tools.rag_sticky",
		r + "max_result_chars", r + "fetch_max_chars", r + "full_fetch_max_chars", r + "excerpt_max_chars", r + "head_lines", r + "tail_lines",
		r + "json_head_items", r + "json_tail_items", r + "refuse_full_fetch", r + "ttl_hours", r + "tombstone_ttl_hours", r + "max_store_mb",
		r + "grep_timeout_ms", r + "grep_max_pattern_len", r + "grep_max_line_len", r + "store_path", r + "exclude_tools", r + "error_line_patterns", "plugins.enabled", "plugins.disabled",
		"sessions.b.enabled_toolsets", "sessions.b.disabled_toolsets", `sessions."a c".enabled_toolsets`, `sessions."a c".disabled_toolsets`, "policy"}
	if !slices.Equal(keys, want) {
		t.Errorf("got  %q\nwant %q", keys, want)
	}
}

func TestSettings(t *testing.T) {
	const ts = "tools.tool_search."
	for _, c := range []struct {
		name, yaml string
		want       Setting
	}{
		{"default", "", Setting{Key: ts + "enabled", Value: "auto", Origin: "default"}},
		{"unknown context", "", Setting{Key: "model.context_length", Origin: "default"}},
		{"default session", "", Setting{Key: "sessions.default.enabled_toolsets", Origin: "default"}},
		{"no policy", "", Setting{Key: "policy", Value: []Rule{}, Origin: "default"}},
		{"from the file", "model:\n  context_length: 5_000\n", Setting{Key: "model.context_length", Value: 5000, Origin: "file", File: "c.yaml", Line: 2, Col: 19}},
		{"null", "model: {context_length: ~}", Setting{Key: "model.context_length", Origin: "default"}},
		{"clamped", "tools: {tool_search: {threshold_pct: 150}}",
			Setting{ts + "threshold_pct", 100.0, "file", "c.yaml", 1, "150", "150 is outside 0..100; 100 is used", 38}},
		{"refused", "tools: {tool_search: {threshold_pct: '10%'}}",
			Setting{ts + "threshold_pct", 10.0, "default", "c.yaml", 1, `"10%"`, `"10%" is not a number; the default 10 is used`, 38}},
		{"clamped by another", "tools: {tool_search: {max_search_limit: 2}}",
			Setting{Key: ts + "search_default_limit", Value: 2, Origin: "default", Note: "the default 5 is above max_search_limit; 2 is used"}},
		{"no more than another", "tools: {tool_search: {max_search_limit: 5}}", Setting{Key: ts + "search_default_limit", Value: 5, Origin: "default"}},
		{"quoted off", "tools: {tool_search: 'off'}",
			Setting{ts + "enabled", "auto", "default", "c.yaml", 1, `"off"`, `"off" in quotes is text, not the boolean: tool search is NOT off but auto; write off without quotes`, 22}},
		{"legacy off", "tools: {tool_search: off}", Setting{Key: ts + "enabled", Value: "off", Origin: "file", File: "c.yaml", Line: 1, Col: 22}},
		{"ruined", "tools: {tool_search: {enabled: off, max_search_limit: .inf}}",
			Setting{ts + "enabled", "auto", "default", "c.yaml", 1, "off", "the whole section has its defaults because of tools.tool_search.max_search_limit", 32}},
		{"ranker", "tools: {tool_search: {ranker: fielded}}",
			Setting{Key: ts + "ranker", Value: "fielded", Origin: "file", File: "c.yaml", Line: 1, Col: 31}},
		{"core", "tools: {core: [a]}", Setting{Key: "tools.core", Value: []string{"a"}, Origin: "file", File: "c.yaml", Line: 1, Col: 15}},
		{"empty core", "tools: {core: []}", Setting{Key: "tools.core", Value: []string{}, Origin: "file", File: "c.yaml", Line: 1, Col: 15}},
		{"session", "sessions: {a: {disabled_toolsets: [x]}}",
			Setting{Key: "sessions.a.disabled_toolsets", Value: []string{"x"}, Origin: "file", File: "c.yaml", Line: 1, Col: 35}},
		{"shut session", "sessions: {a: {enabled_toolsets: [y], disabled_toolsets: x}}",
			Setting{"sessions.a.enabled_toolsets", []string{}, "file", "c.yaml", 1, "x", "disabled_toolsets is not a list, so the session is granted nothing", 58}},
		{"policy", "policy: [{match: a, action: deny}]",
			Setting{Key: "policy", Value: []Rule{{"a", Deny, "", 1, 10}}, Origin: "file", File: "c.yaml", Line: 1, Col: 9}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := Parse("c.yaml", []byte(c.yaml))
			checkFile(t, f, err)
			if got := settingOf(t, f, c.want.Key); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func TestSettingJSON(t *testing.T) {
	f, _ := Parse("c.yaml", []byte("tools: {tool_search: {threshold_pct: -0.0}}\npolicy: [{match: a, action: deny}]"))
	for key, want := range map[string]string{
		"tools.tool_search.threshold_pct":   `{"key":"tools.tool_search.threshold_pct","value":0,"origin":"file","file":"c.yaml","line":1,"given":"","note":""}`,
		"policy":                            `{"key":"policy","value":[{"match":"a","action":"deny"}],"origin":"file","file":"c.yaml","line":2,"given":"","note":""}`,
		"sessions.default.enabled_toolsets": `{"key":"sessions.default.enabled_toolsets","value":null,"origin":"default","file":"","line":0,"given":"","note":""}`,
	} {
		got, err := json.Marshal(settingOf(t, f, key))
		if err != nil || string(got) != want {
			t.Errorf("got  %s %v\nwant %s", got, err, want)
		}
	}
}

// TestFresh checks that a value handed out shares nothing with one handed out
// next.
func TestFresh(t *testing.T) {
	a, _ := Parse("", []byte("sessions: {s: {enabled_toolsets: [x]}}\npolicy: [{match: m, action: deny}]"))
	b := a
	require.NoError(t, b.Override("model.context_length", 5))
	a.Core[0], a.Sessions[0].Enabled[0], a.Policy[0].Match = "changed", "changed", "changed"
	settingOf(t, a, "tools.core").Value.([]string)[1] = "changed"
	require.NoError(t, b.Override("model.context_length", 6))
	checkFile(t, b, nil)
	if b.Core[0] == "changed" || b.Core[1] == "changed" || b.Sessions[0].Enabled[0] == "changed" || b.Policy[0].Match == "changed" {
		t.Errorf("shared: %+v", b.Config)
	}
	if a.ContextLength != nil {
		t.Error("overriding a copy reached the original")
	}
	if c, d := Default(), Default(); !reflect.DeepEqual(c, d) || &c.Core[0] == &d.Core[0] {
		t.Error("Default shares its slices")
	}
}

func TestOverride(t *testing.T) {
	const ts = "tools.tool_search."
	f, err := Parse("c.yaml", []byte("model: {context_length: 100}\ntools: {tool_search: {enabled: off, search_default_limit: 30, max_search_limit: 10}}\n"))
	require.NoError(t, err)
	for _, c := range []struct {
		key   string
		value any
		want  any
		said  []string // of all warnings
	}{
		{"model.context_length", 5000, 5000, []string{"2:59 clamped " + ts + "search_default_limit"}},
		{"model.context_length", nil, nil, []string{"2:59 clamped " + ts + "search_default_limit"}},
		{"model.context_length", "128_000", 128000, []string{"2:59 clamped " + ts + "search_default_limit"}},
		{ts + "max_search_limit", 40, 40, nil},
		{ts + "max_search_limit", int64(70), 50, []string{"0:0 clamped " + ts + "max_search_limit"}},
		{ts + "max_search_limit", 35, 35, nil},
		{ts + "threshold_pct", 12.5, 12.5, nil},
		{ts + "threshold_pct", math.Inf(1), 100.0, []string{"0:0 clamped " + ts + "threshold_pct"}},
		{ts + "threshold_pct", "20", 20.0, nil},
		{ts + "enabled", "ON", "on", nil},
		{ts + "enabled", false, "off", nil},
		{"tools.selection", "lazy", "lazy", nil},
		{"tools.core", []string{"a", "b"}, []string{"a", "b"}, nil},
	} {
		if err := f.Override(c.key, c.value); err != nil {
			t.Fatalf("%s = %v: %v", c.key, c.value, err)
		}
		checkConfig(t, f.Config)
		s := settingOf(t, f, c.key)
		if !reflect.DeepEqual(s.Value, c.want) || s.Origin != OriginFlag || s.Line != 0 || s.File != "" {
			t.Errorf("%s = %v: %+v", c.key, c.value, s)
		}
		if got := said(f.Warnings); !slices.Equal(got, c.said) {
			t.Errorf("%s = %v: said %q, want %q", c.key, c.value, got, c.said)
		}
	}
	if f.ToolSearch.DefaultLimit != 30 {
		t.Errorf("the default limit is %d, although a flag lets it be 30", f.ToolSearch.DefaultLimit)
	}
}

func TestOverrideRefuses(t *testing.T) {
	const ts = "tools.tool_search."
	f, _ := Parse("", nil)
	before, _ := Parse("", nil)
	for _, c := range []struct {
		key   string
		value any
		code  string
	}{
		{"model.context_length", "many", "not_a_number"},
		{"model.context_length", math.Inf(1), "not_a_number"},
		{ts + "max_search_limit", math.Inf(1), "not_a_number"},
		{ts + "max_search_limit", math.NaN(), "not_a_number"},
		{ts + "threshold_pct", []string{"5"}, "not_a_number"},
		{ts + "threshold_pct", struct{}{}, "unusable_value"},
		{ts + "enabled", "maybe", "unknown_mode"},
		{ts + "ranker", "x", "unknown_ranker"},
		{"tools.selection", "x", "unknown_strategy"},
		{"tools.core", []string{"a", ""}, "not_a_name"},
		{"tools.core", "a", "not_a_list"},
		{"tools.rag_top_k", "x", "not_a_number"},
		{"tools.rag_weights", 5, "unknown_key"},
		{"sessions", nil, "unknown_key"},
		{"tools.tool_search.treshold_pct", 5, "unknown_key"},
		{"\x1b[2J", 5, "unknown_key"},
	} {
		err := f.Override(c.key, c.value)
		var d model.Diagnostic
		if !errors.As(err, &d) || d.Code != c.code || d.Path == "" || !printsPlainly(err.Error()) {
			t.Errorf("%s = %v: %v (%s), want %s", c.key, c.value, err, d.Code, c.code)
		}
		if !reflect.DeepEqual(f, before) {
			t.Fatalf("%s = %v changed the file", c.key, c.value)
		}
	}
}

func TestOverrideWhatIsRuined(t *testing.T) {
	f, _ := Parse("", []byte("tools: {tool_search: {enabled: off, threshold_pct: 0x"+strings.Repeat("f", 300)+"}}"))
	for _, c := range []struct {
		key   string
		value any
		want  ToolSearch
	}{
		{"tools.tool_search.max_search_limit", 3, june(Auto, 10, 3, 3)},
		{"tools.tool_search.enabled", "on", june(On, 10, 3, 3)},
		{"tools.tool_search.threshold_pct", 5, june(On, 5, 3, 3)}, // no longer ruined
	} {
		require.NoError(t, f.Override(c.key, c.value))
		checkConfig(t, f.Config)
		checkSettings(t, f)
		if f.ToolSearch != c.want {
			t.Errorf("after %s: %+v, want %+v", c.key, f.ToolSearch, c.want)
		}
	}
}

func TestOverrideZeroFile(t *testing.T) {
	var f File
	require.NoError(t, f.Override("model.context_length", 7))
	if f.ContextLength == nil || *f.ContextLength != 7 || len(f.Sessions) != 1 {
		t.Errorf("%+v", f.Config)
	}
}

func TestSections(t *testing.T) {
	const yaml = `model:
  default: gpt-4
  context_length: 5
  base_url: x
display: {a: 1}
tools:
  tool_search: on
  oops: 1
toolaria: {head_lines: 3}
plugins:
  enabled: [toolaria]
  toolaria: {head_lines: 4}
  entries: {}
Sessions: {}
`
	f, err := Parse("", []byte(yaml))
	require.NoError(t, err)
	want := []Section{
		{"model", 1, true}, {"model.default", 2, true}, {"model.context_length", 3, false}, {"model.base_url", 4, false},
		{"display", 5, false}, {"tools", 6, true}, {"tools.tool_search", 7, true}, {"tools.oops", 8, false},
		{"toolaria", 9, true}, {"plugins", 10, true}, {"plugins.enabled", 11, true}, {"plugins.toolaria", 12, false}, {"plugins.entries", 13, false},
		{"Sessions", 14, false},
	}
	if !slices.Equal(f.Sections, want) {
		t.Errorf("got  %v\nwant %v", f.Sections, want)
	}
	if f, _ := Parse("", []byte("model: gpt-4\n")); !slices.Equal(f.Sections, []Section{{"model", 1, false}}) {
		t.Errorf("text: %v", f.Sections)
	}
	if f, _ := Parse("", []byte("model: gpt-4\nprovider: x\nplugins: {toolaria: {}}\n")); !f.Sections[0].Read || !f.Sections[3].Read {
		t.Errorf("moved: %v", f.Sections)
	}
}

// Numbers in messages are as people write them, with all digits that tell them apart.
func TestFormatNumber(t *testing.T) {
	for f, want := range map[float64]string{0.125: "0.125", 20: "20", -3: "-3", 200_000: "200000", 1e15: "1e+15", 12.75: "12.75"} {
		if got := formatNumber(f); got != want {
			t.Errorf("%v: %s, want %s", f, got, want)
		}
	}
}

// written returns a document in which a key has a value.
func written(key, value string) string {
	var b strings.Builder
	parts := strings.Split(key, ".")
	for i, part := range parts {
		b.WriteString(strings.Repeat("  ", i) + part + ":")
		if i < len(parts)-1 {
			b.WriteString("\n")
		}
	}
	b.WriteString(" " + value + "\n")
	if key == KeyToolSearch+".search_default_limit" { // which is at most the other limit
		fmt.Fprintf(&b, "    max_search_limit: %d\n", maxSearchLimit)
	}
	return b.String()
}

// Every setting takes every bound of its range and is read back as it was
// written; a value beyond becomes the bound, with a note.
func TestSpecs(t *testing.T) {
	texts := map[string]string{
		"tools.tool_search.learn": "queries.jsonl",
		"tools.rag_embed_model":   "openai:small",
		"tools.rag_embed_url":     "http://127.0.0.1:9/v1",
		"toolaria.store_path":     "/somewhere/else",
		"model.default":           "gpt-4",
		"model.model":             "gpt-4",
	}
	for _, key := range Settable() {
		d, ok := SpecOf(key)
		if !ok {
			t.Errorf("%s has no description", key)
			continue
		}
		takes, becomes := []string{}, map[string]float64{}
		switch d.Kind {
		case Choice:
			takes = d.Choices
		case Bool:
			takes = []string{"true", "false"}
		case List:
			takes = []string{"[a b]", "[]"}
		case Whole, Number:
			if d.Least >= d.Most {
				t.Errorf("%s is from %v to %v", key, d.Least, d.Most)
			}
			takes = []string{shown(d.Least), shown(d.Most)}
			becomes[shown(d.Least-1)] = d.Least
			if key != KeyContext { // its upper bound is for steps only
				becomes[shown(d.Most+1)] = d.Most
			}
		case Text:
			takes = []string{texts[key]}
		}
		for _, want := range takes {
			text := want
			if d.Kind == List {
				text = strings.ReplaceAll(want, " ", ", ")
			}
			f, err := Parse("c.yaml", []byte(written(key, text)))
			require.NoError(t, err)
			got := settingOf(t, f, key)
			if shown(got.Value) != want || got.Note != "" || got.Origin != "file" {
				t.Errorf("%s: %s is read as %v (%s, %s)", key, text, got.Value, got.Origin, got.Note)
			}
		}
		for text, want := range becomes {
			f, err := Parse("c.yaml", []byte(written(key, text)))
			require.NoError(t, err)
			if got := settingOf(t, f, key); key != KeyContext && shown(got.Value) != shown(want) || got.Note == "" {
				t.Errorf("%s: %s becomes %v with note %q, want %v", key, text, got.Value, got.Note, want)
			}
		}
	}
	for _, key := range []string{"", "tools", sessionsKey, policyKey, "nothing"} {
		if d, ok := SpecOf(key); ok {
			t.Errorf("%q has the description %+v", key, d)
		}
	}
}

// shown returns a value as the file has it.
func shown(value any) string {
	if f, ok := value.(float64); ok {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}

func TestSpecIsACopy(t *testing.T) {
	d, _ := SpecOf(KeySelection)
	d.Choices[0] = "changed"
	if again, _ := SpecOf(KeySelection); !slices.Equal(again.Choices, Strategies) {
		t.Errorf("the choices are %q", again.Choices)
	}
}

// Every setting has a label that fits a narrow column, and a default that its
// own rule takes.
func TestEveryRowIsWhole(t *testing.T) {
	labels := map[string]string{}
	for _, key := range Settable() {
		s, _ := SpecOf(key)
		if s.Label == "" || len(s.Label) > 17 || labels[s.Label] != "" {
			t.Errorf("%s has the label %q, as has %q", key, s.Label, labels[s.Label])
		}
		labels[s.Label] = key
		for _, g := range Generations {
			c := DefaultOf(Generation(g))
			if got := s.In(&c); key != KeyGeneration && fmt.Sprint(got) != fmt.Sprint(s.DefaultIn(Generation(g))) {
				t.Errorf("%s is %v by default in %s, and its row has %v", key, got, g, s.DefaultIn(Generation(g)))
			}
		}
		if n, err := strconv.ParseFloat(fmt.Sprint(s.Default), 64); err == nil && s.Clamp(n) != n {
			t.Errorf("%s: the default %v is outside %v..%v", key, n, s.Least, s.Most)
		}
	}
	c := Default()
	c.ToolSearch.MaxLimit = 7
	s, _ := SpecOf("tools.tool_search.search_default_limit")
	if got := s.Within(&c).Most; got != 7 {
		t.Errorf("the limit goes to %v, past max_search_limit", got)
	}
}

// TestTakes: what a setting takes, in words, and where a file may have it.
func TestTakes(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{
		"model.default": "text", "tools.tool_search.enabled": "off, auto, on", "tools.tool_search.threshold_pct": "a number from 0 to 100 %", "tools.rag_sticky": "true or false",
		"tools.rag_top_k": "a whole number from 1 to 1000", "toolaria.max_result_chars": "a whole number from 1 to 100000000 characters", "tools.core": "[a list of names]",
	} {
		if s, ok := SpecOf(key); !ok || s.Takes() != want {
			t.Errorf("%s takes %s, want %s", key, s.Takes(), want)
		}
		section, other := OtherPlace(key)
		if rescue := strings.HasPrefix(key, "toolaria."); rescue != (section == "toolaria" && other == "plugins.toolaria") || rescue == (section+other == "") {
			t.Errorf("%s stands in %q or %q", key, section, other)
		}
	}
	for section, want := range map[string]string{
		"": "model agent tools toolaria plugins sessions policy", "model": "default model context_length", "x": "", "tools.rag_weights": "keyword semantic",
		"tools": "tool_search core selection rag_top_k rag_core rag_exclude rag_embed_model rag_embed_url rag_embed_timeout_ms rag_floor rag_rrf_k rag_weights rag_sticky",
	} {
		if got := strings.Join(KeysIn(section), " "); got != want {
			t.Errorf("in %q: %s", section, got)
		}
	}
	if !slices.Equal(KeysIn("toolaria"), KeysIn("plugins.toolaria")) || len(KeysIn("toolaria")) < 10 {
		t.Errorf("%q", KeysIn("plugins.toolaria"))
	}
	families := Families()
	if !slices.IsSortedFunc(families, func(a, b Family) int { return strings.Compare(a.Name, b.Name) }) || len(families) != len(modelFamilies) {
		t.Errorf("%d families", len(families))
	}
	for _, f := range families {
		if length, _ := ContextOf(f.Name); length != f.Context {
			t.Errorf("%s has %d, and in the list %d", f.Name, length, f.Context)
		}
	}
}

// A setting is known by its key, the end of its key and its label.
func TestKeyOf(t *testing.T) {
	t.Parallel()
	for _, r := range table {
		if r.at == nil {
			continue
		}
		end := r.Key[strings.LastIndexByte(r.Key, '.')+1:]
		for _, name := range []string{r.Key, r.Label, strings.ToUpper(r.Label)} {
			if got := KeyOf(name); got != r.Key {
				t.Errorf("%s is %s, want %s", name, got, r.Key)
			}
		}
		got := KeyOf(end)
		if spec, ok := SpecOf(got); !ok || !strings.HasSuffix(got, "."+end) && spec.Label != end {
			t.Errorf("%s is %s", end, got)
		}
	}
	for name, want := range map[string]string{"meaning_weight": KeyMeaning, "threshold_pct": KeyToolSearch + ".threshold_pct", "colour": "colour", "": "",
		rescueAlias + ".head_lines": rescueAlias + ".head_lines"} {
		if got := KeyOf(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

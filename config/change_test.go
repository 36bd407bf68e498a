package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"caliper/model"
	"caliper/model/require"
)

// TestWants: wanted settings come in the order of the table, by the names that
// their keys have today, and depend on each other.
func TestWants(t *testing.T) {
	f, _ := Parse("c.yaml", nil)
	wants, err := f.Wants(map[string]any{"tools.rag_top_k": "4", "tools.tool_search.search_default_limit": 30, "tools.tool_search.max_search_limit": 40})
	require.NoError(t, err)
	got := ""
	for _, w := range wants {
		got += fmt.Sprintf("%s=%v ", w.Key, w.Value)
		if d := w.Unwritable("why"); d.File != "c.yaml" || d.Code != "unwritable" || d.Path != w.Key || d.Message != "why" {
			t.Errorf("%s: %+v", w.Key, d)
		}
	}
	if want := "tools.tool_search.max_search_limit=40 tools.tool_search.search_default_limit=30 tools.rag_top_k=4 "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if _, err := f.Wants(map[string]any{"tools.tool_search.search_default_limit": 30, "tools.tool_search.max_search_limit": 20}); err == nil {
		t.Error("a limit above the highest is taken")
	}
	limit := slices.IndexFunc(wants, func(w Want) bool { return w.Key == "tools.tool_search.max_search_limit" })
	for text, want := range map[string]bool{"40": true, "'40'": true, "41": false, "70": false, "x": false} {
		if got := wants[limit].ReadFrom(node(t, text)); got != want {
			t.Errorf("%q is read as 40: %v", text, got)
		}
	}
	f, _ = Parse("c.yaml", []byte("agent: {disabled_toolsets: [b]}\n"))
	off, err := f.Wants(map[string]any{"agent.disabled_toolsets": []string{"a"}})
	require.NoError(t, err)
	for text, want := range map[string]bool{"[a]": true, "[b]": false, "[a, [c]]": false, "[]": false} {
		if got := off[0].ReadFrom(node(t, text)); got != want {
			t.Errorf("%q is read as the toolsets [a]: %v", text, got)
		}
	}
	core, _ := f.Wants(map[string]any{"tools.rag_core": []string{"a"}})
	for text, want := range map[string]bool{"[a]": true, "[a, '']": false, "['', a]": false, "[a, b]": false, "a": false} {
		if got := core[0].ReadFrom(node(t, text)); got != want {
			t.Errorf("%q is read as [a]: %v", text, got)
		}
	}
}

// node returns the node of a value in YAML.
func node(t *testing.T, text string) *yaml.Node {
	t.Helper()
	var n yaml.Node
	require.NoError(t, yaml.Unmarshal([]byte("x: "+text), &n))
	return n.Content[0].Content[1]
}

// TestChanged: the next version of a file has what was wanted and is else the same. What Set itself
// can bring about is in the tables of Set.
func TestChanged(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after string
		key           string
		value         any
		message       string
	}{
		{"as wanted", "tools: {rag_top_k: 5}", "tools: {rag_top_k: 4}", "tools.rag_top_k", 4, ""},
		{"another too", "tools: {rag_top_k: 5}", "tools: {rag_top_k: 4, selection: lazy}", "tools.rag_top_k", 4, "tools.selection would change too, from "},
		{"another rule", "policy:\n- {match: a, action: deny}", "policy:\n- {match: b, action: deny}\ntools: {rag_top_k: 4}", "tools.rag_top_k", 4, "policy would change too, from "},
		{"rules on other lines", "policy:\n- {match: a, action: deny}", "# x\npolicy:\n- {match: a, action: deny}\ntools: {rag_top_k: 4}", "tools.rag_top_k", 4, ""},
	} {
		f, err := Parse("c.yaml", []byte(c.before))
		after, err2 := Parse("c.yaml", []byte(c.after))
		if err != nil || err2 != nil {
			t.Fatalf("%s: %v, %v", c.name, err, err2)
		}
		wants, err := f.Wants(map[string]any{c.key: c.value})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		err = f.Changed(&after, wants)
		var d model.Diagnostic
		if (err == nil) != (c.message == "") || err != nil && (!errors.As(err, &d) || !strings.HasPrefix(d.Message, c.message) || d.Path != c.key) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestLoadable: agent must be what Python makes a mapping of.
func TestLoadable(t *testing.T) {
	for yaml, want := range map[string]bool{
		"agent: {}": true, "agent: ": true, "agent: 0": true, "agent: x": false, "agent: 5": false,
		"agent: [[a, b]]": true, "agent: [[a, b, c]]": false, "agent: [[[], b]]": false, "agent: [[a, b], 5]": false,
		"agent: [ab, xy]": true, "agent: [a\u00e4]": true, "agent: [abc]": false,
		"agent: [{a: 1, b: 2}]": true, "agent: [{a: 1}]": false, "agent: [{a: 1, b: 2, c: 3}]": false,
	} {
		_, err := Parse("c.yaml", []byte(yaml))
		var d model.Diagnostic
		if (err == nil) != want || err != nil && (!errors.As(err, &d) || d.Code != "unloadable" || d.Line != 1) {
			t.Errorf("%s: %v", yaml, err)
		}
	}
}

package config

import (
	"errors"
	"testing"

	"caliper/model"
)

// TestWantsRefuses: a value that is no value of its setting, or would only be
// used after a correction, is not wanted.
func TestWantsRefuses(t *testing.T) {
	f, _ := Parse("c.yaml", nil)
	for _, c := range []struct {
		key        string
		value      any
		code, path string
		message    string
	}{
		{"tools.tool_search.threshold_pct", struct{}{}, "unusable_value", "tools.tool_search.threshold_pct", "a value of this type cannot be set"},
		{"tools.tool_search.threshold_pct", []string{"5"}, "unusable_value", "tools.tool_search.threshold_pct", "a value of this type cannot be set"},
		{"tools.tool_search.threshold_pct", nil, "unusable_value", "tools.tool_search.threshold_pct", "needs a value"},
		{"tools.tool_search.threshold_pct", "x", "not_a_number", "tools.tool_search.threshold_pct", ""},
		{"tools.tool_search.threshold_pct", 101, "clamped", "tools.tool_search.threshold_pct", ""},
		{"tools.core", []string{"a", "b", ""}, "not_a_name", "tools.core[2]", `"" is not a name`},
		{"sessions", nil, "not_settable", "sessions", "scopes and rules are changed in the file"},
		{"tools.treshold", 5, "unknown_key", "tools.treshold", ""},
	} {
		wants, err := f.Wants(map[string]any{c.key: c.value})
		var d model.Diagnostic
		if !errors.As(err, &d) || wants != nil || d.Code != c.code || d.Path != c.path || d.Line != 0 || c.message != "" && d.Message != c.message {
			t.Errorf("%s = %v: %v, %s at %s: %q", c.key, c.value, err, d.Code, d.Path, d.Message)
		}
	}
}

// TestHeldBy: a wanted value is held where a file says it and it counts as it is.
func TestHeldBy(t *testing.T) {
	for _, c := range []struct {
		name, key string
		value     any
		yaml      string
		want      bool
	}{
		{"said", "tools.rag_top_k", 4, "tools: {rag_top_k: 4}", true},
		{"another", "tools.rag_top_k", 4, "tools: {rag_top_k: 5}", false},
		{"the default, not said", "tools.rag_top_k", 8, "tools: {}", false},
		{"corrected to it", "tools.tool_search.max_search_limit", 50, "tools: {tool_search: {max_search_limit: 70}}", false},
		{"no context", "model.context_length", nil, "tools: {}", true},
		{"a context", "model.context_length", nil, "model: {context_length: 5}", false},
		{"null", "model.context_length", nil, "model: {default: gpt-4, context_length: null}", true},
		{"of the model", "model.context_length", nil, "model: {default: gpt-4}", true},
		{"beside the model", "model.context_length", nil, "model: {default: gpt-4, context_length: 5}", false},
	} {
		var empty File
		wants, err := empty.Wants(map[string]any{c.key: c.value})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		f, err := Parse("c.yaml", []byte(c.yaml))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := wants[0].HeldBy(&f); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
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

package config

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"caliper/model/require"
)

// environmentOf returns the lookup of variables.
func environmentOf(env map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		val, ok := env[name]
		return val, ok
	}
}

// TestContextVectors compares the context of the active model with the
// reference. Case 87, a context length without a model, differs on purpose.
func TestContextVectors(t *testing.T) {
	var file struct {
		Cases []struct {
			YAML *string
			Env  map[string]string
			Want struct {
				ContextLength *int    `json:"context_length"`
				Enabled       Mode    `json:"enabled"`
				ThresholdPct  float64 `json:"threshold_pct"`
			}
			Note string
		}
	}
	readVectors(t, "testdata/context.json", &file)
	if len(file.Cases) != 155 {
		t.Fatalf("%d cases, want 155", len(file.Cases))
	}
	for i, c := range file.Cases {
		t.Run(fmt.Sprintf("%d %s", i, c.Note), func(t *testing.T) {
			var data []byte
			if c.YAML != nil {
				data = []byte(*c.YAML)
			}
			f, err := Parse("config.yaml", data, environmentOf(c.Env))
			checkFile(t, f, err)
			want := c.Want.ContextLength
			if i == 87 {
				length := 64000
				want = &length
				if f.Model.Origin != ContextConfig || !slices.Contains(allSaid(f.Warnings), "2:19 context_not_read model.context_length") {
					t.Errorf("origin %s, warnings %q", f.Model.Origin, allSaid(f.Warnings))
				}
			}
			if got := f.ContextLength; (got == nil) != (want == nil) || got != nil && *got != *want {
				t.Errorf("%s\n got %v\nwant %v", data, shownInt(got), shownInt(want))
			}
			if f.ToolSearch.Enabled != c.Want.Enabled || f.ToolSearch.ThresholdPct != c.Want.ThresholdPct {
				t.Errorf("%s: %+v", data, f.ToolSearch)
			}
			if (f.ContextLength == nil) != (f.Model.Origin == ContextUnknown) {
				t.Errorf("%s: context %s, origin %s", data, shownInt(f.ContextLength), f.Model.Origin)
			}
			if f.ContextLength == nil && err == nil && strings.TrimSpace(string(data)) != "" && f.ToolSearch.Enabled == Auto &&
				!slices.ContainsFunc(allSaid(f.Warnings), func(s string) bool { return strings.Contains(s, "context_unknown") }) {
				t.Errorf("%s: unknown, and nothing says so: %q", data, allSaid(f.Warnings))
			}
		})
	}
}

func shownInt(n *int) string {
	if n == nil {
		return "unknown"
	}
	return fmt.Sprint(*n)
}

// TestModelTable compares the table with the facts that it was taken from.
func TestModelTable(t *testing.T) {
	var file struct {
		Date     string
		Default  int
		Families []struct {
			Pattern       string
			ContextLength int  `json:"context_length"`
			NeverMatches  bool `json:"never_matches"`
		}
		Prefixes []string `json:"provider_prefixes"`
		Suffixes string   `json:"suffixes_that_keep_the_prefix"`
	}
	readVectors(t, "testdata/models.json", &file)
	i := 0
	for _, f := range file.Families {
		if f.NeverMatches {
			continue
		}
		if i >= len(modelFamilies) || modelFamilies[i].Name != f.Pattern || modelFamilies[i].Context != f.ContextLength {
			t.Fatalf("family %d is not %s: %d", i, f.Pattern, f.ContextLength)
		}
		i++
	}
	if i != len(modelFamilies) || file.Default != unknownFamily || file.Date != ModelTableDate || len(file.Prefixes) != len(modelProviders) {
		t.Errorf("%d families, default %d, date %s, %d providers", i, file.Default, file.Date, len(file.Prefixes))
	}
	for _, p := range file.Prefixes {
		if !modelProviders[p] {
			t.Errorf("provider %s is missing", p)
		}
	}
}

// TestContextOf covers the rule itself.
func TestContextOf(t *testing.T) {
	for _, c := range []struct {
		id     string
		length int
		family string
	}{
		{"openrouter:anthropic/claude-sonnet-4.6", 1_000_000, "claude-sonnet-4.6"},
		{"qwen:70B", 131072, "qwen"}, // a tag of Ollama's, in any case
		{"qwen:latest", 131072, "qwen"},
		{"qwen:plus", unknownFamily, ""},
		{"qwen: 0.5b", 131072, "qwen"},
		{"http://grok:4", 131072, "grok"},
		{"", unknownFamily, ""},
		{"GLM-5", 202752, "glm"},
	} {
		if length, family := ContextOf(c.id); length != c.length || family != c.family {
			t.Errorf("%s: %d %q, want %d %q", c.id, length, family, c.length, c.family)
		}
	}
}

// TestContextOrigin covers which of flag, table and setting counts.
func TestContextOrigin(t *testing.T) {
	for _, c := range []struct {
		name, yaml string
		flag       any
		length     int
		origin     ContextOrigin
		codes      []string
	}{
		{"nothing", "", nil, 0, ContextUnknown, nil},
		{"no model", "tools: {}\n", nil, 0, ContextUnknown, []string{"1:1 context_unknown model"}},
		{"no model, always on", "tools: {tool_search: {enabled: on}}\n", nil, 0, ContextUnknown, nil},
		{"table", "model: {default: gpt-4}\n", nil, 128000, ContextTable, nil},
		{"no family", "model: {default: orchard-7b}\n", nil, 256000, ContextTable, []string{"1:18 unknown_model model.default"}},
		{"beside a model", "model: {default: gpt-4, context_length: 5000}\n", nil, 128000, ContextTable, []string{"1:41 context_not_read model.context_length"}},
		{"null beside a model", "model: {default: gpt-4, context_length: null}\n", nil, 128000, ContextTable, nil},
		{"without a model", "model: {context_length: 5000}\n", nil, 5000, ContextConfig, []string{"1:25 context_not_read model.context_length"}},
		{"no length", "model: {context_length: 0}\n", nil, 0, ContextUnknown, []string{"1:1 context_unknown model", "1:25 context_not_positive model.context_length"}},
		{"a length of one", "model: {context_length: 1}\n", nil, 1, ContextConfig, []string{"1:25 context_not_read model.context_length"}},
		{"a flag over the table", "model: {default: gpt-4}\n", 9000, 9000, ContextFlag, nil},
		{"a flag over nothing", "tools: {}\n", 9000, 9000, ContextFlag, nil},
		{"text alone", "model: gpt-4\n", nil, 0, ContextUnknown, []string{"1:1 context_unknown model", "1:8 model_not_read model"}},
		{"no text", "model: {default: 4}\n", nil, 0, ContextUnknown, []string{"1:1 context_unknown model", "1:18 not_a_model model.default"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := Parse("", []byte(c.yaml))
			require.NoError(t, err)
			if c.flag != nil {
				require.NoError(t, f.Override("model.context_length", c.flag))
			}
			length := 0
			if f.ContextLength != nil {
				length = *f.ContextLength
			}
			if length != c.length || f.Model.Origin != c.origin {
				t.Errorf("%d by %s, want %d by %s", length, f.Model.Origin, c.length, c.origin)
			}
			if got := allSaid(f.Warnings); !slices.Equal(got, c.codes) {
				t.Errorf("got  %q\nwant %q", got, c.codes)
			}
		})
	}
}

// A context that is not read is told with the one that counts, and why.
func TestContextBesideAModel(t *testing.T) {
	f, err := Parse("", []byte("model: {default: gpt-4, context_length: 5000}\n"))
	require.NoError(t, err)
	const want = "5000 is not read by the June agent beside a model; the context is 128000 tokens, by the family gpt-4 of gpt-4 in the table of 2026-06-05"
	if s := settingOf(t, f, "model.context_length"); !strings.HasPrefix(s.Note, want) || s.Line != 1 || s.Col != 41 || f.Warnings[0].Message != s.Note {
		t.Errorf("%+v, warned %q", s, f.Warnings)
	}
	f, _ = Parse("", []byte("model: {default: orchard-7b}\n"))
	if s := settingOf(t, f, "model.context_length"); s.Note != "that of a model of no family in the table of 2026-06-05" {
		t.Errorf("of a model of no family: %+v", s)
	}
	f, _ = Parse("", []byte("\n\nmodel: {default: gpt-4}\n"))
	require.NoError(t, f.Override("model.context_length", nil))
	if s := settingOf(t, f, "model.context_length"); s.File != "" || s.Line != 0 || s.Col != 0 || s.Given != "null" {
		t.Errorf("of no line of the file: %+v", s)
	}
}

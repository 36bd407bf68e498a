package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"caliper/model/require"
)

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

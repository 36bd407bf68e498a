package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"caliper/model"
	"caliper/model/require"
	"caliper/model/yamltext"
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
		{"a generation, which others follow", "", "tools: {tool_search: {generation: september-2026}}", KeyGeneration, "september-2026", ""},
		{"a host, which others follow", "tools: {tool_search: {search_default_limit: 4}}", "agent: {host: hermes-2026-09}\ntools: {tool_search: {search_default_limit: 4}}", KeyHost, hostSeptember, ""},
		{"a host against the generation", "tools: {tool_search: {generation: june-2026}}", "agent: {host: hermes-2026-09}\ntools: {tool_search: {generation: june-2026}}", KeyHost, hostSeptember, KeyGeneration + " would change too, from "},
		{"a generation that reads less", "tools: {tool_search: {listing: on}}", "tools: {tool_search: {listing: on, generation: june-2026}}", KeyGeneration, "june-2026", KeyListing + " would change too, from "},
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

func TestSetList(t *testing.T) {
	const key = "tools.rag_core"
	for _, c := range []struct {
		name  string
		names []string
		yaml  string
		want  string
	}{
		{"added in flow", []string{"a", "b", "c"}, "tools:\n  rag_core: [ a,  'b' ]  # mine\n", "tools:\n  rag_core: [a, 'b', c]  # mine\n"},
		{"taken from flow", []string{"b"}, "tools: {rag_core: [a, b], rag_sticky: no}\n", "tools: {rag_core: [b], rag_sticky: no}\n"},
		{"emptied", []string{}, "tools: {rag_core: [a]}\n", "tools: {rag_core: []}\n"},
		{"filled", []string{"a"}, "tools: {rag_core: []}\n", "tools: {rag_core: [a]}\n"},
		{"in JSON", []string{"a", "b"}, "{\"tools\": {\"rag_core\": [\"a\"]}}\n", "{\"tools\": {\"rag_core\": [\"a\", \"b\"]}}\n"},
		{"a name that is no text in YAML", []string{"no", "a b"}, "tools: {rag_core: []}\n", "tools: {rag_core: [\"no\", \"a b\"]}\n"},
		{"missing", []string{"a", "b"}, "tools:\n  rag_top_k: 4 # few\n", "tools:\n  rag_top_k: 4 # few\n  rag_core: [a, b]\n"},
		{"no file", []string{"a"}, "", "tools:\n  rag_core: [a]\n"},
		{"nothing there", []string{"a"}, "tools:\n  rag_core: # why\n", "tools:\n  rag_core: [a] # why\n"},
		{"no list there", []string{"a"}, "tools:\n  rag_core: terminal # why\n", "tools:\n  rag_core: [a] # why\n"},
		{"added in lines", []string{"a", "b", "c"}, "tools:\n  # core\n  rag_core: # of it\n    - a # first\n    # then\n    - b # second\n\n  rag_sticky: no\n",
			"tools:\n  # core\n  rag_core: # of it\n    - a # first\n    # then\n    - b # second\n    - c\n\n  rag_sticky: no\n"},
		{"taken from lines", []string{"b"}, "tools:\n  rag_core:\n  - a # goes\n  # stays\n  - b # stays\n", "tools:\n  rag_core:\n  # stays\n  - b # stays\n"},
		{"the last of lines without a line break", []string{"a"}, "tools:\n  rag_core:\n  - a\n  - b", "tools:\n  rag_core:\n  - a"},
		{"all of lines", []string{}, "tools:\n  rag_core: # why\n  - a\n  # stays\n  - b\n  rag_sticky: no\n", "tools:\n  rag_core: [] # why\n  # stays\n  rag_sticky: no\n"},
		{"all others", []string{"c", "d"}, "tools:\r\n  rag_core:\r\n  - a\r\n  - b\r\n", "tools:\r\n  rag_core:\r\n  - c\r\n  - d\r\n"},
		{"in another order", []string{"c", "a", "b"}, "tools:\n  rag_core:\n  - a # 1\n  - b # 2\n  - c # 3\n", "tools:\n  rag_core:\n  - c\n  - a # 1\n  - b # 2\n"},
		{"brackets over lines", []string{"a", "c", "d"}, "tools:\n  rag_core: [\n    a, # 1\n    b, # 2\n    c  # 3\n  ]\n", "tools:\n  rag_core: [\n    a, # 1\n     # 2\n    c, d  # 3\n  ]\n"},
		{"brackets over lines, nothing between", []string{"a", "c"}, "tools:\n  rag_core: [\n    a,\n    b,\n    c\n  ]\n", "tools:\n  rag_core: [\n    a,\n    c\n  ]\n"},
		{"brackets over lines, the last goes and has no comma", []string{"a"}, "tools:\n  rag_core: [\n    a,\n    b # 2\n  ]\n", "tools:\n  rag_core: [\n    a\n     # 2\n  ]\n"},
		{"brackets over lines, the last goes with its comma", []string{"a"}, "tools:\n  rag_core: [\n    a,\n    b, # 2\n  ]\n", "tools:\n  rag_core: [\n    a,\n     # 2\n  ]\n"},
		{"brackets over lines, the first goes", []string{"b"}, "tools:\n  rag_core: [\n    a,\n    b\n  ]\n", "tools:\n  rag_core: [\n    b\n  ]\n"},
		{"brackets over lines, the ends go", []string{"b"}, "tools:\n  rag_core: [a,\n    b,\n    c]\n", "tools:\n  rag_core: [\n    b\n    ]\n"},
		{"brackets over lines, one before", []string{"x", "a", "b"}, "tools:\n  rag_core: [\n    a,\n    b\n  ]\n", "tools:\n  rag_core: [x, \n    a,\n    b\n  ]\n"},
		{"brackets over lines, all others", []string{"x", "y"}, "tools:\n  rag_core: [\n    a,\n    b\n  ]\n", "tools:\n  rag_core: [x, y\n  ]\n"},
		{"brackets with a comment, filled", []string{"x"}, "tools:\n  rag_core: [ # none\n  ]\n", "tools:\n  rag_core: [x # none\n  ]\n"},
		{"brackets over lines, the last changes", []string{"a", "x"}, "tools:\n  rag_core: [a,\n    b\n  ]\n", "tools:\n  rag_core: [a, x\n  ]\n"},
		{"brackets over lines in JSON", []string{"a", "x"}, "{\"tools\": {\"rag_core\": [\n \"a\",\n \"b\"\n]}}\n", "{\"tools\": {\"rag_core\": [\n \"a\", \"x\"\n]}}\n"},
	} {
		got, err := set(c.yaml, key, c.names)
		if err != nil || got != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, got, c.want)
		}
		if again, err := set(got, key, c.names); err != nil || again != got {
			t.Errorf("%s again: %v\n%s", c.name, err, again)
		}
	}
}

// TestListParts: what is written is what was wished, as many old items stay as
// can in their order, and those that stay are the ones of their text.
func TestListParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 6)
		before, after := list.Draw(t, "before"), list.Draw(t, "after")
		items := make([]yamltext.Value, len(before))
		for i, text := range before {
			items[i] = yamltext.Value{Kind: yamltext.Text, Text: text}
		}
		var texts []string
		kept, last := 0, -1
		for _, part := range listParts(items, after) {
			if texts = append(texts, part.text); part.old == -1 {
				continue
			}
			if kept++; part.old <= last || before[part.old] != part.text {
				t.Fatalf("item %d behind %d for %s", part.old, last, part.text)
			}
			last = part.old
		}
		most := 0
		for chosen := range 1 << len(before) { // every part of the old list
			at, n := 0, 0
			for i, text := range before {
				if chosen>>i&1 == 1 {
					for at < len(after) && after[at] != text {
						at++
					}
					if at, n = at+1, n+1; at > len(after) {
						n = 0
						break
					}
				}
			}
			most = max(most, n)
		}
		if !slices.Equal(texts, after) || kept != most {
			t.Fatalf("%q of %q: %q with %d old ones, want %d", after, before, texts, kept, most)
		}
	})
}

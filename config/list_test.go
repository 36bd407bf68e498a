package config

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"caliper/model/yamltext"
)

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

// TestSetNoScopes: a list is not written where it would be of another scope, or of none.
func TestSetNoScopes(t *testing.T) {
	for _, c := range []struct{ name, yaml, key string }{
		{"a session that is not there", "sessions: {b: {}}\n", "sessions.a.enabled_toolsets"},
		{"a session without sessions", "", "sessions.default.enabled_toolsets"},
		{"a list that another session has too", "sessions:\n  a: {enabled_toolsets: &l [t]}\n  b: {enabled_toolsets: *l}\n", "sessions.a.enabled_toolsets"},
	} {
		if got, err := Set("c.yaml", []byte(c.yaml), []Change{{c.key, []string{"x"}}}); err == nil {
			t.Errorf("%s: %s", c.name, got)
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

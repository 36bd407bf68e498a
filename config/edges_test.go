package config

import (
	"errors"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"caliper/model"
	"caliper/model/require"
	"caliper/model/yamltext"
)

// TestSetEdges has the bytes of whole files before and after a change.
func TestSetEdges(t *testing.T) {
	for _, c := range []struct {
		name, key string
		val       any
		old, want string
	}{
		{"CRLF", pct, 12, "tools:\r\n  tool_search:\r\n    threshold_pct: 10 # x\r\n", "tools:\r\n  tool_search:\r\n    threshold_pct: 12 # x\r\n"},
		{"CRLF, added", pct, 12, "tools:\r\n  tool_search:\r\n    enabled: auto\r\n", "tools:\r\n  tool_search:\r\n    enabled: auto\r\n    threshold_pct: 12\r\n"},
		{"CRLF, added without one at the end", pct, 12, "tools:\r\n  tool_search:\r\n    enabled: auto", "tools:\r\n  tool_search:\r\n    enabled: auto\r\n    threshold_pct: 12"},
		{"CR", pct, 12, "tools:\r  tool_search:\r    threshold_pct: 10\r", "tools:\r  tool_search:\r    threshold_pct: 12\r"},
		{"CR, added", pct, 12, "tools:\r  tool_search:\r    enabled: auto\r", "tools:\r  tool_search:\r    enabled: auto\r    threshold_pct: 12\r"},
		{"NEL", pct, 12, "tools:\u0085  tool_search:\u0085    threshold_pct: 10\u0085", "tools:\u0085  tool_search:\u0085    threshold_pct: 12\u0085"},
		{"LS and PS", pct, 12, "tools:\u2028  tool_search:\u2029    threshold_pct: 10\u2028", "tools:\u2028  tool_search:\u2029    threshold_pct: 12\u2028"},
		{"no line end", pct, 12, "tools: {tool_search: {threshold_pct: 10}}", "tools: {tool_search: {threshold_pct: 12}}"},
		{"no line end, added", pct, 12, "tools:\n  tool_search:\n    enabled: auto", "tools:\n  tool_search:\n    enabled: auto\n    threshold_pct: 12"},
		{"no line end behind a comment, added", pct, 12, "tools:\n  tool_search:\n    enabled: auto # x", "tools:\n  tool_search:\n    enabled: auto # x\n    threshold_pct: 12"},
		{"single quotes", enabled, "on", "tools: {tool_search: {enabled: 'auto'}} # '\n", "tools: {tool_search: {enabled: 'on'}} # '\n"},
		{"single quotes at the end", enabled, "on", "tools:\n  tool_search:\n    enabled: 'auto'", "tools:\n  tool_search:\n    enabled: 'on'"},
		{"single quotes with one inside", "tools.rag_embed_model", "ollama:x", "tools: {rag_embed_model: 'ollama:it''s'}", "tools: {rag_embed_model: 'ollama:x'}"},
		{"values named as keys", pct, 12, "tools: {tool_search: {threshold_pct: 10, z: threshold_pct, w: 1}, x: tool_search, y: 1}\na: tools\nb: {tool_search: 1}\n", "tools: {tool_search: {threshold_pct: 12, z: threshold_pct, w: 1}, x: tool_search, y: 1}\na: tools\nb: {tool_search: 1}\n"},
		{"double quotes", enabled, "on", "tools: {tool_search: {enabled: \"auto\"}} # \"\n", "tools: {tool_search: {enabled: \"on\"}} # \"\n"},
		{"a quote inside", "tools.rag_embed_model", "ollama:it's", "tools: {rag_embed_model: 'ollama:a'}\n", "tools: {rag_embed_model: \"ollama:it's\"}\n"},
		{"literal", enabled, "on", "tools:\n  tool_search:\n    enabled: |-\n      auto\n    ranker: bm25\n", "tools:\n  tool_search:\n    enabled: on\n    ranker: bm25\n"},
		{"folded", enabled, "on", "tools:\n  tool_search:\n    enabled: >- # x\n      auto\n    ranker: bm25\n", "tools:\n  tool_search:\n    enabled: on # x\n    ranker: bm25\n"},
		{"literal, CRLF", enabled, "on", "tools:\r\n  tool_search:\r\n    enabled: |-\r\n      auto\r\n    ranker: bm25\r\n", "tools:\r\n  tool_search:\r\n    enabled: on\r\n    ranker: bm25\r\n"},
		{"flow, added", pct, 12, "tools: {tool_search: {enabled: auto}}\n", "tools: {tool_search: {enabled: auto, threshold_pct: 12}}\n"},
		{"flow with a last comma, added", pct, 12, "tools: {tool_search: {enabled: auto,}}\n", "tools: {tool_search: {enabled: auto, threshold_pct: 12,}}\n"},
		{"flow that is empty, added", pct, 12, "tools: {tool_search: {}}\n", "tools: {tool_search: {threshold_pct: 12}}\n"},
		{"anchor", pct, 12, "tools: {tool_search: {threshold_pct: &a 10}}\n", "tools: {tool_search: {threshold_pct: &a 12}}\n"},
		{"alias", pct, 12, "a: &a 10\ntools: {tool_search: {threshold_pct: *a}}\n", "a: &a 10\ntools: {tool_search: {threshold_pct: 12}}\n"},
		{"alias with every kind of letter", pct, 12, "a: &azAZ09_- 10\ntools: {tool_search: {threshold_pct: *azAZ09_-}}\n", "a: &azAZ09_- 10\ntools: {tool_search: {threshold_pct: 12}}\n"},
		{"anchor before a tag", pct, 12, "tools:\n  tool_search:\n    threshold_pct: &azAZ09_- !!int 10 # x\n", "tools:\n  tool_search:\n    threshold_pct: &azAZ09_- !!int 12 # x\n"},
		{"anchor and tag on lines of their own", pct, 12, "tools:\n  tool_search:\n    threshold_pct: &a\n      !!int\n      10\n", "tools:\n  tool_search:\n    threshold_pct: &a\n      !!int\n      12\n"},
		{"anchor of nothing", enabled, "on", "tools:\n  tool_search:\n    enabled: &a # x\n    ranker: bm25\n", "tools:\n  tool_search:\n    enabled: &a on # x\n    ranker: bm25\n"},
		{"comment with a hash in the value", "tools.rag_embed_url", "http://127.0.0.1:2/v1", "tools: {rag_embed_url: \"http://127.0.0.1:1/v1\"} # http://x/#y\n", "tools: {rag_embed_url: \"http://127.0.0.1:2/v1\"} # http://x/#y\n"},
		{"byte order mark", pct, 12, "\ufefftools: {tool_search: {threshold_pct: 10}}\n", "\ufefftools: {tool_search: {threshold_pct: 12}}\n"},
		{"byte order mark alone", pct, 12, "\ufeff", "\ufefftools:\n  tool_search:\n    threshold_pct: 12\n"},
	} {
		got, err := set(c.old, c.key, c.val)
		if err != nil || got != c.want {
			t.Errorf("%s: %v\n%q, want\n%q", c.name, err, got, c.want)
		}
	}
}

// A file in which a value cannot be changed is refused with the place of what
// is in the way. Places count lines at line feeds, as editors do, and bytes.
func TestSetEdgesRefused(t *testing.T) {
	for _, c := range []struct {
		name, old string
		line, col int
	}{
		{"CRLF", "a: 1\r\ntools:\r\n  tool_search: []\r\n", 3, 16},
		{"CR", "a: 1\rtools:\r  tool_search: []\r", 1, 28},
		{"NEL", "a: 1\u0085tools:\u0085  tool_search: []\u0085", 1, 30},
		{"byte order mark", "\ufefftools: {tool_search: []}\n", 1, 22},
		{"a list as a literal stands before", "a: |\n  tools: x\ntools: {tool_search: {threshold_pct: [1]}}\n", 3, 38},
	} {
		out, err := set(c.old, pct, 12)
		var d model.Diagnostic
		if !errors.As(err, &d) || out != "" || d.Code != "unwritable" || d.Line != c.line || d.Col != c.col {
			t.Errorf("%s: %d:%d %s %v %q, want %d:%d", c.name, d.Line, d.Col, d.Code, err, out, c.line, c.col)
		}
	}
}

// TestSetVariables covers that a write leaves variables alone, but for the ones of
// the setting that is written.
func TestSetVariables(t *testing.T) {
	const before = "model: {default: '${MODEL}'}\ntools: {rag_top_k: '${K}', rag_core: ['${TOOL}', b]}\n"
	for _, c := range []struct {
		key   string
		val   any
		after string
	}{
		{"tools.rag_sticky", false, "model: {default: '${MODEL}'}\ntools: {rag_top_k: '${K}', rag_core: ['${TOOL}', b], rag_sticky: false}\n"},
		{"tools.rag_top_k", 8, "model: {default: '${MODEL}'}\ntools: {rag_top_k: '8', rag_core: ['${TOOL}', b]}\n"},
		{"model.default", "gpt-4", "model: {default: 'gpt-4'}\ntools: {rag_top_k: '${K}', rag_core: ['${TOOL}', b]}\n"},
		{"tools.rag_core", []string{"${TOOL}", "c"}, "model: {default: '${MODEL}'}\ntools: {rag_top_k: '${K}', rag_core: ['${TOOL}', c]}\n"},
	} {
		t.Run(c.key, func(t *testing.T) {
			got, err := Set("", []byte(before), []Change{{c.key, c.val}})
			if err != nil || string(got) != c.after {
				t.Errorf("%v\n got %s\nwant %s", err, got, c.after)
			}
		})
	}
}

// Directives are kept, whatever version of YAML they name.
func TestSetKeepsDirectives(t *testing.T) {
	for _, before := range []string{
		"%YAML 1.1\n---\n", "%YAML 1.2\n---\n", "# a\n\n  # b\n%YAML  1.2 # c\n# d\n---\n", "%YAML 1.2\r\n---\r\n", "%YAML 1.2\u0085---\n", "%FOO bar % baz\n---\n",
	} {
		if got, err := set(before+"tools: {rag_top_k: 3}\n", "tools.rag_top_k", 5); err != nil || got != before+"tools: {rag_top_k: 5}\n" {
			t.Errorf("%v\n%q", err, got)
		}
	}
}

// A password is written into the file as it is given.
func TestSetWritesPasswords(t *testing.T) {
	got, err := set("tools: {rag_embed_url: 'http://anna:other@host'}\n", "tools.rag_embed_url", "http://anna:pa55@host")
	if err != nil || !strings.Contains(got, "pa55") {
		t.Errorf("%s, %v", got, err)
	}
}

// TestBlockScalar: where lines break, and where the text of a block ends.
func TestBlockScalar(t *testing.T) {
	for in, want := range map[string]int{"": 0, "a": 0, "\n\n": 1, "\ra": 1, "\r\n": 2, "\u0085a": 2, "\u2028": 3, "\u2029": 3, "\u00a0": 0, "\u2027": 0, "\xc2": 0} {
		if got := lineBreak([]byte(in)); got != want {
			t.Errorf("%q begins with a break of %d bytes, want %d", in, got, want)
		}
	}
	for _, c := range []struct {
		rest   string // behind the indicator; ^ stands for where the header ends, and $ the text's last line
		indent int
	}{
		{"^\n  a\n   b\n$c: 1\n", 0}, {"^ # x\n  a\n$c\n", 0}, {"-^\n  a\n$ b\n", 0}, {"+^\n  a\n\n \n$c\n", 0}, {"^\n  a\n$\n \nc\n", 0}, {"^\n  a\n\n  b\n$\n", 0}, {"1^\n  a\n b\n$c\n", 0}, {"2-^\n   a\n$ b\n", 0},
		{"^\n$a\n", 0}, {"^\na\n b\n$", -1}, {"^\n$  a\n", 2}, {"^\n   a\n$  b\n", 2}, {"1^\n   a\n$  b\n", 2}, {"1^\n a\n$b\n", -1}, {"2^\n   \n$c\n", 0}, {"2^\n  a\n   \n$c\n", 0}, {"^\n   \n  a\n$", 0}, {"^$", 0},
	} {
		want := strings.NewReplacer("^", "", "$", "").Replace(c.rest)
		p := &patch{data: []byte("|" + want)}
		header, end := p.blockScalar(0, c.indent)
		at := strings.Index(c.rest, "^") + 1
		text, _, _ := strings.Cut(c.rest, "$")
		if header != at || end != len(strings.TrimSuffix(text, "\n")) {
			t.Errorf("%q at %d: the header ends at %d, the text at %d", c.rest, c.indent, header, end)
		}
	}
}

// The comparison finds every change beside the one that was asked for,
// wherever it is.
func TestComparisonFindsOtherChanges(t *testing.T) {
	const before = "model: {context_length: 1}\ntools:\n  core: [a, b]\n  tool_search: {enabled: auto, threshold_pct: 10}\nother: [x, {y: 1}]\n"
	tests := []struct {
		name, path, from, to string
		where                string
	}{
		{"nothing else", "tools.tool_search.threshold_pct", "10", "12", ""},
		{"nothing at all", "tools.tool_search.threshold_pct", "10", "10", ""},
		{"a neighbour", "tools.tool_search.threshold_pct", "enabled: auto", "enabled: off", "tools.tool_search.enabled"},
		{"a neighbour is gone", "tools.tool_search.threshold_pct", "enabled: auto, ", "", "tools.tool_search.enabled"},
		{"a new neighbour", "tools.tool_search.threshold_pct", "{enabled", "{ranker: bm25, enabled", "tools.tool_search.ranker"},
		{"one level up", "tools.tool_search.threshold_pct", "[a, b]", "[a]", "tools.core"},
		{"another section", "tools.tool_search.threshold_pct", "context_length: 1", "context_length: 2", "model"},
		{"another section is gone", "tools.tool_search.threshold_pct", "model: {context_length: 1}\n", "", "model"},
		{"deep in another key", "tools.tool_search.threshold_pct", "y: 1", "y: 2", "other"},
		{"another style", "tools.tool_search.threshold_pct", "enabled: auto", "enabled: 'auto'", "tools.tool_search.enabled"},
		{"a new section", "tools.tool_search.threshold_pct", "other", "new: 1\nother", "new"},
		{"a whole section", "tools.core", "[a, b]", "[c]", ""},
		{"beside a short path", "tools.core", "threshold_pct: 10", "threshold_pct: 11", "tools.tool_search"},
	}
	for _, test := range tests {
		if !strings.Contains(before, test.from) {
			t.Fatalf("%s: %q is not in the document", test.name, test.from)
		}
		old, err := yamltext.Load("c.yaml", []byte(before))
		require.NoError(t, err)
		changed, err := yamltext.Load("c.yaml", []byte(strings.Replace(before, test.from, test.to, 1)))
		require.NoError(t, err)
		c := comparison{path: strings.Split(test.path, "."), seen: map[[2]*yaml.Node]bool{}}
		if got := c.along(old.Root, changed.Root, 0, ""); got != test.where {
			t.Errorf("%s: %q differs, want %q", test.name, got, test.where)
		}
	}
}

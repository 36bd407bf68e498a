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

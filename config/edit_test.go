package config

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"caliper/model"
	"caliper/model/require"
	"caliper/model/yamltext"
)

const (
	pct      = "tools.tool_search.threshold_pct"
	enabled  = "tools.tool_search.enabled"
	maxLimit = "tools.tool_search.max_search_limit"
	limit    = "tools.tool_search.search_default_limit"
	ctx      = "model.context_length"
)

// set applies one change to a text.
func set(yaml, key string, val any) (string, error) {
	out, err := Set("c.yaml", []byte(yaml), []Change{{key, val}})
	return string(out), err
}

// TestSetScalar has changes of a value that is in the file. Whatever is
// between the marks ‹ and › in the text is replaced, and nothing else.
func TestSetScalar(t *testing.T) {
	for _, c := range []struct {
		name, key string
		val       any
		yaml      string // ‹old› is the changed text
		new       string
	}{
		{"plain, with a comment", pct, 12, "tools:\n  tool_search:\n    threshold_pct: ‹10›  # percent\n    enabled: auto\n", "12"},
		{"a fraction", pct, 12.5, "tools: {tool_search: {threshold_pct: ‹10.0›}}\n", "12.5"},
		{"small", pct, 1e-7, "tools: {tool_search: {threshold_pct: ‹10.0›}}\n", "0.0000001"},
		{"single quotes", pct, 12, "tools: {tool_search: {threshold_pct: '‹10›'}} # '\n", "12"},
		{"double quotes", pct, 12, "tools: {tool_search: {threshold_pct: \"‹1\\x30›\"}}\n", "12"},
		{"quotes with a quote", "tools.selection", "lazy", "tools: {selection: '‹it''s›'}\n", "lazy"},
		{"quotes over two lines", "tools.selection", "lazy", "tools:\n  selection: \"‹a\n    b\\\"›\" # c\n", "lazy"},
		{"plain over two lines", "tools.selection", "lazy", "tools:\n  selection: ‹a\n    b› # c\n", "lazy"},
		{"on a line of its own", pct, 12, "tools:\n  tool_search:\n    threshold_pct: # percent\n      ‹10›\n", "12"},
		{"literal", pct, 12, "tools:\n  tool_search:\n    threshold_pct: ‹|-› # percent‹\n      10›\n    enabled: auto\n", "12"},
		{"folded, of several lines, last", "tools.selection", "lazy", "tools:\n  selection: ‹>1+› # c‹\n   a\n\n   b\n›\n", "lazy"},
		{"a tag stays", pct, 12, "tools: {tool_search: {threshold_pct: !!int ‹10› }}\n", "12"},
		{"a tab behind a tag", pct, 12, "tools: {tool_search: {threshold_pct: !!int\t‹10›\t}}\n", "12"},
		{"a tag on a line of its own", pct, 12, "tools:\r\n  tool_search:\r\n    threshold_pct: !!int\r\n      ‹10›\r\n", "12"},
		{"a tag that does not fit goes", pct, 12.5, "tools: {tool_search: {threshold_pct: ‹!!int 10› }}\n", "12.5"},
		{"binary goes", pct, 12, "tools: {tool_search: {threshold_pct: ‹!!binary MTA=› }}\n", "12"},
		{"an anchor stays", pct, 12, "tools: {tool_search: {threshold_pct: &a ‹10› }}\n", "12"},
		{"an anchor stays without the tag", pct, 12.5, "tools: {tool_search: {threshold_pct: ‹!!int &a 10› }}\n", "&a 12.5"},
		{"an anchor without a value", pct, 12, "tools:\n  tool_search:\n    threshold_pct: &a‹›\n    enabled: auto\n", " 12"},
		{"null", pct, 12, "tools: {tool_search: {threshold_pct: ‹~›}}\n", "12"},
		{"nothing", pct, 12, "tools:\n  tool_search:\n    threshold_pct:‹›  # percent\n    enabled: auto\n", " 12"},
		{"nothing in flow", pct, 12, "tools: {tool_search: {threshold_pct:‹› , enabled: auto}}\n", " 12"},
		{"not even a colon", pct, 12, "tools: {tool_search: {threshold_pct‹›, enabled: auto}}\n", ": 12"},
		{"an alias", pct, 12, "a: &a 10\ntools: {tool_search: {threshold_pct: ‹*a› }}\nb: *a\n", "12"},
		{"the last of two keys", pct, 12, "tools: {tool_search: {threshold_pct: 5, threshold_pct: ‹10›}}\n", "12"},
		{"out of range before", pct, 100, "tools: {tool_search: {threshold_pct: ‹250›}}\n", "100"},
		{"octal before", pct, 8, "tools: {tool_search: {threshold_pct: ‹010›}}\n", "8"},
		{"a mode", enabled, "OFF", "tools: {tool_search: {enabled: ‹auto›}}\n", "off"},
		{"a boolean", enabled, true, "tools: {tool_search: {enabled: '‹auto›'}}\n", "on"},
		{"unset", ctx, nil, "model: {context_length: ‹'200000'› }\n", "null"},
		{"unset beside a model", ctx, nil, "model: {default: anthropic/claude-sonnet-4.5, context_length: ‹9000›}\n", "null"},
		{"unset to set", ctx, "200_000", "model: {context_length: ‹null›}\n", "200000"},
		{"strategy in its mapping", "tools.selection", "lazy", "tools: {selection: {strategy: ‹hybrid›, k: 5}}\n", "lazy"},
		{"mends the section", maxLimit, 9, "tools: {tool_search: {max_search_limit: ‹.inf›, threshold_pct: 7}}\n", "9"},
		{"JSON", pct, 12, "{\"tools\": {\"tool_search\": {\"threshold_pct\": ‹10›}}}", "12"},
		{"byte order mark, carriage returns", pct, 12, "\ufeff# é\r\ntools:\r\n  tool_search:\r\n    threshold_pct: ‹10›\r\n", "12"},
		{"old line ends", pct, 12, "tools:\r  tool_search:\u2028    threshold_pct: ‹10›\u0085    enabled: auto\r", "12"},
		{"after wide characters", pct, 12, "tools: {'é\U0001F600': x, tool_search: {threshold_pct: ‹10›}}\n", "12"},
		{"explicit keys", pct, 12, "? tools\n: ? tool_search\n  : threshold_pct: ‹10› # x\n", "12"},
	} {
		want, old := "", ""
		rest := c.yaml
		for first := true; ; first = false {
			before, after, marked := strings.Cut(rest, "‹")
			want, old = want+before, old+before
			if !marked {
				break
			}
			replaced, after, _ := strings.Cut(after, "›")
			old += replaced
			if first {
				want += c.new
			}
			rest = after
		}
		got, err := set(old, c.key, c.val)
		if err != nil || got != want {
			t.Errorf("%s: %v\n%q, want\n%q", c.name, err, got, want)
		}
		// Once it is there it is there.
		if again, err := set(got, c.key, c.val); err != nil || again != got {
			t.Errorf("%s, again: %v, %q", c.name, err, again)
		}
	}
}

// TestSetAdds has settings that the file does not have. In want, + is before
// every line that is not in the text.
func TestSetAdds(t *testing.T) {
	for _, c := range []struct {
		name, key string
		val       any
		want      string // lines of the new file
	}{
		{"to nothing", pct, 12, "+tools:\n+  tool_search:\n+    threshold_pct: 12\n"},
		{"to a comment", pct, 12, " # mine\n+tools:\n+  tool_search:\n+    threshold_pct: 12\n"},
		{"before the end of the document", ctx, 12, " ---\n+model:\n+  context_length: 12\n ...\n # x\n"},
		{"after the one before it", pct, 12, " tools:\n   tool_search:\n     enabled: auto # mode\n+    threshold_pct: 12\n     # the most\n     max_search_limit: 9\n"},
		{"at the end, when none is before it", enabled, "on", " tools:\n   tool_search:\n     max_search_limit: 9\n+    enabled: on\n \n sessions:\n"},
		{"after the nearest before it", limit, 4, " tools:\n   tool_search:\n     max_search_limit: 9\n+    search_default_limit: 4\n     enabled: auto\n"},
		{"after what is commented out", pct, 12, " tools:\n   tool_search:\n     # enabled: auto\n     # threshold_pct: 10 # percent\n+    threshold_pct: 12\n     # max_search_limit: 20\n     ranker: bm25\n"},
		{"after what is commented out at the end", pct, 12, " tools:\n   tool_search:\n     ranker: bm25\n     #enabled: auto\n     #threshold_pct: 10\n+    threshold_pct: 12\n   #threshold_pct: 11\n"},
		{"not after what is commented out of another section", pct, 12, " tools:\n   tool_search:\n     enabled: auto\n+    threshold_pct: 12\n   #threshold_pct: 11\n"},
		{"after what is commented out at the margin", pct, 12, " tools:\n   tool_search:\n     enabled: auto\n #threshold_pct: 10\n+    threshold_pct: 12\n     ranker: bm25\n"},
		{"after what is commented out before a blank line", pct, 12, " tools:\n   tool_search:\n     # threshold_pct: 10\n+    threshold_pct: 12\n \n     ranker: bm25\n"},
		{"not after prose", pct, 12, " tools:\n   tool_search:\n     enabled: auto\n+    threshold_pct: 12\n     # threshold_pct: see the manual\n     ranker: bm25\n"},
		{"with the indentation of the mapping", pct, 12, " tools:\n     tool_search:\n        enabled: auto\n+       threshold_pct: 12\n"},
		{"with the indentation of the file", pct, 12, " model:\n     name: x\n+tools:\n+    tool_search:\n+        threshold_pct: 12\n sessions:\n     a: {}\n"},
		{"with the indentation of one blank", pct, 12, " model:\n  name: x\n+tools:\n+ tool_search:\n+  threshold_pct: 12\n"},
		{"with the indentation of one blank beside it", pct, 12, " tools:\n    mine:\n     a: 1\n+   tool_search:\n+    threshold_pct: 12\n"},
		{"no blank line where only the end has one", pct, 12, " model:\n   name: x\n+tools:\n+  tool_search:\n+    threshold_pct: 12\n \n"},
		{"no blank line where there are remarks", pct, 12, " model: {}\n+tools:\n+  tool_search:\n+    threshold_pct: 12\n # Sessions.\n sessions: {}\n"},
		{"between blank lines where the file has them", pct, 12, " model:\n   name: x\n   # url: x\n \n   # port: 80\n+\n+tools:\n+  tool_search:\n+    threshold_pct: 12\n \n # Sessions.\n sessions:\n   a: {}\n"},
		{"no blank line where the sections cannot be told apart", pct, 12, " a: x\u0085   y\n \n model: {}\n+tools:\n+  tool_search:\n+    threshold_pct: 12\n"},
		{"after a text with spaces that are no blanks", ctx, 12, " model:\n   name: a\u00a0b\u3000c\n+  context_length: 12\n"},
		{"below an empty section", pct, 12, " tools: # mine\n+  tool_search:\n+    threshold_pct: 12\n sessions: {}\n"},
		{"below an anchored section", pct, 12, " tools:\n   tool_search: &a\n     enabled: auto\n+    threshold_pct: 12\n"},
		{"after an anchor on a line of its own", pct, 12, " tools:\n   tool_search:\n     enabled:\n       &a\n+    threshold_pct: 12\n     ranker: *a\n"},
		{"after a list", "tools.selection", "lazy", " tools:\n   core:\n   - a\n   - # nothing\n+  selection: lazy\n other: {}\n"},
		{"after a literal", ctx, 5, " model:\n   name: |\n     # x\n+  context_length: 5\n \n \n tools: {}\n"},
		{"after a literal that keeps its end", ctx, 5, " model:\n   name: |+\n     # x\n \n+  context_length: 5\n tools: {}\n"},
		{"after a literal that keeps its end, without a blank line", pct, 5, " a: 1\n \n model:\n   name: |+\n     x\n+tools:\n+  tool_search:\n+    threshold_pct: 5\n policy: []\n"},
		{"after flow of several lines", "tools.selection", "lazy", " tools:\n   core: [a,\n     \"]\", # ]\n     'b' ] # x\n+  selection: lazy\n"},
		{"after flow of one item on several lines", "tools.selection", "lazy", " tools:\n   core: [\"]\"\n     ] # x\n+  selection: lazy\n"},
		{"after an item of several lines", "tools.selection", "lazy", " tools:\n   core:\n   - a\n     b\n+  selection: lazy\n other: {}\n"},
		{"over a merge key", pct, 12, " base: &b {threshold_pct: 5}\n tools:\n   tool_search:\n     <<: *b\n+    threshold_pct: 12\n"},
		{"a section over a merge key", pct, 12, " base: &b\n   a: &s {threshold_pct: 5, x: [1]}\n   tool_search: *s\n tools:\n   <<: *b\n+  tool_search:\n+    <<: *s\n+    threshold_pct: 12\n"},
		{"a section copied over a merge key", pct, 12, " base: &b\n   tool_search:\n     threshold_pct: 5\n     enabled: 'on' # x\n tools:\n   <<: *b\n+  tool_search:\n+    enabled: 'on'\n+    threshold_pct: 12\n"},
		{"an old section over a merge key", pct, 12, " base: &b {tool_search: off}\n tools:\n   <<: *b\n+  tool_search:\n+    enabled: off\n+    threshold_pct: 12\n"},
		{"after explicit keys", pct, 12, " ? tools\n : ? tool_search\n   : enabled: auto\n+    threshold_pct: 12\n"},
	} {
		var old, want strings.Builder
		for line := range strings.Lines(c.want) {
			want.WriteString(line[1:])
			if line[0] == ' ' {
				old.WriteString(line[1:])
			}
		}
		for _, variant := range []struct{ name, from, to string }{{"", "\n", "\n"}, {" with carriage returns", "\n", "\r\n"}} {
			old := strings.ReplaceAll(old.String(), variant.from, variant.to)
			want := strings.ReplaceAll(want.String(), variant.from, variant.to)
			if old == "" {
				want = strings.ReplaceAll(want, "\r", "")
			}
			if got, err := set(old, c.key, c.val); err != nil || got != want {
				t.Errorf("%s%s: %v\n%s", c.name, variant.name, err, Unified("want", "got", Diff([]byte(want), []byte(got))))
			}
		}
	}
}

// TestSetRewrites has the bytes of whole files before and after a change.
func TestSetRewrites(t *testing.T) {
	for _, c := range []struct {
		name, key string
		val       any
		yaml      string
		want      string
	}{
		{"true in place of the section", pct, 12, "tools:\n  tool_search: true # x\n", "tools:\n  tool_search: # x\n    enabled: auto\n    threshold_pct: 12\n"},
		{"false in place of the section", pct, 12, "tools:\n    tool_search: no\n    core: [a]\n", "tools:\n    tool_search:\n        enabled: off\n        threshold_pct: 12\n    core: [a]\n"},
		{"a boolean on its line", pct, 12, "tools:\n  tool_search:\n    # why\n      false # x\n", "tools:\n  tool_search:\n    # why\n      enabled: off\n      threshold_pct: 12 # x\n"},
		{"a literal in place of the section", pct, 12, "tools:\n  tool_search: | # x\n    off\n  core: [a]\n", "tools:\n  tool_search: # x\n    threshold_pct: 12\n  core: [a]\n"},
		{"null in place of a section", pct, 12, "tools: ~ # x\nmodel:\n    a: 1\n", "tools: # x\n    tool_search:\n        threshold_pct: 12\nmodel:\n    a: 1\n"},
		{"an alias in place of the section", pct, 12, "a: &a\n  threshold_pct: 5\n  x: 1\ntools:\n  tool_search: *a\n", "a: &a\n  threshold_pct: 5\n  x: 1\ntools:\n  tool_search:\n    <<: *a\n    threshold_pct: 12\n"},
		{"an alias of a section with the section", pct, 12, "a: &a\n  tool_search: off\ntools: *a\n", "a: &a\n  tool_search: off\ntools:\n  <<: *a\n  tool_search:\n    enabled: off\n    threshold_pct: 12\n"},
		{"an alias of a boolean in flow", pct, 12, "a: &a no\ntools: {tool_search: *a , core: []}\n", "a: &a no\ntools: {tool_search: {enabled: off, threshold_pct: 12} , core: []}\n"},
		{"nothing in flow", pct, 12, "tools: {tool_search, core: []}\n", "tools: {tool_search: {threshold_pct: 12}, core: []}\n"},
		{"nothing in flow before a blank", pct, 12, "tools: {tool_search : , core: []}\n", "tools: {tool_search : {threshold_pct: 12} , core: []}\n"},
		{"nothing in flow at the end of a line", pct, 12, "tools: { tool_search\n, core: []}\n", "tools: { tool_search: {threshold_pct: 12}\n, core: []}\n"},
		{"an anchor without a value in flow", pct, 12, "tools: {tool_search: &a }\nx: 1\n", "tools: {tool_search: {threshold_pct: 12} }\nx: 1\n"},
		{"to flow", pct, 12, "tools: {tool_search: {enabled: auto}} # x\n", "tools: {tool_search: {enabled: auto, threshold_pct: 12}} # x\n"},
		{"to flow from the first byte on", pct, 12, "{model: {name: x}\n}\n", "{model: {name: x}, tools: {tool_search: {threshold_pct: 12}}\n}\n"},
		{"to flow before an empty value", pct, 12, "tools: {tool_search: {enabled: , ranker: bm25}}\n", "tools: {tool_search: {threshold_pct: 12, enabled: , ranker: bm25}}\n"},
		{"to empty flow", pct, 12, "--- {}\n", "--- {tools: {tool_search: {threshold_pct: 12}}}\n"},
		{"to flow of several lines", pct, 12, "tools: {\n  tool_search: {\n    enabled: auto # x\n  }\n}\n", "tools: {\n  tool_search: {\n    enabled: auto, # x\n    threshold_pct: 12\n  }\n}\n"},
		{"to flow of several lines with a last comma", pct, 12, "tools: {\n  tool_search: {\n    enabled: auto, # x\n  }\n}\n", "tools: {\n  tool_search: {\n    enabled: auto, # x\n    threshold_pct: 12,\n  }\n}\n"},
		{"to flow of several keys a line", pct, 12, "tools: {\n  tool_search: {\n    enabled: auto, ranker: bm25\n  }\n}\n", "tools: {\n  tool_search: {\n    enabled: auto, threshold_pct: 12, ranker: bm25\n  }\n}\n"},
		{"to JSON", enabled, "off", "{\n  \"tools\": {\n    \"core\": []\n  }\n}", "{\n  \"tools\": {\n    \"core\": [],\n    \"tool_search\": {\"enabled\": \"off\"}\n  }\n}"},
		{"no line feed at the end", pct, 12, "tools:\n  tool_search:\n    enabled: auto", "tools:\n  tool_search:\n    enabled: auto\n    threshold_pct: 12"},
		{"a line feed after one with a carriage return", pct, 12, "a: 1\r\ntools:\n  tool_search:\n    enabled: auto\n", "a: 1\r\ntools:\n  tool_search:\n    enabled: auto\n    threshold_pct: 12\n"},
		{"a comment without a line feed at the end", ctx, 12, "# mine\r\n# yours", "# mine\r\n# yours\r\nmodel:\r\n  context_length: 12"},
		{"a strategy where its mapping has none", "tools.selection", "lazy", "tools: {selection: {k: 5}}\n", "tools: {selection: {k: 5, strategy: lazy}}\n"},
		{"values named as keys", pct, 12, "tools: {tool_search: {threshold_pct: 10, z: threshold_pct, w: 1}, x: tool_search, y: 1}\na: tools\nb: {tool_search: 1}\n", "tools: {tool_search: {threshold_pct: 12, z: threshold_pct, w: 1}, x: tool_search, y: 1}\na: tools\nb: {tool_search: 1}\n"},
		{"a quote inside", "tools.rag_embed_model", "ollama:it's", "tools: {rag_embed_model: 'ollama:a'}\n", "tools: {rag_embed_model: \"ollama:it's\"}\n"},
		{"literal, CRLF", enabled, "on", "tools:\r\n  tool_search:\r\n    enabled: |-\r\n      auto\r\n    ranker: bm25\r\n", "tools:\r\n  tool_search:\r\n    enabled: on\r\n    ranker: bm25\r\n"},
		{"alias with every kind of letter", pct, 12, "a: &azAZ09_- 10\ntools: {tool_search: {threshold_pct: *azAZ09_-}}\n", "a: &azAZ09_- 10\ntools: {tool_search: {threshold_pct: 12}}\n"},
		{"anchor before a tag", pct, 12, "tools:\n  tool_search:\n    threshold_pct: &azAZ09_- !!int 10 # x\n", "tools:\n  tool_search:\n    threshold_pct: &azAZ09_- !!int 12 # x\n"},
		{"anchor and tag on lines of their own", pct, 12, "tools:\n  tool_search:\n    threshold_pct: &a\n      !!int\n      10\n", "tools:\n  tool_search:\n    threshold_pct: &a\n      !!int\n      12\n"},
		{"comment with a hash in the value", "tools.rag_embed_url", "http://127.0.0.1:2/v1", "tools: {rag_embed_url: \"http://127.0.0.1:1/v1\"} # http://x/#y\n", "tools: {rag_embed_url: \"http://127.0.0.1:2/v1\"} # http://x/#y\n"},
		{"byte order mark alone", pct, 12, "\ufeff", "\ufefftools:\n  tool_search:\n    threshold_pct: 12\n"},
		{"what is the default already", "tools.rag_top_k", 8, "tools: {selection: lazy}\n", "tools: {selection: lazy, rag_top_k: 8}\n"},
		{"what a value is corrected to", maxLimit, 50, "tools: {tool_search: {max_search_limit: 70}}\n", "tools: {tool_search: {max_search_limit: 50}}\n"},
		{"rules move to other lines", "tools.rag_sticky", false, "tools:\n  rag_top_k: 4\npolicy:\n- {match: a, action: deny}\n", "tools:\n  rag_top_k: 4\n  rag_sticky: false\npolicy:\n- {match: a, action: deny}\n"},
		{"variables stay", "tools.rag_sticky", false, "model: {default: '${MODEL}'}\ntools: {rag_top_k: '${K}', rag_core: ['${TOOL}', b]}\n", "model: {default: '${MODEL}'}\ntools: {rag_top_k: '${K}', rag_core: ['${TOOL}', b], rag_sticky: false}\n"},
		{"variables stay", "tools.rag_top_k", 8, "model: {default: '${MODEL}'}\ntools: {rag_top_k: '${K}', rag_core: ['${TOOL}', b]}\n", "model: {default: '${MODEL}'}\ntools: {rag_top_k: '8', rag_core: ['${TOOL}', b]}\n"},
		{"variables stay", "model.default", "gpt-4", "model: {default: '${MODEL}'}\ntools: {rag_top_k: '${K}', rag_core: ['${TOOL}', b]}\n", "model: {default: 'gpt-4'}\ntools: {rag_top_k: '${K}', rag_core: ['${TOOL}', b]}\n"},
		{"variables stay", "tools.rag_core", []string{"${TOOL}", "c"}, "model: {default: '${MODEL}'}\ntools: {rag_top_k: '${K}', rag_core: ['${TOOL}', b]}\n", "model: {default: '${MODEL}'}\ntools: {rag_top_k: '${K}', rag_core: ['${TOOL}', c]}\n"},
		{"a password is written as it is given", "tools.rag_embed_url", "http://anna:pa55@host", "tools: {rag_embed_url: 'http://anna:other@host'}\n", "tools: {rag_embed_url: \"http://anna:pa55@host\"}\n"},
		{"top level, by the alias", "plugins.toolaria.head_lines", 5, "toolaria: {head_lines: 3}\n", "toolaria: {head_lines: 5}\n"},
		{"alias", "toolaria.head_lines", 5, "plugins:\n  toolaria:\n    head_lines: 3 # why\n", "plugins:\n  toolaria:\n    head_lines: 5 # why\n"},
		{"new in the alias", "toolaria.head_lines", 5, "plugins:\n  toolaria:\n    max_result_chars: 9\n", "plugins:\n  toolaria:\n    max_result_chars: 9\n    head_lines: 5\n"},
		{"an empty alias", "toolaria.head_lines", 5, "plugins:\n  toolaria:\n", "plugins:\n  toolaria:\n    head_lines: 5\n"},
		{"both", "toolaria.head_lines", 5, "plugins: {toolaria: {head_lines: 3}}\ntoolaria: {head_lines: 4}\n", "plugins: {toolaria: {head_lines: 3}}\ntoolaria: {head_lines: 5}\n"},
		{"neither", "toolaria.head_lines", 5, "plugins: {enabled: [toolaria]}\n", "plugins: {enabled: [toolaria]}\ntoolaria:\n  head_lines: 5\n"},
		{"an alias that is no section", "toolaria.head_lines", 5, "plugins: {toolaria: 3}\n", "plugins: {toolaria: 3}\ntoolaria:\n  head_lines: 5\n"},
		{"granted in flow", "sessions.a.enabled_toolsets", []string{"t", "mcp-x"}, "sessions:\n  a: {enabled_toolsets: [t]} # mine\n  b: {}\n", "sessions:\n  a: {enabled_toolsets: [t, mcp-x]} # mine\n  b: {}\n"},
		{"a name with a dot", `sessions."a.b".enabled_toolsets`, []string{"t"}, "sessions:\n  a.b: {enabled_toolsets: []}\n", "sessions:\n  a.b: {enabled_toolsets: [t]}\n"},
		{"a platform", "platform_toolsets.cli", []string{"t", "x"}, "platform_toolsets: {cli: [t, no_mcp]}\n", "platform_toolsets: {cli: [t, x]}\n"},
		{"the agent", "agent.disabled_toolsets", []string{}, "agent:\n  disabled_toolsets: [t]\n", "agent:\n  disabled_toolsets: []\n"},
	} {
		if got, err := set(c.yaml, c.key, c.val); err != nil || got != c.want {
			t.Errorf("%s: %v\n%s", c.name, err, Unified("want", "got", Diff([]byte(c.want), []byte(got))))
		}
	}
}

func TestSetRefuses(t *testing.T) {
	for _, c := range []struct {
		name, yaml, key string
		val             any
		want            string
	}{
		{"a typo", "", "tools.tool_search.treshold_pct", 1, "tools.tool_search.treshold_pct: no such setting; did you mean tools.tool_search.threshold_pct?"},
		{"half a key", "", "threshold_pct", 1, "threshold_pct: no such setting; did you mean tools.tool_search.threshold_pct?"},
		{"a section", "", "tools.tool_search", true, "tools.tool_search: no such setting"},
		{"nonsense", "", "a\x1b[2Jb", 1, `"a\x1b[2Jb": no such setting`},
		{"a word in place of a list", "", "tools.core", "a", "tools.core: a is not a list of names"},
		{"a list without names", "", "tools.rag_core", []string{"a", ""}, "tools.rag_core[1]: \"\" is not a name"},
		{"a list that is taken away", "", "tools.rag_core", nil, "tools.rag_core: needs a value"},
		{"a scope", "", "sessions.a.enabled_toolsets", "a", "sessions.a.enabled_toolsets: scopes and rules are changed in the file"},
		{"policy", "", "policy", "a", "policy: scopes and rules are changed in the file"},
		{"out of range", "", pct, 250, pct + ": 250 is outside 0..100"},
		{"not a number", "", pct, "many", pct + ": many is not a number"},
		{"a key without a value at the end", "? tools", pct, 12, "c.yaml: " + pct + ": the file is written in a way that only a person can change"},
		{"a fraction", "", limit, 2.5, limit + ": 2.5 reads as 2"},
		{"above the most", "tools: {tool_search: {max_search_limit: 9}}", limit, 10, limit + ": 10 is outside 1..9"},
		{"a mode", "", enabled, "atuo", enabled + ": atuo is not auto, on or off; did you mean auto?"},
		{"a ranker", "", "tools.tool_search.ranker", "bm26", "tools.tool_search.ranker: bm26 is not one of bm25, fielded, bm25-gated, learned, hybrid, semantic; did you mean bm25?"},
		{"a context", "", ctx, 0, ctx + ": 0 counts as unknown"},
		{"null", "", pct, nil, pct + ": needs a value"},
		{"a type", "", pct, []string{"1"}, pct + ": a value of this type cannot be set"},
		{"a broken file", "tools: [", pct, 1, "c.yaml:1:1: did not find expected node content"},
		{"a list of settings", "- a\n", pct, 1, "c.yaml:1:1: " + pct + ": the file is not a mapping of settings"},
		{"a word", "~\n", pct, 1, "c.yaml:1:1: " + pct + ": the file is not a mapping of settings"},
		{"a list in place of a section", "tools:\n  tool_search: []\n", pct, 1, "c.yaml:2:16: " + pct + ": tools.tool_search is [], and no setting can be added to that"},
		{"a word in place of a section", "model: gpt # mine\n", ctx, 1, "c.yaml:1:8: " + ctx + ": model is gpt, and no setting can be added to that"},
		{"an alias of a word in place of a section", "a: &a gpt\nmodel: *a\n", ctx, 1, "c.yaml:2:8: " + ctx + ": model is gpt, and no setting can be added to that"},
		{"a value used elsewhere", "tools: {tool_search: {threshold_pct: &a 5}}\nx: {y: *a}\n", pct, 1, "c.yaml: " + pct + ": x would change too: it has its value from here, by an alias"},
		{"a section used elsewhere", "tools: &t {tool_search: {threshold_pct: 5}}\nx: {<<: *t}\n", pct, 1, "c.yaml: " + pct + ": x would change too: it has its value from here, by an alias"},
		{"a merged section that cannot be repeated", "b: &b {tool_search: {x: [1]}}\ntools: {<<: *b}\n", pct, 1, "c.yaml:1:22: " + pct + ": comes from another mapping by a merge key, and cannot be repeated here"},
		{"a text that ends with the file", "model:\n  about: |\n    text", pct, 1, "c.yaml: " + pct + ": model would change too: the file ends in it without a line break; add one first"},
		{"another setting follows", "", maxLimit, 3, "c.yaml: " + maxLimit + ": tools.tool_search.search_default_limit would change too, from 5 to 3; change that first"},
		{"a setting of a later generation", "tools: {tool_search: {generation: june-2026}}\n", KeyListing, "on", "c.yaml: " + KeyListing + ": has no effect here: the agent of june-2026 does not read this; september-2026 does"},
		{"a setting that brings its generation", "", KeyDefer, []string{"x"}, "c.yaml: " + KeyDefer + ": agent.host would change too, from hermes-2026-06 to hermes-2026-09; change that first"},
		{"a session that is not there", "sessions: {b: {}}\n", "sessions.a.enabled_toolsets", []string{"x"}, "sessions.a.enabled_toolsets: scopes and rules are changed in the file"},
		{"a session without sessions", "", "sessions.default.enabled_toolsets", []string{"x"}, "sessions.default.enabled_toolsets: scopes and rules are changed in the file"},
		{"a list that another session has too", "sessions:\n  a: {enabled_toolsets: &l [t]}\n  b: {enabled_toolsets: *l}\n", "sessions.a.enabled_toolsets", []string{"x"}, "c.yaml: sessions.a.enabled_toolsets: sessions.b would change too: it has its value from here, by an alias"},
		{"CRLF", "a: 1\r\ntools:\r\n  tool_search: []\r\n", pct, 12, "c.yaml:3:16: " + pct + ": tools.tool_search is [], and no setting can be added to that"},
		{"CR", "a: 1\rtools:\r  tool_search: []\r", pct, 12, "c.yaml:1:28: " + pct + ": tools.tool_search is [], and no setting can be added to that"},
		{"NEL", "a: 1\u0085tools:\u0085  tool_search: []\u0085", pct, 12, "c.yaml:1:30: " + pct + ": tools.tool_search is [], and no setting can be added to that"},
		{"byte order mark", "\ufefftools: {tool_search: []}\n", pct, 12, "c.yaml:1:22: " + pct + ": tools.tool_search is [], and no setting can be added to that"},
		{"a list as a literal stands before", "a: |\n  tools: x\ntools: {tool_search: {threshold_pct: [1]}}\n", pct, 12, "c.yaml:3:38: " + pct + ": a single value belongs here, and the file has a list"},
		{"a comment behind a tag", "tools:\n  tool_search:\n    threshold_pct: !!int # x\n      10\n", pct, 12, "c.yaml:3:20: " + pct + ": the file is written in a way that only a person can change"},
		{"a ruined section", "tools: {tool_search: {max_search_limit: .inf}}", pct, 3, "c.yaml: " + pct + ": has no effect here: the whole section has its defaults because of " + maxLimit},
	} {
		out, err := set(c.yaml, c.key, c.val)
		var d model.Diagnostic
		if err == nil || err.Error() != c.want || out != "" || !errors.As(err, &d) || d.Code == "" {
			t.Errorf("%s: %v\nwant %s\n%s", c.name, err, c.want, out)
		}
	}
}

func TestSetKeepsTheSlice(t *testing.T) {
	data := []byte("tools: {tool_search: {threshold_pct: 12.0}}\n")
	out, err := Set("", data, []Change{{pct, 12}, {ctx, nil}})
	if err != nil || &out[0] != &data[0] {
		t.Errorf("%q, %v", out, err)
	}
	if out, err = Set("", data, nil); err != nil || &out[0] != &data[0] {
		t.Errorf("without changes: %q, %v", out, err)
	}
}

// TestSetSeveral sets what depends on each other, in any order.
func TestSetSeveral(t *testing.T) {
	const before = "tools:\n  tool_search:\n    search_default_limit: 5 # hits\n    max_search_limit: 20\n"
	const want = "model:\n  context_length: 9000\ntools:\n  tool_search:\n    search_default_limit: 30 # hits\n    max_search_limit: 40\n    threshold_pct: 7\n"
	changes := []Change{{pct, 1}, {limit, 30}, {pct, 7}, {maxLimit, 40}}
	out, err := Set("", []byte(before), changes)
	if want := strings.TrimPrefix(want, "model:\n  context_length: 9000\n"); err != nil || string(out) != want {
		t.Errorf("%v\n%s", err, out)
	}
	out, err = Set("", []byte(before), []Change{{limit, 3}, {maxLimit, 3}})
	if err != nil || !bytes.Contains(out, []byte("limit: 3 # hits\n    max_search_limit: 3\n")) {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestSetIn writes a boolean or a list at a path that is no setting of this file.
func TestSetIn(t *testing.T) {
	for _, c := range []struct {
		name, data, path string
		value            any
		want, problem    string
	}{
		{"a boolean", "mcp_servers:\n  tides: {enabled: no} # x\n", "mcp_servers tides enabled", true, "mcp_servers:\n  tides: {enabled: true} # x\n", ""},
		{"with a mark", "\ufeffa: true\n", "a", false, "\ufeffa: false\n", ""},
		{"only in name", "a: {b: 1}\n", "a b c", true, "", "x.yaml:1:8: a.b.c: a.b is 1, and no setting can be added to that"},
		{"a list", "a:\n  b: [x]\n", "a b", []string{"x", "y z"}, "a:\n  b: [x, \"y z\"]\n", ""},
		{"nothing", "", "a b", []string{"x"}, "a:\n  b: [x]\n", ""},
		{"in another form", "a: on # x\n", "a", true, "a: true # x\n", ""},
		{"a list in another form", "a: [ x,y ]\n", "a", []string{"x", "y"}, "a: [x, y]\n", ""},
		{"unreadable", "\ufeffa: [", "a", true, "", "x.yaml:1:1: "},
	} {
		out, err := SetIn("x.yaml", []byte(c.data), strings.Fields(c.path), c.value)
		if string(out) != c.want || (err == nil) != (c.problem == "") || err != nil && !strings.HasPrefix(err.Error(), c.problem) {
			t.Errorf("%s: %q, %v", c.name, out, err)
		}
	}
}

// TestLiteral writes strings, since no setting has a hard one yet, and
// reads them back.
func TestLiteral(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.String().Draw(t, "text")
		double := rapid.Bool().Draw(t, "double")
		for _, format := range []string{"a: %s\n", "{a: %s, b: 1}\n"} {
			text := fmt.Sprintf(format, literal(want, double))
			d, err := yamltext.Load("", []byte(text))
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			if got := valueAt(d.Root, []string{"a"}).Value; got != want {
				t.Fatalf("%s: %q, want %q", text, got, want)
			}
		}
	})
	for _, c := range []struct {
		val  any
		want string
	}{{nil, "null"}, {7, "7"}, {12.50, "12.5"}, {1e20, "100000000000000000000"}, {"tool_search", "tool_search"}, {"http://x:1/y", "http://x:1/y"}, {"a b", `"a b"`}, {"", `""`}, {"x:", `"x:"`}} {
		if got := literal(c.val, false); got != c.want {
			t.Errorf("%v: %s, want %s", c.val, got, c.want)
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

// TestQuotedEnd: a quotation mark that is escaped, or doubled in single ones, does not end a text.
func TestQuotedEnd(t *testing.T) {
	for text, want := range map[string]int{`"a\"b" c`: 6, `'it''s' c`: 7, `''`: 2, `'''`: 0, `"\`: 0, `'\'`: 3, "": 0, "a'": 0} {
		quote := byte('\'')
		if strings.HasPrefix(text, `"`) {
			quote = '"'
		}
		if n, ok := quotedEnd([]byte(text), quote); n != want || ok != (want > 0) {
			t.Errorf("%s ends at %d, %v; want %d", text, n, ok, want)
		}
	}
}

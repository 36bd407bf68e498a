//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caliper/model/require"
)

// hostile are pieces of text that act on a terminal, hide, or displace what
// stands beside them. HOSTILE in them can be looked for.
var hostile = []struct{ name, text string }{
	{"clipboard", "\x1b]52;c;aG9zdGlsZQ==\aHOSTILE\x1b]52;c;aG9zdGlsZQ==\x1b\\"},
	{"colours", "\x1b[5;31mHOSTILE\x1b[8m"},
	{"cursor", "\x1b[7;7HHOSTILE\x1b[3A\x1b[1J\x1b[2K"},
	{"modes", "\x1b[?1000hHOSTILE\x1b[?7l\x1b(0"},
	{"title", "\x1b]0;HOSTILE\a\x1b]2;HOSTILE\x1b\\"},
	{"link", "\x1b]8;;http://example.com\x1b\\HOSTILE\x1b]8;;\x1b\\"},
	{"strings", "\x1bPq#0HOSTILE\x1b\\\x1b_APC\x1b\\\x1b^PM\x1b\\\x1bX"},
	{"reset", "\x1bcHOSTILE\x1b[!p"},
	{"c1", "\u009b31m\u009d52;c;aGk=\u009cHOSTILE\u0090\u0085"},
	{"c0", "\x00\a\b\b\b\vHOSTILE\f\x0e\x0f\x7f\x1a"},
	{"lines", "HOSTILE\nsecond\r\nthird\rfourth\u2028fifth\u2029sixth\tseventh"},
	{"bidi", "\u202eHOSTILE\u202c\u2066\u2067x\u2069\u200f\u061c"},
	{"invisible", "HOS\u200bTI\u2060LE\ufeff\u00ad\u180e\u115f\u3164"},
	{"tags", "HOSTILE\U000e0041\U000e0042\U000e007f\U000e0100"},
	{"marks", "HOSTILE" + strings.Repeat("\u0301\u0489", 40)},
	{"wide", "HOSTILE 漢字かな交じり文の長い説明 ｗｉｄｅ 한국어"},
	{"emoji", "HOSTILE 👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇳🇿🇩🇪 ❤️ 1️⃣ ☠"},
	{"scripts", "HOSTILE עברית العربية हिन्दी ไทย"},
	{"long", "HOSTILE" + strings.Repeat("x", 5000)},
	{"private", "HOSTILE\ue000\U000f0000\uffff\ufdd0"},
}

// hostileTools returns a tool for every piece of text, which is everywhere in
// it, between others that are harmless.
func hostileTools() []object {
	var tools []object
	for i, h := range hostile {
		tools = append(tools, tool(fmt.Sprintf("calm_%02d", i), "A calm tool."), object{
			"type": "function",
			"function": object{
				// The last character is no blank: a name that ends with one is refused.
				"name": fmt.Sprintf("mcp_storm_%02d_%s!", i, h.text), "description": "Storm " + h.text + " and after.",
				"parameters": object{
					"type": "object", "title": h.text, "required": []string{h.text},
					"properties": object{
						h.text:  object{"type": "string", "description": h.text, "enum": []string{h.text, "plain"}, "default": h.text, "pattern": h.text},
						"items": object{"type": "array", "items": object{"type": h.text, "format": h.text, "examples": []string{h.text}}},
						"ref":   object{"$ref": "#/$defs/" + h.text},
					},
					"$defs": object{h.text: object{"type": "object", "properties": object{h.text: object{"const": h.text}}}},
				},
			},
			"toolset": "mcp-" + h.text, "source": "mcp", "server": h.text, "original_name": h.text,
		})
	}
	return tools
}

// hostileSite writes a registry and a configuration that are hostile
// throughout, in files whose names are.
func hostileSite(t *testing.T) site {
	t.Helper()
	home := t.TempDir()
	s := site{home, filepath.Join(home, "\x1b[5mdepot\u202e\u009b5m\n.json"), filepath.Join(home, "\x1b]0;settings\a.yaml")}
	sets := object{}
	for _, h := range hostile {
		sets["mcp-"+h.text] = object{"description": h.text, "source": "mcp", "server": h.text, "instructions": h.text}
	}
	data, err := json.Marshal(object{"toolsets": sets, "tools": hostileTools()})
	require.NoError(t, err)
	write(t, s.registry, data)
	config := string(settings(10))
	for _, h := range hostile[:16] {
		name := yamlQuoted("s " + h.text)
		config += fmt.Sprintf("  %s:\n    enabled_toolsets: [%s]\n", name, name)
	}
	write(t, s.config, []byte(config))
	return s
}

// yamlQuoted returns text as YAML writes it where nothing may stand for itself.
func yamlQuoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		fmt.Fprintf(&b, `\U%08x`, r)
	}
	b.WriteByte('"')
	return b.String()
}

// TestHostileRegistry looks at every tool and its schema, and at what lies over the screen.
func TestHostileRegistry(t *testing.T) {
	t.Parallel()
	x := start(t, hostileSite(t).setup())
	x.Until("mcp_depot_calm_00")
	x.untilSelected("calm_00")
	x.Key("esc")
	last := ""
	for i := range 2 * len(hostile) {
		if i > 0 {
			x.Key("down")
		}
		s := x.UntilFunc("another row selected", func(s screen) bool { return selected(s) != last })
		if last = selected(s); strings.Contains(last, "calm") {
			continue
		}
		x.Key("tab", "*") // the schema
		s = x.Until("parameters")
		if err := bordered(s, slices.IndexFunc(s.cells, func(row []string) bool { return unfocused.Replace(row[0]) == "╭" }), s.h-2); err != nil {
			t.Errorf("%v:\n%s", err, s)
		}
		x.Key("G", "g", "shift+tab") // back to the hits
		x.UntilFunc("the hits", func(s screen) bool { return selected(s) == last })
	}
	for _, open := range []string{"ctrl+p", "s", "y", "!", "?"} {
		x.Key(open, "down", "pgdown", "esc")
	}
	x.Key("ctrl+c")
	x.Exit()
	if err := harmless(x.Output(), nil); err != nil {
		t.Error(err)
	}
}

package config

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"caliper/model/require"
	"caliper/model/yamltext"
)

func TestEnvironment(t *testing.T) {
	env := map[string]string{"N": "7", "OFF": "off", "EMPTY": "", "HOST": "secret.example", "TOOL": "mcp_a", "REF": "${N}", "BIG": strings.Repeat("x", yamltext.MaxSize), "A B": "x", "BAD": "a\xffb"}
	parse := func(yaml string) File {
		t.Helper()
		f, err := Parse("", []byte(yaml), environmentOf(env))
		checkFile(t, f, err)
		require.NoError(t, err)
		return f
	}
	t.Run("numbers and words", func(t *testing.T) {
		f := parse("tools: {tool_search: {enabled: '${OFF}', max_search_limit: '${N}', search_default_limit: \"${REF}\"}}\n# plain\n")
		// What a variable brings in is not expanded again: ${N} is no number.
		if f.ToolSearch.Enabled != Off || f.ToolSearch.MaxLimit != 7 || f.ToolSearch.DefaultLimit != 5 {
			t.Errorf("%+v, K %d", f.ToolSearch, f.PreSelection.TopK)
		}
		f = parse("tools:\n  rag_top_k: 1${N}\n")
		if s := settingOf(t, f, "tools.rag_top_k"); s.Value != 17 || s.Given != "1${N}" || s.Origin != OriginFile {
			t.Errorf("%+v", s)
		}
	})
	t.Run("keys are not expanded", func(t *testing.T) {
		if f := parse("tools: {'${TOPK}': 3}\n"); f.PreSelection.TopK != 8 {
			t.Error("a key was expanded")
		}
	})
	t.Run("the plugin expands nothing", func(t *testing.T) {
		for _, yaml := range []string{"toolaria: {head_lines: '${N}'}\n", "plugins: {toolaria: {head_lines: '${N}'}}\n"} {
			if f := parse(yaml); f.Rescue.HeadLines != 40 {
				t.Errorf("%s: %d", yaml, f.Rescue.HeadLines)
			}
		}
		if f := parse("x: &a '${N}'\ntools: {rag_top_k: *a}\ntoolaria: {head_lines: *a}\n"); f.Rescue.HeadLines != 40 || f.PreSelection.TopK != 7 {
			t.Errorf("by an alias: %d, K %d", f.Rescue.HeadLines, f.PreSelection.TopK)
		}
	})
	t.Run("lists", func(t *testing.T) {
		f := parse("tools: {rag_core: ['${TOOL}_x', '${NONE}', plain]}\n")
		if want := []string{"mcp_a_x", "${NONE}", "plain"}; !slices.Equal(f.PreSelection.Core, want) {
			t.Errorf("%q", f.PreSelection.Core)
		}
		if got := said(f.Warnings); !slices.Equal(got, []string{"1:33 unset_variable tools.rag_core[1]"}) {
			t.Errorf("%q", got)
		}
		for text, want := range map[string]string{"${NONE}": "${NONE} is not set and stays as it is", "${NONE}${N}${NO}": "${NONE}, ${NO} are not set and stay as they are"} {
			f = parse("tools: {rag_core: ['" + text + "']}\n")
			if len(f.Warnings) == 0 || f.Warnings[len(f.Warnings)-1].Message != want {
				t.Errorf("%s: %v", text, f.Warnings)
			}
		}
	})
	t.Run("without an environment", func(t *testing.T) {
		f, err := Parse("", []byte("model: {default: '${N}'}\n"))
		if err != nil || f.Model.ID != "${N}" || slices.ContainsFunc(said(f.Warnings), func(s string) bool { return strings.Contains(s, unsetVariable) }) {
			t.Errorf("%v %+v %v", err, f.Model, f.Warnings)
		}
	})
	t.Run("too much", func(t *testing.T) {
		f := parse("tools: {rag_core: ['${BIG}', 'a${BIG}', '${BIG}', '${N}']}\n")
		if got := f.PreSelection.Core; len(got[0]) != yamltext.MaxSize || got[1] != "a${BIG}" || got[2] != got[0] || got[3] != "${N}" {
			t.Errorf("%d %.20q %d %q", len(got[0]), got[1], len(got[2]), got[3])
		}
		if got := said(f.Warnings); !slices.Equal(got, []string{"1:30 unset_variable tools.rag_core[1]", "1:51 unset_variable tools.rag_core[3]"}) {
			t.Errorf("said %q", got)
		}
	})
	t.Run("no valid text", func(t *testing.T) {
		if f := parse("tools: {rag_core: ['${BAD}']}\n"); f.PreSelection.Core[0] != "a\ufffdb" {
			t.Errorf("%q", f.PreSelection.Core)
		}
	})
	// SECURITY: free text is shown as the file has it, with its password hidden.
	t.Run("shown as written", func(t *testing.T) {
		f := parse("tools: {rag_embed_url: 'http://u:p@${HOST}/'}\n")
		s := settingOf(t, f, "tools.rag_embed_url")
		if f.PreSelection.EmbedURL != "http://u:p@secret.example" || s.Value != "http://***@${HOST}/" || s.Given != `http://***@${HOST}/` && s.Given != `"http://***@${HOST}/"` {
			t.Errorf("%s, %+v", f.PreSelection.EmbedURL, s)
		}
		f = parse("tools: {rag_embed_url: '${HOST}', rag_embed_model: '${HOST}', tool_search: {enabled: '${HOST}', ranker: '${HOST}', threshold_pct: '${HOST}'}, selection: '${HOST}'}\nmodel: {default: '${HOST}', context_length: '${HOST}'}\n")
		if all := fmt.Sprint(f.Warnings, f.Settings); strings.Contains(all, "secret") {
			t.Errorf("a variable's value is shown: %s", all)
		}
	})
	// SECURITY: a scope or a rule with a variable that is not set fails closed.
	t.Run("unset fails closed", func(t *testing.T) {
		f := parse("sessions:\n  a: {disabled_toolsets: ['mcp-${NONE}']}\n  b: {enabled_toolsets: ['mcp-${TOOL}', '${NONE}']}\n  c: {disabled_toolsets: ['mcp-${TOOL}']}\npolicy:\n  - {match: 'mcp_${NONE}_*', action: deny}\n  - {match: '${TOOL}_*', action: approve}\n  - {match: '${EMPTY}', action: deny}\n  - {match: x, action: '${NONE}'}\n")
		if got := fmt.Sprintf("%q", f.Sessions[0].Enabled); got != "[]" || f.Sessions[0].Enabled == nil {
			t.Errorf("a is granted %s", got)
		}
		if got := f.Sessions[1].Enabled; !slices.Equal(got, []string{"mcp-mcp_a", "${NONE}"}) {
			t.Errorf("b is granted %q", got)
		}
		if got := f.Sessions[2]; got.Enabled != nil || !slices.Equal(got.Disabled, []string{"mcp-mcp_a"}) {
			t.Errorf("c is %+v", got)
		}
		var rules []string
		for _, r := range f.Policy {
			rules = append(rules, r.Match+" "+string(r.Action))
		}
		if want := []string{"* deny", "mcp_a_* approve", "* deny", "x deny"}; !slices.Equal(rules, want) {
			t.Errorf("rules %q", rules)
		}
	})
	t.Run("the lookup is not called after Parse", func(t *testing.T) {
		done := false
		f, err := Parse("", []byte("tools: {rag_core: ['${N}'], rag_top_k: '${N}'}\n"), func(string) (string, bool) {
			if done {
				t.Error("called after Parse")
			}
			return "7", true
		})
		done = true
		require.NoError(t, err)
		if err := f.Override("tools.rag_sticky", false); err != nil || f.PreSelection.TopK != 7 || f.PreSelection.Core[0] != "7" {
			t.Errorf("%v %d %q", err, f.PreSelection.TopK, f.PreSelection.Core)
		}
	})
}

// A variable whose value has no room any more stays, beside those that had.
func TestExpandsWhatHasRoom(t *testing.T) {
	e := &environment{lookup: environmentOf(map[string]string{"A": "aaaaaa", "B": "bbbbbb"}), left: 10, done: map[string]expansion{}}
	if got := e.expand("${A}${B}"); got.text != "aaaaaa${B}" || !slices.Equal(got.unset, []string{"B"}) {
		t.Errorf("%+v", got)
	}
}

package config

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/model/require"
	_ "caliper/model/require"
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

func TestParse(t *testing.T) {
	for _, tt := range []struct{ name, data, want, problem string }{
		{"empty", "", "", ""},
		{"comments", "# none\n", "", ""},
		{"two", "a: One.\nb/c: |\n  Two\n  lines.\n", "1:1 a=One. 2:1 b/c=Two\nlines.\n ", ""},
		{"quoted", `"a": "x: y"`, "1:1 a=x: y ", ""},
		{"empty text", `a: ""`, "1:1 a= ", ""},
		{"twice", "a: x\nb: y\na: z\n", "3:1 a=z 2:1 b=y ", "f:3:1: given before, in line 1; the last one counts"},
		{"a list", "- a\n", "", "f:1:1: want a mapping of tools to their descriptions"},
		{"a number", "a: x\nb: 12\n", "", `f:2:4: want the description of "b", a text`},
		{"nothing", "a:\n", "", `f:1:3: want the description of "a", a text`},
		{"a mapping", "a: {b: c}\n", "", `f:1:4: want the description of "a", a text`},
		{"no YAML", "a: [\n", "", "f:1:1: did not find expected node content"},
		{"a name that is none", "12: x\n", "", "f:1:1: want the name of a tool"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list, warnings, err := ParseOverrides("f", []byte(tt.data))
			var got strings.Builder
			for _, d := range list {
				got.WriteString(strings.Join([]string{at(d), " ", d.Tool, "=", d.Text, " "}, ""))
			}
			problem := ""
			for _, w := range warnings {
				problem += w.Error()
			}
			if err != nil {
				problem = err.Error()
			}
			if got.String() != tt.want || problem != tt.problem {
				t.Errorf("%q with %q, want %q with %q", got.String(), problem, tt.want, tt.problem)
			}
		})
	}
}

func at(d Override) string { return string(rune('0'+d.Line)) + ":" + string(rune('0'+d.Col)) }

func TestSet(t *testing.T) {
	for _, tt := range []struct{ name, data, tool, text, want string }{
		{"new", "", "a", "One.", "a: One.\n"},
		{"behind others", "b: Two. # why", "a", "One.", "b: Two. # why\na: One.\n"},
		{"replaced", "# top\na: |\n  old\n\n  text\n# of b\nb: x\n", "a", "One: 1", "# top\na: 'One: 1'\n# of b\nb: x\n"},
		{"no text in YAML 1.1", "", "a", "=", "a: \"=\"\n"},
		{"the same", "a: x\n", "a", "x", "a: x\n"},
		{"the last of two", "a: x\na: y\n", "a", "z", "a: x\na: z\n"},
	} {
		got, err := SetOverride("f", []byte(tt.data), tt.tool, tt.text)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %q, %v, want %q", tt.name, got, err, tt.want)
		}
	}
	if _, err := SetOverride("f", []byte("{a: x, b: y}\n"), "a", "z"); err == nil || !strings.Contains(err.Error(), "f:1:1: cannot be changed") {
		t.Error("a flow mapping is changed:", err)
	}
	if _, err := SetOverride("f", []byte("b: One.\na: 'x\nb: y'\n"), "a", "z"); err == nil || !strings.Contains(err.Error(), "f:1:1: cannot be changed") {
		t.Error("another description changes:", err)
	}
	if _, err := SetOverride("f", []byte("a: ["), "a", "z"); err == nil {
		t.Error("a broken file is changed")
	}
}

// A description that is set is read again, and the rest stays.
func TestSetIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[a-z_/]{1,8}`)
		text := rapid.OneOf(rapid.StringMatching(`[ -~\n]{0,40}`), rapid.SampledFrom([]string{"yes", "12", "null", "a: b", "- x", "# no", "=", "<<", "y", "é\ttab", "2026-01-01", "1:30", "0x1f"}))
		var data []byte
		want := map[string]string{}
		for range rapid.IntRange(1, 8).Draw(t, "changes") {
			n, x := name.Draw(t, "name"), text.Draw(t, "text")
			next, err := SetOverride("f", data, n, x)
			if err != nil {
				t.Fatalf("%q: %q in %q: %v", n, x, data, err)
			}
			want[n] = x
			data = next
		}
		list, warnings, err := ParseOverrides("f", data)
		if err != nil || len(warnings) > 0 || len(list) != len(want) {
			t.Fatalf("%q: %v, %v, %v", data, list, warnings, err)
		}
		for _, d := range list {
			if want[d.Tool] != d.Text {
				t.Fatalf("%s: %q, want %q", d.Tool, d.Text, want[d.Tool])
			}
		}
	})
}

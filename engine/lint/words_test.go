package lint

import (
	"strings"
	"testing"
	"unicode/utf8"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/internal/fixture"
	"caliper/model"
	"caliper/model/require"
)

func TestQueries(t *testing.T) {
	tests := []struct {
		name                       string
		tool                       model.Tool
		byName, sentence, argument string
	}{
		{"server prefix", model.Tool{Name: "mcp_git_hub_create_issue", Toolset: "mcp-git-hub", Description: "Create an issue. Needs a token.",
			Parameters: []byte(`{"properties":{"repoName":{},"repo_owner":{},"body":{}}}`)}, "create issue", "Create an issue.", "repo Name owner body"},
		{"newer prefix", model.Tool{Name: "mcp__hub__get", Toolset: "mcp-hub", Description: "Get e.g. this, i.e. that\nand more"}, "get", "Get e.g. this, i.e. that", ""},
		{"name at the server", model.Tool{Name: "mcp_x_API_get_user", Server: "x", OriginalName: "API-get-user", Toolset: "mcp-x"}, "API get user", "", ""},
		{"a name without its server", model.Tool{Name: "mcp_x_API_get", OriginalName: "other", Toolset: "mcp-x"}, "API get", "", ""},
		{"a server without a name", model.Tool{Name: "mcp_x_y_get", Server: "x.y", Toolset: "mcp-x.y"}, "get", "", ""},
		{"no prefix", model.Tool{Name: "parseHTMLPage2", Toolset: "mcp-x", Description: "Version 2.5 is best? Yes."}, "parse HTML Page2", "Version 2.5 is best?", ""},
		{"nothing but a prefix", model.Tool{Name: "mcp_x_", Toolset: "mcp-x", Description: "\n\n # Title\ntext"}, "mcp x", "# Title", ""},
		{"other marks", model.Tool{Name: "x", Description: "! a\u0301 (e.g.) b.c! Rest"}, "x", "! a\u0301 (e.g.) b.c!", ""},
		{"a mark of another script", model.Tool{Name: "x", Description: "作成！次"}, "x", "作成！", ""},
		{"other scripts", model.Tool{Name: "課題.作成", Description: "課題を作成する。一つ。"}, "課題 作成", "課題を作成する。", ""},
		{"broken text", model.Tool{Name: "x", Description: "a\xff. b"}, "x", "a\xff.", ""},
		{"long sentence", model.Tool{Name: "x", Description: strings.Repeat("é", 500)}, "x", strings.Repeat("é", 400), ""},
	}
	for _, tt := range tests {
		if got := NameQuery(&tt.tool); got != tt.byName {
			t.Errorf("%s: name %q, want %q", tt.name, got, tt.byName)
		}
		if got := SentenceQuery(&tt.tool); got != tt.sentence {
			t.Errorf("%s: sentence %q, want %q", tt.name, got, tt.sentence)
		}
		if got := ParameterQuery(&tt.tool); got != tt.argument {
			t.Errorf("%s: parameters %q, want %q", tt.name, got, tt.argument)
		}
	}
}

func TestNameRules(t *testing.T) {
	long := strings.Repeat("a", 65)
	tests := []struct{ name, openAI, anthropic, gemini string }{
		{"create_issue-2", "", "", ""},
		{"a.b", "takes no '.'", "takes no '.'", ""},
		{"2fa", "", "", "takes no name that begins with '2'"},
		{"-a", "", "", "takes no name that begins with '-'"},
		{"a b", "takes no ' '", "takes no ' '", "takes no ' '"},
		{"é", "takes no 'é'", "takes no 'é'", "takes no 'é'"},
		{"a:b", "takes no ':'", "takes no ':'", ""},
		{long, "takes 64 characters, these are 65", "", ""},
		{long + long, "takes 64 characters, these are 130", "takes 128 characters, these are 130", "takes 128 characters, these are 130"},
		{"", "takes no empty name", "takes no empty name", "takes no empty name"},
	}
	for _, tt := range tests {
		for i, want := range []string{tt.openAI, tt.anthropic, tt.gemini} {
			rule := model.NameRules[i]
			if got := refuses(rule, tt.name); got != want {
				t.Errorf("%s of %q: %q, want %q", rule.Provider, tt.name, got, want)
			}
			if fixed := cleanName(tt.name); refuses(rule, fixed) != "" {
				t.Errorf("%q becomes %q, which %s refuses", tt.name, fixed, rule.Provider)
			}
		}
	}
}

func TestShorten(t *testing.T) {
	sentence := strings.Repeat("x", 180) + ". "
	tests := []struct{ name, text, want string }{
		{"two sentences of three", sentence + sentence + sentence, strings.TrimSpace(sentence + sentence)},
		{"lines", "One.\n\n" + strings.Repeat("y", 500), "One."},
		{"one long sentence", strings.Repeat("four ", 100) + ".", strings.TrimSpace(strings.Repeat("four ", 80))},
		{"one long word", strings.Repeat("é", 500), strings.Repeat("é", 400)},
	}
	for _, tt := range tests {
		if got, _ := shorten(tt.text, shownDescription); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestWithoutHidden(t *testing.T) {
	tests := []struct {
		text, want string
		hidden     int
	}{
		{"Line\n\tand tab", "Line\n\tand tab", 0}, {"a\u200bb\u202ec", "abc", 2}, {"tag\U000E0041", "tag", 1},
		{"👨‍👩‍👧 ❤️ é", "👨‍👩‍👧 ❤️ é", 0}, {"e\u0301", "e\u0301", 0}, {"\x1b[31mred", "[31mred", 1},
	}
	for _, tt := range tests {
		if got, hidden := withoutHidden(tt.text); got != tt.want || len(hidden) != tt.hidden {
			t.Errorf("%q: %q with %d hidden, want %q with %d", tt.text, got, len(hidden), tt.want, tt.hidden)
		}
	}
}

func TestDescriptionWords(t *testing.T) {
	tests := []struct {
		text               string
		placeholder, short bool
	}{
		{"TODO", true, true}, {"todo: write this one day", true, false}, {"N/A", true, true}, {"...", true, true},
		{"No description provided.", true, false}, {"Tool description", true, true}, {"Close it", false, true}, {"Close the door", false, false},
		{"課題を作成する", false, false}, {"作成", false, true},
	}
	for _, tt := range tests {
		if isPlaceholder(tt.text) != tt.placeholder || tooShort(tt.text) != tt.short {
			t.Errorf("%q: placeholder %t, short %t", tt.text, !tt.placeholder, tooShort(tt.text))
		}
	}
}

// TestStringOf: the text of a string of JSON, with and without escapes, and of nothing else.
func TestStringOf(t *testing.T) {
	for raw, want := range map[string]string{`""`: "", `"a b"`: "a b", `"a\"\n\u00e9"`: "a\"\n\u00e9", "\"\xff\"": "\uFFFD", `"\ud800"`: "\uFFFD"} {
		if got, ok := stringOf([]byte(raw)); !ok || got != want || unquote([]byte(raw)) != want {
			t.Errorf("%q is %q, %v", raw, got, ok)
		}
	}
	for _, raw := range []string{"", `"`, "1", `{"a":1}`, "[]", "true"} {
		if got, ok := stringOf([]byte(raw)); ok || got != "" {
			t.Errorf("%q is a text: %q", raw, got)
		}
	}
}

// TestLabels: codes in plain words, and what a report has of each severity.
func TestLabels(t *testing.T) {
	for code, want := range map[Code]string{DarkTool: "unfindable tool", HiddenCharacters: "hidden characters", TaskOnly: strings.ReplaceAll(string(TaskOnly), "_", " ")} {
		if code.Label() != want {
			t.Errorf("%s: %s", code, code.Label())
		}
	}
	r := Report{Findings: []Finding{{Severity: Error}, {Severity: Warning}, {Severity: Error}}}
	if got := r.Counts(); len(got) != 2 || got[Error] != 2 || got[Warning] != 1 {
		t.Errorf("%v", got)
	}
}

// TestHiddenCharacters: what draws nothing is hidden, but for layout and what joins characters.
func TestHiddenCharacters(t *testing.T) {
	for r, want := range map[rune]bool{'a': false, '\n': false, '\r': false, '\t': false, '\u200c': false, '\u200d': false, '\ufe0e': false, '\ufe0f': false, utf8.RuneError: false,
		'\u200b': true, '\u202e': true, '\x00': true, '\x7f': true, 0xE0041: true} {
		if isHidden(r) != want || hasHidden("x"+string(r)) != want {
			t.Errorf("%U: %v", r, isHidden(r))
		}
	}
	for text, want := range map[string]string{
		"\u200b":               "a character that nobody sees, U+200B",
		"\u202e\u200b":         "2 characters that nobody sees, the first U+202E",
		"\u200b\U000e0000":     "2 characters that nobody sees, the first U+200B; they are tags, which spell hidden text",
		"\U000e007f":           "a character that nobody sees, U+E007F; they are tags, which spell hidden text",
		"\U000e0080\U000dffff": "2 characters that nobody sees, the first U+E0080",
	} {
		if got := count([]rune(text)); got != want {
			t.Errorf("%q: %s", text, got)
		}
	}
}

// TestMostRanked: fewer remedies are ranked in larger catalogs, unless their number is given.
func TestMostRanked(t *testing.T) {
	for tools, want := range map[int]int{0: 4_000_000, 1: 4_000_000, 2: 2_000_000, 10_000: 400, 40_000: 100, 1_000_000: 100} {
		if got := (Options{}).mostRanked(tools); got != want {
			t.Errorf("of %d tools %d, want %d", tools, got, want)
		}
		if got := (Options{MaxRanked: 7}).mostRanked(tools); got != 7 {
			t.Errorf("of %d tools %d, want 7", tools, got)
		}
	}
}

// TestFree: a name that is proposed is nobody's, and not too long.
func TestFree(t *testing.T) {
	long := strings.Repeat("x", longestName)
	var entries []string
	for _, name := range []string{"bell", "bell_2", long} {
		entries = append(entries, `{"type":"function","function":{"name":"`+name+`","description":"d","parameters":{"type":"object"}},"toolset":"t"}`)
	}
	s, err := engine.Build(t.Context(), engine.Inputs{Registry: fixture.Registry(t, entries...), Config: config.Default()})
	require.NoError(t, err)
	c := &check{s: s}
	for name, want := range map[string]string{"bell": "bell_3", "horn": "horn", engine.ToolSearch: engine.ToolSearch + "_2", long: long[2:] + "_2", long + "y": long[2:] + "_2", s.Config.Core[0]: s.Config.Core[0] + "_2"} {
		if got := c.free(name); got != want {
			t.Errorf("%s is free as %s, want %s", name, got, want)
		}
	}
	for name, want := range map[string]string{"a.b-c": "a_b-c", "": "_", "-a": "_-a", "9a": "_9a", "A0z": "A0z", "é": "_", long + "y": long} {
		if got := cleanName(name); got != want {
			t.Errorf("%q is clean as %q, want %q", name, got, want)
		}
	}
}

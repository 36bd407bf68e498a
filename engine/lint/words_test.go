package lint

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

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
		if got, _ := shorten(tt.text, 400); got != tt.want {
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
	long := strings.Repeat("x", 64)
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

func TestWithoutNoise(t *testing.T) {
	tests := []struct{ name, schema, want, keywords string }{
		{"none", `{"type":"object","properties":{"title":{"type":"string"}}}`, `{"type":"object","properties":{"title":{"type":"string"}}}`, ""},
		{"first", `{ "$schema" : "x", "type":"object" }`, `{ "type":"object" }`, "$schema"},
		{"last", `{"type":"object" , "additionalProperties" : false }`, `{"type":"object" }`, "additionalProperties"},
		{"middle", `{"a":1,"title":"T","x-v":[1,{"b":2}],"b":2}`, `{"a":1,"b":2}`, "title x-v"},
		{"two at the end", `{"a":1,"title":"T","$comment":"c"}`, `{"a":1}`, "$comment title"},
		{"all", `{"title":"T", "additionalProperties": { } }`, `{ }`, "additionalProperties title"},
		{"below", `{"properties":{"title":{"title":"T","type":"string"}},"items":[{"title":"T"}],"anyOf":[{"title":"A"},true]}`,
			`{"properties":{"title":{"type":"string"}},"items":[{}],"anyOf":[{},true]}`, "title"},
		{"data", `{"default":{"title":"T"},"enum":[{"$schema":1}],"const":{"additionalProperties":true},"examples":[{"title":"x"}]}`,
			`{"default":{"title":"T"},"enum":[{"$schema":1}],"const":{"additionalProperties":true},"examples":[{"title":"x"}]}`, ""},
		{"a schema of additional properties", `{"additionalProperties":{"type":"string","title":"T"}}`, `{"additionalProperties":{"type":"string"}}`, "title"},
		{"title that is no text", `{"title":{"type":"string"}}`, `{"title":{"type":"string"}}`, ""},
		{"escaped", `{"ti\u0074le":"}\"{", "a":"\\"}`, `{"a":"\\"}`, "title"},
		{"names", `{"dependencies":{"a":["title"],"b":{"title":"T"}},"required":["title"]}`, `{"dependencies":{"a":["title"],"b":{}},"required":["title"]}`, "title"},
		{"no schema", `true`, `true`, ""},
		{"not JSON", `{"title":`, `{"title":`, ""},
	}
	for _, tt := range tests {
		got, keywords := withoutNoise([]byte(tt.schema))
		if string(got) != tt.want || strings.Join(keywords, " ") != tt.keywords {
			t.Errorf("%s:\n got %s %q\nwant %s %q", tt.name, got, keywords, tt.want, tt.keywords)
		}
	}
}

// A schema that is rewritten is JSON still, and once is enough.
func FuzzWithoutNoise(f *testing.F) {
	f.Add(`{"title":"T","properties":{"a":{"$schema":"x","items":[{},{"title":""}]}},"additionalProperties":{}}`)
	f.Add(`{"x-":1,"x-a":[[]],"allOf":[{"not":{"title":"\u0022"}}, 1.5e3 ,null]}`)
	f.Fuzz(func(t *testing.T, schema string) {
		same := rewriteSchema([]byte(schema), func(string, []byte) ([]byte, bool) { return nil, true })
		if string(same) != schema {
			t.Fatalf("%s became %s", schema, same)
		}
		clean, _ := withoutNoise([]byte(schema))
		if json.Valid([]byte(schema)) != json.Valid(clean) {
			t.Fatalf("%s became %s", schema, clean)
		}
		if again, keywords := withoutNoise(clean); string(again) != string(clean) || len(keywords) > 0 && json.Valid(clean) {
			t.Fatalf("%s, again %s %q", clean, again, keywords)
		}
		kept, _ := withoutNoise([]byte(schema))
		replaced := rewriteSchema(kept, func(string, []byte) ([]byte, bool) { return []byte(`0`), true })
		if json.Valid(kept) != json.Valid(replaced) {
			t.Fatalf("%s became %s", kept, replaced)
		}
	})
}

// A part deeper than model.MaxSchemaDepth is left as it stands, however deep.
func TestRewriteIsBounded(t *testing.T) {
	nested := func(depth int) string {
		return strings.Repeat(`{"items":`, depth) + `{"title":"x","type":"array"}` + strings.Repeat("}", depth)
	}
	for _, c := range []struct {
		depth   int
		reached bool
	}{{0, true}, {model.MaxSchemaDepth - 1, true}, {model.MaxSchemaDepth, false}, {9000, false}} {
		clean, keywords := withoutNoise([]byte(nested(c.depth)))
		if reached := len(keywords) == 1; reached != c.reached || reached == (string(clean) == nested(c.depth)) {
			t.Errorf("%d deep: %v", c.depth, keywords)
		}
		if _, bare := withItems([]byte(nested(c.depth))); (bare == 1) != c.reached {
			t.Errorf("%d deep: %d arrays without items", c.depth, bare)
		}
	}
}

// An array that says nothing of its items is one by its type alone.
func TestWithItems(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`{"type":"array"}`, `{"type":"array","items":{}}`},
		{`{"type" : ["null", "array"] }`, `{"type" : ["null", "array"] ,"items":{}}`},
		{`{"type":"array","items":true}`, ""},
		{`{"type":"string"}`, ""},
		{`{"type":["string"]}`, ""},
		{`{"default":{"type":"array"},"properties":{"type":{"enum":["array"]}}}`, ""},
		{`{"anyOf":[{"type":"array","prefixItems":[{"type":"array"}]}]}`, `{"anyOf":[{"type":"array","prefixItems":[{"type":"array","items":{}}],"items":{}}]}`},
	} {
		want := c.want
		if want == "" {
			want = c.in
		}
		if got, n := withItems([]byte(c.in)); string(got) != want || n != strings.Count(want, `"items":{}`) {
			t.Errorf("%s becomes %s by %d", c.in, got, n)
		}
	}
}

// The join finds what comparing every pair finds.
func TestDuplicatesAreAll(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		words := strings.Fields("open shut turn the a door lamp gate of hall slowly twice")
		text := rapid.SliceOfN(rapid.SampledFrom(words), 3, 12)
		var tools []*model.Tool
		for i := range rapid.IntRange(2, 30).Draw(rt, "tools") {
			name := fmt.Sprintf("tool_%c", 'a'+i%5)
			said := text.Draw(rt, "text")
			if i > 0 && rapid.Bool().Draw(rt, "near") {
				said = append(strings.Fields(tools[0].Description), said[0])
			}
			tools = append(tools, &model.Tool{Name: name, Qualified: name, Description: strings.Join(said, " "), Index: i})
		}
		c := &check{s: &engine.Snapshot{Registry: &model.Registry{Tools: tools}}}
		got := map[*model.Tool]bool{}
		for _, d := range c.duplicates(context.Background()) {
			got[d.Tool] = true
		}
		near, _, _ := newNeighbours(t.Context(), tools)
		sets := near.sets
		for i := range tools {
			most := 0.0
			for j := range i {
				if len(sets[i].shingles) >= leastShingles && len(sets[j].shingles) >= leastShingles {
					most = max(most, near.similarity(sets[i], sets[j]))
				}
			}
			if like := most >= nearDuplicate; like != got[tools[i]] && (most < nearDuplicate-1e-9 || most > nearDuplicate+1e-9) {
				rt.Fatalf("%q is %.4f alike, found %t", tools[i].Description, most, got[tools[i]])
			}
		}
	})
}

// Descriptions that differ by an article are near duplicates, and those that
// differ by the verb are not, in registries of two tools as of ten thousand.
func TestDuplicatesAtAnySize(t *testing.T) {
	for _, n := range []int{2, 3, 5, 10, 50, 500, 4000} {
		for _, tt := range []struct {
			name string
			a, b string
			near bool
		}{
			{"article", "chat_send: Sends a message to a channel of the workspace", "slack_send: Sends a message to a channel of a workspace", true},
			{"number", "dup_1: Sends a message to a channel of the workspace", "dup_2: Sends a message to a channel of a workspace", true},
			{"verb", "note_get: Gets a note of the workspace", "note_delete: Deletes a note of the workspace", false},
			{"way", "page_up: Moves the text from a note to a page", "page_down: Moves the text from a page to a note", false},
		} {
			var tools []*model.Tool
			for _, said := range []string{tt.a, tt.b} {
				name, text, _ := strings.Cut(said, ": ")
				tools = append(tools, &model.Tool{Name: name, Qualified: name, Description: text,
					Parameters: []byte(`{"type":"object","properties":{"channel":{}}}`), Index: len(tools)})
			}
			for i := len(tools); i < n; i++ {
				name := fmt.Sprintf("other%d", i)
				text := fmt.Sprintf("Turns wheel%d of a mill%d in workspace%d by hand%d", i, i%7, i%50, i)
				tools = append(tools, &model.Tool{Name: name, Qualified: name, Description: text, Index: i})
			}
			c := &check{s: &engine.Snapshot{Registry: &model.Registry{Tools: tools}}}
			near := false
			for _, d := range c.duplicates(t.Context()) {
				near = near || d.Tool == tools[1]
			}
			if near != tt.near {
				t.Errorf("%s among %d: near %t", tt.name, n, near)
			}
		}
	}
}

// Similarity is the same both ways, one of a set to itself, and none between
// sets that share nothing.
func TestSimilarity(t *testing.T) {
	tools := []*model.Tool{
		{Name: "a", Description: "Open the door of the hall."}, {Name: "a", Description: "Open the door of the hall."},
		{Name: "b", Description: "Feed seven cats."}, {Name: "a", Description: "Open the door of the hall now."},
	}
	near, _, _ := newNeighbours(t.Context(), tools)
	s := near.sets
	if got := near.similarity(s[0], s[1]); got < 1-1e-9 || got > 1+1e-9 {
		t.Errorf("the same: %v", got)
	}
	if got := near.similarity(s[0], s[2]); got != 0 {
		t.Errorf("nothing shared: %v", got)
	}
	if a, b := near.similarity(s[0], s[3]), near.similarity(s[3], s[0]); a-b > 1e-9 || b-a > 1e-9 || a >= 1 {
		t.Errorf("%v one way, %v the other", a, b)
	}
}

// Words addressed at the model are told, words about a value are not.
func TestCommandIn(t *testing.T) {
	tests := []struct{ text, part, calm string }{
		{"You MUST name a room.", "MUST", "You must name a room."},
		{"IMPORTANT: shut the door.", "IMPORTANT:", "Important: shut the door."},
		{"Opens it. **CRITICAL** - mind the step.", "CRITICAL** -", "Opens it. **Critical** - mind the step."},
		{"CRITICAL REQUIREMENTS: none.", "CRITICAL REQUIREMENTS:", "Critical REQUIREMENTS: none."},
		{"You MUST be quick.", "MUST", "You must be quick."},
		{"Knock first. ALWAYS knock, NEVER shout.", "ALWAYS", "Knock first. Always knock, never shout."},
		{"Opens doors. Always call this tool first.", "Always call this tool", "Opens doors."},
		{"Use this tool instead of keys. Opens doors.", "Use this tool instead of", "Opens doors."},
		{"Opens doors. Do not use any other tool.", "Do not use any other tool", "Opens doors."},
		{"Call it before any other tool.", "before any other tool", ""},
		{"Always start with this function, it is new.", "Always start with this function", ""},
		{"Opens doors. Run this tool and no other.", "Run this tool and no other", "Opens doors."},
		{"Opens doors. Inſtead of other tools.", "Inſtead of other tools", "Opens doors."},
		{"Sets DOOR_NEVER and 9ALWAYS; it MUST match a name. Never shut.", "", "Sets DOOR_NEVER and 9ALWAYS; it MUST match a name. Never shut."},
		{"The width MUST be a number.", "", "The width MUST be a number."},
		{"One of LOW, HIGH, CRITICAL.", "", "One of LOW, HIGH, CRITICAL."},
		{"It must always be shut, never mind when.", "", "It must always be shut, never mind when."},
		{"Use this to open a door.", "", "Use this to open a door."},
		{"", "", ""},
	}
	for _, tt := range tests {
		if part := commandIn(tt.text); part != tt.part {
			t.Errorf("%q: %q, want %q", tt.text, part, tt.part)
		}
		if got := calmed(tt.text); got != tt.calm {
			t.Errorf("%q: calmed %q, want %q", tt.text, got, tt.calm)
		}
		if part := commandIn(calmed(tt.text)); part != "" {
			t.Errorf("%q: commands when it is calmed: %q", tt.text, part)
		}
	}
}

// What anything refers to stays, in what order it stands; where references are
// not plain, all of it does.
func TestWithoutUnused(t *testing.T) {
	tests := []struct {
		name, schema, want string
		unused             int
	}{
		{"none", `{"type":"object"}`, `{"type":"object"}`, 0},
		{"all", `{"$defs": {"a":{}, "b":{}}, "type":"object"}`, `{"type":"object"}`, 2},
		{"through others", `{"properties":{"x":{"$ref":"#/$defs/a"}},"$defs":{"z":{"$ref":"#/$defs/a"}, "a":{"$ref":"#/$defs/b"}, "b":{}}}`,
			`{"properties":{"x":{"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/b"}, "b":{}}}`, 1},
		{"circle", `{"items":{"$ref":"#/definitions/a"},"definitions":{"a":{"$ref":"#/definitions/a"},"b":{"$ref":"#/definitions/b"}}}`,
			`{"items":{"$ref":"#/definitions/a"},"definitions":{"a":{"$ref":"#/definitions/a"}}}`, 1},
		{"mapped to", `{"discriminator":{"mapping":{"x":"#/$defs/a"}},"$defs":{"a":{},"b":{}}}`, `{"discriminator":{"mapping":{"x":"#/$defs/a"}},"$defs":{"a":{}}}`, 1},
		{"of the same name within", `{"properties":{"x":{"$defs":{"a":{}},"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/b"},"b":{}}}`,
			`{"properties":{"x":{"$defs":{"a":{}},"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/b"},"b":{}}}`, 0},
		{"root", `{"items":{"$ref":"#"},"$defs":{"a":{}}}`, `{"items":{"$ref":"#"}}`, 1},
		{"to a part of the rest", `{"properties":{"x":{"$ref":"#/properties/y"},"y":{}},"$defs":{"a":{}}}`, `{"properties":{"x":{"$ref":"#/properties/y"},"y":{}}}`, 1},
		{"into a definition", `{"items":{"$ref":"#/$defs/a/items"},"$defs":{"a":{"items":{}},"b":{}}}`, `{"items":{"$ref":"#/$defs/a/items"},"$defs":{"a":{"items":{}}}}`, 1},
		{"an escaped name", `{"items":{"$ref":"#/$defs/a~1b"},"$defs":{"a/b":{},"b":{}}}`, `{"items":{"$ref":"#/$defs/a~1b"},"$defs":{"a/b":{}}}`, 1},
		{"an encoded name", `{"items":{"$ref":"#/$defs/a%20b"},"$defs":{"a b":{},"b":{}}}`, `{"items":{"$ref":"#/$defs/a%20b"},"$defs":{"a b":{},"b":{}}}`, 0},
		{"to nothing", `{"items":{"$ref":"#/$defs/c"},"$defs":{"a":{}}}`, `{"items":{"$ref":"#/$defs/c"},"$defs":{"a":{}}}`, 0},
		{"an identifier of the root", `{"$id":"x","$defs":{"a":{}}}`, `{"$id":"x"}`, 1},
		{"by an identifier", `{"$id":"x","items":{"$ref":"x#/$defs/a"},"$defs":{"a":{}}}`, `{"$id":"x","items":{"$ref":"x#/$defs/a"},"$defs":{"a":{}}}`, 0},
		{"an identifier within", `{"items":{"$id":"x","$ref":"#/$defs/a"},"$defs":{"a":{},"b":{}}}`, `{"items":{"$id":"x","$ref":"#/$defs/a"},"$defs":{"a":{},"b":{}}}`, 0},
		{"anchor", `{"items":{"$anchor":"x"},"$defs":{"a":{}}}`, `{"items":{"$anchor":"x"},"$defs":{"a":{}}}`, 0},
	}
	for _, tt := range tests {
		got, unused := withoutUnused([]byte(tt.schema))
		if string(got) != tt.want || unused != tt.unused || !json.Valid(got) {
			t.Errorf("%s: %s, %d", tt.name, got, unused)
		}
	}
}

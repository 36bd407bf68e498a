package tokens

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "caliper/model/require"
)

func TestOpenAI(t *testing.T) {
	for _, tt := range []struct{ name, definition, want string }{
		{"nothing but a name", `{"name":"now"}`, "type now = () => any;\n\n"},
		{"in its envelope", `{"type":"function","function":{"name":"now","description":"Tell\nthe time."}}`,
			"// Tell\n// the time.\ntype now = () => any;\n\n"},
		{"parameters", `{"name":"reserve","description":"Reserve a table.","parameters":{"type":"object","required":["people"],"properties":{
			"people":{"type":"integer","description":"For how many people."},
			"when":{"type":"string","enum":["noon","night"],"default":"noon"},
			"note":{"type":"string","title":"Note","examples":["by the window",7],"default":"none"},
			"tags":{"type":"array","items":{"type":"string"}},
			"rest":{"type":"array"},
			"price":{"type":["number","null"],"default":1.5},
			"child":{"type":"boolean","nullable":true}}}}`,
			"// Reserve a table.\ntype reserve = (_: {\n" +
				"// For how many people.\npeople: number,\n" +
				"when?: \"noon\" | \"night\", // default: noon\n" +
				"// Note\n//\n// Examples:\n// - \"by the window\"\nnote?: string, // default: \"none\"\n" +
				"tags?: string[],\nrest?: Array<any>,\n" +
				"price?: number | null, // default: 1.5\n" +
				"child?: boolean | null,\n}) => any;\n\n"},
		{"nested", `{"name":"f","parameters":{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"string"}}}}}}`,
			"type f = (_: {\na?: {\n    b?: string,\n    },\n}) => any;\n\n"},
		{"one of several", `{"name":"f","parameters":{"type":"object","properties":{"a":{"default":1,"oneOf":[{"type":"string","description":"by name"},{"type":"integer","default":1}]}}}}`,
			"type f = (_: {\n// default: 1\na?:\n | string // by name\n | number // default: 1\n,\n}) => any;\n\n"},
		{"what is not sent", `{"name":"f","parameters":{"type":"object","properties":{"a":{"anyOf":[{"type":"string"}]},"b":{"$ref":"#/x"},"c":true}}}`,
			"type f = (_: {\na?: any,\nb?: any,\nc?: any,\n}) => any;\n\n"},
		{"no definition", `[1]`, ""},
		{"no JSON", `{`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := OpenAIRendering.Tool([]byte(tt.definition)); got != tt.want {
				t.Errorf("%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestAnthropic(t *testing.T) {
	got := AnthropicRendering.Tool([]byte(`{"type":"function","function":{"name":"now", "description":"Tell it.","parameters":{"type":"object", "properties":{}}}}`))
	const want = `{"description": "Tell it.", "name": "now", "parameters": {"type":"object","properties":{}}}` + "\n"
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := AnthropicRendering.Tool([]byte(`{"name":"now"}`)); got != `{"description": "", "name": "now", "parameters": {}}`+"\n" {
		t.Error(got)
	}
}

// TestAnyDefinition: whatever the definition is, its text does not open a second one.
func TestAnyDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SliceOf(rapid.Byte()).Draw(t, "definition")
		for _, p := range []Rendering{OpenAIRendering, AnthropicRendering} {
			if text := p.Tool(d); text != p.Tool(d) || text != "" && !strings.HasSuffix(text, "\n") {
				t.Fatalf("%s: %q", p, text)
			}
		}
	})
}

func FuzzTool(f *testing.F) {
	f.Add([]byte(`{"name":"f","parameters":{"oneOf":[{"type":"object","properties":{"a":{"items":{"type":["x"]}}}}]}}`))
	f.Fuzz(func(_ *testing.T, d []byte) {
		OpenAIRendering.Tool(d)
		AnthropicRendering.Tool(d)
	})
}

// Every method names the text it counts and its source; only a vocabulary that is known, of a text
// known to be sent, is no estimate.
func TestCounting(t *testing.T) {
	t.Parallel()
	date := regexp.MustCompile(`^20\d\d-[01]\d$`)
	for _, m := range Methods() {
		c := m.Counting()
		if c.Source == "" || !date.MatchString(c.Date) || (c.Counted == "prompt") != (m.Around() > 0) {
			t.Errorf("%s: %+v", m, c)
		}
		if want := m != O200k && m != Cl100k; c.Estimate != want {
			t.Errorf("%s: an estimate is %v", m, c.Estimate)
		}
	}
	if Method("").Counting() != Chars4.Counting() {
		t.Error("no method is not chars4")
	}
}

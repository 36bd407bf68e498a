package live

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/model"
)

func listing(server string, tools ...string) Listing {
	l := Listing{Server: server}
	for _, t := range tools {
		l.Tools = append(l.Tools, json.RawMessage(t))
	}
	return l
}

func TestDump(t *testing.T) {
	a := listing("git hub", oddTool, `{"name":"b.c","server":"liar","title":"T","inputSchema":true}`, `{"noname":1}`, `7`)
	a.Name, a.Version, a.Instructions, a.ProtocolVersion = "gh", "1", "Mind <this>.\n", "2025-06-18"
	data, clashes := Dump([]Listing{a, listing("empty")}, model.HermesNaming)
	want := `{
 "generator": "caliper import",
 "naming": "mcp_<server>_<tool>",
 "toolsets": {
  "mcp-git hub":{"source":"mcp","server":"git hub","server_name":"gh","server_version":"1","protocol_version":"2025-06-18","instructions":"Mind <this>.\n","tools":["mcp_git_hub_odd","mcp_git_hub_b_c"]},
  "mcp-empty":{"source":"mcp","server":"empty","tools":[]}
 },
 "tools": [
  {"type":"function","function":{"name":"mcp_git_hub_odd","description":"a\u003cb \ud83d\ude00","parameters":{"type":"object","properties":{"z":{"maximum":9007199254740993},"a":{"default":-0.0,"minimum":1e308}}}},"toolset":"mcp-git hub","source":"mcp","server":"git hub","original_name":"odd","annotations":{"readOnlyHint":true},"outputSchema":{"type":"object"}},
  {"type":"function","function":{"name":"mcp_git_hub_b_c","description":"","parameters":true},"toolset":"mcp-git hub","source":"mcp","server":"git hub","original_name":"b.c","title":"T"},
  {"noname":1},
  7
 ]
}
`
	if string(data) != want {
		t.Errorf("dump is\n%s\nwant\n%s", data, want)
	}
	if clashes != nil {
		t.Errorf("clashes %v", clashes)
	}
}

func TestAllowed(t *testing.T) {
	l := listing("s", `{"name":"a"}`, `{"name":"b"}`, `{}`)
	if got := l.Allowed(Server{Exclude: []string{"a"}}); len(got.Tools) != 2 || string(got.Tools[0]) != `{"name":"b"}` || len(l.Tools) != 3 {
		t.Errorf("%s", got.Tools)
	}
	if got := l.Allowed(Server{}); len(got.Tools) != 3 || len(got.Names()) != 2 {
		t.Errorf("%s", got.Tools)
	}
}

func TestDumpIsValidWhateverTheTools(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var listings []Listing
		for range rapid.IntRange(0, 3).Draw(t, "servers") {
			l := Listing{Server: rapid.String().Draw(t, "server"), Instructions: rapid.String().Draw(t, "instructions")}
			for range rapid.IntRange(0, 3).Draw(t, "tools") {
				tool := rapid.MapOf(rapid.SampledFrom([]string{"name", "description", "inputSchema", "type", "title", "x"}), rapid.String()).Draw(t, "tool")
				raw, _ := json.Marshal(tool)
				l.Tools = append(l.Tools, raw[:rapid.SampledFrom([]int{len(raw), len(raw), len(raw) / 2}).Draw(t, "cut")])
			}
			listings = append(listings, l)
		}
		data, _ := Dump(listings, model.DoubleNaming)
		again, _ := Dump(listings, model.DoubleNaming)
		if !json.Valid(data) || string(data) != string(again) {
			t.Fatalf("%q", data)
		}
	})
}

func TestClashes(t *testing.T) {
	listings := []Listing{
		listing("a_b", `{"name":"c"}`, `{"name":"x.y"}`, `{"name":"x-y"}`),
		listing("a", `{"name":"b_c"}`, `{"name":"alone"}`),
	}
	want := []Clash{
		{"mcp_a_alone", []Claim{{Server: "", Tool: "mcp_a_alone"}, {Server: "a", Tool: "alone"}}, Claim{Server: "", Tool: "mcp_a_alone"}},
		{"mcp_a_b_c", []Claim{{Server: "a_b", Tool: "c"}, {Server: "a", Tool: "b_c"}}, Claim{Server: "a", Tool: "b_c"}},
		{"mcp_a_b_x_y", []Claim{{Server: "a_b", Tool: "x.y"}, {Server: "a_b", Tool: "x-y"}}, Claim{Server: "a_b", Tool: "x-y"}},
	}
	if got := Clashes(listings, model.HermesNaming, []string{"mcp_a_alone", "mcp_a_alone", "terminal"}); !reflect.DeepEqual(got, want) {
		t.Errorf("clashes are %v", got)
	}
	if got := Clashes(listings, model.DoubleNaming, nil); got != nil { // a hyphen stays
		t.Errorf("clashes are %v", got)
	}
	if data, clashes := Dump(listings, model.HermesNaming); len(clashes) != 2 || strings.Count(string(data), `"function":{"name":"mcp_a_b_c"`) != 2 {
		t.Errorf("clashes are %v in %s", clashes, data)
	}
}

// TestClashInWords: claims that read alike are numbered, and the last of them is meant.
func TestClashInWords(t *testing.T) {
	own, file, in := Claim{Tool: "x"}, Claim{Tool: "x", File: "r.json"}, Claim{Tool: "x", File: "-"}
	a, b := Claim{Server: "a", Tool: "b_x"}, Claim{Server: "a_b", Tool: "x"}
	for want, c := range map[string]Clash{
		"the agent itself and b_x of a; the reference agent takes its own":                                                      {"n", []Claim{own, a}, own},
		"b_x of a and x of a_b; the reference agent takes x of a_b":                                                             {"n", []Claim{a, b}, b},
		"b_x of a (1 of 2) and b_x of a (2 of 2); the reference agent takes b_x of a (2 of 2)":                                  {"n", []Claim{a, a}, a},
		"x of r.json and b_x of a; the reference agent takes x of r.json":                                                       {"n", []Claim{file, a}, file},
		"x of standard input (1 of 2) and x of standard input (2 of 2); the reference agent takes x of standard input (1 of 2)": {"n", []Claim{in, in}, in},
	} {
		if got := c.String(); got != "n is claimed by "+want+", caliper each by its toolset" {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestSplitCommand(t *testing.T) {
	for line, want := range map[string]string{
		`npx -y  @x/y`:               `["npx" "-y" "@x/y"]`,
		` a 'b c' "d e"f '' `:        `["a" "b c" "d ef" ""]`,
		`a b\ c "x\"y\\z\w" '\n' $H`: `["a" "b c" "x\"y\\z\\w" "\\n" "$H"]`,
	} {
		if got, err := SplitCommand(line); err != nil || fmt.Sprintf("%q", got) != want {
			t.Errorf("%s: %q, %v", line, got, err)
		}
	}
	for _, line := range []string{"", "  ", `"a`, `a\`, `'' x`} {
		if got, err := SplitCommand(line); err == nil {
			t.Errorf("%s: %q", line, got)
		}
	}
}

package rescue

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"caliper/config"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// vectors are what Toolaria at 677342e (2026-06-11) does with our own texts.
type vectors struct {
	Detect []struct{ Text, Want string }
	Size   []struct {
		Case, Want string
		Config     map[string]json.RawMessage
	}
	Intercept struct {
		Config struct {
			Exclude []string `json:"exclude_tools"`
		}
		Chars int `json:"result_chars"`
		Cases []struct {
			Tool, Want      string
			Toolset         *string
			WithoutRegistry string `json:"want_without_registry"`
		}
	}
	Constants struct {
		Web   []string `json:"rescued_builtins"`
		Never []string `json:"never_rescued"`
	}
}

func readVectors(t *testing.T) (v vectors) {
	t.Helper()
	data, err := os.ReadFile("testdata/toolaria.json")
	if err == nil {
		err = json.Unmarshal(data, &v)
	}
	require.NoError(t, err)
	return v
}

// TestDetectVectors: every text is of the kind that the plugin sees, which knows fewer.
func TestDetectVectors(t *testing.T) {
	names := map[Kind]string{JSONArray: "json", JSONObject: "json", HTML: "html", Code: "code", Text: "text", JSONLines: "text", XML: "text", Diff: "text"}
	for _, c := range readVectors(t).Detect {
		if got := names[Detect([]byte(c.Text))]; got != c.Want {
			t.Errorf("%q: got %q, want %s", c.Text, got, c.Want)
		}
	}
}

// differentRules are the results that are left or rescued here and not there, on
// purpose. README lists why.
var differentRules = map[string]string{
	"mcp_orchard_rows of no toolset": "rescued", // by its name it is an MCP tool's
}

// TestInterceptVectors: the same results are rescued as by the plugin.
func TestInterceptVectors(t *testing.T) {
	v := readVectors(t)
	l := config.Default().Rescue
	l.ExcludeTools = v.Intercept.Config.Exclude
	for _, c := range v.Intercept.Cases {
		set := ""
		if c.Toolset != nil {
			set = *c.Toolset
		}
		name := fmt.Sprintf("%s of %s", c.Tool, set)
		want := c.Want
		r := &model.Registry{}
		if c.Toolset == nil {
			name = c.Tool + " of no toolset"
		} else if c.Tool != "" { // a registry has no tool without a name
			var err error
			r, err = shapes.Parse(context.Background(), model.Source{Name: "r.json", Data: fmt.Appendf(nil,
				`[{"type":"function","toolset":%q,"function":{"name":%q,"description":"d","parameters":{"type":"object"}}}]`, set, c.Tool)})
			require.NoError(t, err)
		} else {
			want = "left"
		}
		if d, ok := differentRules[name]; ok {
			want = d
		}
		if d := Decide(r, l, c.Tool, v.Intercept.Chars); d.Rescue != (want == "rescued") {
			t.Errorf("%s: %+v, want %s", name, d, want)
		}
		// Without a registry the plugin rescues all that is not named; here only
		// the certain ones: web tools and names of MCP tools.
		want = c.WithoutRegistry
		if want == "" {
			want = c.Want
		}
		web, _, _ := strings.Cut(Subject(nil, l, c.Tool).Rule, "_")
		if !strings.HasPrefix(c.Tool, "mcp_") && web != "web" {
			want = "left"
		}
		if d := Decide(nil, l, c.Tool, v.Intercept.Chars); d.Rescue != (want == "rescued") {
			t.Errorf("%s without a registry: %+v, want %s", c.Tool, d, want)
		}
	}
	for _, tool := range v.Constants.Never {
		if d := Decide(nil, l, tool, 1<<20); d.Rule != RuleInternal || d.Rescue {
			t.Errorf("%s: %+v", tool, d)
		}
	}
	for _, tool := range v.Constants.Web {
		if d := Decide(nil, l, tool, 1<<20); d.Rule != RuleWeb || !d.Rescue {
			t.Errorf("%s: %+v", tool, d)
		}
	}
}

// TestSizeVectors: the same lengths are too long. A limit that is no number is
// the configuration's matter, and results that are no text do not come here.
func TestSizeVectors(t *testing.T) {
	texts := map[string]string{
		"12000 chars": strings.Repeat("a", 12000), "12001 chars": strings.Repeat("a", 12001),
		"12000 code points, 24000 bytes": strings.Repeat("é", 12000), "12001 code points": strings.Repeat("é", 12001),
		"6001 code points, 12002 UTF-16 units": strings.Repeat("\U0001f600", 6001),
		"50 over 49":                           strings.Repeat("a", 50), "50 over 50": strings.Repeat("a", 50), "1 over 0": "a", "empty over -1": "",
	}
	tried := 0
	for _, c := range readVectors(t).Size {
		text, ok := texts[c.Case]
		if !ok {
			continue
		}
		tried++
		l := config.Default().Rescue
		if limit := c.Config["max_result_chars"]; limit != nil {
			require.NoError(t, json.Unmarshal(limit, &l.MaxResultChars))
		}
		if d := Decide(nil, l, "mcp_x", utf8.RuneCount([]byte(text))); d.Rescue != (c.Want == "rescued") {
			t.Errorf("%s: %+v, want %s", c.Case, d, c.Want)
		}
	}
	if tried != len(texts) {
		t.Errorf("%d cases tried of %d", tried, len(texts))
	}
}

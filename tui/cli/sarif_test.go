package cli

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"caliper/engine/diff"
	"caliper/engine/lint"
	"caliper/model"
	"caliper/model/require"
)

// sarifSchema returns the schema of SARIF 2.1.0 as SchemaStore has it (2.1.0-rtm.5, Apache License 2.0),
// which code scanning names; it came with @microsoft/jest-sarif 1.0.0-beta.0 (MIT).
func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	packed, err := os.Open("testdata/sarif-2.1.0-rtm.5.json.gz")
	require.NoError(t, err)
	defer packed.Close()
	text, err := gzip.NewReader(packed)
	require.NoError(t, err)
	value, err := jsonschema.UnmarshalJSON(text)
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	require.NoError(t, c.AddResource("sarif.json", value))
	schema, err := c.Compile("sarif.json")
	require.NoError(t, err)
	return schema
}

// sarifLog is the part of a log that the tests look at.
type sarifLog struct {
	Runs []struct {
		Tool struct {
			Driver struct{ Rules []struct{ ID string } }
		}
		Results []struct {
			RuleID    string
			RuleIndex int
			Level     string
			Message   struct{ Text string }
			Locations []struct {
				PhysicalLocation struct {
					ArtifactLocation struct{ URI, URIBaseID string }
					Region           struct{ StartLine, StartColumn int }
				}
				LogicalLocations []struct{ FullyQualifiedName string }
			}
		}
	}
}

// validSARIF decodes a log that the schema allows.
func validSARIF(t *testing.T, schema *jsonschema.Schema, text []byte) sarifLog {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err == nil {
		err = schema.Validate(value)
	}
	var log sarifLog
	if err == nil {
		err = json.Unmarshal(text, &log)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, r := range log.Runs[0].Results {
		if rules := log.Runs[0].Tool.Driver.Rules; rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("%s is rule %d, which is %s", r.RuleID, r.RuleIndex, rules[r.RuleIndex].ID)
		}
	}
	return log
}

// What lint and gate write is SARIF: of nothing, of the demo, of a change with each kind of
// reason, and of foreign text.
func TestSARIFIsValid(t *testing.T) {
	t.Parallel()
	schema := sarifSchema(t)
	file := filepath.Join(t.TempDir(), "out.sarif")
	hostile := write(t, "a b\u202e#1%.json", `{"tools": [{"type": "function", "function": {"name": "la\u001b[31mmp", "description": "TODO", "parameters": {"type": "\u001b\u202e", "$ref": "#/x"}}}]}`)
	sound := write(t, "sound.json", `{"tools": [{"type": "function", "function": {"name": "lamp_on", "description": "Make light until the morning.", "parameters": {"type": "object", "properties": {}}}}]}`)
	queries := write(t, "queries.jsonl", `{"id": "1", "query": "light until the morning", "relevant": ["lamp_on"]}`+"\n")
	on := write(t, "on.yaml", "tools: {tool_search: {enabled: on}}\n")
	off := write(t, "off.yaml", "tools: {tool_search: {enabled: off}}\n")
	for name, c := range map[string]struct {
		args  []string
		code  int
		rules string
	}{
		"demo":    {[]string{"lint", "--demo"}, 1, "name_clash root_keyword name_not_found cut_description schema_noise schema_structure weightless_word"},
		"nothing": {[]string{"lint", "--registry", sound}, 0, ""},
		"foreign": {[]string{"lint", "--registry", hostile}, 1, "name_rule broken_schema root_keyword dangling_reference hidden_characters placeholder unchecked_schema"},
		"change":  {[]string{"gate", "--base", sound, "--head", hostile, "--queries", queries, "--base-config", on, "--head-config", off, "--max-tokens", "1"}, 1, "activation name_rule broken_schema root_keyword dangling_reference removed tokens"},
		"passed":  {[]string{"gate", "--base", sound, "--head", sound, "--queries", queries}, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if code, _, complaints := command(t, append(c.args, "--sarif", file)...); code != c.code {
				t.Fatalf("exit code %d: %s", code, complaints)
			}
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			log := validSARIF(t, schema, text)
			var rules []string
			for _, r := range log.Runs[0].Tool.Driver.Rules {
				rules = append(rules, r.ID)
			}
			if got := strings.Join(rules, " "); got != c.rules {
				t.Errorf("the rules are %s, want %s", got, c.rules)
			}
			for _, r := range log.Runs[0].Results {
				if strings.ContainsAny(r.Message.Text, "\x1b\u202e") {
					t.Errorf("foreign text is as it was: %q", r.Message.Text)
				}
			}
		})
	}
}

// Where results are: the file from the working folder, line and column in characters, and
// the name of the tool.
func TestSARIFPlaces(t *testing.T) {
	t.Parallel()
	schema := sarifSchema(t)
	data := []byte("[\n {\"text\": \"äé\"}, {}]")
	at := int64(bytes.LastIndexByte(data, '{'))
	work, err := filepath.Abs("work")
	require.NoError(t, err)
	for name, c := range map[string]struct {
		source, tool, rule string
		uri, base          string
		line, column       int
	}{
		"relative":             {"dumps/a b.json", "lamp", "no_description", "dumps/a%20b.json", "%SRCROOT%", 2, 18},
		"like a scheme":        {"a:b.json", "lamp", "no_description", "./a:b.json", "%SRCROOT%", 2, 18},
		"below the folder":     {filepath.Join(work, "x", "a.json"), "lamp", "no_description", "x/a.json", "%SRCROOT%", 2, 18},
		"beside the folder":    {"../a.json", "lamp", "no_description", "file://" + filepath.ToSlash(filepath.Join(filepath.Dir(work), "a.json")), "", 2, 18},
		"a tool that is gone":  {"a.json", "door", "removed", "a.json", "%SRCROOT%", 0, 0},
		"no tool":              {"a.json", "", "recall", "a.json", "%SRCROOT%", 0, 0},
		"of the configuration": {"a.json", "", "idle_rule", "config.yaml", "%SRCROOT%", 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			registry := model.NewRegistry([]*model.Tool{{Name: "lamp", At: model.Offset{Byte: at}}}, nil)
			registry.Sources = []model.Source{{Name: c.source, Data: data}}
			result := sarifResult{level: "error", message: "of [a](b) {0}"}.of(lint.Code(c.rule))
			if c.tool != "" {
				result.tools = []string{c.tool}
			}
			text, err := sarifRun{"lint", work, registry, "config.yaml", func() []sarifResult { return []sarifResult{result} }}.log().MarshalJSON()
			require.NoError(t, err)
			r := validSARIF(t, schema, text).Runs[0].Results[0]
			p := r.Locations[0].PhysicalLocation
			if p.ArtifactLocation.URI != c.uri || p.ArtifactLocation.URIBaseID != c.base || p.Region.StartLine != c.line || p.Region.StartColumn != c.column {
				t.Errorf("the place is %+v", p)
			}
			if l := r.Locations[0].LogicalLocations; c.tool != "" && l[0].FullyQualifiedName != c.tool {
				t.Errorf("the tool is %v", l)
			}
			if r.Message.Text != "of [a] (b) {{0}}" {
				t.Errorf("the message is %s, with a link or an argument", r.Message.Text)
			}
		})
	}
}

// What a session is granted anew is in the configuration, where its tools were in the base in the same toolsets, else in the registry.
func TestSARIFOfScope(t *testing.T) {
	t.Parallel()
	registry := func(name, toolset string) string {
		return write(t, name, `{"tools": [{"type": "function", "function": {"name": "lamp_on", "description": "Make light until the morning."}}], "toolsets": {"`+toolset+`": ["lamp_on"]}}`)
	}
	base, moved := registry("base.json", "light"), registry("moved.json", "day")
	queries := write(t, "queries.jsonl", `{"id": "1", "query": "light until the morning", "relevant": ["lamp_on"]}`+"\n")
	tight := write(t, "tight.yaml", "sessions: {guard: {enabled_toolsets: [day]}, all: {enabled_toolsets: [day, light]}}\n")
	wide := write(t, "wide.yaml", "sessions: {guard: {enabled_toolsets: [day, light]}, all: {enabled_toolsets: [day, light]}}\n")
	schema := sarifSchema(t)
	for name, c := range map[string]struct{ head, config, at string }{
		"the configuration grants it": {base, wide, wide},
		"the registry moves it":       {moved, tight, moved},
	} {
		file := filepath.Join(t.TempDir(), "out.sarif")
		if code, _, complaints := command(t, "gate", "--base", base, "--head", c.head, "--base-config", tight, "--head-config", c.config, "--queries", queries, "--sarif", file); code != 1 {
			t.Fatalf("%s: exit code %d: %s", name, code, complaints)
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		r := validSARIF(t, schema, text).Runs[0].Results[0]
		if at := r.Locations[0].PhysicalLocation.ArtifactLocation.URI; r.RuleID != "scope" || !strings.HasSuffix(at, filepath.Base(c.at)) {
			t.Errorf("%s: %s is at %s", name, r.RuleID, at)
		}
	}
}

// Every kind of reason of gate says what it is about.
func TestGateMeanings(t *testing.T) {
	t.Parallel()
	for _, k := range diff.ReasonKinds() {
		if (gateMeanings[k] == "") != (k == diff.KindLint) {
			t.Errorf("%s means %q", k, gateMeanings[k])
		}
	}
}

package export

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/internal/fixture"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

var update = flag.Bool("update", false, "rewrite the exports in testdata")

// parse reads a text as if it came from standard input, so that no name gets
// a prefix.
func parse(t rapid.TB, text string) *model.Registry {
	t.Helper()
	r, err := shapes.Parse(context.Background(), model.Source{Data: []byte(text)})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return r
}

// written returns an export, which must be valid and the same each time, and
// its losses as lines. A refusal begins with an exclamation mark.
func written(t rapid.TB, shape Shape, r *model.Registry, o Options) (data string, lost []string) {
	t.Helper()
	first, list, err := Write(shape, r, o)
	require.NoError(t, err)
	again, listAgain, _ := Write(shape, r, o)
	if !bytes.Equal(first, again) || !slices.Equal(list, listAgain) {
		t.Fatalf("two exports as %s differ", shape)
	}
	if !json.Valid(first) {
		t.Fatalf("%s is no JSON: %s", shape, first)
	}
	return string(first), lines(list)
}

// lines returns losses as lines. A refusal begins with an exclamation
// mark.
func lines(list []Lost) (lost []string) {
	for _, l := range list {
		line := l.What
		if l.Tool != "" {
			line = l.Tool + ": " + line
		}
		if l.Refused {
			line = "!" + line
		}
		lost = append(lost, line)
	}
	return lost
}

// plain returns JSON without white space, and nil as no text.
func plain(raw []byte) string {
	if raw == nil {
		return ""
	}
	return string(compact(raw))
}

func TestParseShape(t *testing.T) {
	for _, s := range Shapes() {
		if got, err := ParseShape(string(s)); err != nil || got != s {
			t.Errorf("%q, %v", got, err)
		}
	}
	const want = "want openai, anthropic, gemini, bedrock, mcp or hermes"
	for _, name := range []string{"", "OpenAI", "openai ", "json"} {
		if _, err := ParseShape(name); err == nil || err.Error() != want {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, _, err := Write("json", parse(t, `{"tools":[]}`), Options{}); err == nil || err.Error() != want {
		t.Error(err)
	}
}

// The files of the exports are those of our own registry, byte for byte.
func TestDemoBytes(t *testing.T) {
	demo, err := os.ReadFile("../../tui/demo/registry.json")
	require.NoError(t, err)
	r := parse(t, string(demo))
	for _, shape := range Shapes() {
		t.Run(string(shape), func(t *testing.T) {
			data, lost := written(t, shape, r, Options{})
			checkGolden(t, string(shape)+".json", data+"\n")
			checkGolden(t, string(shape)+".lost", strings.Join(append(lost, ""), "\n"))
		})
	}
}

// checkGolden compares a text with a file of testdata.
func checkGolden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	if got != string(want) {
		at := 0
		for at < min(len(got), len(want)) && got[at] == want[at] {
			at++
		}
		t.Errorf("%s differs at byte %d: %.80q, want %.80q", path, at, got[at:], want[at:])
	}
}

// toolsets returns all that a registry says of its toolsets but of the one for
// tools without any, which stands where the first of them does.
func toolsets(r *model.Registry) string {
	var out []string
	for _, s := range r.Toolsets {
		if s.Name != model.NoToolset {
			raw, _ := json.Marshal(s)
			out = append(out, string(raw))
		}
	}
	return strings.Join(out, "\n")
}

// The tools that the shared folder has in every shape come back from every
// shape.
func TestSharedRoundTrip(t *testing.T) {
	for _, name := range []string{
		"openai_chat_tools.json", "openai_responses_tools.json", "anthropic_tools.json", "bedrock_tool_config.json",
		"gemini_parameters_json_schema.json", "hermes_registry.jsonl", "mcp_servers_map.json", "openai_responses_mixed.json",
		"hermes_mcp_schema_cache.json", "mcp_session.wire.jsonl", "edge_cases.SYNTHETIC.json", "names_only.json", "empty_tools.json",
		"openai_functions_legacy.json", "anthropic_request.json", "lone_surrogate.SYNTHETIC.json", "duplicate_keys.SYNTHETIC.json",
	} {
		t.Run(name, func(t *testing.T) {
			r := parse(t, string(fixture.SharedFile(t, "shapes/"+name)))
			for _, shape := range Shapes() {
				data, lost := written(t, shape, r, Options{})
				back := parse(t, data)
				tools := r.Tools
				if rule, ok := model.NameRuleOf(providers[shape]); ok && !rule.Advice {
					tools = slices.DeleteFunc(slices.Clone(tools), func(t *model.Tool) bool { return strings.Contains(t.Name, "/") })
				}
				if len(back.Tools) != len(tools) {
					t.Fatalf("%s: %d tools, want %d", shape, len(back.Tools), len(tools))
				}
				for i, w := range tools {
					if slices.ContainsFunc(lost, func(line string) bool { return strings.HasPrefix(line, w.Name+": ") }) {
						continue // something is lost or was put in; what a provider refuses is in the export
					}
					if g := back.Tools[i]; g.Name != w.Name || g.Description != w.Description || plain(g.Parameters) != plain(w.Parameters) {
						t.Errorf("%s: tool %d is %s: %q with %s, want %s: %q with %s", shape, i, g.Name, g.Description, g.Parameters, w.Name, w.Description, w.Parameters)
					}
				}
				if shape == AsHermes && (lost != nil || !sameRegistry(back, r)) {
					t.Errorf("a dump lost %q: %s", lost, data)
				}
			}
		})
	}
}

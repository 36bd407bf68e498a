package shapes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/require"
)

// shared is the folder of reference material beside the project. Tests that
// need it are skipped where it is absent; their facts are also tested on
// fixtures of our own.
const shared = "../../../shared"

// readShared returns a file of the shared folder, or skips the test.
func readShared(t testing.TB, name string) model.Source {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(shared, name))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("no ", name)
	}
	require.NoError(t, err)
	return model.Source{Name: filepath.Base(name), Data: data}
}

// keyTool is one tool of the answer key of the shared shapes.
type keyTool struct{ Name, Toolset string }

// What a shape says of a tool beside its definition.
const (
	noPlace  = iota // nothing
	byName          // what the names tell, with a note
	setPlace        // the toolset
)

// TestEveryShape asserts, file by file, what the README of the shared shapes
// says: the number of tools, how many of the answer key they are (same), the
// toolsets, and a text that the warnings, or else the error, must hold.
func TestEveryShape(t *testing.T) {
	const (
		inferred19 = "mcp-filesystem 1, mcp-everything 1, mcp-github 3, mcp-notion 1, mcp-mongodb 1, mcp-gitlab 3, mcp-kubernetes 1, mcp-firecrawl 1, mcp-desktop 2, mcp-chrome 1, (none) 4"
		inferred4  = "mcp-filesystem 1, mcp-everything 1, mcp-github 2"
	)
	for _, c := range []struct {
		file     string
		tools    int // -1 for a source that is rejected
		same     int // the first tools of the answer key; 0 for another catalogue
		place    int
		toolsets string // with their number of tools; "" not to look
		says     []string
	}{
		{"mcp_tools_list_result.json", 14, 0, noPlace, "mcp-mcp_tools_list_result 14", nil},
		{"mcp_tools_list_result_2026-07-28.json", 5, 0, noPlace, "mcp-mcp_tools_list_result_2026-07-28 5", nil},
		{"mcp_jsonrpc_response.json", 85, 0, noPlace, "mcp-mcp_jsonrpc_response 85", nil},
		{"mcp_jsonrpc_response_small.json", 5, 0, noPlace, "mcp-mcp_jsonrpc_response_small 5", nil},
		{"mcp_jsonrpc_paginated.jsonl", 31, 0, noPlace, "mcp-mcp_jsonrpc_paginated 31", nil},
		{"mcp_session.wire.jsonl", 16, 0, noPlace, "mcp-mcp_session 16", nil},
		{"mcp_sse_response.txt", 5, 0, noPlace, "mcp-mcp_sse_response 5", nil},
		{"mcp_servers_map.json", 30, 0, noPlace, "mcp-filesystem 14, mcp-memory 9, mcp-linear 5, mcp-figma 2", nil},
		{"openai_chat_tools.json", 19, 19, byName, inferred19, nil},
		{"openai_chat_request.json", 5, 0, byName, inferred4 + ", (none) 1", []string{"free_text", "takes a free text, so that it has no parameters"}},
		{"openai_functions_legacy.json", 4, 4, byName, inferred4, nil},
		{"openai_responses_tools.json", 19, 19, byName, inferred19, nil},
		{"openai_responses_mixed.json", 3, 0, byName, "github 1, mcp-filesystem 1, (none) 1",
			[]string{"hosted_tool", "3 entries of kinds that their provider defines are skipped: tool_search, web_search, mcp"}},
		{"anthropic_tools.json", 19, 19, byName, inferred19, nil},
		{"anthropic_request.json", 4, 4, byName, inferred4,
			[]string{"hosted_tool", "2 entries of kinds that their provider defines are skipped: bash_20250124, web_search_20250305"}},
		{"gemini_function_declarations.json", 19, 19, byName, inferred19, nil},
		{"gemini_parameters_json_schema.json", 19, 19, byName, inferred19, []string{"hosted_tool", "googleSearch"}},
		{"gemini_snake_case.json", 4, 4, byName, inferred4, nil},
		{"bedrock_tool_config.json", 19, 19, byName, inferred19, []string{"hosted_tool", "cachePoint"}},
		{"hermes_registry.jsonl", 19, 19, setPlace, "", nil},
		{"hermes_registry_crlf_bom.jsonl", 5, 5, setPlace, "", nil},
		{"hermes_openai_tools_only.json", 21, 0, byName, "(none) 6, mcp-context7 6, mcp-linear 9", nil},
		{"hermes_mcp_schema_cache.json", 21, 0, noPlace, "mcp-filesystem 14, mcp-linear 5, mcp-context7 2", nil},
		{"edge_cases.SYNTHETIC.json", 30, 0, noPlace, "", []string{"missing_name", "duplicate_name", "lookalike_name", "name_rule", "parameters_not_object", "injection"}},
		{"empty_tools.json", 0, 0, noPlace, "", []string{"empty", "the catalogue is empty"}},

		{"names_only.json", 3, 0, byName, "(none) 1, mcp-github 1, mcp-notion 1", []string{"names_only", "only 3 names, no definitions"}},
		{"hermes_api_toolsets.json", 6, 0, noPlace, "file 4, web 2", []string{"names_only", "only 6 names, no definitions"}},
		{"duplicate_keys.SYNTHETIC.json", 1, 0, noPlace, "t 1", []string{"duplicate_key"}},
		{"lone_surrogate.SYNTHETIC.json", 1, 0, noPlace, "t 1", []string{"lone_surrogate"}},
		{"invalid_utf8.SYNTHETIC.json", 1, 0, noPlace, "t 1", []string{"invalid_utf8"}},
		{"mcp_jsonrpc_error.json", -1, 0, noPlace, "", []string{"server_error", `-32603 "fetch failed"`}},
		{"not_a_registry_package.json", -1, 0, noPlace, "", []string{"unknown_format", "no tool definitions found; understood are: "}},
		{"truncated.json", -1, 0, noPlace, "", []string{"unexpected_end", "truncated.json:1:701: ", "unexpected end of input"}},
		{"empty.json", -1, 0, noPlace, "", []string{"empty_file", "file is empty"}},
		{"claude_desktop_config.json", -1, 0, noPlace, "", []string{"client_config", "lists 5 servers and holds no tools", "caliper import --mcp-config claude_desktop_config.json --all"}},
		{"claude_code.mcp.json", -1, 0, noPlace, "", []string{"client_config", "lists 3 servers and holds no tools"}},
		{"cursor.mcp.json", -1, 0, noPlace, "", []string{"client_config", "lists 2 servers and holds no tools"}},
		{"vscode.mcp.json", -1, 0, noPlace, "", []string{"client_config", "lists 2 servers and holds no tools"}},
		{"zed.settings.json", -1, 0, noPlace, "", []string{"client_config", "lists 2 servers and holds no tools"}},
		{"codex.config.toml", -1, 0, noPlace, "", []string{"client_config", "TOML", "lists 2 servers and holds no tools"}},
		{"hermes_config.yaml", -1, 0, noPlace, "", []string{"client_config", "YAML", "lists 3 servers and holds no tools"}},
	} {
		t.Run(c.file, func(t *testing.T) {
			source := readShared(t, "shapes/"+c.file)
			r, err := Parse(context.Background(), source)
			if err != nil {
				var d model.Diagnostic
				if !errors.As(err, &d) || c.tools >= 0 {
					t.Fatal(err)
				}
				checkDiagnostic(t, d)
				checkSays(t, d.Code+" "+d.Error(), c.says)
				checkNoSecret(t, d.Error())
				return
			}
			if c.tools < 0 {
				t.Fatalf("accepted with %d tools", len(r.Tools))
			}
			checkRegistry(t, r)
			if len(r.Tools) != c.tools {
				t.Errorf("%d tools, want %d", len(r.Tools), c.tools)
			}
			var warnings []string
			for _, w := range r.Warnings {
				warnings = append(warnings, w.Code+" "+w.Error())
				if !slices.Contains(c.says, w.Code) && (w.Code != "toolset_inferred" || c.place != byName) {
					t.Errorf("warning %s: %v", w.Code, w)
				}
			}
			checkSays(t, strings.Join(warnings, "\n"), c.says)
			if c.place == byName {
				checkSays(t, strings.Join(warnings, "\n"), []string{"toolset_inferred"})
			}
			if got := toolsetSizes(r); c.toolsets != "" && got != c.toolsets {
				t.Errorf("toolsets %s, want %s", got, c.toolsets)
			}
			if c.same > 0 {
				checkSame(t, r, c.same, c.place, strings.HasPrefix(c.file, "gemini_function"))
			}
		})
	}
}

// checkSays fails unless a text holds every one of some others.
func checkSays(t *testing.T, text string, says []string) {
	t.Helper()
	for _, s := range says {
		if !strings.Contains(text, s) {
			t.Errorf("%q is not in %q", s, text)
		}
	}
}

// checkNoSecret fails if an error shows what stands in the environments,
// headers or arguments of the configurations.
func checkNoSecret(t *testing.T, text string) {
	t.Helper()
	for _, secret := range []string{"Bearer", "ntn_", "****", "YOUR_TOKEN", "TOKEN}", "npx", "example.invalid"} {
		if strings.Contains(text, secret) {
			t.Errorf("%q is in %q", secret, text)
		}
	}
}

// toolsetSizes returns the toolsets of a registry and how many tools each has.
func toolsetSizes(r *model.Registry) string {
	var sizes []string
	for _, set := range r.Toolsets {
		n := 0
		for _, tool := range r.Tools {
			if tool.Toolset == set.Name {
				n++
			}
		}
		sizes = append(sizes, fmt.Sprintf("%s %d", set.Name, n))
	}
	return strings.Join(sizes, ", ")
}

// checkSame fails unless a registry holds the first n tools of the answer key
// as the dump of the reference agent has them.
func checkSame(t *testing.T, r *model.Registry, n, place int, reduced bool) {
	t.Helper()
	var key []keyTool
	require.NoError(t, json.Unmarshal(readShared(t, "shapes/00_subset_index.json").Data, &key))
	dump, err := Parse(context.Background(), readShared(t, "shapes/hermes_registry.jsonl"))
	if err != nil || len(dump.Tools) != len(key) || len(r.Tools) != n {
		t.Fatalf("%d of %d tools, key of %d: %v", len(r.Tools), len(dump.Tools), len(key), err)
	}
	for i, tool := range r.Tools {
		want := dump.Tools[i]
		if tool.Name != key[i].Name || tool.Description != want.Description {
			t.Errorf("tool %d is %s, want %s; or the description differs", i, tool.Name, key[i].Name)
		}
		if place == setPlace && tool.Toolset != key[i].Toolset {
			t.Errorf("%s in %s, want %s", tool.Name, tool.Toolset, key[i].Toolset)
		}
		if !slices.Equal(tool.PropertyNames(), want.PropertyNames()) {
			t.Errorf("%s: properties %q, want %q", tool.Name, tool.PropertyNames(), want.PropertyNames())
		}
		got, wanted := schemaOf(tool), schemaOf(want)
		if a, b := got.Member("required"), wanted.Member("required"); (a == nil) != (b == nil) || a != nil && !a.Equal(b) || !reduced && !got.Equal(wanted) {
			t.Errorf("%s: schema\n%s, want\n%s", tool.Name, tool.Parameters, want.Parameters)
		}
		if reduced {
			for _, kind := range []string{`"STRING"`, `"OBJECT"`, `"ARRAY"`, `"nullable"`} {
				if strings.Contains(string(tool.Parameters), kind) {
					t.Errorf("%s: %s in %s", tool.Name, kind, tool.Parameters)
				}
			}
		}
	}
}

// schemaOf returns a tool's schema. One without type at its root is of type object and has properties.
func schemaOf(tool *model.Tool) *jsontree.Node {
	schema := treeOf(jsontree.Value{Raw: tool.Parameters})
	if schema == nil {
		schema = &jsontree.Node{Kind: jsontree.Object}
	}
	if schema.Member("type") == nil {
		schema.Set("type", textNode("object"))
	}
	if schema.Member("properties") == nil {
		schema.Set("properties", &jsontree.Node{Kind: jsontree.Object})
	}
	return schema
}

package shapes

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caliper/model"
	"caliper/model/internal/modeltest"
	"caliper/model/require"
	"caliper/model/safetext"

	"github.com/charmbracelet/x/ansi"
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

func TestRealRegistry(t *testing.T) {
	r, err := Parse(context.Background(), readShared(t, "registries/registry.json"))
	require.NoError(t, err)
	if len(r.Tools) != 812 || len(r.Toolsets) != 50 || r.Shape != "hermes" {
		t.Errorf("%d tools, %d toolsets, shape %s", len(r.Tools), len(r.Toolsets), r.Shape)
	}
	for _, w := range r.Warnings {
		t.Errorf("%s: %v", w.Code, w)
	}
	checkRegistry(t, r)
	for _, tool := range r.Tools {
		s, err := model.ParseSchema(tool.Parameters)
		if err != nil {
			t.Errorf("%s: %v", tool.Name, err)
			continue
		}
		modeltest.CheckSchema(t, s)
		var properties []string
		for _, child := range s.Children {
			if child.Property {
				properties = append(properties, child.Key)
			}
		}
		if names := tool.PropertyNames(); !slices.Equal(names, properties) {
			t.Errorf("%s: properties %q, in the tree %q", tool.Name, names, properties)
		}
	}
}

// The answers of the servers themselves lead to the tools of the dump that
// was made of them.
func TestRawAnswers(t *testing.T) {
	dump, err := Parse(context.Background(), readShared(t, "registries/registry.json"))
	require.NoError(t, err)
	names, err := filepath.Glob(filepath.Join(shared, "registries/raw/*.json"))
	if err != nil || len(names) == 0 {
		t.Skip("no raw answers")
	}
	var sources []model.Source
	for _, name := range names {
		sources = append(sources, readShared(t, filepath.Join("registries/raw", filepath.Base(name))))
	}
	r, err := Parse(context.Background(), sources...)
	require.NoError(t, err)
	if len(r.Tools) != 756 || len(r.Toolsets) != 30 || r.Shape != "mcp" {
		t.Errorf("%d tools, %d toolsets, shape %s", len(r.Tools), len(r.Toolsets), r.Shape)
	}
	checkRegistry(t, r)
	for _, tool := range r.Tools {
		same := dump.Lookup(tool.Name)
		if len(same) != 1 {
			t.Errorf("%s: %d in the dump", tool.Name, len(same))
			continue
		}
		want := same[0]
		if tool.Toolset != want.Toolset || tool.Server != want.Server || tool.OriginalName != want.OriginalName || tool.Description != want.Description {
			t.Errorf("%s differs from the dump", tool.Name)
		}
		if got, want := decoded(t, tool.Function), decoded(t, want.Function); !bytes.Equal(got, want) {
			t.Errorf("%s: function\n%s, in the dump\n%s", tool.Name, got, want)
		}
	}
}

// decoded returns a JSON value in one spelling.
func decoded(t *testing.T, raw []byte) []byte {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	require.NoError(t, d.Decode(&v))
	out, _ := json.Marshal(v)
	return out
}

// TestEdgeCases asserts, sentence by sentence, what the description of
// edge_cases.SYNTHETIC.json says of it.
func TestEdgeCases(t *testing.T) {
	r, err := Parse(context.Background(), readShared(t, "shapes/edge_cases.SYNTHETIC.json"))
	require.NoError(t, err)
	checkRegistry(t, r)
	warnings := func(code string) (paths []string) {
		for _, w := range r.Warnings {
			if w.Code == code {
				paths = append(paths, w.Path)
			}
		}
		return paths
	}
	expect := func(what string, got []string, want ...string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	tool := func(name string) *model.Tool {
		t.Helper()
		bearers := r.Lookup(name)
		if len(bearers) != 1 {
			t.Fatalf("%d tools named %s", len(bearers), name)
		}
		return bearers[0]
	}
	schema := func(name string) *model.Schema {
		t.Helper()
		s, err := model.ParseSchema(tool(name).Parameters)
		require.NoError(t, err)
		modeltest.CheckSchema(t, s)
		return s
	}
	child := func(s *model.Schema, key string) *model.Schema {
		t.Helper()
		i := slices.IndexFunc(s.Children, func(c *model.Schema) bool { return c.Key == key })
		if i < 0 {
			t.Fatalf("%s has no child %s", s.Key, key)
		}
		return s.Children[i]
	}

	// 32 entries; two have no usable name: skipped, with their position.
	if len(r.Tools) != 30 {
		t.Errorf("%d tools", len(r.Tools))
	}
	expect("skipped", warnings("missing_name"), "tools[5].function.name", "tools[6].function.name")
	for _, w := range r.Warnings {
		if w.Line < 2 || w.Col < 1 {
			t.Errorf("no position: %+v", w)
		}
	}

	// dup three times: all kept, a call by name is ambiguous; cafe-with-acute
	// twice: both kept, they look alike.
	expect("duplicates", warnings("duplicate_name"), "tools[14].function.name", "tools[15].function.name")
	var qualified []string
	for _, dup := range r.Lookup("dup") {
		qualified = append(qualified, dup.Qualified)
	}
	expect("dup", qualified, "mcp-edge/dup", "mcp-edge/dup#2", "mcp-edge-2/dup")
	expect("look-alikes", warnings("lookalike_name"), "tools[3].function.name")
	if tool("caf\u00e9") == tool("cafe\u0301") {
		t.Error("the two spellings are one tool")
	}

	// Empty descriptions, absent parameters, and parameters that are no object.
	for _, name := range []string{"no_desc", "null_desc"} {
		if tool(name).Description != "" {
			t.Errorf("%s has a description", name)
		}
	}
	for _, name := range []string{"no_params", "null_params", "list_params", "bool_params"} {
		if tool(name).Parameters != nil {
			t.Errorf("%s has parameters", name)
		}
	}
	expect("parameters", warnings("parameters_not_object"), "tools[11].function.parameters", "tools[12].function.parameters")

	// Names that break a provider's rule are accepted.
	expect("name rules", warnings("name_rule"), "tools[0].function.name", "tools[1].function.name", "tools[2].function.name",
		"tools[3].function.name", "tools[4].function.name")
	tool("dotted.name/with:colon")
	tool(strings.Repeat("x", 130))
	tool("naïve_工具_🔧")

	// ansi, controls: nothing reaches the terminal from descriptions, property
	// names or enum values.
	for _, name := range []string{"ansi", "controls", "bidi", "unicode_tags"} {
		if tool := tool(name); tool.ShownDescription() == tool.Description || tool.ShownDescription() != safetext.Line(tool.Description) {
			t.Errorf("%s: %+q is shown as %+q", name, tool.Description, tool.ShownDescription())
		}
	}
	p := schema("ansi").Children[0]
	expect("ansi", []string{p.Key, p.Description, strings.Join(p.Enum, " ")}, "p␛[31m", "␛[5mblink", `"\u001b[7m" "b\ba"`)

	// bidi, unicode_tags: overrides and tags have a visible marker, emoji stay.
	shown := tool("bidi").ShownDescription()
	for _, want := range []string{"�txt.exe�", "a�b", "👩\u200d👩\u200d👧", "🇫🇷", "1\ufe0f\u20e3"} {
		if !strings.Contains(shown, want) {
			t.Errorf("bidi: no %+q in %+q", want, shown)
		}
	}
	if shown := tool("unicode_tags").ShownDescription(); !strings.Contains(shown, "��") {
		t.Errorf("unicode_tags: %+q", shown)
	}

	// injection is plain data, with a warning; so is text spelled in tags.
	expect("injection", warnings("injection"), "tools[19].function.description", "tools[20].function.description")

	// Long texts have a width to wrap or cut by.
	for name, width := range map[string]int{"long_word": 10240, "one_line_wide": 2400} {
		if got := ansi.StringWidth(tool(name).ShownDescription()); got < width {
			t.Errorf("%s is %d cells wide, want at least %d", name, got, width)
		}
	}
	if len(tool("long_desc").Description) < 10000 {
		t.Errorf("long_desc has %d bytes", len(tool("long_desc").Description))
	}

	// recursive, dangling_ref: no endless loop, no network; what does not
	// resolve says so.
	recursive := schema("recursive")
	for _, key := range []string{"tree", "self", "a", "b"} {
		if target, err := recursive.Resolve(child(recursive, key).Ref); err != nil || target == nil {
			t.Errorf("%s: %v", key, err)
		}
	}
	dangling := schema("dangling_ref")
	expect("x", child(dangling, "x").NoteTexts(), "unresolved: leads to nothing in this schema")
	expect("y", child(dangling, "y").NoteTexts(), "unresolved: external reference, not fetched")
	if target, err := dangling.Resolve(child(dangling, "z").Ref); err != nil || target.Kind != "string" {
		t.Errorf("z: %v, %v", target, err)
	}

	// deep, big_enum, many_props: everything is counted.
	depth := 0
	for s := schema("deep"); len(s.Children) > 0; s = s.Children[0] {
		depth++
	}
	if depth != 120 {
		t.Errorf("depth %d", depth)
	}
	if n := len(child(schema("big_enum"), "c").Enum); n != 5000 {
		t.Errorf("%d enum values", n)
	}
	many := schema("many_props")
	if len(many.Children) != 600 || len(tool("many_props").PropertyNames()) != 600 {
		t.Errorf("%d properties", len(many.Children))
	}
	if len(many.Notes) != 1 || many.Notes[0].Kind != model.NoteUndefinedRequired {
		t.Errorf("notes %q", many.Notes)
	}

	// bool_schemas.
	bools := schema("bool_schemas")
	for key, kind := range map[string]string{"any": "any", "never": "never", "t": "array of [string, integer]", "n": "number", "o": "string|null", "u": "strnig"} {
		if got := child(bools, key).Kind; got != kind {
			t.Errorf("%s: %s, want %s", key, got, kind)
		}
	}
	expect("old bounds", child(bools, "n").NoteTexts(), "minimum: 0", "exclusiveMinimum: true")
	expect("unknown type", child(bools, "u").NoteTexts(), `unknown type: "strnig"`)

	// numbers survive unchanged.
	numbers := schema("numbers")
	expect("i", child(numbers, "i").NoteTexts(), "default: 9007199254740993", "maximum: 18446744073709551615")
	if notes := child(numbers, "f").NoteTexts(); !slices.Contains(notes, "minimum: -0.0") || !strings.HasPrefix(notes[0], "default: 1e") {
		t.Errorf("f: %q", notes)
	}
	expect("enum", child(numbers, "enum").Enum, "1", "1.0", `"1"`, "true", "null", "[]", "{}")

	// prop_names.
	expect("property names", tool("prop_names").PropertyNames(), "properties", "$ref", "required", "", "a b", `"q"`, "ключ", "__proto__")

	// mcp-empty has no tools, mcp-edge-2 no description.
	if set, ok := r.Toolset("mcp-empty"); !ok || len(set.Tools) != 0 {
		t.Errorf("mcp-empty: %+v", set)
	}
	if set, ok := r.Toolset("mcp-edge-2"); !ok || set.Description != "" {
		t.Errorf("mcp-edge-2: %+v", set)
	}
}

package demo

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func TestCounts(t *testing.T) {
	d := decode(t)
	toolsets := map[string]bool{}
	deferrable, core, away := 0, 0, 0
	for _, tl := range d.Tools {
		switch {
		case tl.deferrable():
			deferrable++
			toolsets[tl.Toolset] = true
		case tl.available():
			core++
		default:
			away++
		}
	}
	if deferrable < 140 || len(toolsets) < 12 {
		t.Errorf("%d deferrable tools in %d toolsets, want 140 in 12 or more", deferrable, len(toolsets))
	}
	if core < 20 || core > 24 {
		t.Errorf("%d core tools, want 20 to 24", core)
	}
	if away != 1 {
		t.Errorf("%d tools that are not available, want 1", away)
	}
	if _, err := time.Parse(time.RFC3339, d.GeneratedAt); err != nil {
		t.Error(err)
	}
	if d.Naming != "mcp_<server>_<tool>" {
		t.Errorf("naming %q", d.Naming)
	}
}

func TestToolsets(t *testing.T) {
	d := decode(t)
	used := map[string]bool{}
	for _, tl := range d.Tools {
		used[tl.Toolset] = true
		if ts := d.Toolsets[tl.Toolset]; ts.Source != tl.Source || ts.Server != tl.Server {
			t.Errorf("%s: source %q and server %q differ from its toolset", tl.Function.Name, tl.Source, tl.Server)
		}
	}
	plugins, composites := 0, 0
	for name, ts := range d.Toolsets {
		if ts.Description == "" {
			t.Errorf("%s: no description", name)
		}
		if (len(ts.Includes) > 0) == used[name] {
			t.Errorf("%s: has to have tools of its own or include toolsets", name)
		}
		if len(ts.Includes) > 0 {
			composites++
			d.resolve(t, ts.Includes)
		}
		switch ts.Source {
		case "builtin":
		case "plugin":
			plugins++
		case "mcp":
			if name != "mcp-"+ts.Server {
				t.Errorf("%s: server %q", name, ts.Server)
			}
		default:
			t.Errorf("%s: source %q", name, ts.Source)
		}
	}
	if plugins == 0 || composites == 0 {
		t.Errorf("%d plugin and %d composite toolsets, want some of each", plugins, composites)
	}
}

var providerName = regexp.MustCompile(`^[A-Za-z0-9_]{1,64}$`)

func TestDefinitions(t *testing.T) {
	for _, tl := range decode(t).Tools {
		f := tl.Function
		if tl.Type != "function" {
			t.Errorf("%s: type %q", f.Name, tl.Type)
		}
		if !providerName.MatchString(f.Name) {
			t.Errorf("%q: no provider takes this name", f.Name)
		}
		if want := "mcp_" + strings.ReplaceAll(tl.Server, "-", "_") + "_" + tl.Original; tl.Source == "mcp" && f.Name != want {
			t.Errorf("%s: should be %s", f.Name, want)
		}
		if f.Description == "" || !strings.HasSuffix(f.Description, ".") {
			t.Errorf("%s: description %q", f.Name, f.Description)
		}
	}
}

// One name is borne twice, by two servers whose names run into the tool's.
// Both tools only look, so that the clash can do no harm in anybody's hands.
func TestClash(t *testing.T) {
	bearers := map[string][]tool{}
	for _, tl := range decode(t).Tools {
		bearers[tl.Function.Name] = append(bearers[tl.Function.Name], tl)
	}
	var clashes []string
	for name, tools := range bearers {
		if len(tools) > 1 {
			clashes = append(clashes, name)
		}
	}
	if !slices.Equal(clashes, []string{"mcp_forge_ci_status"}) {
		t.Fatalf("names borne twice: %v", clashes)
	}
	pair := bearers[clashes[0]]
	if len(pair) != 2 || pair[0].Toolset == pair[1].Toolset {
		t.Errorf("want two toolsets, got %d tools of %s and %s", len(pair), pair[0].Toolset, pair[1].Toolset)
	}
	if !strings.Contains(config, clashes[0]) {
		t.Error("the config does not explain it")
	}
}

// TestSchemas compiles every schema as the engine does before it checks
// arguments against it, and wants every kind of schema to be there.
func TestSchemas(t *testing.T) {
	kinds := []string{
		"$ref", "$defs", "oneOf", "anyOf", "if", "enum", "const", "default", "minimum", "maximum", "pattern",
		"format", "minItems", "uniqueItems", "additionalProperties", "required", "propertyNames", "multipleOf",
	}
	for _, tl := range decode(t).Tools {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(string(tl.Function.Parameters)))
		if err != nil {
			t.Fatalf("%s: %v", tl.Function.Name, err)
		}
		root, ok := v.(map[string]any)
		if !ok || root["type"] != "object" {
			t.Errorf("%s: parameters are not an object schema", tl.Function.Name)
			continue
		}
		c := jsonschema.NewCompiler()
		c.AssertFormat()
		if err := c.AddResource("parameters.json", v); err != nil {
			t.Fatalf("%s: %v", tl.Function.Name, err)
		}
		if _, err := c.Compile("parameters.json"); err != nil {
			t.Errorf("%s: %v", tl.Function.Name, err)
		}
		known(t, tl.Function.Name, v)
		kinds = slices.DeleteFunc(kinds, func(k string) bool { return has(v, k) })
	}
	if len(kinds) > 0 {
		t.Errorf("no schema has %v", kinds)
	}
}

// known reports required names that the properties beside them do not have:
// arguments could never fit such a schema when it is closed.
func known(t *testing.T, name string, v any) {
	t.Helper()
	switch v := v.(type) {
	case map[string]any:
		props, ok := v["properties"].(map[string]any)
		if required, isList := v["required"].([]any); ok && isList {
			for _, r := range required {
				if _, ok := props[r.(string)]; !ok {
					t.Errorf("%s: requires %q, which is no property", name, r)
				}
			}
		}
		for _, x := range v {
			known(t, name, x)
		}
	case []any:
		for _, x := range v {
			known(t, name, x)
		}
	}
}

func has(v any, key string) bool {
	switch v := v.(type) {
	case map[string]any:
		if _, ok := v[key]; ok {
			return true
		}
		for _, x := range v {
			if has(x, key) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(x any) bool { return has(x, key) })
	}
	return false
}

// TestText keeps the files fit for an editor and the definitions free of what
// a terminal would have to be guarded from.
func TestText(t *testing.T) {
	for name, text := range map[string]string{RegistryFile: registry, ConfigFile: config, QueriesFile: queries} {
		if !utf8.ValidString(text) || strings.HasPrefix(text, "\ufeff") || !strings.HasSuffix(text, "\n") {
			t.Errorf("%s: not plain UTF-8 that ends in a newline", name)
		}
		for i, line := range slices.Collect(strings.Lines(text)) {
			if strings.ContainsFunc(strings.TrimSuffix(line, "\n"), func(r rune) bool { return !unicode.IsPrint(r) }) {
				t.Errorf("%s:%d: a character that does not print", name, i+1)
			}
			if strings.TrimRight(line, " \n")+"\n" != line {
				t.Errorf("%s:%d: spaces at the end", name, i+1)
			}
		}
	}
	for _, tl := range decode(t).Tools {
		if strings.Contains(string(tl.Raw), `\u`) || strings.Contains(tl.Function.Description, "\n") {
			t.Errorf("%s: escapes or newlines in its text", tl.Function.Name)
		}
	}
}

package lint

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/arguments"
	"caliper/model"
)

// severalPasses is the facts about parameters from the passes that plainOf replaces.
type severalPasses struct {
	texts  []string
	bare   int
	noise  bool
	faults []Code // but for bare arrays
}

// readSeveral reads parameters in several passes.
func readSeveral(parameters string) severalPasses {
	t := &model.Tool{Name: "t", Parameters: []byte(parameters)}
	s := severalPasses{texts: descriptionsIn(t.Parameters)}
	_, s.bare = withItems(t.Parameters)
	_, keywords := withoutNoise(t.Parameters)
	s.noise = len(keywords) > 0
	root, err := model.ParseSchema(t.Parameters)
	if err != nil {
		s.faults = append(s.faults, BrokenSchema)
		return s
	}
	c := &check{validator: arguments.NewValidator()}
	found, unresolved := c.structure(t, root)
	for _, d := range append(found, c.uncheckable(t, unresolved)...) {
		if d.Code != BareArray {
			s.faults = append(s.faults, d.Code)
		}
	}
	return s
}

// TestPlainParameters: one pass over plain parameters finds what several passes find,
// and takes no parameters for plain that have a fault.
func TestPlainParameters(t *testing.T) {
	tests := []struct {
		parameters string
		is         bool
	}{
		{`{"type":"object"}`, true},
		{`{"type":"object","properties":{"a":{"type":"array"},"b":{"type":["array","null"],"items":{"type":"array"}}}}`, true},
		{`{"type":"object","title":"T","$schema":"http://json-schema.org/draft-07/schema#","additionalProperties":false}`, true},
		{`{"type":"object","additionalProperties":{"description":"of \u0061ny","type":"array"}}`, true},
		{`{"anyOf":[{"type":"string","description":"one"},{"type":"object","description":""}]}`, true},
		{`{"type":"object","properties":{"a":{"required":["z"]}},"required":["a"]}`, true},
		{`{"type":"object","properties":{"description":{"description":"of a description"}},"default":{"description":"none"}}`, true},
		{`{"type":"object","properties":{"a":{}},"required":["a","b"]}`, false},
		{`{"type":"object","required":["b"]}`, false},
		{`{"properties":{"a":{"anyOf":[{"type":"object"}]}}}`, false},
		{`{"type":"string"}`, false},
		{`{}`, false},
		{`{"type":"object","properties":{"a":{"$ref":"#/b"}}}`, false},
		{`{"type":"object","x-order":1}`, false},
	}
	for _, tt := range tests {
		if is := samePlain(t, tt.parameters); is != tt.is {
			t.Errorf("%s: plain is %t", tt.parameters, is)
		}
	}
	rapid.Check(t, func(t *rapid.T) { samePlain(t, drawParameters(t, 0)) })
}

// samePlain compares one pass with several, and reports whether parameters are plain.
func samePlain(t rapid.TB, parameters string) bool {
	p := plainOf(&model.Tool{Name: "t", Parameters: []byte(parameters)})
	want := readSeveral(parameters)
	if p.is && (!slices.Equal(p.texts, want.texts) || p.bare != want.bare || p.noise != want.noise || len(want.faults) > 0) {
		t.Fatalf("%s: %+v in one pass, %+v in several", parameters, p, want)
	}
	return p.is
}

// drawParameters returns a schema, which is plain more often than not.
func drawParameters(t *rapid.T, depth int) string {
	choose := func(from ...string) string { return rapid.SampledFrom(from).Draw(t, "value") }
	below := func() string {
		if depth == 3 {
			return `{"type":"array"}`
		}
		return drawParameters(t, depth+1)
	}
	value := map[string]func() string{
		"type": func() string {
			return choose(`"object"`, `"array"`, `"string"`, `["array","null"]`, `["object","string"]`)
		},
		"description":          func() string { return choose(`"Text."`, `""`, `"\u0041 \"text\""`, `"\ud800"`, `" é "`) },
		"title":                func() string { return choose(`"T"`, `""`) },
		"properties":           func() string { return fmt.Sprintf(`{"a": %s, "description": %s}`, below(), below()) },
		"required":             func() string { return choose(`["a"]`, `["a", "description"]`, `["z"]`) },
		"items":                below,
		"anyOf":                func() string { return fmt.Sprintf("[%s, %s]", below(), below()) },
		"additionalProperties": func() string { return choose("true", "false", "{ }", below()) },
		"default":              func() string { return choose(`{"description":"none","type":"array"}`, `[]`, `"d"`) },
		"enum":                 func() string { return choose(`["description", "array"]`, `[1]`) },
		"$ref":                 func() string { return choose(`"#"`, `"#/nowhere"`) },
	}
	names := []string{"type", "type", "type", "description", "description", "title", "properties", "properties", "properties", "required",
		"items", "items", "anyOf", "additionalProperties", "default", "enum"}
	if depth == 3 {
		names = append(names, "$ref")
	}
	drawn := rapid.SliceOfN(rapid.SampledFrom(names), 0, 5).Draw(t, "keywords")
	if depth == 0 {
		drawn = append(drawn, "type", "properties")
	}
	slices.Sort(drawn)
	drawn = slices.Compact(drawn)
	if rapid.Bool().Draw(t, "backwards") {
		slices.Reverse(drawn)
	}
	var members []string
	for _, name := range drawn {
		members = append(members, fmt.Sprintf("%q: %s", name, value[name]()))
	}
	return "{" + strings.Join(members, " , ") + "}"
}

// TestAndMore: a message names the first of several and counts the others.
func TestAndMore(t *testing.T) {
	for n, want := range []string{"", "", ", and 1 more", ", and 2 more"} {
		if got := andMore(make([]string, n)); got != want {
			t.Errorf("of %d: %q, want %q", n, got, want)
		}
	}
}

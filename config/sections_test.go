package config

import (
	"slices"
	"testing"
)

func TestSections(t *testing.T) {
	const yaml = `model:
  default: gpt-4
  context_length: 5
  base_url: x
display: {a: 1}
tools:
  tool_search: on
  oops: 1
toolaria: {head_lines: 3}
plugins:
  enabled: [toolaria]
  toolaria: {head_lines: 4}
  entries: {}
Sessions: {}
`
	f, err := Parse("", []byte(yaml))
	if err != nil {
		t.Fatal(err)
	}
	want := []Section{
		{"model", 1, true}, {"model.default", 2, true}, {"model.context_length", 3, false}, {"model.base_url", 4, false},
		{"display", 5, false}, {"tools", 6, true}, {"tools.tool_search", 7, true}, {"tools.oops", 8, false},
		{"toolaria", 9, true}, {"plugins", 10, true}, {"plugins.enabled", 11, true}, {"plugins.toolaria", 12, false}, {"plugins.entries", 13, false},
		{"Sessions", 14, false},
	}
	if !slices.Equal(f.Sections, want) {
		t.Errorf("got  %v\nwant %v", f.Sections, want)
	}
	if f, _ := Parse("", []byte("model: gpt-4\n")); !slices.Equal(f.Sections, []Section{{"model", 1, false}}) {
		t.Errorf("text: %v", f.Sections)
	}
	if f, _ := Parse("", []byte("model: gpt-4\nprovider: x\nplugins: {toolaria: {}}\n")); !f.Sections[0].Read || !f.Sections[3].Read {
		t.Errorf("moved: %v", f.Sections)
	}
}

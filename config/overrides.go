package config

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"caliper/model"
	"caliper/model/yamltext"
)

// Override is the description of one tool.
type Override struct {
	Tool      string // its name, as the file has it
	Text      string
	Line, Col int // of the name
}

// ParseOverrides returns the descriptions of a file in their order, and warnings about names that
// are given twice. The error is a model.Diagnostic. An empty file has none.
func ParseOverrides(file string, data []byte) ([]Override, []model.Diagnostic, error) {
	doc, err := yamltext.Load(file, data)
	if err != nil {
		return nil, nil, err
	}
	if doc.Root == nil || yamltext.Follow(doc.Root).Tag == "!!null" {
		return nil, nil, nil
	}
	fault := func(n *yaml.Node, code, message string) model.Diagnostic {
		line, col := doc.Position(n)
		return model.Diagnostic{File: file, Line: line, Col: col, Code: code, Message: message}
	}
	if yamltext.Follow(doc.Root).Kind != yaml.MappingNode {
		return nil, nil, fault(doc.Root, "not_a_mapping", "want a mapping of tools to their descriptions")
	}
	var out []Override
	var warnings []model.Diagnostic
	for _, e := range yamltext.Entries(doc.Root) {
		name, isText := yamltext.KeyName(e.Key)
		if !isText || strings.TrimSpace(name) == "" {
			return nil, nil, fault(e.Key, "not_a_name", "want the name of a tool")
		}
		value, problem := yamltext.Resolve(e.Val)
		if value.Kind != yamltext.Text || problem != "" {
			return nil, nil, fault(e.Val, "not_a_text", "want the description of "+yamltext.Quote(name)+", a text")
		}
		if e.First != nil {
			line, _ := doc.Position(e.First)
			warnings = append(warnings, fault(e.Key, "duplicate_key", "given before, in line "+strconv.Itoa(line)+"; the last one counts"))
		}
		line, col := doc.Position(e.Key)
		out = append(out, Override{name, value.Text, line, col})
	}
	return out, warnings, nil
}

// SetOverride returns the bytes of a file with another description of a tool, replaced or added at
// the end. The error tells why the file cannot be changed.
func SetOverride(file string, data []byte, tool, description string) ([]byte, error) {
	was, _, err := ParseOverrides(file, data)
	if err != nil {
		return nil, err
	}
	entry, err := yaml.Marshal(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{scalar(tool), scalar(description)}})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	from, to := len(lines), len(lines)
	if at := slices.IndexFunc(was, func(d Override) bool { return d.Tool == tool }); at >= 0 {
		from = was[at].Line - 1
		to = from + 1 // behind the last line that is indented
		for i := to; i < len(lines); i++ {
			if len(bytes.TrimSpace(lines[i])) == 0 {
				continue
			}
			if lines[i][0] != ' ' && lines[i][0] != '\t' {
				break
			}
			to = i + 1
		}
	}
	var out []byte
	for _, line := range lines[:from] {
		out = append(out, line...)
	}
	if len(out) > 0 && out[len(out)-1] != '\n' {
		out = append(out, '\n')
	}
	out = append(out, entry...)
	for _, line := range lines[to:] {
		out = append(out, line...)
	}
	// The file must read as before, but for the new description.
	is, _, err := ParseOverrides(file, out)
	want := map[string]string{}
	for _, d := range was {
		want[d.Tool] = d.Text
	}
	want[tool] = description
	ok := err == nil && len(is) == len(want)
	for _, d := range is {
		ok = ok && want[d.Tool] == d.Text
	}
	if !ok {
		return out, model.Diagnostic{File: file, Line: 1, Col: 1, Code: "unwritable", Message: "cannot be changed without touching other entries: write " + yamltext.Quote(tool) + " by hand, one name a line"}
	}
	return out, nil
}

// scalar returns the node of a text. The encoder knows YAML 1.2, where "=" is a text, so that what
// YAML 1.1 reads otherwise is quoted here.
func scalar(text string) *yaml.Node {
	var n yaml.Node
	n.SetString(text)
	if v, problem := yamltext.Plain(text); problem != "" || v.Kind != yamltext.Text {
		n.Style = yaml.DoubleQuotedStyle
	}
	return &n
}

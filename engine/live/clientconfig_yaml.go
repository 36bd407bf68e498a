package live

import (
	"fmt"
	"regexp"

	"go.yaml.in/yaml/v3"
)

// yamlLine finds the position in an error of the YAML reader. The rest of the
// text can quote the file, so nothing else of it is used.
var yamlLine = regexp.MustCompile(`\bline (\d+)`)

// maxAliased bounds the values that aliases make of a file.
const maxAliased = 1 << 17

// parseYAML reads YAML. Errors begin with "line:col: " where the reader tells.
func parseYAML(data []byte) (value, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		line := "1"
		if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
			line = m[1]
		}
		return value{}, fmt.Errorf("%s:1: not valid YAML", line)
	}
	if len(doc.Content) == 0 {
		return value{}, fmt.Errorf("1:1: the file is empty")
	}
	left := maxAliased
	return readYAML(doc.Content[0], 0, &left)
}

// readYAML reads a node. Merge keys are followed: they are how some people
// share an environment among servers.
func readYAML(n *yaml.Node, depth int, left *int) (value, error) {
	if *left--; depth > maxDepth || *left < 0 {
		return value{}, fmt.Errorf("%d:%d: %w", n.Line, n.Column, errDeep)
	}
	switch n.Kind {
	case yaml.AliasNode:
		return readYAML(n.Alias, depth+1, left)
	case yaml.SequenceNode:
		v := value{kind: listKind}
		for _, c := range n.Content {
			item, err := readYAML(c, depth+1, left)
			if err != nil {
				return value{}, err
			}
			v.items = append(v.items, item)
		}
		return v, nil
	case yaml.MappingNode:
		var own, merged gatherer
		for i := 0; i+1 < len(n.Content); i += 2 {
			v, err := readYAML(n.Content[i+1], depth+1, left)
			if err != nil {
				return value{}, err
			}
			if key := n.Content[i]; key.Tag != "!!merge" {
				own.set(key.Value, v)
				continue
			}
			for _, from := range append([]value{v}, v.items...) {
				for _, m := range from.members {
					merged.set(m.name, m.value)
				}
			}
		}
		for _, m := range merged.members {
			if _, ok := own.at[m.name]; !ok {
				own.set(m.name, m.value)
			}
		}
		return value{kind: objectKind, members: own.members, repeated: own.repeated}, nil
	}
	switch n.ShortTag() {
	case "!!null":
		return value{kind: nullKind}, nil
	case "!!bool":
		var b bool
		if n.Decode(&b) == nil {
			return value{kind: boolKind, text: fmt.Sprint(b)}, nil
		}
	}
	return value{kind: textKind, text: n.Value}, nil
}

package config

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// entry is one key of a mapping with its value.
type entry struct {
	name   string // text of the key
	isText bool   // whether the key is a string, as every known key is
	key    *yaml.Node
	val    *yaml.Node
	merged bool       // from another mapping
	first  *yaml.Node // an earlier key of the same name in the same mapping, which this one replaces
}

// identity is what makes two keys the same: the number 1 is not the string 1.
type identity struct {
	name   string
	isText bool
}

// entries returns the keys of a mapping in order, merged ones first, each name
// once. As in the reference, a mapping's own keys win over merged ones, a
// later merge key wins over an earlier one, the first of a list of merged
// mappings wins over the others, and of two keys of one name the last wins in
// the place of the first. A mapping that merges itself merges nothing.
func entries(n *yaml.Node) []entry {
	m := merger{places: map[identity]int{}, active: map[*yaml.Node]bool{}}
	m.add(follow(n), false)
	return m.list
}

// merger collects entries, in the order in which their names first came.
type merger struct {
	list   []entry
	places map[identity]int
	active map[*yaml.Node]bool // mappings that are being added
}

// add adds what a mapping merges, and then its own keys.
func (m *merger) add(n *yaml.Node, merged bool) {
	if n.Kind != yaml.MappingNode || m.active[n] {
		return
	}
	m.active[n] = true
	defer delete(m.active, n)
	for i := 0; i+1 < len(n.Content); i += 2 {
		if !isMerge(n.Content[i]) {
			continue
		}
		sources := []*yaml.Node{n.Content[i+1]}
		if target := follow(sources[0]); target.Kind == yaml.SequenceNode {
			sources = target.Content
		}
		for _, source := range slices.Backward(sources) {
			m.add(follow(source), true)
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if key := n.Content[i]; !isMerge(key) {
			m.put(key, n.Content[i+1], merged)
		}
	}
}

func (m *merger) put(key, val *yaml.Node, merged bool) {
	e := entry{key: key, val: val, merged: merged}
	e.name, e.isText = keyName(key)
	id := identity{e.name, e.isText}
	at, ok := m.places[id]
	if !ok {
		m.places[id] = len(m.list)
		m.list = append(m.list, e)
		return
	}
	if before := m.list[at]; !before.merged && !merged {
		e.first = before.key
	}
	m.list[at] = e
}

// keyName returns the text of a key and whether it is a string, rather than,
// say, the boolean that an unquoted on is.
func keyName(key *yaml.Node) (name string, isText bool) {
	v, _ := resolveNode(key)
	return v.text, v.kind == text || v.kind == special
}

package config

import "go.yaml.in/yaml/v3"

// entry is one key of a mapping with its value.
type entry struct {
	name   string // text of the key
	isText bool   // whether the key is a string, as every known key is
	key    *yaml.Node
	val    *yaml.Node
	first  *yaml.Node // an earlier key of the same name in the same mapping, which this one replaces
}

// identity is what makes two keys the same: the number 1 is not the string 1.
type identity struct {
	name   string
	isText bool
}

func (e entry) identity() identity {
	return identity{e.name, e.isText}
}

// entries returns the keys of a mapping in order, merged ones first, each name
// once. As in the reference, a mapping's own keys win over merged ones, a
// later merge key wins over an earlier one, the first of a list of merged
// mappings wins over the others, and of two keys of one name the last wins in
// the place of the first. A mapping that merges itself merges nothing.
func entries(n *yaml.Node) []entry {
	m := merger{active: map[*yaml.Node]bool{}}
	return m.entries(follow(n))
}

type merger struct {
	active map[*yaml.Node]bool // mappings whose entries are being collected
}

func (m merger) entries(n *yaml.Node) []entry {
	if n.Kind != yaml.MappingNode || m.active[n] {
		return nil
	}
	m.active[n] = true
	defer delete(m.active, n)
	c := collection{places: map[identity]int{}}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if !isMerge(n.Content[i]) {
			continue
		}
		target := follow(n.Content[i+1])
		sources := []*yaml.Node{target}
		if target.Kind == yaml.SequenceNode {
			sources = target.Content
		}
		for j := len(sources) - 1; j >= 0; j-- {
			for _, e := range m.entries(follow(sources[j])) {
				c.put(e)
			}
		}
	}
	own := make(map[identity]*yaml.Node)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if isMerge(key) {
			continue
		}
		e := entry{key: key, val: n.Content[i+1]}
		e.name, e.isText = keyName(key)
		e.first = own[e.identity()]
		own[e.identity()] = key
		c.put(e)
	}
	return c.list
}

// collection keeps entries in the order in which their names first came.
type collection struct {
	list   []entry
	places map[identity]int
}

func (c *collection) put(e entry) {
	if at, ok := c.places[e.identity()]; ok {
		c.list[at] = e
		return
	}
	c.places[e.identity()] = len(c.list)
	c.list = append(c.list, e)
}

// keyName returns the text of a key and whether it is a string, rather than,
// say, the boolean that an unquoted on is.
func keyName(key *yaml.Node) (name string, isText bool) {
	v, _ := resolveNode(key)
	return v.text, v.kind == text || v.kind == special
}

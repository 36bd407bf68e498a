package yamltext

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// Identity decides whether two keys are the same: the number 1 is not the text 1.
type Identity struct {
	Name   string // text of the key
	IsText bool   // whether the key is a string, as every known key is
}

// Entry is one key of a mapping with its value.
type Entry struct {
	Identity
	Key, Val *yaml.Node
	First    *yaml.Node // an earlier key of the same name in the same mapping, which this one replaces; nil for none

	merged bool // from another mapping
}

// Entries returns the keys of a mapping in order, merged ones first, each name once. As in the
// reference, an own key wins over a merged one, a later merge key over an earlier one, the first
// of a list of merged mappings over the others, and the last of two equal keys, in the place of
// the first.
func Entries(n *yaml.Node) []Entry {
	var list []Entry // in the order in which their names first appear
	places := map[Identity]int{}
	active := map[*yaml.Node]bool{} // mappings that are being added
	var add func(n *yaml.Node, merged bool)
	add = func(n *yaml.Node, merged bool) {
		if n.Kind != yaml.MappingNode || active[n] {
			return
		}
		active[n] = true
		defer delete(active, n)
		for i := 0; i+1 < len(n.Content); i += 2 {
			if !IsMerge(n.Content[i]) {
				continue
			}
			sources := []*yaml.Node{n.Content[i+1]}
			if target := Follow(sources[0]); target.Kind == yaml.SequenceNode {
				sources = target.Content
			}
			for _, source := range slices.Backward(sources) {
				add(Follow(source), true)
			}
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if IsMerge(key) {
				continue
			}
			name, isText := KeyName(key)
			e := Entry{Identity: Identity{name, isText}, Key: key, Val: n.Content[i+1], merged: merged}
			at, again := places[e.Identity]
			if !again {
				places[e.Identity] = len(list)
				list = append(list, e)
				continue
			}
			if before := list[at]; !before.merged && !merged {
				e.First = before.Key
			}
			list[at] = e
		}
	}
	add(Follow(n), false)
	return list
}

// KeyName returns the text of a key and whether it is a string, unlike the boolean that on is.
func KeyName(key *yaml.Node) (name string, isText bool) {
	v, _ := Resolve(key)
	return v.Text, v.Kind == Text || v.Kind == Special
}

// Place returns the node to which a warning about e points: the key when nothing follows it.
func (e Entry) Place() *yaml.Node {
	if e.Val.Kind == yaml.ScalarNode && e.Val.Value == "" && e.Val.Style == 0 {
		return e.Key
	}
	return e.Val
}

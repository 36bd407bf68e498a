package config

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"caliper/model/jsontree"
	"caliper/model/yamltext"
)

// unusual is the message about a file that this package cannot change safely.
const unusual = "the file is written in a way that only a person can change"

// verify returns nil when a document has the wanted value and every other as it was.
func (p *patch) verify(written []byte) error {
	after, err := yamltext.Load(p.doc.File, written)
	if err != nil {
		return p.want.Unwritable(unusual)
	}
	c := comparison{path: p.path, seen: map[[2]*yaml.Node]bool{}}
	if where := c.along(p.doc.Root, after.Root, 0, ""); where != "" {
		reason := ": it has its value from here, by an alias"
		if slices.ContainsFunc(p.edits, func(e jsontree.Splice) bool { return e.From == len(p.data) }) {
			reason = ": the file ends in it without a line break; add one first"
		}
		return p.want.Unwritable(where + " would change too" + reason)
	}
	if n := valueAt(after.Root, p.path); n == nil || !p.want.ReadFrom(n) {
		return p.want.Unwritable(unusual)
	}
	return nil
}

// comparison finds a difference of two documents beside one value.
type comparison struct {
	path []string
	seen map[[2]*yaml.Node]bool // pairs that are the same, or are being compared
}

// along compares two mappings, to which the first i keys of the path lead, and returns the key of
// a difference or "". The first may be missing, or a scalar.
func (c comparison) along(a, b *yaml.Node, i int, prefix string) string {
	before := map[yamltext.Identity]yamltext.Entry{}
	var order []yamltext.Entry
	switch {
	case a == nil:
	case yamltext.Follow(a).Kind == yaml.MappingNode:
		order = yamltext.Entries(a)
	case !replaceable(a, prefix):
		return prefix
	}
	for _, e := range order {
		before[e.Identity] = e
	}
	for _, e := range yamltext.Entries(b) {
		id := e.Identity
		old, known := before[id]
		delete(before, id)
		key := yamltext.Join(prefix, e.Name)
		switch {
		case e.IsText && e.Name == c.path[i]:
			if i == len(c.path)-1 {
				continue
			}
			if where := c.along(old.Val, e.Val, i+1, key); where != "" {
				return where
			}
		case !known && key == KeyMode && len(order) == 0: // it stood for the section
		case !known, !c.same(old.Val, e.Val):
			return key
		}
	}
	for _, e := range order {
		if _, left := before[e.Identity]; left {
			return yamltext.Join(prefix, e.Name)
		}
	}
	return ""
}

// same reports whether two nodes have the same value, written in the same style.
func (c comparison) same(a, b *yaml.Node) bool {
	a, b = yamltext.Follow(a), yamltext.Follow(b)
	if a.Kind != b.Kind || a.ShortTag() != b.ShortTag() || a.Value != b.Value || a.Style != b.Style {
		return false
	}
	if a.Kind == yaml.ScalarNode || c.seen[[2]*yaml.Node{a, b}] {
		return true
	}
	c.seen[[2]*yaml.Node{a, b}] = true
	if a.Kind == yaml.MappingNode {
		return slices.EqualFunc(yamltext.Entries(a), yamltext.Entries(b), func(x, y yamltext.Entry) bool {
			return x.Name == y.Name && x.IsText == y.IsText && c.same(x.Val, y.Val)
		})
	}
	return slices.EqualFunc(a.Content, b.Content, c.same)
}

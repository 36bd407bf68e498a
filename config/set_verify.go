package config

import (
	"fmt"
	"reflect"
	"slices"

	"go.yaml.in/yaml/v3"
)

// handmade is what is said of a file that this package cannot change safely.
const handmade = "the file is written in a way that only a person can change"

// verify returns nil when the setting has the wanted value in a written
// document and every other value in it is what it was.
func (p *patch) verify(written []byte) error {
	after, err := load(p.doc.file, written)
	if err != nil {
		return p.wish.unwritable(handmade)
	}
	c := comparison{path: p.path, seen: map[[2]*yaml.Node]bool{}}
	if where := c.along(p.doc.root, after.root, 0, ""); where != "" {
		return p.wish.unwritable(where + " would change too" + p.reason())
	}
	n := valueAt(after.root, p.path)
	if n == nil {
		return p.wish.unwritable(handmade)
	}
	scratch := p.wish.trial
	v, _ := resolveNode(n)
	out := p.wish.row.set(&scratch, v)
	if out.code != "" || len(out.items) > 0 || !reflect.DeepEqual(p.wish.row.read(&scratch), p.wish.wanted) {
		return p.wish.unwritable(handmade)
	}
	return nil
}

// reason returns why another value may change with the setting.
func (p *patch) reason() string {
	if slices.ContainsFunc(p.edits, func(e edit) bool { return e.from == len(p.data) }) {
		return ": the file ends in it without a line break; add one first"
	}
	return ": it has its value from here, by an alias"
}

// comparison finds what differs in two documents beside one value.
type comparison struct {
	path []string
	seen map[[2]*yaml.Node]bool // pairs that are the same, or are being compared
}

// along compares two mappings which the first i keys of the path lead to and
// returns the dotted key of what differs, or an empty string. The first may be
// missing, or a scalar that the second took the place of.
func (c comparison) along(a, b *yaml.Node, i int, prefix string) string {
	before := map[identity]entry{}
	var order []entry
	switch {
	case a == nil:
	case follow(a).Kind == yaml.MappingNode:
		order = entries(a)
	case !replaceable(a, prefix):
		return prefix
	}
	for _, e := range order {
		before[identity{e.name, e.isText}] = e
	}
	for _, e := range entries(b) {
		id := identity{e.name, e.isText}
		old, known := before[id]
		delete(before, id)
		key := join(prefix, e.name)
		switch {
		case e.isText && e.name == c.path[i]:
			if i == len(c.path)-1 {
				continue
			}
			if where := c.along(old.val, e.val, i+1, key); where != "" {
				return where
			}
		case !known && key == enabledKey && len(order) == 0: // it stood for the section
		case !known, !c.same(old.val, e.val):
			return key
		}
	}
	for _, e := range order {
		if _, left := before[identity{e.name, e.isText}]; left {
			return join(prefix, e.name)
		}
	}
	return ""
}

// same says whether two nodes stand for the same value, written alike.
func (c comparison) same(a, b *yaml.Node) bool {
	a, b = follow(a), follow(b)
	if a.Kind != b.Kind || a.ShortTag() != b.ShortTag() || a.Value != b.Value || a.Style != b.Style {
		return false
	}
	if a.Kind == yaml.ScalarNode || c.seen[[2]*yaml.Node{a, b}] {
		return true
	}
	c.seen[[2]*yaml.Node{a, b}] = true
	if a.Kind == yaml.MappingNode {
		return slices.EqualFunc(entries(a), entries(b), func(x, y entry) bool {
			return x.name == y.name && x.isText == y.isText && c.same(x.val, y.val)
		})
	}
	return slices.EqualFunc(a.Content, b.Content, c.same)
}

// check returns nil when a written file gives the wished settings and leaves
// every other as it is.
func (f *File) check(written []byte, wishes []wish) error {
	after, err := Parse(f.name, written)
	if err != nil {
		return err
	}
	wished := map[string]wish{}
	for _, w := range wishes {
		wished[w.row.key] = w
	}
	ruin, _ := f.ruin()
	_, mended := wished[ruin]
	_, byModel := wished[modelIDKey]
	_, byDefault := wished[modelNameKey]
	names := byModel || byDefault
	for _, old := range f.Settings {
		s := after.setting(old.Key)
		w, changed := wished[old.Key]
		switch {
		case changed && !w.heldBy(&after):
			return w.unwritable("has no effect here: " + s.Note)
		case changed, sameValue(old.Value, s.Value):
		case mended && inToolSearch(old.Key): // it has an effect again
		case old.Key == contextKey && names: // it follows the model
		default:
			return wishes[0].unwritable(fmt.Sprintf("%s would change too, from %v to %v; change that first", old.Key, old.Value, s.Value))
		}
	}
	return nil
}

// sameValue compares values of settings. Rules move when lines are added.
func sameValue(a, b any) bool {
	return reflect.DeepEqual(unplaced(a), unplaced(b))
}

func unplaced(val any) any {
	rules, ok := val.([]Rule)
	if !ok {
		return val
	}
	rules = slices.Clone(rules)
	for i := range rules {
		rules[i].Line = 0
	}
	return rules
}

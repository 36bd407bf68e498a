package config

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"caliper/model"
)

// patch is one way of writing one setting into one document.
type patch struct {
	doc   *document
	data  []byte
	wish  wish
	path  []string // the keys of the mappings that lead to the value
	style style
	edits []edit
}

// edit replaces the bytes between two offsets.
type edit struct {
	from, to int
	text     string
}

// write returns the document with the wish in it, in the first style in which
// it reads as it should.
func (w wish) write(data []byte) ([]byte, error) {
	doc, err := load(w.file, data)
	if err != nil {
		return nil, err
	}
	var first error
	for s := range styles {
		p := patch{doc: doc, data: data, wish: w, style: s}
		p.path = w.path(doc.root)
		err := p.root()
		if err == nil {
			written := p.apply()
			if err = p.verify(written); err == nil {
				return written, nil
			}
		}
		first = cmp.Or(first, err)
	}
	return nil, first
}

// path returns the keys that lead to the value. The strategy may have a
// mapping of its own.
func (w wish) path(root *yaml.Node) []string {
	path := strings.Split(standing(w.row.key, root), ".")
	if n := valueAt(root, path); n != nil && w.row.key == selectionKey && follow(n).Kind == yaml.MappingNode {
		path = append(path, "strategy")
	}
	return path
}

// standing returns the dotted key at which a document has a setting, or would
// have it: the alias of its section when the document has only that.
func standing(key string, root *yaml.Node) string {
	for _, s := range sections {
		name, ok := strings.CutPrefix(key, s.alias+".")
		if s.alias == "" || !ok || valueAt(root, strings.Split(s.alias, ".")) != nil {
			continue
		}
		if n := valueAt(root, strings.Split(s.key, ".")); n != nil && (follow(n).Kind == yaml.MappingNode || replaceable(n, s.key)) {
			return s.key + "." + name
		}
	}
	return key
}

// valueAt returns the node that dotted keys lead to, nil when there is none.
func valueAt(n *yaml.Node, path []string) *yaml.Node {
	for _, name := range path {
		if n == nil || follow(n).Kind != yaml.MappingNode {
			return nil
		}
		list := entries(n)
		i := slices.IndexFunc(list, func(e entry) bool { return e.isText && e.name == name })
		if i < 0 {
			return nil
		}
		n = list[i].val
	}
	return n
}

func (p *patch) edit(from, to int, text string) {
	p.edits = append(p.edits, edit{from, to, text})
}

// apply returns the document with the edits, which do not overlap.
func (p *patch) apply() []byte {
	slices.SortStableFunc(p.edits, func(a, b edit) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	var out []byte
	done := 0
	for _, e := range p.edits {
		out = append(out, p.data[done:e.from]...)
		out = append(out, e.text...)
		done = e.to
	}
	return append(out, p.data[done:]...)
}

// inTheWay returns the error about a node that keeps the setting from being
// written.
func (p *patch) inTheWay(n *yaml.Node, message string) error {
	d := p.doc.fault(p.doc.at(n), "unwritable", message)
	d.Path = p.wish.row.key
	return d
}

// unwritable returns an error about the file that has no place in it.
func (w wish) unwritable(message string) error {
	return model.Diagnostic{File: w.file, Code: "unwritable", Path: w.row.key, Message: message}
}

// root writes into the document.
func (p *patch) root() error {
	n := p.doc.root
	switch {
	case n != nil && n.Kind == yaml.MappingNode:
		return p.into(n, 0)
	case n == nil, n.Kind == yaml.ScalarNode && n.Value == "" && n.Style == 0 && n.Anchor == "":
		children, err := p.section(nil, 1)
		p.startFile(branch{name: p.path[0], children: children})
		return err
	}
	return p.inTheWay(n, "the file is not a mapping of settings")
}

// into writes into a mapping, which the first i keys of the path lead to.
func (p *patch) into(n *yaml.Node, i int) error {
	name := p.path[i]
	own, found := ownPair(n, name)
	last := i == len(p.path)-1
	switch {
	case found && last:
		return p.replace(n, own)
	case found && own.val.Kind == yaml.MappingNode:
		return p.into(own.val, i+1)
	case last:
		return p.insert(n, i, branch{name: name, text: p.literal()})
	}
	old := own.val
	if !found {
		old = valueAt(n, []string{name}) // what a merge key brings in
	}
	children, err := p.section(old, i+1)
	switch {
	case err != nil:
		return err
	case found:
		return p.expand(n, own, children)
	}
	return p.insert(n, i, branch{name: name, children: children})
}

// section returns what a new mapping holds that takes the place of old, the
// value that the first i keys of the path lead to: the setting, and all that
// old holds. Old may be nil.
func (p *patch) section(old *yaml.Node, i int) ([]branch, error) {
	var children []branch
	var inner *yaml.Node
	key := strings.Join(p.path[:i], ".")
	switch {
	case old == nil:
	case follow(old).Kind == yaml.MappingNode:
		inner = valueAt(old, p.path[i:i+1])
		var err error
		if children, err = p.contents(old, p.path[i]); err != nil {
			return nil, err
		}
	case !replaceable(old, key):
		v, _ := resolveNode(old)
		return nil, p.inTheWay(old, key+" is "+v.source()+", and no setting can be added to that")
	case key == toolSearch:
		children = p.legacy(old)
	}
	b := branch{name: p.path[i], text: p.literal()}
	if i < len(p.path)-1 {
		var err error
		if b.children, err = p.section(inner, i+1); err != nil {
			return nil, err
		}
	}
	return append(children, b), nil
}

// replaceable says whether a mapping may take the place of what a section is:
// of nothing, or of what stands for tools.tool_search. Anything else is worth
// something to somebody, such as the name in model: gpt.
func replaceable(old *yaml.Node, key string) bool {
	v, _ := resolveNode(old)
	return v.kind == null || key == toolSearch && follow(old).Kind == yaml.ScalarNode
}

// legacy returns the setting that a boolean in place of tools.tool_search
// stands for, in which true is auto.
func (p *patch) legacy(old *yaml.Node) []branch {
	v, _ := resolveNode(old)
	if v.kind != boolean || p.wish.row.key == enabledKey {
		return nil
	}
	mode := Auto
	if !v.yes {
		mode = Off
	}
	name := strings.TrimPrefix(enabledKey, toolSearch+".")
	return []branch{{name: name, text: literal(string(mode), p.json())}}
}

// contents returns what a mapping holds but for one key: by a merge key if it
// has a name, else copied.
func (p *patch) contents(old *yaml.Node, but string) ([]branch, error) {
	if anchor := follow(old).Anchor; anchor != "" {
		return []branch{{name: "<<", text: "*" + anchor}}, nil
	}
	var list []branch
	for _, e := range entries(old) {
		if e.isText && e.name == but {
			continue
		}
		x, err := p.extent(e.val, 0)
		source := string(p.data[x.start:x.end])
		oneLine := e.val.Kind == yaml.AliasNode || e.val.Kind == yaml.ScalarNode && e.val.Anchor == "" && x.header == 0
		if err != nil || !oneLine || !e.isText || strings.ContainsAny(source, "\r\n") {
			return nil, p.inTheWay(e.key, "comes from another mapping by a merge key, and cannot be repeated here")
		}
		list = append(list, branch{name: e.name, text: source})
	}
	return list, nil
}

// pair is a key and its value as they stand in a mapping.
type pair struct{ key, val *yaml.Node }

// pairs returns the pairs of a mapping, merge keys and repeated keys too.
func pairs(n *yaml.Node) []pair {
	var list []pair
	for i := 0; i+1 < len(n.Content); i += 2 {
		list = append(list, pair{n.Content[i], n.Content[i+1]})
	}
	return list
}

// ownPair returns the last pair of a mapping with a name.
func ownPair(n *yaml.Node, name string) (pair, bool) {
	for _, own := range slices.Backward(pairs(n)) {
		if text, isText := keyName(own.key); isText && text == name && !isMerge(own.key) {
			return own, true
		}
	}
	return pair{}, false
}

// unwritten says whether nothing stands after the key, but for a tag or an
// anchor.
func (o pair) unwritten() bool {
	return o.val.Kind == yaml.ScalarNode && o.val.Value == "" && o.val.Style&quotedStyles == 0
}

func isFlow(n *yaml.Node) bool { return n.Style&yaml.FlowStyle != 0 }

// indent returns the column, from 0, of the first key or item of a collection.
func (p *patch) indent(n *yaml.Node) int {
	at := n
	if n.Kind == yaml.MappingNode && len(n.Content) > 0 {
		at = n.Content[0] // the mapping's own column is that of its anchor
	}
	return max(0, at.Column-1)
}

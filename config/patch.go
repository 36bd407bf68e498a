package config

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"caliper/model/jsontree"
	"caliper/model/yamltext"
)

// patch is one way of writing one setting into one document.
type patch struct {
	doc   *yamltext.Document
	data  []byte
	want  Want
	path  []string // the keys that lead to the value
	style style
	edits []jsontree.Splice
}

// write returns a document with a wanted value, in the first style in which it reads right.
func write(file string, data []byte, w Want) ([]byte, error) {
	doc, err := yamltext.Load(file, data)
	if err != nil {
		return nil, err
	}
	var first error
	for s := range styles {
		p := patch{doc: doc, data: data, want: w, style: s}
		p.path = pathOf(w, doc.Root)
		var err error
		switch n := doc.Root; {
		case n != nil && n.Kind == yaml.MappingNode:
			err = p.into(n, 0)
		case n == nil, n.Kind == yaml.ScalarNode && n.Value == "" && n.Style == 0 && n.Anchor == "":
			var children []branch
			children, err = p.section(nil, 1)
			newline := p.newline(0)
			text := strings.Join(blocks([]branch{{name: p.path[0], children: children}}, 0, defaultStep), newline)
			at := len(data)
			for line := range p.linesFrom(p.lineEnd(0)) {
				if strings.HasPrefix(string(data[line.start:line.end]), "...") {
					at = line.start
				}
			}
			if at == len(data) && at > p.lineStart(at) {
				p.edit(at, at, newline+text) // and no line break at the end, as before
			} else {
				p.edit(at, at, text+newline)
			}
		default:
			err = p.blocked(n, "the file is not a mapping of settings")
		}
		if err == nil {
			written := jsontree.Spliced(p.data, p.edits)
			if err = p.verify(written); err == nil {
				return written, nil
			}
		}
		first = cmp.Or(first, err)
	}
	return nil, first
}

// pathOf returns the keys that lead to a setting: in the other place of its section if that is there
// alone. The strategy may have a mapping of its own.
func pathOf(w Want, root *yaml.Node) []string {
	path := w.Path()
	if section, other := OtherPlace(w.Key); other != "" && valueAt(root, strings.Split(section, ".")) == nil {
		n := valueAt(root, strings.Split(other, "."))
		if n != nil && (yamltext.Follow(n).Kind == yaml.MappingNode || replaceable(n, other)) {
			path = strings.Split(other+strings.TrimPrefix(w.Key, section), ".")
		}
	}
	if n := valueAt(root, path); n != nil && w.Key == KeySelection && yamltext.Follow(n).Kind == yaml.MappingNode {
		path = append(path, "strategy")
	}
	return path
}

// valueAt returns the node under n at a path of keys; nil if a key is missing.
func valueAt(n *yaml.Node, path []string) *yaml.Node {
	for _, name := range path {
		if n == nil || yamltext.Follow(n).Kind != yaml.MappingNode {
			return nil
		}
		list := yamltext.Entries(n)
		i := slices.IndexFunc(list, func(e yamltext.Entry) bool { return e.IsText && e.Name == name })
		if i < 0 {
			return nil
		}
		n = list[i].Val
	}
	return n
}

func (p *patch) edit(from, to int, text string) {
	p.edits = append(p.edits, jsontree.Splice{From: from, To: to, Text: []byte(text)})
}

// blocked returns the error that a node keeps the setting from being written.
func (p *patch) blocked(n *yaml.Node, message string) error {
	d := p.doc.Fault(p.doc.At(n), "unwritable", message)
	d.Path = p.want.Key
	return d
}

// into writes into the mapping n, to which the first i keys of the path lead.
func (p *patch) into(n *yaml.Node, i int) error {
	name := p.path[i]
	var kv yamltext.Entry
	found := false
	for _, o := range pairs(n) { // the last of a name counts
		if text, isText := yamltext.KeyName(o.Key); isText && text == name && !yamltext.IsMerge(o.Key) {
			kv, found = o, true
		}
	}
	last := i == len(p.path)-1
	switch {
	case found && last:
		return p.replace(n, kv)
	case found && kv.Val.Kind == yaml.MappingNode:
		return p.into(kv.Val, i+1)
	case last:
		return p.insert(n, i, branch{name: name, text: p.literal()})
	}
	old := kv.Val
	if !found {
		old = valueAt(n, []string{name}) // the value that a merge key adds
	}
	children, err := p.section(old, i+1)
	switch {
	case err != nil:
		return err
	case found:
		return p.expand(n, kv, children)
	}
	return p.insert(n, i, branch{name: name, children: children})
}

// section returns the branches of a new mapping in place of old, to which the first i keys of the
// path lead: the setting, and what old has. Old may be nil.
func (p *patch) section(old *yaml.Node, i int) ([]branch, error) {
	var children []branch
	var inner *yaml.Node
	key := strings.Join(p.path[:i], ".")
	switch {
	case old == nil:
	case yamltext.Follow(old).Kind == yaml.MappingNode:
		inner = valueAt(old, p.path[i:i+1])
		entries := yamltext.Entries(old)
		if anchor := yamltext.Follow(old).Anchor; anchor != "" { // a merge key, else copies
			children, entries = []branch{{name: "<<", text: "*" + anchor}}, nil
		}
		for _, e := range entries {
			if e.IsText && e.Name == p.path[i] {
				continue
			}
			x, err := p.extent(e.Val, 0)
			source := string(p.data[x.start:x.end])
			oneLine := e.Val.Kind == yaml.AliasNode || e.Val.Kind == yaml.ScalarNode && e.Val.Anchor == "" && x.header == 0
			if err != nil || !oneLine || !e.IsText || strings.ContainsAny(source, "\r\n") {
				return nil, p.blocked(e.Key, "comes from another mapping by a merge key, and cannot be repeated here")
			}
			children = append(children, branch{name: e.Name, text: source})
		}
	case !replaceable(old, key):
		v, _ := yamltext.Resolve(old)
		return nil, p.blocked(old, key+" is "+v.Source()+", and no setting can be added to that")
	case key == KeyToolSearch:
		v, _ := yamltext.Resolve(old) // a boolean stands for the mode
		if v.Kind == yamltext.Boolean && p.want.Key != KeyMode {
			mode := Auto
			if !v.Yes {
				mode = Off
			}
			children = []branch{{name: strings.TrimPrefix(KeyMode, KeyToolSearch+"."), text: literal(string(mode), p.json())}}
		}
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

// replaceable reports whether a mapping may replace a section's value: null, or the old form of
// tools.tool_search. Any other value means something to somebody, as in "model: gpt".
func replaceable(old *yaml.Node, key string) bool {
	v, _ := yamltext.Resolve(old)
	return v.Kind == yamltext.Null || key == KeyToolSearch && yamltext.Follow(old).Kind == yaml.ScalarNode
}

// pairs returns the pairs of a mapping as they are written, with merge keys and repeated keys.
func pairs(n *yaml.Node) []yamltext.Entry {
	var list []yamltext.Entry
	for i := 0; i+1 < len(n.Content); i += 2 {
		list = append(list, yamltext.Entry{Key: n.Content[i], Val: n.Content[i+1]})
	}
	return list
}

// unwritten reports whether nothing but a tag or an anchor follows the key of a pair.
func unwritten(o yamltext.Entry) bool {
	return o.Val.Kind == yaml.ScalarNode && o.Val.Value == "" && o.Val.Style&yamltext.QuotedStyles == 0
}

// isFlow reports whether a collection is written in brackets or braces.
func isFlow(n *yaml.Node) bool { return n.Style&yaml.FlowStyle != 0 }

// indent returns the column, from 0, of the first key or item of a collection.
func (p *patch) indent(n *yaml.Node) int {
	at := n
	if n.Kind == yaml.MappingNode && len(n.Content) > 0 {
		at = n.Content[0] // the mapping's own column is its anchor's
	}
	return max(0, at.Column-1)
}

package config

// Section is one key of the file: one at the top level, or one inside of a
// section of which only some keys are read.
type Section struct {
	Key  string `json:"key"` // dotted
	Line int    `json:"line"`
	Read bool   `json:"read"` // whether anything in it counts here
}

// sectionsOf returns the sections of a file in the order of the file. The keys
// inside of model, tools and plugins have lines of their own.
func (p *parser) sectionsOf() []Section {
	var list []Section
	for _, e := range entries(p.doc.root) {
		key := join("", e.name)
		v, _ := resolveNode(e.val)
		read := e.isText && p.reads(key)
		if key == modelKey && v.kind != mapping {
			_, read = p.given[modelNameKey]
		}
		list = append(list, p.sectionAt(key, e, read))
		if s, ok := sectionOf(key); !ok || !read || v.kind != mapping || s.key == rescueKey {
			continue
		}
		for _, inner := range entries(e.val) {
			path := join(key, inner.name)
			s, _ := sectionOf(path)
			_, shadowed := p.lineOf(s.alias)
			list = append(list, p.sectionAt(path, inner, inner.isText && p.reads(path) && !(s.alias != "" && shadowed)))
		}
	}
	return list
}

func (p *parser) sectionAt(key string, e entry, read bool) Section {
	line, _ := p.doc.position(e.key)
	return Section{Key: cut(key, maxPath), Line: line, Read: read}
}

// reads reports whether a dotted key is one that this package reads.
func (p *parser) reads(key string) bool {
	r, isRow := rowOf(key)
	_, isSection := sectionOf(key)
	return isSection || isRow && (r.set != nil || r.members != nil) || key == hooksKey || key == serversKey
}

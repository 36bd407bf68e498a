package export

import (
	"slices"
	"strings"

	"caliper/model"
)

// maxInserted bounds how many references are replaced by their definitions. A few
// definitions that refer to each other could make a text of exponential size.
const maxInserted = 200

// flatten returns a schema without $ref, allOf and oneOf: references are put
// in, the schemas of allOf are merged into the schema, and choices become anyOf.
func (g *geminiWriter) flatten(n *node, at place) (*node, place) {
	for {
		n, at = g.resolve(n, at)
		if all := n.member("allOf"); all != nil && all.kind == '[' {
			n, at = g.join(n.without("allOf"), all, at)
			continue
		}
		var again bool
		if n, again = g.choices(n, at); !again {
			return n, at
		}
	}
}

// resolve puts in what a reference refers to; what stands beside it holds.
func (g *geminiWriter) resolve(n *node, at place) (*node, place) {
	for n.member("$ref") != nil {
		given := n.member("$ref")
		ref := given.text()
		n = n.without("$ref")
		target := g.target(ref)
		switch {
		case target == nil:
			g.lose(at, "$ref %s, which leads nowhere", brief(given))
			return n, at
		case ref == "#" || slices.Contains(at.refs, ref) && g.returns(ref):
			g.lose(at, "$ref %s, which leads back to itself", brief(given))
			if t := target.member("type"); n.member("type") == nil && t != nil {
				n = n.with("type", t)
			}
			return n, at
		case g.inserted == maxInserted:
			g.lose(at, "$ref, of which there are too many to write out")
			return n, at
		}
		g.inserted++
		at.refs = append(slices.Clip(at.refs), ref)
		n = g.merge(n, target, at, "$ref")
	}
	return n, at
}

// returns reports whether a reference leads back to itself, by way of others or
// not. One that stands beside another of the same target does not.
func (g *geminiWriter) returns(ref string) bool {
	if known, ok := g.circles[ref]; ok {
		return known
	}
	seen := map[string]bool{}
	var leads func(n *node, depth int) bool
	leads = func(n *node, depth int) bool {
		if depth >= model.MaxSchemaDepth {
			return true // nobody looks further
		}
		if next := n.member("$ref").text(); next != "" {
			if next == ref || next == "#" {
				return true
			}
			if target := g.target(next); target != nil && !seen[next] {
				seen[next] = true
				if leads(target, depth+1) {
					return true
				}
			}
		}
		for _, m := range n.members {
			if m.value.kind == '{' && leads(m.value, depth+1) {
				return true
			}
			for _, v := range m.value.items {
				if v.kind == '{' && leads(v, depth+1) {
					return true
				}
			}
		}
		return false
	}
	g.circles[ref] = leads(g.target(ref), 0)
	return g.circles[ref]
}

// target returns the schema that a reference leads to, nil for none: nothing
// outside the parameters is looked for.
func (g *geminiWriter) target(ref string) *node {
	pointer, local := strings.CutPrefix(ref, "#")
	if !local {
		return nil
	}
	if t := g.root.at(pointer); t != nil && t.kind == '{' {
		return t
	}
	return nil
}

// join puts the schemas of allOf into the one around them, as far as they do
// not say different things of one keyword.
func (g *geminiWriter) join(n, all *node, at place) (*node, place) {
	before := at
	for i, part := range all.items {
		if part.kind != '{' {
			g.lose(at, "allOf[%d], which is %s", i, brief(part))
			continue
		}
		part, within := g.resolve(part, before)
		for _, ref := range within.refs {
			if !slices.Contains(at.refs, ref) {
				at.refs = append(slices.Clip(at.refs), ref)
			}
		}
		if inner := part.member("allOf"); inner != nil && inner.kind == '[' {
			part, at = g.join(part.without("allOf"), inner, at)
		}
		n = g.merge(n, part, at, "allOf")
	}
	return n, at
}

// merge adds to n the members of part that it lacks, and the properties and
// required names that it lacks. keyword is what brought part.
func (g *geminiWriter) merge(n, part *node, at place, keyword string) *node {
	if len(n.members) == 0 {
		return &node{kind: '{', members: part.members}
	}
	for _, m := range part.members {
		old := n.member(m.name)
		switch {
		case old == nil:
			n = n.with(m.name, m.value)
		case old.is(m.value), m.name == "$defs", m.name == "definitions":
		case m.name == "properties" && old.kind == '{' && m.value.kind == '{':
			n = n.with(m.name, g.merged(old, m.value, at, keyword))
		case m.name == "required" && old.kind == '[' && m.value.kind == '[':
			n = n.with(m.name, &node{kind: '[', items: slices.Concat(old.items, m.value.items)})
		default:
			g.lose(at, "%s of %s, which says another", m.name, keyword)
		}
	}
	return n
}

// merged returns properties with those of others that they lack.
func (g *geminiWriter) merged(n, others *node, at place, keyword string) *node {
	for _, p := range others.members {
		switch old := n.member(p.name); {
		case old == nil:
			n = n.with(p.name, p.value)
		case !old.is(p.value):
			g.lose(at.in("properties").in(p.name), "what %s says of a property besides", keyword)
		}
	}
	return n
}

// choices makes anyOf of oneOf and of several types, takes null out of the
// choices, and puts a choice that is the only one into the schema around it.
// again says that the schema then is not flat yet.
func (g *geminiWriter) choices(n *node, at place) (out *node, again bool) {
	if one := n.member("oneOf"); one != nil {
		if n.member("anyOf") != nil || one.kind != '[' {
			g.lose(at, "oneOf")
			n = n.without("oneOf")
		} else {
			n = n.renamed("oneOf", "anyOf")
			if len(one.items) > 1 && !g.exclusive(one) {
				g.lose(at, "oneOf, written as anyOf")
			}
		}
	}
	list := n.member("anyOf")
	switch {
	case list == nil:
		return g.byType(n), false
	case list.kind != '[' || len(list.items) == 0:
		g.lose(at, "anyOf, which is %s", brief(list))
		return n.without("anyOf"), false
	}
	kept := slices.DeleteFunc(slices.Clone(list.items), func(v *node) bool {
		t := v.member("type")
		return t.text() == "null" || t.says("null") && len(t.items) == 1
	})
	switch {
	case len(kept) == 0:
		return g.merge(n.without("anyOf"), list.items[0], at, "anyOf"), false
	case len(kept) == 1 && kept[0].kind != '{':
		g.lose(at, "anyOf, which is %s", brief(list))
		return n.without("anyOf"), false
	case len(kept) == 1:
		return g.merge(n.without("anyOf"), kept[0], at, "anyOf"), true
	}
	return n.with("anyOf", &node{kind: '[', items: kept}), false
}

// exclusive reports whether no value fits two of some schemas, so that any of
// them is one of them: their types differ.
func (g *geminiWriter) exclusive(list *node) bool {
	seen := map[string]bool{}
	for _, v := range list.items {
		t := v.member("type").text()
		if t == "integer" {
			t = "number"
		}
		if t == "" || seen[t] {
			return false
		}
		seen[t] = true
	}
	return true
}

// byType returns a schema of several types as a choice of one schema for each,
// unless its values are listed.
func (g *geminiWriter) byType(n *node) *node {
	t := n.member("type")
	if t == nil || t.kind != '[' || n.member("enum") != nil || n.member("const") != nil {
		return n
	}
	var types []string
	for _, v := range t.items {
		name := v.text()
		if name != "null" && !slices.Contains(geminiTypes, name) {
			return n
		}
		if name != "null" && !slices.Contains(types, name) {
			types = append(types, name)
		}
	}
	if len(types) < 2 {
		return n
	}
	list := &node{kind: '['}
	for _, name := range types {
		choice := &node{kind: '{', members: []branch{{"type", textNode(name)}}}
		for _, m := range n.members {
			if slices.Contains(saysOf(m.name), name) {
				choice.members = append(choice.members, m)
			}
		}
		list.items = append(list.items, choice)
	}
	out := n.renamed("type", "anyOf").with("anyOf", list)
	out.members = slices.DeleteFunc(out.members, func(m branch) bool { return saysOf(m.name) != nil })
	return out
}

// saysOf returns the types that a keyword is about, nil for all.
func saysOf(keyword string) []string {
	switch keyword {
	case "properties", "required", "additionalProperties", "patternProperties", "propertyNames", "dependentRequired", "dependentSchemas":
		return ofObjects
	case "items", "prefixItems", "additionalItems", "contains", "uniqueItems", "minContains", "maxContains":
		return ofArrays
	case "format":
		return ofText
	case "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		return ofNumbers
	}
	return geminiKeywords[keyword].types
}

// renamed returns n with a member under another name. n stays.
func (n *node) renamed(from, to string) *node {
	out := &node{kind: '{', members: slices.Clone(n.members)}
	for i := range out.members {
		if out.members[i].name == from {
			out.members[i].name = to
		}
	}
	return out
}

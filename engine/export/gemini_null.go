package export

import "slices"

// nullity is what a schema says of null.
type nullity int

const (
	silent      nullity = iota // null fits, as everything does of which nothing is said
	forbidsNull                // null does not fit
	saysNull                   // null fits, and the schema says so
)

// nullity returns what a schema says of null. OpenAPI's nullable counts,
// although it is no keyword of JSON Schema.
func (g *geminiWriter) nullity(n *node) nullity {
	if n.kind == 'f' {
		return forbidsNull
	}
	if v := n.member("nullable"); v != nil && v.kind == 't' {
		return saysNull
	}
	out := silent
	for _, m := range n.members {
		says := silent
		switch v := m.value; m.name {
		case "type":
			says = listed(v.says("null"))
		case "const":
			says = listed(v.kind == 'n')
		case "enum":
			says = listed(slices.ContainsFunc(v.items, func(v *node) bool { return v.kind == 'n' }))
		case "$ref":
			says = g.targetNullity(v.text())
		case "allOf":
			for _, v := range v.items {
				says = both(says, g.nullity(v))
			}
		case "anyOf", "oneOf":
			for i, v := range v.items {
				if i == 0 {
					says = forbidsNull
				}
				says = either(says, g.nullity(v))
			}
		}
		out = both(out, says)
	}
	return out
}

// targetNullity returns what the schema that a reference leads to says of
// null; one that leads back to itself says nothing.
func (g *geminiWriter) targetNullity(ref string) nullity {
	if known, ok := g.nulls[ref]; ok {
		return known
	}
	target := g.target(ref)
	if target == nil {
		return silent
	}
	g.nulls[ref] = silent
	g.nulls[ref] = g.nullity(target)
	return g.nulls[ref]
}

// listed returns what a list says of null that has it, or has not.
func listed(has bool) nullity {
	if has {
		return saysNull
	}
	return forbidsNull
}

// both returns what two schemas say of null that must both hold.
func both(a, b nullity) nullity {
	switch {
	case a == forbidsNull || b == forbidsNull:
		return forbidsNull
	case a == silent:
		return b
	}
	return a
}

// either returns what two schemas say of null of which one must hold.
func either(a, b nullity) nullity {
	switch {
	case a == saysNull || b == saysNull:
		return saysNull
	case a == forbidsNull:
		return b
	}
	return a
}
